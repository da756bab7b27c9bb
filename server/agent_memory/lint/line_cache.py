"""The hits of the line rules, cached by the text of a line.

A check or an editor session owns one cache. After a keystroke only the changed line is checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory import l10n
from agent_memory.lint.rule import LineRule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_memory.lint.rule import LineHit, Prefilter, Rule

Hits = tuple[tuple[LineRule, "LineHit"], ...]

_MAX = 100_000
"""Lines; a fuller cache is cleared, since most of its lines no longer exist."""


class LineCache:
    """Runs line rules and caches their hits; messages are cached in one language."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._hits: dict[str, Hits] = {}
        self._language = l10n.revision()
        self._always: list[LineRule] = []
        self._filtered: dict[Prefilter, list[LineRule]] = {}
        for rule in rules:
            if isinstance(rule, LineRule):
                if rule.prefilter is None:
                    self._always.append(rule)
                else:
                    self._filtered.setdefault(rule.prefilter, []).append(rule)

    def follow_language(self) -> None:
        """Clear the cache if the language has changed."""
        if self._language != l10n.revision():
            self._language = l10n.revision()
            self._hits.clear()

    def hits(self, line: str) -> Hits:
        """Return the hits of all line rules on ``line``."""
        hits = self._hits.get(line)
        if hits is None:
            if len(self._hits) >= _MAX:
                self._hits.clear()
            hits = self._hits[line] = self.check(line)
        return hits

    def check(self, line: str) -> Hits:
        """Run the line rules on ``line``, without those whose prefilter rules them out."""
        rules = [*self._always]
        for passes, filtered in self._filtered.items():
            if passes(line):
                rules += filtered
        return tuple((rule, hit) for rule in rules for hit in rule.check(line))
