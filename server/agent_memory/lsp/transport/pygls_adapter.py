"""The language features, on pygls: typed parameters, checked before a handler sees them.

Loaded when the first of them is asked for. What pygls 2.1 lacks is put right here: parameters
that cannot be read are answered, nothing of a message is logged, bookkeeping does not grow.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import cattrs
from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter

from agent_memory.base.version import __version__
from agent_memory.lsp.features import (
    code_lens,
    completion,
    definition_references,
    folding,
    hover,
    rename,
    symbols,
)
from agent_memory.lsp.protocol.capabilities import NAME
from agent_memory.lsp.transport.fast_lane import INTERNAL_ERROR, INVALID_PARAMS, describe

if TYPE_CHECKING:
    from concurrent.futures import Future

    from agent_memory.lsp.server import MemoryServer

logger = logging.getLogger(__name__)

FEATURES = (completion, hover, code_lens, symbols, folding, definition_references, rename)
"""Modules with ``register(features)``; a new language feature is one file and one line."""


class Protocol(LanguageServerProtocol):
    """The protocol of pygls, with the connection in place of its own transport."""

    _server: Features

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Return the typed message; raises what cattrs raises for parameters it cannot read."""
        request, _, _, _ = types.METHOD_TO_TYPES[data["method"]]
        return self._converter.structure({"params": None, **data, "jsonrpc": "2.0"}, request)

    def _send_handler_result(self, future: Future[Any], *, msg_id: Any) -> None:
        self._request_futures.pop(msg_id, None)
        connection = self._server.memory.connection
        error = future.exception()
        if error:
            connection.fail(msg_id, *describe(error))
        else:
            connection.answer(msg_id, future.result())

    def _check_handler_result(self, future: Future[Any]) -> None:
        for msg_id, known in list(self._request_futures.items()):
            if known is future:
                del self._request_futures[msg_id]
        if error := future.exception():
            describe(error)


class Features(LanguageServer):
    """A pygls server without a transport: it is handed the messages of its features."""

    protocol: Protocol

    def __init__(self, memory: MemoryServer) -> None:
        super().__init__(
            NAME, __version__, protocol_cls=Protocol, converter_factory=default_converter
        )
        self.memory = memory
        self.session = memory.session
        memory.connection.serialize = self.protocol._serialize_message  # noqa: SLF001 -- its writer
        for feature in FEATURES:
            feature.register(self)

    def take(self, message: dict[str, Any]) -> None:
        """Handle one request; it is answered, whatever it holds."""
        try:
            structured = self.protocol.structure_message(message)
        except Exception as error:  # noqa: BLE001 -- cattrs raises what its hooks raise
            if "id" in message:
                text = _readable(error)
                self.memory.connection.fail(message["id"], INVALID_PARAMS, text)
            return
        self.protocol.handle_message(structured)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log what pygls could not handle: a pop-up would interrupt for our own fault."""
        logger.error("pygls: %s in %s (%s)", type(error).__name__, source, INTERNAL_ERROR)


def _readable(error: Exception) -> str:
    """Return what is wrong with parameters, by path and without their values."""
    try:
        return "; ".join(cattrs.transform_error(error)[:3])
    except Exception:  # noqa: BLE001 -- not an error cattrs can explain
        return f"the parameters cannot be read ({type(error).__name__})"
