"""Patterns of conditional rules: braces expand as in Claude Code 2.1.330."""

from __future__ import annotations

import pytest

from agent_memory.runtimes.path_patterns import alternatives, matches


@pytest.mark.parametrize(
    ("pattern", "expanded"),
    [
        ("*.py", ["*.py"]),
        ("{a,b}/{c,d}", ["a/c", "a/d", "b/c", "b/d"]),
        ("*.{js, ts}", ["*.js", "*.ts"]),
        ("a{,b}", ["a", "ab"]),
        ("a{}", ["a{}"]),
        ("{a,b", ["{a,b"]),
        # Braces end at the first `}`.
        ("{a,{b,c}}", ["a}", "b", "c}"]),
        ("x/{{a,b},c}/y", ["x/a/y", "x/c/y", "x/b,c}/y"]),
    ],
)
def test_braces_expand_to_each_choice(pattern, expanded):
    assert list(alternatives(pattern)) == expanded


def test_a_file_may_match_one_choice_of_nested_braces():
    assert matches(["src/{a,{b,c}}/*.ts"], "src/b/x.ts")
    assert not matches(["src/{a,{b,c}}/*.ts"], "src/c/x.ts")


def test_many_choices_do_not_delay_a_match():
    assert matches(["{a,b}" * 800], "a" * 800)
    assert not matches(["{a,b}" * 200_000], "a" * 200_000)
