"""The entry: ``initialize`` is answered before the rest of the server is imported.

An editor waits for this answer, and the imports take ten times as long as composing it. The
messages that follow wait in the pipe. So this module and its imports stay small.
"""

from __future__ import annotations

import json
import os
import sys

from agent_memory.lsp.protocol import capabilities
from agent_memory.lsp.protocol.client_capabilities import ClientCapabilities
from agent_memory.lsp.transport.errors import is_id
from agent_memory.lsp.transport.framing import Frames, FramingError, encode

# The module typing takes 2.4 ms to import, of 23 ms until the answer. So neither this module nor
# those that it imports at the top import typing; a type checker takes the name as True.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TextIO

    from agent_memory.lsp.host import Host

_CHUNK = 1 << 16
"""Bytes of one read of standard input, at most."""


def serve(home: str | None = None) -> int:
    """Serve one client on standard input and output; return the exit code.

    ``home`` is the folder with ``.deepagents``, None for the user's home. The exit code is 0 after
    ``shutdown`` and ``exit``, else 1: also if the input is not that of a language client.
    """
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a stray print must not corrupt the stream of messages
    frames = Frames()
    try:
        bodies = _first_messages(frames)
    except FramingError as error:
        sys.stderr.write(f"{error.explanation}\n")
        return 1
    first: list[tuple[bytes, bool]] = [(body, False) for body in bodies]  # (body, is answered)
    reply = _reply(bodies[0]) if bodies else None  # without a message, the input has ended
    if reply:
        output.write(encode(reply))
        output.flush()
        first[0] = (bodies[0], True)  # the host handles it too, but does not answer again
    return _host(home).run(frames, first, output)


def _first_messages(frames: Frames) -> list[bytes]:
    """Read until the first message is complete; return all messages complete by then.

    [] if the input ends before. An error after a complete message is not raised: the message is
    answered first, and then the host finds the error again.

    Raises:
        FramingError: the input is not that of a language client.

    """
    bodies: list[bytes] = []
    while not bodies and (chunk := os.read(0, _CHUNK)):
        try:
            for body in frames.feed(chunk):
                bodies.append(body)  # noqa: PERF402 -- those before an error are handled
        except FramingError:
            if not bodies:
                raise
    return bodies


def _reply(body: bytes) -> dict[str, Any] | None:
    """Return the response if ``body`` is a valid ``initialize`` request, else None."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or message.get("method") != "initialize":
        return None
    params = message.get("params")
    if not isinstance(params, dict) or not is_id(message.get("id")):
        return None
    result = capabilities.answer(ClientCapabilities(params))
    return {"jsonrpc": "2.0", "id": message["id"], "result": result}


def _host(home: str | None) -> Host:
    """Import and create the host of the session; from now on the log masks secrets."""
    from agent_memory.base.gc_pause import gc_paused  # noqa: PLC0415 -- after the answer

    with gc_paused(freeze=True):
        import logging  # noqa: PLC0415
        from pathlib import Path  # noqa: PLC0415
        from typing import cast  # noqa: PLC0415

        from agent_memory.lsp.host import Host  # noqa: PLC0415
        from agent_memory.secrets import MaskedStream  # noqa: PLC0415

        sys.stderr = cast("TextIO", MaskedStream(sys.stderr))

        logging.basicConfig(
            stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(message)s"
        )
        folder = Path(home).expanduser() if home else Path.home()
        return Host(folder.absolute())
