"""A pattern that is compiled on first use equals one that is compiled at once."""

import copy
import importlib
import pkgutil
import re

import pytest

import agent_memory
from agent_memory.base import lazy_regex
from agent_memory.base.lazy_regex import lazy_compile


@pytest.mark.parametrize("text", ["", "a1", "xA2 b3", "none"])
def test_matches_equal_those_of_a_compiled_pattern(text):
    compiled = re.compile(r"([ab])\d", re.IGNORECASE)
    lazy = lazy_compile(r"([ab])\d", re.IGNORECASE)
    assert [match.span(1) for match in lazy.finditer(text)] == [
        match.span(1) for match in compiled.finditer(text)
    ]
    assert bool(lazy.search(text)) == bool(compiled.search(text))
    assert lazy.sub("-", text) == compiled.sub("-", text)


def test_an_invalid_pattern_raises_on_first_use():
    pattern = lazy_compile("(")
    with pytest.raises(re.error):
        pattern.search("")


def test_a_pattern_is_compiled_once_and_can_be_copied(monkeypatch):
    pattern = lazy_compile("a")
    assert copy.copy(pattern).match("a")
    assert pattern.search("ba")
    monkeypatch.setattr(re, "compile", None)
    assert pattern.search("ba")


def test_all_lazy_patterns_are_valid():
    found = 0
    for module in pkgutil.walk_packages(agent_memory.__path__, "agent_memory."):
        if module.name.endswith("__main__") or "integrations" in module.name:
            continue
        for value in vars(importlib.import_module(module.name)).values():
            for pattern in value if isinstance(value, tuple) else (value,):
                if isinstance(pattern, lazy_regex._LazyPattern):
                    assert pattern.groups >= 0
                    found += 1
    assert found > 50
