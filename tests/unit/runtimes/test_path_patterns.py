"""Patterns of conditional rules: braces expand as in Claude Code 2.1.330."""

from __future__ import annotations

from time import process_time

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


def test_as_many_choices_count_as_in_claude_code():
    names = ",".join(f"{number:03}" for number in range(1001))
    assert matches([f"{{{names}}}"], "999")
    assert not matches([f"{{{names}}}"], "1000")
    assert len(list(alternatives("{a,b}" * 10))) == 1000


@pytest.mark.parametrize(
    "pattern",
    [
        "{a,b}" * 10 + "{a}" * 1348,
        "{a," * 1300 + "}" * 100,
        "{a,b}" * 10 + "*a" * 1000,
        "{a,b}" * 10 + "/**/*a*b" * 500,
        "x" * 3000 + "{a,b}" * 200,
    ],
)
@pytest.mark.parametrize("path", ["a" * 800, "/".join("ab" * 100)])
def test_hostile_braces_take_bounded_time(pattern, path):
    start = process_time()
    matches([pattern], path)
    assert process_time() - start < 5  # without limits on their size, 10 to 20 s


def test_many_choices_do_not_delay_a_match():
    assert matches(["{a,b}" * 800], "a" * 800)
    assert not matches(["{a,b}" * 200_000], "a" * 200_000)
