"""Front matter of SKILL.md: the values are those of PyYAML, which the runtimes use."""

from __future__ import annotations

import pytest

from agent_memory.fs.reader import decode
from agent_memory.skills.skill_file import SkillFile, Trouble, parse


def read(front):
    return parse(decode(None, f"---\n{front}\n---\n".encode()))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("y", "y"),
        ("N", "N"),
        ("yes", "True"),
        ("1:2:3.5", "3723.5"),
        ("1e3", "1e3"),
        ("0o17", "0o17"),
        ("017", "15"),
        ("1_000", "1000"),
        ("2026-01-02", "2026-01-02"),
        ("[y, on]", "['y', True]"),
        ("{a: n}", "{'a': 'n'}"),
        ("!!str yes", "yes"),
        ("&a text", "text"),
    ],
)
def test_values_are_resolved_as_yaml_1_1(value, text):
    assert read(f"name: {value}\ndescription: d") == SkillFile(text, "d", line=2)


def test_merge_keys_and_last_duplicate_win():
    front = "base: &b {name: low, description: d}\n<<: *b\nname: first\nname: last"
    assert read(front) == SkillFile("last", "d")


@pytest.mark.parametrize(
    ("front", "line"),
    [
        ("name: a\ndescription: b: c", 2),
        ("name: a\nx: !tag y", 2),
        ("name: a\n\tx: y", 2),
        ("name: a\nx: \u0085\u2028b: c: d", 2),
        ("name: a\nx: \u0007", 2),
        ("name: a\n? [x]\n: y", 2),
        ("name: 'a", 1),
    ],
)
def test_invalid_yaml_is_reported_at_its_line(front, line):
    trouble = read(front)
    assert isinstance(trouble, Trouble)
    assert (trouble.about, trouble.line) == ("yaml", line)
    assert f"(line {line + 1})" in trouble


@pytest.mark.parametrize(
    "value", ["2026-02-30", "!!bool maybe", "!!timestamp soon", '!!int ""', "[" * 3000]
)
def test_malformed_values_are_reported(value):
    trouble = read(f"name: {value}\ndescription: d")
    assert isinstance(trouble, Trouble)
    assert trouble.about == "yaml"


def test_only_a_mapping_is_front_matter():
    assert "not a mapping" in read("- a")
    assert "not a mapping" in read("text")
    assert "not a mapping" in read("")


def test_nested_aliases_do_not_expand():
    lines = ["a0: &a0 [x, x]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 40))]
    assert "through aliases" in read("\n".join([*lines, "name: *a39", "description: d"]))
    assert read("name: &n [*n]\ndescription: d").name == "[[...]]"
