"""The hits of the line rules, cached by the text of a line.

A check or an editor session owns one cache. After a keystroke only the changed line is checked.
"""

from __future__ import annotations

from itertools import filterfalse
from typing import TYPE_CHECKING

from agent_memory import l10n
from agent_memory.base.failures import log_failure
from agent_memory.base.text_cache import TextCache
from agent_memory.lint.rule import LineHit, LineRule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_memory.lint.rule import Prefilter, Rule

Hits = tuple[tuple[LineRule, "LineHit"], ...]
"""The hits of one line, each with its rule."""

FAILURE = "failure"
"""Key of the data of a hit: the type of the error that ended the rule."""


class LineCache(TextCache[str, Hits]):
    """The hits of all line rules by the text of a line; a line is checked when it is looked up.

    Messages are cached in one language.
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        super().__init__(self.check)
        self._language = l10n.revision()  # a number that grows when the language changes
        self._always: list[LineRule] = []
        # By prefilter: several rules have the same one, which is called once per line.
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
        new = filterfalse(self.__contains__, lines)
        # The older generation of the cache has results that were not used lately.
        return sum(len(line) for line in new if line not in self._old)

    def check(self, line: str) -> Hits:
        """Return the hits of the line rules on ``line`` whose prefilter it passes.

        A rule that fails has one hit with its error (:data:`FAILURE`) in place of its hits.
        """
        try:
            return self._check(line)
        except Exception:  # noqa: BLE001 -- any error of a rule; the others have hits, too
            return tuple(self._check_one_by_one(line))

    def _check(self, line: str) -> Hits:
        """Return :meth:`check` of a line in which no rule fails; raise what a rule raises."""
        rules = [*self._always]
        for passes, filtered in self._filtered.items():
            if passes(line):
                rules += filtered
        return tuple((rule, hit) for rule in rules for hit in rule.check(line))

    def _check_one_by_one(self, line: str) -> Iterator[tuple[LineRule, LineHit]]:
        """Yield (rule, hit) of ``line``; of each rule that fails, one hit with its error."""
        rules: list[tuple[LineRule, Prefilter | None]] = [(rule, None) for rule in self._always]
        for passes, filtered in self._filtered.items():
            rules += [(rule, passes) for rule in filtered]
        for rule, prefilter in rules:
            try:
                hits = list(rule.check(line)) if prefilter is None or prefilter(line) else []
            except Exception as error:  # noqa: BLE001 -- any error of a rule
                hits = [LineHit(0, 0, "", data={FAILURE: log_failure(error, rule.code)})]
            yield from ((rule, hit) for hit in hits)
