"""10,000 random edits in each position encoding give the same text as plain strings."""

from __future__ import annotations

import random
import re

import pytest

from agent_memory.lsp.workspace.documents import Document

CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
PIECES = [
    *("a", "b ", "\n", "\r\n", "\r", "é", "漢", "😀", "```\n", "# ", "- "),
    *("\u2028", "\u0085", "\x0c"),  # not line endings in LSP
]
LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
EDITS = 10_000


@pytest.mark.slow
@pytest.mark.parametrize("encoding", CODECS)
def test_random_edits_give_the_expected_text(encoding):
    rng = random.Random(99)
    longest = 0
    text = "".join(rng.choices(PIECES, k=300))
    document = Document("file:///x.md", text, 1, "markdown")
    for _ in range(EDITS):
        start = rng.randint(0, len(text))
        end = min(len(text), start + rng.choice((0, 0, 0, 1, 3, 20)))
        start, end = _on_lines(text, start), _on_lines(text, end)
        new = "".join(rng.choices(PIECES, k=rng.randint(0, 6)))
        span = {"start": _position(text, start, encoding), "end": _position(text, end, encoding)}
        document.apply({"range": span, "text": new}, encoding)
        text = text[:start] + new + text[end:]
        assert "".join(document.lines) == text
        longest = max(longest, len(text))
        if len(text) > 1_000:
            text = text[:300]
            document = Document("file:///x.md", text, 1, "markdown")
    assert longest > 1_000, "the text kept growing, so that there was something to edit"


def _on_lines(text, offset):
    """Return ``offset``, or one less inside ``\\r\\n``, which no position can address."""
    return offset - (text[offset - 1 : offset + 1] == "\r\n" and offset > 0)


def _position(text, offset, encoding):
    starts = [match.start() for match in LINE.finditer(text) if match.group() or not text]
    if not text or text[-1] in "\r\n":
        starts.append(len(text))
    line = max(number for number, start in enumerate(starts) if start <= offset)
    codec, width = CODECS[encoding]
    return {"line": line, "character": len(text[starts[line] : offset].encode(codec)) // width}
