"""Messages to a real server: valid ones, damaged ones, and other bytes."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

from agent_memory.lsp.protocol.methods import COMMANDS, TABLE
from agent_memory.lsp.transport.errors import is_id
from agent_memory.lsp.transport.framing import encode
from fuzz.guard import Finding
from fuzz.texts import document
from kit import write
from lsp_wire import Wire

if TYPE_CHECKING:
    import random
    from pathlib import Path

_NOT_SENT = ("exit", "shutdown", "initialize", "agentMemory/verify")  # the last starts an agent
METHODS = tuple(row.name for row in TABLE if row.name not in _NOT_SENT)
BATCH = 100
"""Messages until all answers are compared with the requests."""
_CODES = {-32700, -32600, -32601, -32602, -32800}
_MORE = ("initialize", "$/cancelRequest", "agentMemory/unknown", "", "\ud800", "x" * 5000)
_ODD = (None, True, 0, -1, 2**31, 2**63, 1.5, "", "x", "\ud800", "\0", [], {}, [[]], {"uri": 5})


class Messages:
    """Sends messages to one server process and restarts it after a finding."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        text = "# Notes\n\n- a \u200b\n- run `make all`\n"
        files = {".git/HEAD": "x", ".deepagents/agent.md": text, "AGENTS.md": text}
        self._root = write(folder / "ws", files)
        write(folder / "home", {".keep": ""})
        self._start()

    def _start(self) -> None:
        self._wire = Wire(self._folder / "home")
        self._log: list[str] = []
        self._reader = threading.Thread(target=self._read_log, daemon=True)
        self._reader.start()
        capabilities = {"textDocument": {"diagnostic": {}}, "workspace": {"applyEdit": True}}
        self._wire.initialize(self._root, **capabilities)
        self._sent: list[bytes] = []
        self._waiting: set[Any] = set()
        self._number = 0

    def _read_log(self) -> None:
        self._log += [line.decode("utf-8", "replace") for line in self._wire.process.stderr]

    def run(self, rng: random.Random) -> Finding | None:
        """Send one generated message; look at the answers after each batch."""
        self._number += 1
        body = self._body(rng)
        self._sent.append(body)
        cut = rng.randrange(len(body)) if body and rng.random() < 0.1 else 0
        error = self.send(body, cut, last=self._number % BATCH == 0)
        if not error:
            return None
        sent = b"\n".join(self._sent[-BATCH:])[:20_000]
        self._wire.process.kill()
        self._wire.process.wait()
        self._close_pipes()
        self._start()
        return Finding("messages", repr(sent), error)

    def send(self, body: bytes, cut: int = 0, *, last: bool = True) -> str:
        """Send one message, in two parts after ``cut`` bytes; return what is wrong.

        ``last``: wait for the answers to all messages since the last time.
        """
        frame = b"Content-Length: %d\r\n\r\n" % len(body) + body
        try:
            for part in filter(None, (frame[:cut], frame[cut:])):
                self._wire.raw(part)
            return self._answers() if last else ""
        except (AssertionError, OSError) as problem:
            return f"the server ended or is silent: {str(problem)[-300:]}"

    def close(self) -> None:
        """End the server."""
        self._wire.leave_quietly()
        self._close_pipes()

    def _close_pipes(self) -> None:
        self._reader.join()
        for pipe in (self._wire.process.stdout, self._wire.process.stderr):
            pipe.close()

    def _answers(self) -> str:
        """Wait for the answer to a last request; return what is wrong with all answers."""
        self._wire.others.clear()
        self._wire.request("agentMemory/status", None, f"batch {self._number}")
        wrong = []
        for message in self._wire.others:
            if "method" in message:
                if "id" in message:
                    self._wire.send({"jsonrpc": "2.0", "id": message["id"], "result": None})
                continue
            msg_id, error = message.get("id"), message.get("error")
            if msg_id is not None and not is_id(msg_id):
                wrong.append(f"an answer with the id {msg_id!r}")
                continue
            self._waiting.discard(msg_id)
            if error and error["code"] not in _CODES:
                wrong.append(f"{error['code']}: {error['message']}")
        if self._waiting:
            wrong.append(f"{len(self._waiting)} requests without an answer")
        self._waiting.clear()
        traces = [line for line in self._log if line.startswith(("Traceback", '  File "'))]
        wrong += traces[-1:]
        self._log.clear()
        if not wrong:
            self._sent.clear()
        return "; ".join(dict.fromkeys(wrong))

    def _body(self, rng: random.Random) -> bytes:
        kind = rng.random()
        if kind < 0.05:
            return document(rng).encode("utf-8", "replace")
        message = self._message(rng)
        if kind < 0.1:
            raw = json.dumps(message).encode()
            at = rng.randrange(len(raw))
            self._waiting.discard(self._number)
            return raw[:at] + rng.choice((b"", b"[" * 3000, b"\xff", b"1" * 5000)) + raw[at + 1 :]
        return encode(message).partition(b"\r\n\r\n")[2]

    def _message(self, rng: random.Random) -> dict[str, Any]:
        method = rng.choice(METHODS if rng.random() < 0.9 else _MORE)
        params: Any = self._params(method, rng)
        for _ in range(rng.choice((0, 0, 1, 1, 2))):
            params = _damaged(params, rng)
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        if not method.startswith(("textDocument/did", "workspace/did", "$/", "initialized")):
            message["id"] = self._number if rng.random() < 0.95 else rng.choice(_ODD)
            if message["id"] == self._number:
                self._waiting.add(self._number)
        return message

    def _params(self, method: str, rng: random.Random) -> dict[str, Any]:
        names = (".deepagents/agent.md", "AGENTS.md", "new.md", "x" * 300, "a/" * 2500)
        uri = (self._root / rng.choice(names[: 2 if rng.random() < 0.9 else 5])).as_uri()
        start = {"line": rng.randrange(6), "character": rng.randrange(12)}
        end = {"line": rng.randrange(6), "character": rng.randrange(12)}
        where = {"start": start, "end": end}
        text = document(rng)
        common = {"textDocument": {"uri": uri, "version": self._number}}
        if method == "textDocument/didOpen":
            item = {"languageId": "markdown", "text": text}
            return {"textDocument": {**common["textDocument"], **item}}
        if method == "textDocument/didChange":
            change = {"text": text} if rng.random() < 0.5 else {"text": text, "range": where}
            return {**common, "contentChanges": [change]}
        if method == "workspace/executeCommand":
            arguments = [{"uri": uri, "text": text, "scope": "project"}]
            return {"command": rng.choice(COMMANDS), "arguments": arguments}
        if method.startswith("agentMemory/"):
            own = {"text": text, "scope": "project"} if method.endswith("remember") else {}
            return {"uri": uri, **own} if rng.random() < 0.8 else {"query": text, "limit": 3}
        more = {"newName": text, "query": text, "context": {"diagnostics": []}, "settings": {}}
        return {**common, "position": start, "range": where, **more}


def _damaged(value: Any, rng: random.Random) -> Any:
    """Return ``value`` with one part removed or replaced by an odd value."""
    if isinstance(value, dict) and value and rng.random() < 0.8:
        key = rng.choice(list(value))
        if rng.random() < 0.2:
            return {name: item for name, item in value.items() if name != key}
        return {**value, key: _damaged(value[key], rng)}
    if isinstance(value, list) and value and rng.random() < 0.8:
        return [_damaged(value[0], rng), *value[1:]]
    return rng.choice(_ODD)
