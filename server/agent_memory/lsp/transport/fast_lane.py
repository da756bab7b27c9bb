"""The conversation with the client: each request gets an answer, also one nobody can read.

Handlers take the parameters and return the result as plain JSON. Building pygls' objects for
every message costs twenty times as much, and importing them takes longer than finding the first
mistake; so what an editor needs first and with every keystroke is handled without them, and
:attr:`Connection.typed` takes the features that are written for pygls, loaded when the first of
them is asked for.
"""

from __future__ import annotations

import json
import logging
import traceback
from typing import TYPE_CHECKING, Any

from agent_memory.base.errors import UsageError
from agent_memory.lsp.transport.framing import encode
from agent_memory.lsp.transport.params import BadParamsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Handler = Callable[[Any], Any]
    Write = Callable[[bytes], None]

logger = logging.getLogger(__name__)

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND = -32700, -32600, -32601
INVALID_PARAMS, INTERNAL_ERROR, NOT_INITIALIZED = -32602, -32603, -32002
REQUEST_CANCELLED = -32800


class Connection:
    """One client. ``write`` takes the bytes that are sent; ``typed`` a message of a feature."""

    def __init__(self) -> None:
        self.handlers: dict[str, Handler] = {}
        self.features: frozenset[str] = frozenset()
        self.typed: Callable[[dict[str, Any]], None] = lambda _message: None
        self.write: Write = lambda _data: None
        self.serialize: Callable[[Any], Any] | None = None
        self.initialized = False
        self.shutting_down = False
        self._asked = 0
        self._waiting: dict[Any, tuple[str, Handler | None]] = {}

    # -- in

    def receive(self, body: bytes, *, answered: bool = False) -> None:
        """Take one message. ``answered``: its response has already been sent."""
        message = self._parsed(body)
        if message is not None:
            self._take(message, answered=answered)

    def receive_all(self, bodies: Iterable[bytes]) -> None:
        """Take messages that arrived together, such as while an answer was worked out.

        A request that was cancelled meanwhile is answered with that and not worked on.
        """
        messages = [message for body in bodies if (message := self._parsed(body)) is not None]
        cancelled = {_cancelled(message) for message in messages} - {None}
        for message in messages:
            msg_id = message.get("id")
            if "method" in message and isinstance(msg_id, str | int) and msg_id in cancelled:
                self.fail(msg_id, REQUEST_CANCELLED, "cancelled")
            else:
                self._take(message, answered=False)

    def _parsed(self, body: bytes) -> dict[str, Any] | None:
        """Return the message; answer what is none."""
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            self.fail(None, PARSE_ERROR, "the message is not JSON")
            return None
        if not isinstance(message, dict):
            self.fail(None, INVALID_REQUEST, "a message must be an object (batches are not taken)")
            return None
        return message

    def _take(self, message: dict[str, Any], *, answered: bool) -> None:
        method, msg_id = message.get("method"), message.get("id")
        if not isinstance(method, str):
            self._response(msg_id, message)
        elif reason := self._refusal(method):
            self._fail_request(msg_id, *reason)
        elif handler := self.handlers.get(method):
            self._run(handler, msg_id, message.get("params"), answered=answered)
        elif method in self.features:
            self.typed(message)
        else:
            self._fail_request(msg_id, METHOD_NOT_FOUND, f"unknown method '{method[:100]}'")

    def _refusal(self, method: str) -> tuple[int, str] | None:
        """Return why ``method`` may not come now, None if it may."""
        if self.shutting_down and method != "exit":
            return INVALID_REQUEST, "the server is shutting down"
        if not self.initialized and method not in ("initialize", "exit"):
            return NOT_INITIALIZED, "the first request must be 'initialize'"
        return None

    def _run(self, handler: Handler, msg_id: Any, params: Any, *, answered: bool) -> None:
        try:
            result = handler(params)
        except Exception as error:  # noqa: BLE001 -- a handler's failure must not end the server
            self._fail_request(msg_id, *describe(error))
            return
        if msg_id is not None and not answered:
            self.answer(msg_id, result)

    def _response(self, msg_id: Any, message: dict[str, Any]) -> None:
        known = self._waiting.pop(msg_id, None) if isinstance(msg_id, str) else None
        if known is None:
            if "id" in message and not {"result", "error"} & message.keys():
                self.fail(msg_id, INVALID_REQUEST, "a message needs a method, a result or an error")
            return
        method, then = known
        if message.get("error") is not None:
            logger.warning("the client refused %s", method)
        elif then:
            try:
                then(message.get("result"))
            except Exception as error:  # noqa: BLE001 -- as for a handler
                describe(error)

    # -- out

    def answer(self, msg_id: Any, result: Any) -> None:
        """Answer request ``msg_id``."""
        self._send({"jsonrpc": "2.0", "id": msg_id, "result": result})

    def fail(self, msg_id: Any, code: int, text: str) -> None:
        """Answer request ``msg_id`` with an error."""
        self._send({"jsonrpc": "2.0", "id": msg_id, "error": {"code": code, "message": text}})

    def notify(self, method: str, params: Any) -> None:
        """Send a notification, as long as the client has not asked for the end."""
        if not self.shutting_down:
            self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: Any, then: Handler | None = None) -> None:
        """Send a request; ``then`` gets the result. A refusal is logged and ends it.

        Nothing is asked after ``shutdown``: the client may have closed the pipe for its answer.
        """
        if self.shutting_down:
            return
        self._asked += 1
        msg_id = f"agent-memory-{self._asked}"
        self._waiting[msg_id] = (method, then)
        self._send({"jsonrpc": "2.0", "id": msg_id, "method": method, "params": params})

    def _fail_request(self, msg_id: Any, code: int, text: str) -> None:
        if msg_id is not None:
            self.fail(msg_id, code, text)

    def _send(self, message: dict[str, Any]) -> None:
        self.write(encode(message, self.serialize))


def _cancelled(message: dict[str, Any]) -> str | int | None:
    """Return the id of the request that ``message`` cancels, None where it does not."""
    params = message.get("params")
    if message.get("method") != "$/cancelRequest" or not isinstance(params, dict):
        return None
    msg_id = params.get("id")
    return msg_id if isinstance(msg_id, str | int) else None


def describe(error: BaseException) -> tuple[int, str]:
    """Return the code and message an error is answered with; log what is our own fault.

    The log names type and place only: an exception's words may hold a piece of memory.
    """
    if isinstance(error, BadParamsError | UsageError):
        return INVALID_PARAMS, str(error)
    place = "".join(traceback.format_tb(error.__traceback__))
    logger.error("%s in a handler\n%s", type(error).__name__, place)
    return INTERNAL_ERROR, f"internal error ({type(error).__name__}); the server's log says where"
