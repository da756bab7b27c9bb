"""The hits of the line rules, cached by the text of a line.

A check or an editor session owns one cache. After a keystroke only the changed line is checked.
"""

from __future__ import annotations

from itertools import chain, filterfalse
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
        self._without_prefilter: list[LineRule] = []
        # Several rules can have the same prefilter, which is called once per line.
        self._by_prefilter: dict[Prefilter, list[LineRule]] = {}
        for rule in rules:
            if isinstance(rule, LineRule):
                if rule.prefilter is None:
                    self._without_prefilter.append(rule)
                else:
                    self._by_prefilter.setdefault(rule.prefilter, []).append(rule)

    def follow_language(self) -> None:
        """Clear the cache if the language has changed."""
        if self._language != l10n.revision():
            self._language = l10n.revision()
            self.clear()

    def characters_to_check(self, lines: Iterable[str]) -> int:
        """Return the number of characters in those of ``lines`` that are not in the cache."""
        not_recent = filterfalse(self.__contains__, lines)
        # `_old` is the older generation of the cache: results that were not used lately.
        return sum(len(line) for line in not_recent if line not in self._old)

    def check(self, line: str) -> Hits:
        """Return the hits of the line rules on ``line``.

        A rule whose prefilter ``line`` does not pass is not run. A rule that fails has one hit with
        its error (:data:`FAILURE`) in place of its hits.
        """
        try:
            return self._check(line)
        except Exception:  # noqa: BLE001 -- any error of a rule; the others have hits, too
            return tuple(self._check_one_by_one(line))

    def _check(self, line: str) -> Hits:
        """Return :meth:`check` of ``line`` if no rule fails; raise what a rule raises."""
        rules = [*self._without_prefilter]
        for prefilter, its_rules in self._by_prefilter.items():
            if prefilter(line):
                rules += its_rules
        return tuple((rule, hit) for rule in rules for hit in rule.check(line))

    def _check_one_by_one(self, line: str) -> Iterator[tuple[LineRule, LineHit]]:
        """Yield (rule, hit) of ``line``; of each rule that fails, one hit with its error.

        A failure of its prefilter counts as one of the rule.
        """
        for rule in (*self._without_prefilter, *chain(*self._by_prefilter.values())):
            try:
                passes = rule.prefilter is None or rule.prefilter(line)
                hits = list(rule.check(line)) if passes else []
            except Exception as error:  # noqa: BLE001 -- any error of a rule
                hits = [LineHit(0, 0, "", data={FAILURE: log_failure(error, rule.code)})]
            yield from ((rule, hit) for hit in hits)
