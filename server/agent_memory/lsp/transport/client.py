"""Messages to the client, as plain JSON, and the responses to our own requests."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from agent_memory.base.model import sentence
from agent_memory.lsp.transport.errors import INVALID_PARAMS, INVALID_REQUEST, describe, is_id
from agent_memory.lsp.transport.framing import encode
from agent_memory.secrets import shown_json

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Handler = Callable[[Any], Any]

logger = logging.getLogger(__name__)

WARNING, INFO = 2, 3
"""LSP's MessageType."""
EXACT = frozenset(
    {
        *("uri", "uris", "oldUri", "newUri", "targetUri", "scopeUri", "baseUri", "href"),
        *("newText", "pattern", "globPattern", "target"),
    }
)
"""Fields whose strings are not masked: the client opens, matches or inserts them as they are."""
_CONTENT = frozenset({"params", "result", "error"})
"""Members of a message that can have texts of memory, so their secrets are masked."""


class Client:
    """The client of this process.

    ``write`` takes the bytes to send. ``serialize`` converts values of a message that are not
    JSON; it is set when pygls is loaded.
    """

    def __init__(self) -> None:
        self.write: Callable[[bytes], None] = lambda _data: None
        self.serialize: Callable[[Any], Any] | None = None
        self.initialized = False
        self.shutting_down = False
        self._sent = 0  # requests, for their ids
        # By id of a request without a response yet: its method, and what receives the result.
        self._pending: dict[str, tuple[str, Handler | None]] = {}

    def answer(self, msg_id: Any, result: Any) -> None:
        """Answer request ``msg_id``."""
        self.send({"jsonrpc": "2.0", "id": msg_id, "result": result})

    def fail(self, msg_id: Any, code: int, text: str) -> None:
        """Answer request ``msg_id`` with an error; None stands for an id that is not valid."""
        self.send({"jsonrpc": "2.0", "id": msg_id, "error": {"code": code, "message": text}})

    def notify(self, method: str, params: Any) -> None:
        """Send a notification, unless the client has requested ``shutdown``."""
        if not self.shutting_down:
            self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, params: Any, then: Handler | None = None) -> None:
        """Send a request; ``then`` is called with the result, but not after an error response.

        Nothing is sent after ``shutdown``: the client may have closed its end of the pipe.
        """
        if self.shutting_down:
            return
        self._sent += 1
        msg_id = f"agent-memory-{self._sent}"
        self._pending[msg_id] = (method, then)
        self.send({"jsonrpc": "2.0", "id": msg_id, "method": method, "params": params})

    def show_message(self, message: str, level: int = WARNING) -> None:
        """Show ``message`` to the user, with a final period; ``level`` is WARNING or INFO."""
        self.notify("window/showMessage", {"type": level, "message": sentence(message)})

    def ask(
        self, message: str, titles: Sequence[str], chosen: Callable[[str | None], None]
    ) -> None:
        """Show ``message`` with the buttons ``titles``; call ``chosen`` with the clicked title.

        ``chosen`` gets None if the user has dismissed the message. It is not called if the client
        answers with an error.
        """

        def answered(result: Any) -> None:
            """Call ``chosen`` with the title in ``result``, which is null after a dismissal."""
            chosen(result.get("title") if isinstance(result, dict) else None)

        actions = [{"title": title} for title in titles]
        params = {"type": INFO, "message": sentence(message), "actions": actions}
        self.request("window/showMessageRequest", params, answered)

    def register(self, method: str, options: Any) -> None:
        """Make the client send ``method`` from now on, with the registration ``options`` of LSP."""
        item = {"id": method, "method": method, "registerOptions": options}
        self.request("client/registerCapability", {"registrations": [item]})

    def take_response(self, message: dict[str, Any]) -> None:
        """Pass the result in ``message``, which has no method, to the handler of the result.

        If the handler fails because of invalid parameters, the user sees why; an internal error is
        logged. A response to an unknown request is ignored.
        """
        msg_id = message.get("id")
        pending = self._pending.pop(msg_id, None) if isinstance(msg_id, str) else None
        if pending is None:
            # An id without a result or an error is not a response, but a faulty request.
            if "id" in message and not {"result", "error"} & message.keys():
                text = "a message needs a method, a result or an error"
                self.fail(msg_id if is_id(msg_id) else None, INVALID_REQUEST, text)
            return
        method, then = pending
        if message.get("error") is not None:
            logger.warning("the client refused %s", method)
        elif then:
            try:
                then(message.get("result"))
            except Exception as error:  # noqa: BLE001 -- a feature's failure must not end the server
                code, text = describe(error)
                if code == INVALID_PARAMS:  # a response has no answer that could say so
                    self.show_message(text)

    def send(self, message: Any) -> None:
        """Send ``message``, framed, with secrets masked except in the fields of ``EXACT``.

        It is a dictionary, or an object of pygls that ``serialize`` converts.
        """
        if not isinstance(message, dict):  # pygls has been loaded, so `serialize` is set
            message = self.serialize(message) if self.serialize else message
        # Members that are not in `_CONTENT` are the protocol's own, such as the id.
        masked = {
            key: shown_json(value, EXACT, self.serialize) if key in _CONTENT else value
            for key, value in message.items()
        }
        self.write(encode(masked, self.serialize))
