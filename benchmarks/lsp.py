"""How fast a language server is: start, first diagnostics, keystrokes, a burst, memory.

Usage: python benchmarks/lsp.py [--rounds N] [--json FILE] [--name NAME] [-- COMMAND...]
Without a COMMAND it measures `agent-memory serve`. The client is standard library only, pulls
diagnostics if the server supports that, and else waits for published ones.
Times are in milliseconds, from the first byte sent to the last byte of the answer.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

SERVER = Path(__file__).parents[1] / "server"
KEYSTROKES = {8: 200, 64: 100, 1024: 20}
"""Keystrokes by size of the document in KB."""
BURST = 1_000
LIMIT = 60.0


class Client:
    """One server process."""

    def __init__(self, command: list[str], root: Path) -> None:
        home = root.parent / "home"
        env = {**os.environ, "PYTHONPATH": str(SERVER), "HOME": str(home)}
        self.begin = time.perf_counter()
        self.process = subprocess.Popen(
            command, cwd=root, env=env, stdin=-1, stdout=-1, stderr=subprocess.DEVNULL, bufsize=0
        )
        assert self.process.stdin
        assert self.process.stdout
        self.pipe = self.process.stdout.fileno()
        self.input = self.process.stdin
        self.buffer = b""
        self.next_id = 0
        self.pulls = False
        self.published = 0

    def send(self, method: str, params: Any, msg_id: int | None = None) -> None:
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        if msg_id is not None:
            message["id"] = msg_id
        body = json.dumps(message).encode()
        self.input.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def receive(self, deadline: float) -> dict[str, Any]:
        while True:
            head, found, rest = self.buffer.partition(b"\r\n\r\n")
            if found:
                size = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
                if len(rest) >= size:
                    self.buffer = rest[size:]
                    return json.loads(rest[:size])
            if not select.select([self.pipe], [], [], deadline - time.monotonic())[0]:
                raise TimeoutError
            chunk = os.read(self.pipe, 1 << 20)
            if not chunk:
                raise EOFError("the server ended")
            self.buffer += chunk

    def until(self, wanted: Any) -> Any:
        """Return the first message that ``wanted`` accepts; answer requests of the server."""
        deadline = time.monotonic() + LIMIT
        while True:
            message = self.receive(deadline)
            if "method" in message and "id" in message:
                items = message["params"].get("items", []) if message.get("params") else []
                answer = [None] * len(items) if items else None
                body = json.dumps(
                    {"jsonrpc": "2.0", "id": message["id"], "result": answer}
                ).encode()
                self.input.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.published += message.get("method") == "textDocument/publishDiagnostics"
            if wanted(message):
                return message

    def request(self, method: str, params: Any) -> Any:
        self.next_id += 1
        number = self.next_id
        self.send(method, params, number)
        reply = self.until(lambda item: item.get("id") == number and "method" not in item)
        assert "error" not in reply, reply
        return reply["result"]

    def initialize(self, root: Path) -> None:
        capabilities = {
            "textDocument": {"diagnostic": {}, "publishDiagnostics": {"versionSupport": True}},
            # Like editors: a server may defer slow work and request a refresh.
            "workspace": {"workspaceFolders": True, "diagnostics": {"refreshSupport": True}},
            "general": {"positionEncodings": ["utf-16"]},
        }
        result = self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": root.as_uri(),
                "capabilities": capabilities,
                "workspaceFolders": [{"uri": root.as_uri(), "name": root.name}],
            },
        )
        self.pulls = bool(result["capabilities"].get("diagnosticProvider"))
        self.send("initialized", {})

    def open(self, path: Path, text: str) -> None:
        document = {"uri": path.as_uri(), "languageId": "markdown", "version": 1, "text": text}
        self.send("textDocument/didOpen", {"textDocument": document})

    def change(self, path: Path, version: int, line: int, text: str) -> None:
        place = {"line": line, "character": 2}
        self.send(
            "textDocument/didChange",
            {
                "textDocument": {"uri": path.as_uri(), "version": version},
                "contentChanges": [{"range": {"start": place, "end": place}, "text": text}],
            },
        )

    def diagnostics(self, path: Path, version: int) -> None:
        """Wait for the diagnostics of this version."""
        uri = path.as_uri()
        if self.pulls:
            self.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
            return
        self.until(
            lambda item: (
                item.get("method") == "textDocument/publishDiagnostics"
                and item["params"]["uri"] == uri
                and item["params"].get("version", version) >= version
            )
        )

    def elapsed(self) -> float:
        return (time.perf_counter() - self.begin) * 1000

    def rss(self) -> float:
        """Return resident memory in MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("utf-8")
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024

    def cpu(self) -> float:
        """Return CPU time so far in milliseconds."""
        fields = (
            Path(f"/proc/{self.process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        )
        return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        self.request("shutdown", None)
        self.send("exit", None)
        self.process.wait(10)


def memory(kilobytes: int) -> str:
    """Return Markdown of that size: headings, items with code spans and paths, a fence."""
    lines = ["# Notes", ""]
    size = 10
    number = 0
    while size < kilobytes * 1024:
        number += 1
        line = f"- item {number}: module {number % 97} is checked after every change of its schema"
        if number % 9 == 0:
            line += f", by `make check{number}` in `src/module{number % 97}.py`"
        if number % 20 == 0:
            lines += ["", f"## Section {number}", ""]
        if number % 50 == 0:
            lines += ["```sh", f"make target{number}", "```", ""]
        lines.append(line)
        size += len(line) + 1
    return "\n".join(lines) + "\n"


def measure(command: list[str], root: Path) -> dict[str, float]:
    """Return the figures of one round."""
    path = root / "AGENTS.md"
    text = memory(8)
    client = Client(command, root)
    client.initialize(root)
    out = {"initialize": client.elapsed()}
    client.open(path, text)
    client.diagnostics(path, 1)
    out["first diagnostics"] = client.elapsed()
    out["CPU at start"] = client.cpu()
    out["MiB at start"] = client.rss()
    version = 1
    for kilobytes, keys in KEYSTROKES.items():
        shown = memory(kilobytes)
        version += 1
        client.send(
            "textDocument/didChange",
            {
                "textDocument": {"uri": path.as_uri(), "version": version},
                "contentChanges": [{"text": shown}],
            },
        )
        client.diagnostics(path, version)
        times = []
        for key in range(keys):
            version += 1
            begin = time.perf_counter()
            client.change(path, version, 4 + key % 90, "x")
            client.diagnostics(path, version)
            times.append((time.perf_counter() - begin) * 1000)
        out[f"key at {kilobytes} KB"] = statistics.median(times)
        out[f"key at {kilobytes} KB, p99"] = sorted(times)[int(len(times) * 0.99) - 1]
    out["MiB with 1 MB open"] = client.rss()
    client.send(
        "textDocument/didChange",
        {
            "textDocument": {"uri": path.as_uri(), "version": version + 1},
            "contentChanges": [{"text": text}],
        },
    )
    client.diagnostics(path, version + 1)
    client.published = 0
    begin = time.perf_counter()
    for number in range(BURST):
        client.change(path, version + 2 + number, 4 + number % 90, "x")
    client.diagnostics(path, version + 1 + BURST)
    out[f"burst of {BURST:,}"] = (time.perf_counter() - begin) * 1000
    out["published in it"] = client.published
    client.end()
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--name", default="agent-memory serve")
    parser.add_argument("command", nargs="*")
    args = parser.parse_args()
    command = args.command or [sys.executable, "-m", "agent_memory", "serve"]
    rounds = []
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "project"
        (root / ".git").mkdir(parents=True)
        (root.parent / "home").mkdir()
        (root / "AGENTS.md").write_text(memory(8), "utf-8")
        rounds = [measure(command, root) for _ in range(args.rounds)]
    best = {key: min(item[key] for item in rounds) for key in rounds[0]}
    for key, value in best.items():
        print(f"{args.name}  {key:<22} {value:10.2f}")
    if args.json:
        args.json.write_text(json.dumps({args.name: best}, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
