r"""Messages on a byte stream: ``Content-Length: N\r\n\r\n`` and N bytes of JSON."""

from __future__ import annotations

import json

TYPE_CHECKING = False  # importing typing would delay the start: see boot.py
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

HEADER_CAP = 64 * 1024
"""Bytes without the end of a header after which the stream is rejected."""
BODY_CAP = 128 * 1024 * 1024
"""Bytes of one message. A document of 16 MiB can take six times its size as JSON."""
_DIGITS_MAX = 20
"""Digits of a length; converting a longer one takes too much time."""


class FramingError(ValueError):
    """The stream is not framed; the messages after this point cannot be found."""

    @property
    def explanation(self) -> str:
        """One line for the log."""
        return f"standard input is not a language client: {self}"


class Frames:
    """Splits a stream into message bodies, independent of the chunks it arrives in."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        # (bytes of the header, bytes of the body) of the first frame; None: no complete header yet.
        self._need: tuple[int, int] | None = None

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """Add ``chunk`` and yield each body that is complete now.

        Raises:
            FramingError: a header has no end, no length, or a length above ``BODY_CAP``. The
                bodies before it have been yielded.

        """
        self._buffer += chunk
        while (body := self._next_body()) is not None:
            yield body

    def _next_body(self) -> bytes | None:
        """Remove the first frame of the buffer, return its body; None if it is not complete yet.

        Raises:
            FramingError: its header has no end within ``HEADER_CAP`` or no valid length.

        """
        buffer = self._buffer
        if self._need is None:
            end = buffer.find(b"\r\n\r\n")
            if end < 0:
                if len(buffer) > HEADER_CAP:
                    raise FramingError(f"no end of header in {len(buffer)} bytes")
                return None
            self._need = (end + len(b"\r\n\r\n"), _body_length(bytes(buffer[:end])))
        start, length = self._need  # of the body
        if len(buffer) < start + length:
            return None
        body = bytes(buffer[start : start + length])
        del buffer[: start + length]
        self._need = None
        return body


def _body_length(header: bytes) -> int:
    """Return ``Content-Length`` of ``header``, in bytes.

    Raises:
        FramingError: it is missing, not a number, or above ``BODY_CAP``.

    """
    for line in header.split(b"\r\n"):
        name, _, value = line.partition(b":")
        digits = value.strip()
        # Other fields, such as Content-Type, are ignored.
        if name.strip().lower() == b"content-length" and digits.isdigit():
            if len(digits) > _DIGITS_MAX or int(digits) > BODY_CAP:
                raise FramingError(f"a message of more than {BODY_CAP >> 20} MiB")
            return int(digits)
    raise FramingError("a message header without Content-Length")


def encode(message: Any, default: Callable[[Any], Any] | None = None) -> bytes:
    """Return ``message`` as one frame. Lone surrogates become JSON escapes.

    ``default`` converts values that are not JSON.
    """
    body = json.dumps(message, separators=(",", ":"), default=default).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body
