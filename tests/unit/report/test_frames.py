from __future__ import annotations

import hashlib
import time
from pathlib import Path

import pytest

from agent_memory.base.text import Span
from agent_memory.fs.reader import decode
from agent_memory.report.frames import frame
from unit.secrets.generate import Maker, private_key

TOKEN = Maker("frames").make("ghp_{crc:30}")
FILE = Path("agent.md")


def shown(text: str, span: Span, room: int = 60, allowed: frozenset[str] = frozenset()):
    return frame(decode(FILE, text.encode()), span, allowed, room)


@pytest.mark.parametrize(
    ("line", "start", "end", "text", "carets"),
    [
        ("- a\u200bb", 3, 4, "- a<U+200B>b", "   ^^^^^^^^"),
        ("\tx\ty", 3, 4, "    x   y", "        ^"),
        ("漢字 x", 3, 4, "漢字 x", "     ^"),
        ("e\u0301x", 2, 3, "e\u0301x", " ^"),
        ("abc", 3, 3, "abc", "   ^"),
    ],
)
def test_carets_mark_the_span(line, start, end, text, carets):
    assert shown(line + "\r\n", Span(0, start, 0, end)) == (text, carets)


def test_multiline_span_marks_the_first_line():
    assert shown("abc\ndef\n", Span(0, 1, 1, 2)) == ("abc", " ^^")


def test_missing_line_has_no_frame():
    assert shown("", Span(0, 0, 0, 0)) is None


def test_masked_secret_keeps_the_carets_aligned():
    line = f"key {TOKEN}\u200b end"
    text, carets = shown(line, Span(0, 4 + len(TOKEN), 0, 5 + len(TOKEN)))
    assert TOKEN not in text
    assert text[carets.index("^") :].startswith("<U+200B> end")


def test_each_line_of_a_private_key_is_masked():
    key = private_key(3)
    lines = key.splitlines()
    for number, line in enumerate(lines[1:-1], 1):
        text, _ = shown(f"{key}\n", Span(number, 0, number, 1))
        assert line not in text
        assert text == "\u2026"


def test_empty_line_of_a_private_key_is_empty():
    first, rest = private_key(3).split("\n", 1)
    text = f"{first}\nDEK-Info: AES-128-CBC\n\n{rest}\n"
    assert shown(text, Span(2, 0, 2, 0)) == ("", "^")


def test_allowed_value_is_not_masked():
    accepted = frozenset({hashlib.sha256(TOKEN.encode()).hexdigest()})
    text, _ = shown(f"key {TOKEN}", Span(0, 0, 0, 3), allowed=accepted)
    assert text == f"key {TOKEN}"


def test_very_long_line_is_clipped_fast():
    line = "word " * 200_000
    content = decode(FILE, line.encode())
    frame(
        content, Span(0, 0, 0, 1), frozenset(), 80
    )  # search for secrets once, outside the measured time
    begin = time.perf_counter()
    for at in range(500_000, 500_200):
        text, carets = frame(content, Span(0, at, 0, at + 3), frozenset(), 80) or ("", "")
        assert text[carets.index("^") : len(carets)] == line[at : at + 3]
    assert time.perf_counter() - begin < 1
