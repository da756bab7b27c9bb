from __future__ import annotations

import json
import tomllib

import pytest
import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.formats.json_parser import parse_json
from agent_memory.formats.limits import FormatError
from agent_memory.formats.toml_parser import parse_toml
from effort import scaled
from timing import growth

NAMES = st.text(max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=12,
)
TABLES = st.dictionaries(
    NAMES,
    st.recursive(
        st.booleans() | st.integers(-(2**63), 2**63) | NAMES,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
        max_leaves=12,
    ),
    max_size=4,
)

DEEP_JSON = ["[" * 200_000, '{"a":' * 200_000, "[\n" * 101 + "]" * 101, '["\\"", ' + "[" * 3_000]
DEEP_TOML = [
    "a=" + "[" * 50_000,
    "a=" + "{a=" * 50_000,
    ".".join(["a"] * 3_000) + "=1",
    "[" + ".".join(["a"] * 3_000) + "]",
    'a=["""x"""", ' + "[" * 3_000,
    "a=['''x'''', " + "[" * 3_000,
    'a=["\\"", ' + "[" * 3_000,
    'a=[ # "\n' + "[" * 3_000,
]  # fmt: skip


@settings(max_examples=scaled(200), deadline=None)
@given(VALUES)
def test_json_is_parsed_as_by_the_library(value):
    text = json.dumps(value)
    assert parse_json(text) == json.loads(text)


@settings(max_examples=scaled(200), deadline=None)
@given(TABLES)
def test_toml_is_parsed_as_by_the_library(table):
    text = tomli_w.dumps(table, multiline_strings=True)
    assert parse_toml(text) == tomllib.loads(text)


@pytest.mark.parametrize("text", DEEP_JSON, ids=range(len(DEEP_JSON)))
def test_deeply_nested_json_is_refused(text):
    with pytest.raises(FormatError, match=r"too deeply nested \(line \d+\)"):
        parse_json(text)


@pytest.mark.parametrize("text", DEEP_TOML, ids=range(len(DEEP_TOML)))
def test_deeply_nested_toml_is_refused(text):
    with pytest.raises(FormatError, match=r"too deeply nested \(line \d+\)"):
        parse_toml(text)


def test_the_line_is_that_of_the_first_value_that_is_too_deep():
    with pytest.raises(FormatError, match=r"\(line 101\)"):
        parse_json("[\n" * 200)
    with pytest.raises(FormatError, match=r"\(line 3\)"):
        parse_toml("a = 1\nb = 2\nc = " + "[" * 101)


@pytest.mark.parametrize(
    "text", ["[" * 100 + "]" * 100, '"' + "[" * 500 + '"', "[" + "[]," * 500 + "[]]"]
)
def test_values_within_the_limit_and_text_are_not_counted(text):
    assert parse_json(text) == json.loads(text)
    assert parse_toml(f"a = {text}") == tomllib.loads(f"a = {text}")


@pytest.mark.parametrize("number", ["9" * 6_000, "-" + "9" * 6_000])
def test_numbers_with_too_many_digits_are_refused(number):
    for parse, text in ((parse_json, f"[\n{number}]"), (parse_toml, f"\na={number}")):
        with pytest.raises(FormatError, match=r"too many digits \(line 2\)"):
            parse(text)


@pytest.mark.parametrize("number", ["0x" + "f" * 6_000, "0o" + "7" * 6_000, "0b" + "1" * 6_000])
def test_long_numbers_of_other_bases_are_refused(number):
    with pytest.raises(FormatError, match="too many digits"):
        parse_toml(f"a={number}")


@pytest.mark.parametrize("parse", [parse_json, parse_toml])
def test_a_text_over_the_limit_and_a_wrong_one_are_refused(parse):
    with pytest.raises(FormatError, match="too large"):
        parse("#" * (17 * 1024 * 1024))
    with pytest.raises(FormatError, match="line 1"):
        parse("]")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("parse", "unit"),
    [
        (parse_json, '"\\'),
        (parse_json, '["'),
        (parse_json, '[1,"]'),
        (parse_toml, '"""\\'),
        (parse_toml, "a='"),
        (parse_toml, "'''"),
        (parse_toml, "#'\"\n"),
        (parse_toml, "a.b\n"),
    ],
)
def test_the_time_is_linear(parse, unit):
    def refused(size):
        with pytest.raises(FormatError):
            parse(unit * size + "]")

    larger = growth(lambda: refused(50_000), lambda: refused(200_000), enough=8, offset=0.005)
    assert larger <= 8
