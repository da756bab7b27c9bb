"""The fast lane: messages that are handled as plain JSON, without pygls.

pygls builds typed objects for each message, which costs 20 times as much as the fast lane, and
takes longer to import than the first diagnostics take. So the methods that an editor needs
first, and on every keystroke, bypass it: the rows of :mod:`agent_memory.lsp.protocol.methods`
with ``FAST``. All other methods go to pygls.
"""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

from agent_memory.lsp.protocol.methods import METHODS
from agent_memory.lsp.transport.errors import (
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    NOT_INITIALIZED,
    PARSE_ERROR,
    REQUEST_CANCELLED,
    describe,
    is_id,
    log_ignored,
)
from agent_memory.lsp.transport.pending import Pending
from agent_memory.secrets import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from agent_memory.lsp.transport.client import Client

    Handler = Callable[[Any], Any]

CANCEL = "$/cancelRequest"
"""The notification that cancels a request."""


class FastLane:
    """Handles the messages of one client, or passes them to ``pygls``.

    ``handlers`` are the handlers of the fast lane by method: they take the parameters and
    return the result, both as plain JSON. A :class:`Pending` result is sent later.
    """

    def __init__(self, client: Client, pygls: Callable[[dict[str, Any]], None]) -> None:
        self.client = client
        self.handlers: dict[str, Handler] = {}
        self._pending: dict[str | float, Pending] = {}  # by id
        self._pygls = pygls

    def receive(self, body: bytes, *, answered: bool = False) -> None:
        """Handle one message. ``answered``: its response has already been sent."""
        message = self._parse(body)
        if message is not None:
            self._dispatch(message, answered=answered)

    def parse(self, bodies: Iterable[bytes]) -> list[dict[str, Any]]:
        """Return the messages in ``bodies``; an invalid one is answered with an error."""
        return [message for body in bodies if (message := self._parse(body)) is not None]

    def handles(self, message: dict[str, Any]) -> bool:
        """Whether ``message`` can be handled before pygls is loaded.

        A message without a method is a response. A cancellation counts, because pygls has nothing
        to cancel yet.
        """
        return "method" not in message or message["method"] in (*self.handlers, CANCEL)

    def handle_all(self, messages: Sequence[dict[str, Any]]) -> None:
        """Handle messages that arrived together, for example during a long computation.

        A request that another one of them cancels is answered with an error, not handled.
        """
        canceled_ids = {_canceled_id(message) for message in messages} - {None}
        for message in messages:
            msg_id = message.get("id")
            is_request = "method" in message and is_id(msg_id)
            if is_request and msg_id in canceled_ids:
                self.client.fail(msg_id, REQUEST_CANCELLED, "canceled")
            else:
                self._dispatch(message, answered=False)

    def _parse(self, body: bytes) -> dict[str, Any] | None:
        """Return the message in ``body``; None after an error reply if it is not a JSON object."""
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            self.client.fail(None, PARSE_ERROR, "the message is not JSON")
            return None
        if not isinstance(message, dict):
            text = "a message must be an object (batches are not supported)"
            self.client.fail(None, INVALID_REQUEST, text)
            return None
        return message

    def _dispatch(self, message: dict[str, Any], *, answered: bool) -> None:
        """Pass ``message`` to its handler or to pygls, or reply with an error.

        ``answered``: its response has already been sent.
        """
        method, msg_id = message.get("method"), message.get("id")
        if not isinstance(method, str):  # a response, or a message without a valid method
            self.client.take_response(message)
        elif (canceled := _canceled_id(message)) is not None:
            self._cancel(canceled, message)
        elif "id" in message and not is_id(msg_id):
            self.client.fail(None, INVALID_REQUEST, "an id must be text or an integer")
        elif error := self._refusal(method):
            self._refuse(method, msg_id, *error)
        elif method in self.handlers:
            self._run(message, answered=answered)
        elif method in METHODS:
            self._pygls(message)
        else:
            self._fail_request(msg_id, METHOD_NOT_FOUND, f"unknown method '{shown(method)[:100]}'")

    def _refusal(self, method: str) -> tuple[int, str] | None:
        """Return (code, message) of the error if ``method`` is not allowed now, else None."""
        if self.client.shutting_down and method != "exit":
            return INVALID_REQUEST, "the server is shutting down"
        if not self.client.initialized and method not in ("initialize", "exit"):
            return NOT_INITIALIZED, "the first request must be 'initialize'"
        if self.client.initialized and method == "initialize":
            return INVALID_REQUEST, "'initialize' can be sent only once"
        return None

    def _run(self, message: dict[str, Any], *, answered: bool) -> None:
        """Run the handler of ``message``; send the result of a request, unless it is pending.

        A failure is the answer of a request, and is logged for a notification. ``answered``: the
        result has already been sent. ``shutdown`` also cancels all pending requests.
        """
        method, msg_id = message["method"], message.get("id")
        try:
            result = self.handlers[method](message.get("params"))
        except Exception as error:  # noqa: BLE001 -- a handler's failure must not end the server
            self._refuse(method, msg_id, *describe(error))
            return
        if method == "shutdown":
            for pending_id in list(self._pending):
                self._drop(pending_id)
        if isinstance(result, Pending):
            if msg_id is not None:
                self._pending[msg_id] = result
                result.resume = partial(self._resume, message)
        elif msg_id is not None and not answered:
            self.client.answer(msg_id, result)

    def _refuse(self, method: str, msg_id: Any, code: int, text: str) -> None:
        """Answer a request with an error; log a notification in one line.

        Nothing is logged after ``shutdown``, when each notification but ``exit`` is refused.
        """
        if msg_id is not None:
            self.client.fail(msg_id, code, text)
        elif not self.client.shutting_down:
            log_ignored(method, text)

    def _resume(self, message: dict[str, Any]) -> None:
        """Run the handler of the pending request ``message`` again, unless it was canceled."""
        if self._pending.pop(message["id"], None):
            self._run(message, answered=False)

    def _cancel(self, msg_id: str | float, message: dict[str, Any]) -> None:
        """Cancel the request ``msg_id`` if it is pending here, else let pygls cancel it.

        ``message`` is the notification that cancels it.
        """
        if msg_id in self._pending:
            self._drop(msg_id)
        else:
            self._pygls(message)

    def _drop(self, msg_id: Any) -> None:
        """Answer the pending request ``msg_id`` with an error."""
        del self._pending[msg_id]
        self.client.fail(msg_id, REQUEST_CANCELLED, "canceled")

    def _fail_request(self, msg_id: Any, code: int, text: str) -> None:
        """Answer a request with an error. A notification is ignored; `_refuse` would log it."""
        if msg_id is not None:
            self.client.fail(msg_id, code, text)


def _canceled_id(message: dict[str, Any]) -> str | float | None:
    """Return the id of the request that the notification ``message`` cancels, else None."""
    params = message.get("params")
    if message.get("method") != CANCEL or "id" in message or not isinstance(params, dict):
        return None
    msg_id = params.get("id")
    return msg_id if is_id(msg_id) else None
