"""A model that asks to read one file, for three services, and what came back with its text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.verify import mock_model

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Service = Callable[[Mapping], tuple[Mapping, list[tuple[str, str]]]]


class ReadCall(NamedTuple):
    """``service`` is replaced by one that asks to read a path; ``added`` is in its last request."""

    service: Service
    asking: Callable[[Path], Service]
    added: Callable[[Mapping], str]


def _anthropic(path: Path) -> Service:
    def answer(body):
        whole, events = mock_model.anthropic(body)
        if not body.get("tools") or "tool_result" in json.dumps(body["messages"]):
            return whole, events
        tool = {"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {}}
        values = json.dumps({"file_path": str(path)})
        parts = {
            "content_block_start": {"index": 0, "content_block": tool},
            "content_block_delta": {
                "index": 0,
                "delta": {"type": "input_json_delta", "partial_json": values},
            },
            "message_delta": {
                "delta": {"stop_reason": "tool_use", "stop_sequence": None},
                "usage": {"output_tokens": 1},
            },
        }
        out = [
            (name, json.dumps({"type": name, **parts[name]}) if name in parts else data)
            for name, data in events
        ]
        content = [{**tool, "input": {"file_path": str(path)}}]
        return {**whole, "content": content, "stop_reason": "tool_use"}, out

    return answer


def _gemini(path: Path) -> Service:
    def answer(body):
        whole, events = mock_model.gemini(body)
        if not body.get("tools") or "functionResponse" in json.dumps(body["contents"]):
            return whole, events
        call = {"functionCall": {"name": "read_file", "args": {"file_path": str(path)}}}
        whole["candidates"][0]["content"]["parts"] = [call]
        return whole, [("", json.dumps(whole))]

    return answer


def _chat(path: Path) -> Service:
    def answer(body):
        whole, events = mock_model.chat(body)
        if not body.get("tools") or any(item["role"] == "tool" for item in body["messages"]):
            return whole, events
        first, last = (json.loads(data) for _, data in events[:2])
        function = {"name": "read", "arguments": json.dumps({"filePath": str(path)})}
        call = {"index": 0, "id": "call_1", "type": "function", "function": function}
        first["choices"][0]["delta"] = {"role": "assistant", "tool_calls": [call]}
        last["choices"][0]["finish_reason"] = "tool_calls"
        return whole, [("", json.dumps(first)), ("", json.dumps(last)), events[2]]

    return answer


def _of_claude(body: Mapping) -> str:
    parts = [part for item in body["messages"] for part in item["content"]]
    (result,) = [item for item in parts if item["type"] == "tool_result"]
    text = result["content"]
    start, end = text.find("<system-reminder>\nContents of"), text.rfind("\n\n<system-reminder>")
    return text[start:end] if start >= 0 else ""


def _of_gemini(body: Mapping) -> str:
    """Return what is between the first and the last line that is added."""
    parts = [part for item in body["contents"] for part in item["parts"]]
    (result,) = [part["functionResponse"] for part in parts if "functionResponse" in part]
    text = result["response"]["output"]
    start = text.find("--- Context from: ")
    return text[start : text.rindex("\n")] if start >= 0 else ""


def _of_opencode(body: Mapping) -> str:
    (text,) = [item["content"] for item in body["messages"] if item["role"] == "tool"]
    start = text.find("<system-reminder>\nInstructions from: ")
    return text[start:] if start >= 0 else ""


CALLS = {
    "claude-code": ReadCall(mock_model.anthropic, _anthropic, _of_claude),
    "gemini-cli": ReadCall(mock_model.gemini, _gemini, _of_gemini),
    "opencode": ReadCall(mock_model.chat, _chat, _of_opencode),
}
