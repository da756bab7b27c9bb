"""pygls' protocol with what an editor needs of it beyond 2.1.

A request always gets an answer, also when its parameters cannot be read; nothing of a message
is logged; bookkeeping does not grow. Messages that come with every keystroke, and those of the
first moments, take a direct way: as plain JSON to a function of :attr:`direct`, without the
attrs objects that pygls makes of every message. All others are pygls features.
"""

from __future__ import annotations

import json
import logging
import traceback
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

import cattrs
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import (
    JsonRPCNotification,
    JsonRPCRequestMessage,
    LanguageServerProtocol,
    default_converter,
)

from agent_memory.context import UsageError
from agent_memory.lsp.framing import encode
from agent_memory.lsp.params import BadParamsError

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_memory.lsp.server import MemoryServer

    Direct = Callable[[Any], Any]

logger = logging.getLogger(__name__)

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND = -32700, -32600, -32601
INVALID_PARAMS, INTERNAL_ERROR, NOT_INITIALIZED = -32602, -32603, -32002


class Protocol(LanguageServerProtocol):
    """The protocol of one connection."""

    _server: MemoryServer

    def __init__(self, server: MemoryServer, converter: Any = None) -> None:
        self.direct: dict[str, Direct] = {}
        self.initialized = False
        self._real_converter = converter
        self._asked = 0
        super().__init__(server, converter)

    @property
    def _converter(self) -> cattrs.Converter:
        """The converter of pygls, built when a message first needs it: that takes 30 ms."""
        if self._real_converter is None:
            self._real_converter = default_converter()  # type: ignore[no-untyped-call]
        return self._real_converter  # type: ignore[no-any-return]

    @_converter.setter
    def _converter(self, value: Any) -> None:
        self._real_converter = value

    @property
    def shutting_down(self) -> bool:
        """Whether ``shutdown`` has come: from then on only ``exit`` is taken."""
        return bool(self._shutdown)

    @shutting_down.setter
    def shutting_down(self, value: bool) -> None:
        self._shutdown = value

    # -- in

    def receive(self, body: bytes, *, answered: bool = False) -> None:
        """Take one message. ``answered``: its response has already been sent."""
        try:
            message = json.loads(body)
        except ValueError:
            self.fail(None, PARSE_ERROR, "the message is not JSON")
            return
        if not isinstance(message, dict):
            self.fail(None, INVALID_REQUEST, "a message must be an object (batches are not taken)")
            return
        method, msg_id = message.get("method"), message.get("id")
        if not isinstance(method, str):
            self._response(msg_id, message)
        elif reason := self._refusal(method):
            if msg_id is not None:
                self.fail(msg_id, *reason)
        elif handler := self.direct.get(method):
            self._run_direct(handler, msg_id, message.get("params"), answered=answered)
        else:
            self._run_feature(method, msg_id, message)

    def _refusal(self, method: str) -> tuple[int, str] | None:
        """Return why ``method`` may not come now, None if it may."""
        if self.shutting_down and method != "exit":
            return INVALID_REQUEST, "the server is shutting down"
        if not self.initialized and method not in ("initialize", "exit"):
            return NOT_INITIALIZED, "the first request must be 'initialize'"
        return None

    def _run_direct(self, handler: Direct, msg_id: Any, params: Any, *, answered: bool) -> None:
        try:
            result = handler(params)
        except Exception as error:  # noqa: BLE001 -- a handler's failure must not end the server
            code, text = describe(error)
            if msg_id is not None:
                self.fail(msg_id, code, text)
            return
        if msg_id is not None and not answered:
            self._send_response(msg_id, result)

    def _run_feature(self, method: str, msg_id: Any, message: dict[str, Any]) -> None:
        if method not in self.fm.features:
            if msg_id is not None:
                self.fail(msg_id, METHOD_NOT_FOUND, f"unknown method '{method[:100]}'")
            return
        try:
            structured = self.structure_message({"params": None, **message, "jsonrpc": "2.0"})
        except Exception as error:  # noqa: BLE001 -- cattrs raises what the hooks raise
            if msg_id is not None:
                self.fail(msg_id, INVALID_PARAMS, _readable(error))
            else:
                logger.warning("ignored %s: %s", method, _readable(error))
            return
        self.handle_message(structured)

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Return the typed message of a feature; parameters of our own methods stay JSON."""
        known = types.METHOD_TO_TYPES.get(data["method"])
        if known:
            return self._converter.structure(data, known[0])
        if "id" in data:
            return JsonRPCRequestMessage(data["id"], data["method"], "2.0", data["params"])
        return JsonRPCNotification(data["method"], "2.0", data["params"])

    def _response(self, msg_id: Any, message: dict[str, Any]) -> None:
        future = self._request_futures.pop(msg_id, None) if _is_id(msg_id) else None
        if future is None:
            if "id" in message and not {"result", "error"} & message.keys():
                self.fail(msg_id, INVALID_REQUEST, "a message needs a method, a result or an error")
            return
        error = message.get("error")
        if error is None:
            future.set_result(message.get("result"))
        else:
            text = error.get("message") if isinstance(error, dict) else None
            future.set_exception(JsonRpcException(str(text or "the client refused")))

    # -- out

    def fail(self, msg_id: Any, code: int, text: str) -> None:
        """Answer request ``msg_id`` with an error."""
        self._send_data({"jsonrpc": "2.0", "id": msg_id, "error": {"code": code, "message": text}})

    def notify(self, method: str, params: Any | None = None) -> None:
        """Send a notification."""
        self._send_data({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: Any, then: Callable[[Any], None] | None = None) -> None:
        """Send a request; ``then`` gets the result. A refusal is logged and ends it."""
        self._asked += 1
        msg_id = f"agent-memory-{self._asked}"
        future: Future[Any] = Future()
        self._request_futures[msg_id] = future

        def done(answer: Future[Any]) -> None:
            try:
                result = answer.result()
                if then:
                    then(result)
            except JsonRpcException:
                logger.warning("the client refused %s", method)
            except Exception as error:  # noqa: BLE001 -- as for a handler
                describe(error)

        future.add_done_callback(done)
        self._send_data({"jsonrpc": "2.0", "id": msg_id, "method": method, "params": params})

    def _send_response(
        self, msg_id: Any, result: Any | None = None, error: types.ResponseError | None = None
    ) -> None:
        if error is not None:
            self.fail(msg_id, error.code, error.message)
        else:
            self._send_data({"jsonrpc": "2.0", "id": msg_id, "result": result})

    def _send_data(self, data: Any) -> None:
        if self.writer is None:
            return
        try:
            self.writer.write(encode(data, self._serialize_message))
        except (BrokenPipeError, ValueError):
            self._server.hang_up()

    # -- what pygls' features end in

    def _send_handler_result(self, future: Future[Any], *, msg_id: Any) -> None:
        self._request_futures.pop(msg_id, None)
        if future.cancelled():
            self.fail(msg_id, types.LSPErrorCodes.RequestCancelled, "cancelled")
        elif error := future.exception():
            self.fail(msg_id, *describe(error))
        else:
            self._send_response(msg_id, future.result())

    def _check_handler_result(self, future: Future[Any]) -> None:
        for msg_id, known in list(self._request_futures.items()):
            if known is future:
                del self._request_futures[msg_id]
        if not future.cancelled() and (error := future.exception()):
            describe(error)


def describe(error: BaseException) -> tuple[int, str]:
    """Return the code and message an error is answered with; log what is our own fault.

    The log names type and place only: an exception's words may hold a piece of memory.
    """
    if isinstance(error, BadParamsError | UsageError):
        return INVALID_PARAMS, str(error)
    if isinstance(error, JsonRpcException):
        return error.code or INTERNAL_ERROR, error.message
    place = "".join(traceback.format_tb(error.__traceback__))
    logger.error("%s in a handler\n%s", type(error).__name__, place)
    return INTERNAL_ERROR, f"internal error ({type(error).__name__}); the server's log says where"


def _readable(error: Exception) -> str:
    """Return what is wrong with parameters, by path and without their values."""
    try:
        return "; ".join(cattrs.transform_error(error)[:3])
    except Exception:  # noqa: BLE001 -- not an error cattrs can explain
        return f"the parameters cannot be read ({type(error).__name__})"


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int)
