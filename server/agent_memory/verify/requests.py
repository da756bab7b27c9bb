"""Where memory is in the request of each agent: from the first byte to the last one.

``texts`` are the pieces of the installed program, so no text of an agent is part of this package.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent_memory.base.model import Block
from agent_memory.base.text import BOM
from agent_memory.fs.reader import read_bytes
from agent_memory.verify import starts

Extract = Callable[[Mapping[str, Any], Mapping[str, str]], list[Block]]
"""Returns the blocks with memory in the body of a request, [] if it has none.

It may raise LookupError, TypeError or AttributeError for a body of another form.
"""
_ABSOLUTE = r"(?:/|[A-Za-z]:)"


@dataclass(frozen=True, slots=True)
class Request:
    """The request of an agent to the service ``path``; without a path, the program prints it."""

    path: str
    start: starts.Starter
    blocks: Extract


def claude(body: Mapping[str, Any], texts: Mapping[str, str]) -> list[Block]:
    """Return the part of the first user message that lists files."""
    item = re.compile(rf"\n\n{re.escape(texts['item'])}{_ABSOLUTE}")
    parts = body["messages"][0]["content"]
    found = [part["text"] for part in parts if part["type"] == "text" and item.search(part["text"])]
    return [Block("user", found[0])] if found else []


def codex(body: Mapping[str, Any], texts: Mapping[str, str]) -> list[Block]:
    """Return the first part of a user message that has instructions."""
    parts = [
        part["text"]
        for item in body["input"]
        if item.get("role") == "user"
        for part in item["content"]
    ]
    found = [text for text in parts if text.startswith(texts["heading"])]
    return [Block("user", found[0])] if found else []


def gemini(body: Mapping[str, Any], _texts: Mapping[str, str]) -> list[Block]:
    """Return the loaded context of the system instruction and of the first message."""
    places = [("system", body["systemInstruction"]), ("user", body["contents"][0])]
    closing = "</loaded_context>"
    out = []
    for role, place in places:
        for part in place["parts"]:
            text = part["text"]
            start, end = text.rfind("\n<loaded_context>\n") + 1, text.rfind(closing)
            if start and end > start:  # 0: not in this part
                out.append(Block(role, text[start : end + len(closing)]))
    return out


def opencode(body: Mapping[str, Any], texts: Mapping[str, str]) -> list[Block]:
    """Return the part of the system message from the first file to the end of the last one."""
    text = system_text(body)
    head, end = map(re.escape, (texts["head"], texts["end"]))
    files = [*re.finditer(rf"\n{head}(?P<path>{_ABSOLUTE}[^\n]*?){end}", text)]
    if not files:
        return []
    # Nothing marks the end of the last file, so its length is that of the file on disk.
    raw = read_bytes(Path(files[-1]["path"])) or b""
    last = raw.decode("utf-8", "replace").removeprefix(BOM)
    at = files[-1].end()
    stop = at + len(last) if text.startswith(last, at) else len(text)
    return [Block("system", text[files[0].start() + 1 : stop])]


def copilot(body: Mapping[str, Any], _texts: Mapping[str, str]) -> list[Block]:
    """Return the custom instructions: what is between the tools and the notifications."""
    found = re.search(r"</tools>\n\n(.*)\n<system_notifications>", system_text(body), re.DOTALL)
    return [Block("system", found[1])] if found and found[1] else []


def system_text(body: Mapping[str, Any]) -> str:
    """Return the text of the first message."""
    content = body["messages"][0]["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def quoting(body: Any, texts: Sequence[str]) -> list[Block]:
    """Return the string in ``body`` that contains most of ``texts``, [] if none does.

    That is the memory of a program whose own pieces are not known; its role is not known either.
    """
    counts = {text: sum(part in text for part in texts) for text in _strings(body)}
    best = max(counts, key=lambda text: counts[text], default="")
    return [Block("", best)] if counts.get(best) else []


def _strings(value: Any) -> Iterator[str]:
    """Yield every string in the JSON ``value``, without keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)


REQUESTS = {
    "claude-code": Request("/messages", starts.claude, claude),
    "codex": Request("", starts.codex, codex),
    "gemini-cli": Request("enerateContent", starts.gemini, gemini),
    "opencode": Request("/chat/completions", starts.opencode, opencode),
    "copilot-cli": Request("/chat/completions", starts.copilot, copilot),
}
"""The agents that can be started."""
