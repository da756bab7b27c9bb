"""Starting: ``initialize`` is answered from plain JSON before pygls is imported.

Importing pygls takes 200 ms and more, most of it for lsprotocol's classes. An editor waits for
the answer to ``initialize``, so that is sent first; what comes after it waits in the pipe.
"""

from __future__ import annotations

import gc
import json
import logging
import os
import sys
from typing import TYPE_CHECKING, Any

from agent_memory.lsp import capabilities, client
from agent_memory.lsp.framing import Frames, encode

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.lsp.server import MemoryServer

_CHUNK = 1 << 16


def serve(home: Path) -> int:
    """Serve one client on standard input and output; return the exit code."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints by mistake must not get between the messages
    frames = Frames()
    bodies = _first(frames)
    first: list[tuple[bytes, bool]] = [(body, False) for body in bodies]
    reply = _reply(bodies[0]) if bodies else None
    if reply:
        output.write(encode(reply))
        output.flush()
        first[0] = (bodies[0], True)
    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(message)s"
    )
    return _server(home).run(frames, first, output)


def _first(frames: Frames) -> list[bytes]:
    """Read up to the end of the first message; return all that are whole by then."""
    while chunk := os.read(0, _CHUNK):
        bodies = list(frames.feed(chunk))
        if bodies:
            return bodies
    return []


def _reply(body: bytes) -> dict[str, Any] | None:
    """Return the response if ``body`` is a sound ``initialize`` request."""
    try:
        message = json.loads(body)
    except ValueError:
        return None
    if not isinstance(message, dict) or message.get("method") != "initialize":
        return None
    params = message.get("params")
    if not isinstance(params, dict) or "id" not in message:
        return None
    result = capabilities.answer(client.read(params))
    return {"jsonrpc": "2.0", "id": message["id"], "result": result}


def _server(home: Path) -> MemoryServer:
    """Import and make the server, without collecting garbage among thousands of new classes."""
    gc.disable()
    try:
        from agent_memory.lsp.server import MemoryServer  # noqa: PLC0415

        server = MemoryServer(home)
    finally:
        gc.freeze()
        gc.enable()
    return server
