"""A mock of the model services that agents call, on the loopback interface.

It records the bodies of all requests and answers each with a minimal valid reply, as a stream
where one is requested: Anthropic Messages, OpenAI Responses and Chat Completions, Gemini. It is
also a proxy that refuses what an agent requests from other hosts and records their names.
"""

from __future__ import annotations

import json
import threading
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

from agent_memory.formats.json_parser import parse_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Json = Mapping[str, Any]
    Events = Sequence[tuple[str, str]]  # name ('' without one) and data, as in a text/event-stream
    Service = Callable[[Json], tuple[Json, Events]]
    """Returns the answer to the body of a request: as one object, and as a stream of events."""

WORD = "ok"
"""The whole text of each answer."""
USAGE = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
"""The tokens of an answer, in the form of OpenAI Responses."""


def anthropic(body: Json) -> tuple[Json, Events]:
    """Return the answer of Anthropic Messages, as one object and as events."""
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "mock"),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    text = {"type": "text", "text": WORD}
    whole = {**message, "content": [text], "stop_reason": "end_turn"}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "text_delta", "text": WORD},
        },
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": {"output_tokens": 1},
        },
        {"type": "message_stop"},
    ]
    return whole, [(event["type"], json.dumps(event)) for event in events]


def responses(body: Json) -> tuple[Json, Events]:
    """Return the answer of OpenAI Responses, as one object and as events."""
    text = {"type": "output_text", "text": WORD, "annotations": []}
    message = {
        "type": "message",
        "id": "m_1",
        "role": "assistant",
        "status": "completed",
        "content": [text],
    }
    whole = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": body.get("model", "mock"),
        "output": [message],
        "usage": USAGE,
    }
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": message},
        {"type": "response.output_item.done", "output_index": 0, "item": message},
        {"type": "response.completed", "response": whole},
    ]
    return whole, [(event["type"], json.dumps(event)) for event in events]


def chat(body: Json) -> tuple[Json, Events]:
    """Return the answer of OpenAI Chat Completions, as one object and as events."""
    common = {"id": "c_1", "created": 1, "model": body.get("model", "mock")}
    message = {"role": "assistant", "content": WORD}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    whole = {
        **common,
        "object": "chat.completion",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": usage,
    }
    chunk = {**common, "object": "chat.completion.chunk"}
    first = {**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]}
    end = [{"index": 0, "delta": {}, "finish_reason": "stop"}]
    last = {**chunk, "choices": end, "usage": usage}
    events = [json.dumps(first), json.dumps(last), "[DONE]"]
    return whole, [("", event) for event in events]


def gemini(body: Json) -> tuple[Json, Events]:
    """Return the answer of Gemini, as one object and as events.

    If JSON is requested, the text is {}, because the agent parses it.
    """
    is_json = body.get("generationConfig", {}).get("responseMimeType") == "application/json"
    whole = {
        "candidates": [
            {
                "index": 0,
                "content": {"role": "model", "parts": [{"text": "{}" if is_json else WORD}]},
                "finishReason": "STOP",
            }
        ],
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
        "modelVersion": "mock",
    }
    return whole, [("", json.dumps(whole))]


MAX_BYTES = 64 * 1024 * 1024
"""Bytes of the body of a request, before and after decompression; the rest is cut off."""
_MAX_LINE = 1024  # bytes of the line with the size of a chunk
SERVICES: dict[str, Service] = {
    "/messages": anthropic,
    "/responses": responses,
    "/chat/completions": chat,
    "enerateContent": gemini,
}
"""By the end of the path; by any part of it if the key does not begin with ``/``. Gemini's paths
end with ``:generateContent`` or ``:streamGenerateContent``.
"""
COUNTS: dict[str, Json] = {"/count_tokens": {"input_tokens": 1}, ":countTokens": {"totalTokens": 1}}
"""The answers to requests that count tokens, by a part of the path."""


def _service_of(path: str) -> Service | None:
    """Return the service for the ``path`` of a request, None if there is no such service."""
    for name, service in SERVICES.items():
        is_match = path.endswith(name) if name.startswith("/") else name in path
        if is_match:
            return service
    return None


def _size(digits: str | bytes, base: int = 10) -> int:
    """Return the number that ``digits`` are in ``base``; -1 if they are not a number."""
    try:
        return int(digits, base)
    except ValueError:
        return -1


