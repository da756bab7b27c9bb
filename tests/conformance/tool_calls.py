"""A model that calls the tools of an MCP server one after the other, for two services."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from agent_memory.verify import mock_model

SERVER = "agent-memory"
_ULID = re.compile(r"\b[0-9A-HJKMNP-TV-Z]{26}\b")


@dataclass
class Script:
    """The calls to make; ``ID`` in an argument is the first entry ID of an earlier result.

    ``results`` are the texts that came back, in order.
    """

    calls: list[tuple[str, dict[str, Any]]]
    results: list[str] = field(default_factory=list)

    def next(self, results: list[str]) -> tuple[str, dict[str, Any]] | None:
        """Return the call after ``results``, None at the end."""
        self.results = results
        if len(results) >= len(self.calls):
            return None
        found = _ULID.search("\n".join(results))
        name, arguments = self.calls[len(results)]
        known = found[0] if found else "ID"
        return name, {key: known if value == "ID" else value for key, value in arguments.items()}


def anthropic(script: Script):
    """Return the service of Anthropic Messages that follows ``script``."""

    def answer(body):
        blocks = [
            part
            for message in body["messages"]
            if isinstance(message["content"], list)
            for part in message["content"]
        ]
        results = [_text(part["content"]) for part in blocks if part["type"] == "tool_result"]
        has_tools = any(tool["name"] == "ToolSearch" for tool in body.get("tools", []))
        call = script.next(results) if has_tools else None
        return mock_model.anthropic(body) if call is None else _tool_use(body, len(results), *call)

    return answer


def responses(script: Script):
    """Return the service of OpenAI Responses that follows ``script``."""

    def answer(body):
        outputs = [item for item in body["input"] if item["type"] == "function_call_output"]
        call = script.next([_text(item["output"]) for item in outputs])
        whole, events = mock_model.responses(body)
        if call is None:
            return whole, events
        name, arguments = call
        item = {
            "type": "function_call",
            "id": "fc_1",
            "call_id": f"call_{len(outputs)}",
            "name": name,
            "namespace": f"mcp__{SERVER.replace('-', '_')}",
            "arguments": json.dumps(arguments),
            "status": "completed",
        }
        done = {"type": "response.output_item.done", "output_index": 0, "item": item}
        last = {"type": "response.completed", "response": {**whole, "output": [item]}}
        return whole, [
            events[0],
            *((event["type"], json.dumps(event)) for event in (done, last)),
        ]

    return answer


def gemini(script: Script):
    """Return the service of Gemini that follows ``script``."""

    def answer(body):
        parts = [part for content in body["contents"] for part in content["parts"]]
        found = [part["functionResponse"] for part in parts if "functionResponse" in part]
        results = [item["response"]["output"] for item in found]
        call = script.next(results) if "tools" in body else None
        whole, events = mock_model.gemini(body)
        if call is not None:
            name, arguments = call
            use = {"name": f"mcp_{SERVER}_{name}", "args": arguments}
            whole["candidates"][0]["content"]["parts"] = [{"functionCall": use}]
            events = [("", json.dumps(whole))]
        return whole, events

    return answer


def _tool_use(body, number, name, arguments):
    """Return the answer with the call ``number`` instead of a text."""
    whole, _ = mock_model.anthropic(body)
    whole |= {"id": f"msg_{number}", "content": [], "stop_reason": None}
    use = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": {}}
    delta = {"type": "input_json_delta", "partial_json": json.dumps(arguments)}
    events = [
        {"type": "message_start", "message": whole},
        {"type": "content_block_start", "index": 0, "content_block": use},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "tool_use", "stop_sequence": None},
            "usage": {"output_tokens": 1},
        },
        {"type": "message_stop"},
    ]
    done = {"content": [{**use, "input": arguments}], "stop_reason": "tool_use"}
    return {**whole, **done}, [(event["type"], json.dumps(event)) for event in events]


def _text(content) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content)
