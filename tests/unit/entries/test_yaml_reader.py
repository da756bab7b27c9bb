"""Scalars of the YAML 1.2 core schema: values and round trips."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.entries.yaml_reader import YamlError, load_mapping
from agent_memory.entries.yaml_writer import scalar
from timing import growth

# what npm's yaml 2.9 writes for {summary: text}
WRITTEN = [
    ("plain words", "plain words"),
    ("yes", "yes"),
    ("true", '"true"'),
    ("12", '"12"'),
    ("1e3", '"1e3"'),
    (".5", '".5"'),
    ("0x1F", '"0x1F"'),
    ("~", '"~"'),
    ("2025-08-12", "2025-08-12"),
    ("", '""'),
    ("a: b", '"a: b"'),
    ("a #b", '"a #b"'),
    ("a#b", "a#b"),
    ("- a", '"- a"'),
    ("-a", "-a"),
    ("[x]", '"[x]"'),
    ('say "hi"', 'say "hi"'),
    ('"hi"', "'\"hi\"'"),
    ("it's: so", '"it\'s: so"'),
    ("both ' and \": x", '"both \' and \\": x"'),
    ("ends:", '"ends:"'),
    (" padded", '" padded"'),
    ("tab\tin: it", '"tab\\tin: it"'),
    ("bell\x07", '"bell\\a"'),
    ("two\nlines", "|-\n  two\n  lines"),
    ("two\n\nlines\n", "|\n  two\n\n  lines\n"),
    ("  lead\nx", "|2-\n    lead\n  x"),
    ("word " * 20 + "end", "word " * 13 + "word\n  " + "word " * 6 + "end"),
    ("k: " + "word " * 20 + "end", '"k: ' + "word " * 12 + "word\n  " + "word " * 7 + 'end"'),
    ("x" * 100, "x" * 100),
    ("# " + "x" * 100, '"#\n  ' + "x" * 77 + "\\\n  " + "x" * 23 + '"'),
]


@pytest.mark.parametrize(("text", "written"), WRITTEN)
def test_scalar_is_rendered_as_by_javascript(text, written):
    assert scalar(text, "  ", 9) == written.removesuffix("\n")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: yes", "yes"),
        ("a: true", True),
        ("a: 0o17", 15),
        ("a: 017", 17),
        ("a: 1.5e3", 1500.0),
        ("a: 2025-08-12T10:00:01Z", "2025-08-12T10:00:01Z"),
        ("a:", None),
        ("a: ~", None),
        ('a: "x\\ty\\u00e9"', "x\tyé"),
        ("a: 'it''s'", "it's"),
        ("a: one\n  two", "one two"),
        ("a: [1, x]", [1, "x"]),
        ("a:\n  - x\n  - 1", ["x", 1]),
        ("a: {b: c}", {"b": "c"}),
        ("a: &x 1", 1),
        ("# note\na: 1", 1),
        ("a: >-\n  one\n  two", "one two"),
        ("a: |+\n  one\n", "one\n\n"),
        ("a: |+\n  \n", "\n\n"),
        ("a: |-\n  \n", ""),
    ],
)
def test_values_follow_the_core_schema(text, value):
    assert load_mapping(text)["a"] == value


@pytest.mark.parametrize(
    "text",
    [
        "a: b: c",
        "a: 1\na: 2",
        "- a",
        "a: [",
        'a: "\\q"',
        "",
        "a: {x: 1, x: 2}",
        'a: "\\U00110000"',
        'a: "\\UFFFFFFFF"',
        'a: ["\\UFFFFFFFF"]',
    ],
)
def test_invalid_mappings_are_errors(text):
    with pytest.raises(YamlError):
        load_mapping(text)


PIECES = st.sampled_from(
    ["word", " ", "  ", "\n", ":", "#", "-", '"', "'", "\\", "é", "用户", "🚀", "\t", "\u2028", "1"]
)


@settings(deadline=None)
@given(st.lists(PIECES, max_size=90).map("".join).filter(str.strip), st.integers(0, 60))
def test_every_text_round_trips(text, start):
    key = "k" * (1 + start)
    written = f"{key}: {scalar(text, '  ', len(key) + 2)}"
    assert load_mapping(written) == {key: text}
    assert load_mapping(f"tags:\n  - {scalar(text, '    ')}") == {"tags": [text]}


@pytest.mark.parametrize(
    "text", ["key: |4\n  less than it says\n", "? [a, b]\n: 1\n", "{a: 1}: 2\n"]
)
def test_exotic_yaml_is_refused(text):
    with pytest.raises(YamlError):
        load_mapping(text)


def test_aliases_are_read_but_not_expanded_without_limit():
    lines = [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}, *a{n - 1}]" for n in range(1, 60)]
    assert load_mapping("\n".join(["a0: &a0 [x]", *lines[:2]]))["a2"] == [[["x"]] * 3] * 3
    with pytest.raises(YamlError, match=r"too large \(line \d+\)"):
        load_mapping("\n".join(["a0: &a0 [x]", *lines]))


def test_an_alias_cannot_contain_itself():
    with pytest.raises(YamlError, match="contains itself"):
        load_mapping("a: &a [*a]")


def test_an_anchor_may_be_used_again(recwarn):
    assert load_mapping("a: &x 1\nb: &x 2\nc: *x") == {"a": 1, "b": 2, "c": 2}
    assert not recwarn


@pytest.mark.parametrize("infinite", ["inf", "Inf", "INF"])
@pytest.mark.parametrize("nan", ["nan", "NaN", "NAN"])
def test_infinity_and_nan_are_numbers_in_each_case(infinite, nan):
    values = load_mapping(f"a: .{infinite}\nb: -.{infinite}\nc: +.{infinite}\nd: .{nan}\n")
    assert str(values) == "{'a': inf, 'b': -inf, 'c': inf, 'd': nan}"
    assert scalar(f".{infinite}", "  ", 9) == f'".{infinite}"'
    assert scalar(f".{nan}", "  ", 9) == f'".{nan}"'


@pytest.mark.parametrize("number", ["9" * 6000, "0x" + "f" * 6000, "0o" + "7" * 6000])
@pytest.mark.parametrize("form", ["a: {0}", "a: {0} # slow"])
def test_a_huge_number_is_infinite_as_in_javascript(number, form):
    assert load_mapping(form.format(number)) == {"a": float("inf")}


@pytest.mark.parametrize(
    "text",
    [
        "a: " + "[" * 50_000,
        "- " * 5_000,
        "? " * 5_000,
        "a: " + "{a: " * 5_000,
        "\n".join(" " * depth + "-" for depth in range(400)),
    ],
)
def test_deep_nesting_is_refused(text):
    with pytest.raises(YamlError, match=r"too deeply nested \(line \d+\)"):
        load_mapping(text)


def test_deep_brackets_are_refused_before_all_of_them_are_read():
    def refused(depth):
        with pytest.raises(YamlError, match="too deeply nested"):
            load_mapping("a: " + "[" * depth)

    assert growth(lambda: refused(110), lambda: refused(9_000), enough=5, offset=0.01) <= 5


@pytest.mark.parametrize("text", ["a: [" + "1," * 20_000 + "]", "a: " + "x" * 300_000])
def test_too_many_values_and_too_long_texts_are_refused(text):
    with pytest.raises(YamlError, match="too large"):
        load_mapping(text)


@pytest.mark.parametrize("char", ["\0", "\x7f", "\x85", "\x9f", "\u2028", "\u2029", "\ufffe"])
@pytest.mark.parametrize("form", ['a: "x{0}y"', 'a: "x{0}y" # slow', "a: x{0}y\nb: [1]"])
def test_odd_characters_are_text_as_in_javascript(char, form):
    assert load_mapping(form.format(char))["a"] == f"x{char}y"
