"""The answer to ``initialize``, as plain JSON: it is sent before pygls is imported."""

from __future__ import annotations

from agent_memory.base.version import __version__
from agent_memory.lsp.protocol.methods import NAME, TABLE

TYPE_CHECKING = False  # importing typing would delay the start: see boot.py
if TYPE_CHECKING:
    from typing import Any

    from agent_memory.lsp.protocol.client_capabilities import ClientCapabilities


def answer(client: ClientCapabilities) -> dict[str, Any]:
    """Return the InitializeResult for ``client``: what the rows of the table announce."""
    out: dict[str, Any] = {"positionEncoding": client.encoding}
    for row in TABLE:
        value = row.value(client) if row.value else None
        if value is not None:
            # "workspace.fileOperations.willRename": the first two parts are objects, the last one
            # is a key in the inner object.
            *keys, last_key = row.capability.split(".")
            parent = out
            for key in keys:
                parent = parent.setdefault(key, {})
            parent[last_key] = value
    return {"capabilities": out, "serverInfo": {"name": NAME, "version": __version__}}
