"""The hits of the line rules, cached by the text of a line.

A check or an editor session owns one cache. After a keystroke only the changed line is checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory import l10n
from agent_memory.base.text_cache import TextCache
from agent_memory.lint.rule import LineRule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_memory.lint.rule import LineHit, Prefilter, Rule

Hits = tuple[tuple[LineRule, "LineHit"], ...]


class LineCache(TextCache[str, Hits]):
    """The hits of all line rules by the text of a line; a missing line is checked.

    Messages are cached in one language.
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        super().__init__(self.check)
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
            self.clear()

    def missing(self, lines: Iterable[str]) -> int:
        """Return the number of characters of ``lines`` that have to be checked."""
        return sum(len(line) for line in lines if line not in self and line not in self._old)

    def check(self, line: str) -> Hits:
        """Run the line rules on ``line``, without those whose prefilter rules them out."""
        rules = [*self._always]
        for passes, filtered in self._filtered.items():
            if passes(line):
                rules += filtered
        return tuple((rule, hit) for rule in rules for hit in rule.check(line))
