"""Conversion of URIs and ranges, valid and invalid."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agent_memory.base.text import Span
from agent_memory.lsp.protocol.convert import to_path, to_span


@pytest.mark.skipif(os.name == "nt", reason="POSIX paths")
@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a/b%20c.md", "/a/b c.md"),
        ("file://localhost/a.md", "/a.md"),
        ("file://server/share/a.md", "//server/share/a.md"),
        ("file:///a%FF.md", "/a\udcff.md"),
        ("file://", None),
        ("file:///a%00b.md", None),
        ("file:a.md", None),
        ("untitled:Untitled-1", None),
        ("file://[::1", None),
    ],
)
def test_only_file_uris_are_paths(uri, path):
    assert to_path(uri) == (Path(path) if path else None)


LINES = ["one\n", "\U0001f600 two"]


def place(line, character):
    return {"line": line, "character": character}


def test_range_past_the_end_is_clamped():
    assert to_span({"start": place(1, 2), "end": place(9, 9)}, LINES, "utf-16") == Span(1, 1, 2, 0)


@pytest.mark.parametrize("wrong", [{}, {"start": place(0, 0)}, 5])
def test_invalid_range_is_refused(wrong):
    with pytest.raises((KeyError, TypeError)):
        to_span(wrong, LINES, "utf-16")
    with pytest.raises(TypeError, match="not a number"):
        to_span({"start": place("0", 0), "end": place(0, None)}, LINES, "utf-16")
