"""The common start and end of two texts, of lists of lines as of strings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.base.text_diff import common_ends

TEXTS = st.text(st.sampled_from("ab\n\U0001f30a"), max_size=300)


def expected(old, new):
    """Return what a comparison item by item finds."""
    most = min(len(old), len(new))
    head = next((at for at in range(most) if old[at] != new[at]), most)
    most -= head
    return head, next((at for at in range(most) if old[-1 - at] != new[-1 - at]), most)


@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_strings_and_lists_share_start_and_end(head, old, new, tail):
    before, after = head + old + tail, head + new + tail
    assert common_ends(before, after) == expected(before, after)
    assert common_ends(list(before), list(after)) == expected(before, after)


@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 191, 192, 193, 100_000])
@pytest.mark.parametrize("where", [0.0, 0.5, 1.0])
def test_one_insertion_is_found_at_any_position(size, where):
    text = "".join(chr(33 + number % 90) for number in range(size))
    at = int(size * where)
    assert common_ends(text, text[:at] + "\n" + text[at:]) == (at, size - at)


def test_equal_texts_differ_nowhere():
    assert common_ends("abc", "abc") == (3, 0)
    assert common_ends([], []) == (0, 0)
