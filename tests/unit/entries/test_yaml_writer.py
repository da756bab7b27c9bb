"""Rendered YAML round-trips through our parser and through ruamel.yaml."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from agent_memory.entries.yaml_reader import load_mapping
from agent_memory.entries.yaml_writer import scalar

PIECES = st.sampled_from(
    [
        *("word", "a longer phrase of several words", "x" * 90, "1", "true", "null", "~", "- "),
        *(" ", "  ", "\n", "\n\n", "\n  ", "\t", ": ", " #", "'", '"', "\\", "\\n", "%", "@", "&"),
        *("caf\u00e9", "\U0001f600" * 50, "\x07", "\x85", "\u2028", "\ufeff", "[", "{", "|", ">"),
    ]
)
texts = st.lists(PIECES, min_size=1, max_size=10).map("".join)


def written(text: str) -> str:
    return f"key: {scalar(text, '  ', 5)}\n"


def followed(text: str) -> str:
    """Return ``text`` as in an entry: another key follows."""
    return f"{written(text)}next: 1\n"


@given(texts)
@example(" \n")
@example("\n \n")
@example("\x07\n \na longer phrase of several words")
@example("\U0001f600" * 150 + "  ")
@example('it\'s "both" \n and more ' + "x" * 60 + "\n\n tail")
@example('"' + "quoted words " * 12 + '\x07" ends')
@example("\u2028" * 30 + " and " + "long" * 30)
@example("line one\n  \nline two\n\n")
@example('" - \n  \t')
@example("\x85" + "\U0001f600" * 50 + "\n\n\n tail")
@example("x" * 60 + " " * 40 + "'\n- \x85word'\\")
@example("word\\" + "\U0001f600" * 50 + " " * 90 + "\x85- ")
def test_text_round_trips(text):
    assert load_mapping(followed(text)) == {"key": text, "next": 1}


@given(texts.filter(lambda text: not set(text) & set("\x85\u2028\ufeff\t")))
def test_ruamel_parses_the_same(text):
    assert YAML(typ="safe", pure=True).load(followed(text)) == {"key": text, "next": 1}


@pytest.mark.parametrize("text", ["plain words", "caf\u00e9", "a-b_c/d.md"])
def test_plain_text_is_not_quoted(text):
    assert written(text) == f"key: {text}\n"


@pytest.mark.parametrize("text", ["true", "1", "null", "1e3", ""])
def test_text_like_another_type_is_quoted(text):
    assert written(text) == f'key: "{text}"\n'


def test_ordinary_text_is_folded_at_80_columns():
    assert max(map(len, written("several words " * 40).splitlines())) <= 80


def test_a_lone_surrogate_is_replaced_also_in_a_text_that_cannot_be_folded():
    text = "\x01 " + "x " * 60 + "\ud800"
    assert load_mapping(f"key: {scalar(text, '  ')}\n")["key"] == text.replace("\ud800", "\ufffd")
