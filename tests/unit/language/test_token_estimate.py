from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from agent_memory.base.text import split_lines
from agent_memory.language import token_estimate
from timing import seconds

ODD = ["`a_b`", "---", "漢字", "é", "\U0001f600", "\t", "# ", "x" * 30]
PIECES = st.sampled_from(["word", " Other", " ", "\n", "12345", *ODD])
texts = st.lists(PIECES, max_size=20).map("".join)


@given(texts, texts)
@example("------\U0001f600", "")
def test_estimate_is_monotonic(one, other):
    assert token_estimate.count(one + "\n" + other) >= token_estimate.count(one)


@given(texts)
def test_estimate_of_lines_equals_estimate_of_text(text):
    lines = split_lines(text)
    assert token_estimate.count_lines(lines) == token_estimate.count(text)
    assert abs(sum(map(token_estimate.count, lines)) - token_estimate.count(text)) <= len(lines)


@given(texts)
def test_only_empty_text_has_no_tokens(text):
    assert (token_estimate.count(text) == 0) == (text == "")


def test_non_ascii_character_does_not_change_the_rest():
    line = "- the quick brown fox, jumps_over 12345 (lazy) dogs: extraordinarily"
    plain, other = (token_estimate.count(f"{line}{end}\n" * 20) for end in ("", " \u2713"))
    assert abs(other - plain) <= 2


def test_second_count_uses_the_cache():
    text = "".join(f"- item {number} of the list, with some words\n" for number in range(25_000))
    first = seconds(lambda: token_estimate.count(text))
    assert seconds(lambda: token_estimate.count(text)) < first / 3
