"""Code spans: between a run of backticks and the next equal one."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.markdown.code_spans import code_spans, spaced_spans

LINES = st.lists(st.sampled_from(["`", "``", "```", " ", "\t", "a", "b c", "/"]), max_size=12).map(
    "".join
)
SPAN = re.compile(r"(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)")


@given(LINES)
def test_spans_are_those_of_an_expression_with_a_back_reference(line):
    found = [(match.start(), match.end()) for match in SPAN.finditer(line)]
    assert [(span.first, span.end) for span in code_spans(line)] == found
    for span in code_spans(line):
        assert line.startswith(span.text, span.start)


@pytest.mark.parametrize(
    ("line", "texts"),
    [
        ("", []),
        ("no code", []),
        ("one `a` and `b", ["a"]),
        ("`a`b`c`", ["a", "c"]),
        ("`` a`b `` and ` c `", ["a`b", "c"]),
        ("` ` and `  `", [" ", " "]),
    ],
)
def test_text_is_without_one_space_on_each_side(line, texts):
    assert [span.text for span in code_spans(line)] == texts


@given(LINES)
def test_spaced_spans_are_those_with_a_space_or_a_tab(line):
    spaced = tuple(span for span in code_spans(line) if {" ", "\t"} & {*span.text})
    assert spaced_spans(line) == spaced
    assert dict(spaced_spans.found_in([line])).get(0, ()) == spaced
