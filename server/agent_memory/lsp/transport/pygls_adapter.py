"""What pygls 2.1 lacks for this server, each correction with a test in tests/unit/lsp/transport.

pyproject.toml pins ``pygls>=2.1.1,<2.2``, because the corrections override private methods:

==========================  =====================================================================
``_register_builtin_...``   pygls' document store splits lines at U+2028 and its life cycle needs
                            a typed ``initialize``: both are in the fast lane, so only commands and
                            the trace value stay pygls'.
``structure_message``       pygls does not answer requests whose parameters are malformed, logs
                            their values, and turns those of custom methods into named tuples.
``_send_handler_result``    pygls answers each exception with -32603 and its traceback.
``_check_handler_result``   pygls never drops the futures of notifications.
``_send_data``              pygls logs each message; the fast lane shares the stream.
``report_server_error``     pygls interrupts the user with a pop-up.
``lsp_workspace__...``      pygls rejects unknown commands with -32602 but no list of the known.
==========================  =====================================================================
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import attrs
import cattrs
from lsprotocol import types
from lsprotocol.converters import get_converter
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from agent_memory.base.version import __version__
from agent_memory.lsp.protocol.methods import COMMANDS, NAME
from agent_memory.lsp.transport.errors import (
    INVALID_PARAMS,
    REQUEST_CANCELLED,
    BadParamsError,
    describe,
    log_ignored,
)

if TYPE_CHECKING:
    from concurrent.futures import Future

    from agent_memory.lsp.transport.client import Client

logger = logging.getLogger(__name__)

_BUILTINS = (types.WORKSPACE_EXECUTE_COMMAND, types.SET_TRACE)


@attrs.define
class PlainRequest:
    """A request of a custom method. ``params`` stay plain JSON."""

    method: str
    jsonrpc: str
    params: Any
    id: str | int


@attrs.define
class PlainNotification:
    """A message with a custom method and without an id. ``params`` stay plain JSON."""

    method: str
    jsonrpc: str
    params: Any


class Protocol(LanguageServerProtocol):
    """pygls' protocol, on the stream of the fast lane."""

    _server: AdaptedServer

    def _register_builtin_features(self) -> None:
        """Register pygls' own handlers, and remove all but those in ``_BUILTINS``."""
        super()._register_builtin_features()  # type: ignore[no-untyped-call]
        builtin = self.fm.builtin_features
        for method in builtin.keys() - set(_BUILTINS):
            del builtin[method]

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Return the JSON ``data`` as a typed message.

        The parameters of a custom method stay plain JSON.

        Raises:
            BadParamsError: the parameters are malformed; the text of the error quotes no values.

        """
        message_type = self.get_message_type(data["method"])
        # `params` are optional; a client that leaves out `jsonrpc` is answered, too.
        message = {"params": None, **data, "jsonrpc": "2.0"}
        if message_type is None:  # a custom method, "agentMemory/prompt"
            plain_type = PlainRequest if "id" in data else PlainNotification
            return plain_type(**{key: message[key] for key in attrs.fields_dict(plain_type)})
        try:
            return self._converter.structure(message, message_type)
        except Exception as error:  # noqa: BLE001 -- cattrs raises whatever its hooks raise
            raise BadParamsError(_explain(error)) from None

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    def lsp_workspace__execute_command(self, params: types.ExecuteCommandParams) -> Any:
        """Return the result of a command, called with its one argument, None without one.

        Raises:
            BadParamsError: the command is unknown, or it has more than one argument.

        """
        command = self.fm.commands.get(params.command)
        if command is None:
            raise BadParamsError(f"unknown command. Known: {', '.join(COMMANDS)}")
        arguments = params.arguments or [None]
        if len(arguments) > 1:
            raise BadParamsError(f"{params.command} takes one object in 'arguments'")
        return command(arguments[0])

    def _send_handler_result(self, future: Future[Any], *, msg_id: Any) -> None:
        """Answer the request ``msg_id`` with the result of its handler, or an error."""
        self._request_futures.pop(msg_id, None)
        if future.cancelled():
            self._server.client.fail(msg_id, REQUEST_CANCELLED, "canceled")
        elif error := future.exception():
            self._server.client.fail(msg_id, *describe(error))
        else:
            self._server.client.answer(msg_id, future.result())

    def _check_handler_result(self, future: Future[Any]) -> None:
        """Remove ``future`` from pygls' table of requests; log its error if it is an internal one.

        pygls calls this for notifications, which have a future in the table but no answer.
        """
        for msg_id, request_future in list(self._request_futures.items()):
            if request_future is future:
                del self._request_futures[msg_id]
        if not future.cancelled() and (error := future.exception()):
            describe(error)  # for its log: a notification has no answer

    def _send_data(self, data: Any) -> None:
        """Send a message of pygls through the client, which masks secrets and does not log it."""
        self._server.client.send(data)


class AdaptedServer(LanguageServer):
    """A pygls server without a transport of its own: it is handed the messages to handle."""

    protocol: Protocol

    def __init__(self, client: Client) -> None:
        logging.getLogger("pygls").setLevel(logging.CRITICAL + 1)  # it logs parameters
        super().__init__(NAME, __version__, protocol_cls=Protocol, converter_factory=get_converter)
        self.client = client
        client.serialize = self.protocol._serialize_message  # noqa: SLF001 -- how pygls writes

    def handle(self, message: dict[str, Any]) -> None:
        """Handle one message; with malformed parameters a request gets an error.

        A notification with such parameters is logged and ignored.
        """
        try:
            structured = self.protocol.structure_message(message)
        except BadParamsError as error:
            if "id" in message:
                self.client.fail(message["id"], INVALID_PARAMS, str(error))
            else:
                log_ignored(message["method"], str(error))
            return
        self.protocol.handle_message(structured)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log the type of an error that pygls could not handle."""
        logger.error("pygls: %s in %s", type(error).__name__, source)


def _explain(error: Exception) -> str:
    """Return the first three faults of parameters: paths and types, never values."""
    try:
        return "; ".join(cattrs.transform_error(error)[:3])
    except Exception:  # noqa: BLE001 -- not an error that cattrs can explain
        return f"invalid parameters ({type(error).__name__})"
