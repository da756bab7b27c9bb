"""The quick look before the expression of AM603 never hides what the expression finds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent_memory.lint.rules import transient

WORDS = st.sampled_from(
    [
        *("I", "I'm", "I am", "we", "we're", "we are", "user is", "the user", "my", "our", "due"),
        *("Tonight", "tomorrow", "TODAY", "this week", "this Weekend", "right now", "is currently"),
        *("currently", "broken", "failing", "working on", "at the moment", "as of", "yesterday"),
        *("last week", "until", "Friday", "next month", "I'll be", "I will be", "is", "today:"),
        *("on my phone", "away", "in a meeting", "remind me", "deadline", "so", ".", ",", "(", "-"),
    ]
)


@given(st.lists(WORDS, max_size=8).map(" ".join))
def test_what_the_expression_finds_passes_the_quick_look(line):
    if transient._TRANSIENT.search(line):
        assert any(word in line.lower() for word in transient._NEEDED)
