"""Positions in a memory file."""

from __future__ import annotations

import pytest

from agent_memory.base.text import Span
from agent_memory.lint.open_project import open_project
from kit import project


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("- one\n", Span(0, 0, 0, 5)),
        ("  1. one\n", Span(0, 2, 0, 8)),
        ("\t- a b\n", Span(0, 1, 0, 6)),
        ("- one\n  more\n", Span(0, 0, 1, 6)),
    ],
)
def test_the_span_of_an_item_begins_at_its_marker(tmp_path, text, span):
    ctx = project(tmp_path, {"AGENTS.md": f"# T\n\n- first\n{text}"}, {})
    file = open_project(ctx, "deepagents-code").files[ctx.cwd / "AGENTS.md"]
    found = file.item_span(file.markdown.items[-1])
    assert found == Span(span.line + 3, span.start, span.end_line + 3, span.end)
