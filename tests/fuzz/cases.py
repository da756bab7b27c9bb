"""Inputs that broke a promise once, as expressions: each is a test."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """An input of a target. ``kind`` is that of a document, else ''."""

    target: str
    text: str
    kind: str = ""


CASES = (
    Case("documents", "\ud800", "agent.md"),  # source code with a lone surrogate
    Case("messages", '{"jsonrpc":"2.0","id":7,"method":"initialize","params":{}}'),
    Case("messages", '{"jsonrpc":"2.0","id":[7],"method":"agentMemory/status"}'),
    Case("messages", '{"jsonrpc":"2.0","id":[7]}'),
    Case("messages", '{"jsonrpc":"2.0","id":NaN,"method":"agentMemory/status"}'),
    Case(
        "messages",
        '{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":'
        '{"uri":"file:///' + "x" * 300 + '","languageId":"markdown","version":1,"text":"# A"}}}',
    ),
    Case(
        "messages",
        '{"jsonrpc":"2.0","id":1,"method":"workspace/diagnostic","params":'
        '{"previousResultIds":[{"uri":5,"value":"x"}]}}',
    ),
    Case("messages", "[" * 100_000),
)
