"""Front matter of SKILL.md: the values are those of PyYAML, which the runtimes use."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.fs.reader import decode
from agent_memory.skills.skill_file import SkillFile, Trouble, parse
from effort import scaled


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
    assert "too large (line 11)" in read("\n".join([*lines, "name: *a39", "description: d"]))
    assert read("name: &n [*n]\ndescription: d").name == "[[...]]"


def test_merge_keys_and_long_texts_do_not_expand():
    lines = [
        "a0: &a0 {x: y}",
        *(f"a{n}: &a{n} {{<<: [{f'*a{n - 1}, ' * 9}]}}" for n in range(1, 9)),
    ]
    assert "too large" in read("\n".join([*lines, "name: *a8", "description: d"]))
    text = "a: &a " + "x" * 100_000
    assert "too large" in read(f"{text}\nname: [{'*a, ' * 5_000}]\ndescription: d")


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("[" * 3_000, "too deeply nested (line 2)"),
        ("{a: " * 3_000, "too deeply nested (line 2)"),
        ("- " * 3_000, ""),
        ("x" * 300_000, "too large (line 2)"),
        ("[" + "1, " * 20_000 + "]", "too large (line 2)"),
        ("0b" + "1" * 20_000, "digits"),
        ("9" * 6_000, "digits"),
        ("1" + ":1" * 6_000, "digits"),
        ("1" + ":1" * 6_000 + ".0", ""),
        ('"\\UFFFFFFFF"', ""),
        ('"\\U00110000"', ""),
    ],
)
def test_a_value_past_a_limit_is_reported(value, why):
    for key in ("name", "description", "license"):
        values = {"name": "n", "description": "d", "license": "l"} | {key: value}
        trouble = read("\n".join(f"{name}: {text}" for name, text in sorted(values.items())))
        assert isinstance(trouble, Trouble)
        assert trouble.about == "yaml"
        assert why.partition(" (")[0] in trouble


PIECES = st.sampled_from(
    [
        *(
            "y",
            "Y",
            "n",
            "no",
            "On",
            "null",
            "~",
            "0o17",
            "017",
            "0x1f",
            "0b1",
            "1_000",
            "1e3",
            ".5",
        ),
        *("1:2:3.5", "1:60", "2026-02-30", "2026-01-02", "2026-01-02 03:04:05", "=", "<<", ".nan"),
        *(
            "text",
            "é",
            "\U0001f600",
            "\x85",
            "\u2028",
            "\x7f",
            "\ufeff",
            "\a",
            "\t",
            "\\",
            "'",
            '"',
        ),
        *(
            " ",
            "  ",
            "\n",
            "\n  ",
            "\n- ",
            ": ",
            ":",
            " #",
            "#",
            "- ",
            "? ",
            "[",
            "]",
            "{",
            "}",
            ", ",
        ),
        *(
            "&a ",
            "*a",
            "!!str ",
            "!!int ",
            "!!set ",
            "!!binary ",
            "!!float ",
            "!x ",
            "|\n  ",
            ">-\n  ",
        ),
        *(
            "\\UFFFFFFFF",
            "\\x41",
            "\\N",
            "%YAML 1.2\n",
            "%TAG ! x\n",
            "---",
            "...",
            "name: ",
            "\nname: ",
        ),
    ]
)
VALUE = st.lists(PIECES, max_size=6).map("".join)


def expected(front):
    """Return name, description and license as the runtimes read them, None if they cannot."""
    try:
        values = yaml.safe_load(front)
        texts = [str(values.get(key, "")).strip() for key in ("name", "description", "license")]
    except Exception:  # noqa: BLE001 -- a runtime skips the skill, or fails
        return None
    return texts if texts[0] and texts[1] else None


@settings(max_examples=scaled(150), deadline=None)
@given(VALUE, VALUE, VALUE)
def test_values_equal_those_of_pyyaml(name, description, tail):
    front = f"name: {name}\ndescription: {description}\n{tail}"
    if "\n---" in front:
        return
    found = read(front)
    texts = [found.name, found.description, found.license] if isinstance(found, SkillFile) else None
    assert texts == expected(front)


@settings(max_examples=scaled(150), deadline=None)
@given(st.lists(PIECES, max_size=14).map("".join))
def test_any_front_matter_is_read_as_by_pyyaml(front):
    if "\n---" in front or front.startswith("---"):
        return
    found = read(front)
    texts = [found.name, found.description, found.license] if isinstance(found, SkillFile) else None
    assert texts == expected(front)
