"""A server driven with plain bytes, for messages that no client library sends."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

from agent_memory.lsp.transport.framing import Frames, encode

if TYPE_CHECKING:
    from pathlib import Path

LIMIT = 30.0


class Wire:
    """A server process. Messages are plain JSON."""

    def __init__(self, home: Path, *arguments: str) -> None:
        environment = {**os.environ, "HOME": str(home)}
        environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "agent_memory", "serve", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
            bufsize=0,
        )
        self._frames = Frames()
        self._waiting: list[dict[str, Any]] = []
        self.others: list[dict[str, Any]] = []

    def raw(self, data: bytes) -> None:
        """Send bytes."""
        self.process.stdin.write(data)

    def send(self, message: Any) -> None:
        """Send a message unchanged."""
        self.raw(encode(message))

    def notify(self, method: str, params: Any = None) -> None:
        """Send a notification."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, params: Any = None, msg_id: Any = 7) -> dict[str, Any]:
        """Send a request and return its response."""
        self.send({"jsonrpc": "2.0", "id": msg_id, "method": method, "params": params})
        return self.response(msg_id)

    def response(self, msg_id: Any) -> dict[str, Any]:
        """Return the response with this id; earlier messages are added to ``others``."""
        while True:
            message = self.receive()
            if "method" not in message and message.get("id") == msg_id:
                return message
            self.others.append(message)

    def receive(self) -> dict[str, Any]:
        """Return the next message."""
        deadline = time.monotonic() + LIMIT
        while not self._waiting:
            left = deadline - time.monotonic()
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, left))
            assert ready, f"no message within {LIMIT:.0f} s"
            chunk = os.read(self.process.stdout.fileno(), 1 << 20)
            assert chunk, f"the server ended: {self.process.stderr.read().decode()}"
            self._waiting += [json.loads(body) for body in self._frames.feed(chunk)]
        return self._waiting.pop(0)

    def initialize(self, root: Path | None = None, **capabilities: Any) -> dict[str, Any]:
        """Initialize the server; return the response."""
        folders = [{"uri": root.as_uri(), "name": root.name}] if root else None
        params = {"processId": None, "capabilities": capabilities, "workspaceFolders": folders}
        response = self.request("initialize", params, 1)
        self.notify("initialized", {})
        return response

    def end(self) -> tuple[int, str]:
        """Wait for the end; return exit code and log."""
        self.process.stdin.close()
        code = self.process.wait(LIMIT)
        log = self.process.stderr.read().decode()
        self.process.stdout.close()
        self.process.stderr.close()
        return code, log

    def leave(self) -> tuple[int, str]:
        """Shut the server down; return exit code and log."""
        self.request("shutdown", None, "last")
        self.notify("exit")
        return self.end()

    def leave_quietly(self) -> None:
        """Shut the server down; somebody else reads the log."""
        self.request("shutdown", None, "last")
        self.notify("exit")
        self.process.stdin.close()
        self.process.wait(LIMIT)
