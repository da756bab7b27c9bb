"""A pattern that is compiled late acts as one that is compiled at once."""

import copy
import re

import pytest

from agent_memory.base.lazy_regex import lazy_compile


@pytest.mark.parametrize("text", ["", "a1", "xA2 b3", "none"])
def test_it_finds_what_the_pattern_finds(text):
    now, then = re.compile(r"([ab])\d", re.IGNORECASE), lazy_compile(r"([ab])\d", re.IGNORECASE)
    assert [match.span(1) for match in then.finditer(text)] == [
        match.span(1) for match in now.finditer(text)
    ]
    assert bool(then.search(text)) == bool(now.search(text))
    assert then.sub("-", text) == now.sub("-", text)


def test_a_wrong_pattern_says_so_when_it_is_used():
    pattern = lazy_compile("(")
    with pytest.raises(re.error):
        pattern.search("")


def test_it_is_compiled_once_and_can_be_copied(monkeypatch):
    pattern = lazy_compile("a")
    assert copy.copy(pattern).match("a")
    assert pattern.search("ba")
    monkeypatch.setattr(re, "compile", None)
    assert pattern.search("ba")
