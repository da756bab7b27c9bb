"""The agents that can be started, and where memory is in their requests."""

from __future__ import annotations

import re
from pathlib import Path

from agent_memory.base.model import Block
from agent_memory.verify.requests import REQUESTS, gemini

EDITOR = Path(__file__).parents[3] / "vscode-extension/src/preview/exactness.ts"


def test_the_editor_offers_to_start_the_same_agents():
    [names] = re.findall(r"STARTABLE = new Set\(\[(.*?)\]\)", EDITOR.read_text())
    assert sorted(re.findall(r'"([^"]+)"', names)) == sorted(REQUESTS)


def test_tags_in_the_memory_of_gemini_cli_belong_to_its_block():
    text = "use\n<loaded_context>\nx\n</loaded_context>\ntabs"
    memory = f"<loaded_context>\n{text}\n</loaded_context>"
    body = {
        "systemInstruction": {"parts": [{"text": f"You are an agent.\n\n---\n\n{memory}"}]},
        "contents": [{"parts": [{"text": f"Today\n\n{memory}\n</session_context>"}]}],
    }
    assert gemini(body, {}) == [Block("system", memory), Block("user", memory)]
