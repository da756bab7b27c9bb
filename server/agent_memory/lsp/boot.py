"""Starting: ``initialize`` is answered before the server itself is imported.

An editor waits for the answer, and the imports of everything else take ten times as long as
making it; what comes after it waits in the pipe. So this file and what it imports stay small.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

from agent_memory.lsp.protocol import capabilities
from agent_memory.lsp.protocol.client_capabilities import Client
from agent_memory.lsp.transport.framing import Frames, encode

if TYPE_CHECKING:
    from agent_memory.lsp.server import MemoryServer

_CHUNK = 1 << 16


def serve(home: str | None = None) -> int:
    """Serve one client on standard input and output; return the exit code.

    ``home`` is the folder with ``.deepagents``, None for the user's own.
    """
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
    result = capabilities.answer(Client(params))
    return {"jsonrpc": "2.0", "id": message["id"], "result": result}


def _server(home: str | None) -> MemoryServer:
    """Import and make the server."""
    from agent_memory.lsp.transport.gc_pause import gc_paused  # noqa: PLC0415 -- the answer went first

    with gc_paused():
        import logging  # noqa: PLC0415
        from pathlib import Path  # noqa: PLC0415

        from agent_memory.lsp.server import MemoryServer  # noqa: PLC0415

        logging.basicConfig(
            stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(message)s"
        )
        folder = Path(home).expanduser() if home else Path.home()
        return MemoryServer(folder.absolute())
