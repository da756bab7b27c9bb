"""Line rules: which of them run on a line, and what the cache holds."""

from __future__ import annotations

import pytest

from agent_memory import l10n
from agent_memory.base.model import Severity
from agent_memory.lint.line_cache import LineCache
from agent_memory.lint.rule import LineHit, LineRule

LINE = "- TODO: x"


@pytest.fixture
def checked():
    return []


@pytest.fixture
def rule(checked):
    def check(line):
        checked.append(line)
        if "TODO" in line:
            yield LineHit(2, 6, l10n.t("Remove the comment"))

    return LineRule("AM999", "todo", Severity.INFO, "A task", check=check)


def test_rule_without_prefilter_checks_every_line(rule):
    ((found, hit),) = LineCache([rule])[LINE]
    assert found is rule
    assert (hit.start, hit.end) == (2, 6)


def test_line_that_fails_the_prefilter_is_not_checked(rule, checked):
    cache = LineCache(
        [
            LineRule(
                *("AM999", "todo", Severity.INFO, "A task"),
                check=rule.check,
                prefilter=lambda line: "TODO" in line,
            )
        ]
    )
    assert cache["- plain"] == ()
    assert checked == []
    assert len(cache[LINE]) == 1


def test_line_is_checked_once(rule, checked):
    cache = LineCache([rule])
    assert cache[LINE] == cache[LINE]
    assert checked == [LINE]


def test_change_of_language_clears_the_cache(rule):
    cache = LineCache([rule])
    assert [hit.message for _, hit in cache[LINE]] == ["Remove the comment"]
    l10n.use("de")
    try:
        cache.follow_language()
        assert [hit.message for _, hit in cache[LINE]] == ["Kommentar entfernen"]
    finally:
        l10n.use(None)
