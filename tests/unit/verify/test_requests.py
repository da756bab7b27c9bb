"""Where memory is in the requests of agents."""

from __future__ import annotations

from agent_memory.base.model import Block
from agent_memory.verify.requests import gemini


def test_tags_in_the_memory_of_gemini_cli_belong_to_its_block():
    text = "use\n<loaded_context>\nx\n</loaded_context>\ntabs"
    memory = f"<loaded_context>\n{text}\n</loaded_context>"
    body = {
        "systemInstruction": {"parts": [{"text": f"You are an agent.\n\n---\n\n{memory}"}]},
        "contents": [{"parts": [{"text": f"Today\n\n{memory}\n</session_context>"}]}],
    }
    assert gemini(body, {}) == [Block("system", memory), Block("user", memory)]