class _Handler(BaseHTTPRequestHandler):
    """Answers the requests of one connection; ``do_...`` are called by their HTTP method."""

    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, *_args: object) -> None:
        """Log nothing."""

    def do_CONNECT(self) -> None:
        """Refuse a connection to another host (``path`` is its name) through this proxy."""
        self.server.refused.append(self.path)
        self.send("text/plain", "no network", 403)

    def do_HEAD(self) -> None:
        """Answer any path with status 200; :meth:`send` leaves out the body."""
        self.reply({})

    def do_GET(self) -> None:
        """Answer with a list of models, on every path; refuse a request for another host.

        The list has the keys of several services, because the path is not considered.
        """
        if self.path.startswith("http"):  # sent to a proxy
            self.server.refused.append(self.path)
            return self.send("text/plain", "no network", 403)
        models = [{"id": "mock-model", "object": "model", "type": "model"}]
        return self.reply({"object": "list", "models": [], "data": models, "has_more": False})

    def do_POST(self) -> None:
        """Record the request and answer it; refuse it, unrecorded, if it is for another host.

        The answer is 404 for an unknown service. A body that is not a JSON object counts as {}. The
        body is always read, because the connection may be used again.
        """
        raw = self.body()
        if self.path.startswith("http"):  # sent to a proxy
            self.server.refused.append(self.path)
            return self.send("text/plain", "no network", 403)
        try:
            body = parse_json(raw.decode("utf-8", "replace"))
        except ValueError:
            body = None
        if not isinstance(body, dict):
            body = {}
        path = self.path.partition("?")[0]
        self.server.requests.append((path, body))
        for part, count in COUNTS.items():
            if part in path:
                return self.reply(count)
        service = _service_of(path)
        if service is None:
            return self.reply({"error": {"type": "not_found_error", "message": path}}, 404)
        whole, events = service(body)
        is_stream = body.get("stream") or "streamGenerateContent" in path
        return self.stream(events) if is_stream else self.reply(whole)

    def body(self) -> bytes:
        """Return the body of the request, chunked or not, decompressed if it is gzip.

        A body larger than ``MAX_BYTES`` is cut off, before and after it is decompressed. Return b''
        if the header has an invalid size, or if the body is not gzip although the header says so.
        """
        if "chunked" in (self.headers.get("transfer-encoding") or ""):
            raw = self._chunks()
        else:
            raw = self._read(_size(self.headers.get("content-length") or "0"), MAX_BYTES)
        if self.headers.get("content-encoding") != "gzip":
            return raw
        gzip_header = 16  # added to the window bits of zlib: the data starts with it
        decompressor = zlib.decompressobj(wbits=zlib.MAX_WBITS | gzip_header)
        try:
            return decompressor.decompress(raw, MAX_BYTES)
        except zlib.error:
            return b""

    def _chunks(self) -> bytes:
        """Return the joined chunks of the body, cut off at ``MAX_BYTES``.

        A chunk is a line with its size in hexadecimal, the bytes, a newline. A chunk of size 0 ends
        the body. An invalid size and one beyond ``MAX_BYTES`` end it too, because the start of the
        next chunk is unknown.
        """
        joined = bytearray()
        while True:
            size = _size(self.rfile.readline(_MAX_LINE).partition(b";")[0], base=16)
            left = MAX_BYTES - len(joined)
            joined += self._read(size, left)
            if not 0 <= size <= left:  # then `_read` has not read the whole chunk
                return bytes(joined)
            self.rfile.readline(_MAX_LINE)  # the newline after the chunk
            if size == 0:
                return bytes(joined)

    def _read(self, size: int, limit: int) -> bytes:
        """Return the next ``size`` bytes of the connection, at most ``limit``.

        If ``size`` is larger or negative, the connection is closed after the answer: the bytes that
        are not read would be taken for the next request.
        """
        if not 0 <= size <= limit:
            self.close_connection = True
        return self.rfile.read(max(0, min(size, limit)))  # a negative size would read everything

    def reply(self, value: Json, status: int = 200) -> None:
        """Send ``value`` as JSON."""
        self.send("application/json", json.dumps(value), status)

    def stream(self, events: Events) -> None:
        """Send server-sent events."""
        texts = [
            f"event: {name}\ndata: {data}\n\n" if name else f"data: {data}\n\n"
            for name, data in events
        ]
        self.send("text/event-stream", "".join(texts))

    def send(self, kind: str, text: str, status: int = 200) -> None:
        """Send ``text`` with the content type ``kind``; the answer to HEAD has no body."""
        raw = text.encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(raw)


class _Server(ThreadingHTTPServer):
    """Listens on a free port of the loopback interface.

    ``requests`` are (path, body) of those that were answered, ``refused`` the names of other hosts.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[tuple[str, Any]] = []
        self.refused: list[str] = []

    def handle_error(self, *_args: object) -> None:
        """Report nothing: neither a connection that the agent broke nor another error."""


class MockModel:
    """The service, which runs as long as its context (``with``) is open."""

    def __enter__(self) -> Self:
        self._server = _Server()
        self.port: int = self._server.server_address[1]
        poll_seconds = 0.05  # how often the server checks whether it should stop
        serve = self._server.serve_forever
        threading.Thread(target=serve, args=(poll_seconds,), daemon=True).start()
        return self

    def __exit__(self, *_args: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def requests(self) -> list[tuple[str, Any]]:
        """The pairs of path and body of the recorded requests so far, in the order they arrived."""
        return self._server.requests

    @property
    def refused(self) -> list[str]:
        """The other hosts that were requested so far, as host and port or as a URL."""
        return self._server.refused
