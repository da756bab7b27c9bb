"""Framing of messages in chunks of any size, and rejection of other streams."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.lsp.transport.framing import (
    HEADER_CAP,
    Frames,
    FramingError,
    encode,
)


@given(st.lists(st.text(), max_size=5), st.lists(st.integers(1, 40), min_size=1))
def test_messages_are_complete_for_any_chunks(texts, sizes):
    stream = b"".join(encode({"text": text}) for text in texts)
    frames, found, at, turn = Frames(), [], 0, 0
    while at < len(stream):
        size = sizes[turn % len(sizes)]
        found += [json.loads(body)["text"] for body in frames.feed(stream[at : at + size])]
        at, turn = at + size, turn + 1
    assert found == texts


@pytest.mark.parametrize(
    ("stream", "why"),
    [
        (b"x" * (HEADER_CAP + 1), "no end of header"),
        (b"Content-Type: text\r\n\r\n", "without Content-Length"),
        (b"Content-Length: many\r\n\r\n", "without Content-Length"),
    ],
)
def test_unframed_stream_is_refused(stream, why):
    with pytest.raises(FramingError, match=why):
        list(Frames().feed(stream))
