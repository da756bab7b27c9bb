from __future__ import annotations

import time

from hypothesis import given
from hypothesis import strategies as st

from agent_memory import tokens
from agent_memory.text import split_lines

ODD = ["`a_b`", "---", "漢字", "é", "\U0001f600", "\t", "# ", "x" * 30]
PIECES = st.sampled_from(["word", " Other", " ", "\n", "12345", *ODD])
texts = st.lists(PIECES, max_size=20).map("".join)


@given(texts, texts)
def test_more_text_is_never_fewer_tokens(one, other):
    assert tokens.count(one + "\n" + other) >= tokens.count(one)


@given(texts)
def test_lines_add_up(text):
    lines = split_lines(text)
    assert tokens.count_lines(lines) == tokens.count(text)
    assert abs(sum(map(tokens.count, lines)) - tokens.count(text)) <= len(lines)


@given(texts)
def test_only_nothing_is_no_token(text):
    assert (tokens.count(text) == 0) == (text == "")


@given(texts)
def test_words_in_ascii_and_beside_others_are_counted_alike(text):
    plain = text.encode("ascii", "ignore").decode()
    assert abs(tokens.count(plain + "\n") - tokens.count(plain + "\u00e9\n")) <= 2


def test_a_second_count_of_a_megabyte_is_kept_work():
    text = "".join(f"- item {number} of the list, with some words\n" for number in range(25_000))
    begin = time.process_time()
    first = tokens.count(text)
    middle = time.process_time()
    assert tokens.count(text) == first
    assert time.process_time() - middle < (middle - begin) / 3
