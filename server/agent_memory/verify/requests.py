"""Finds memory in the request of each agent: from its first byte to its last one.

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
"""The start of an absolute path, on Windows with its drive."""


@dataclass(frozen=True, slots=True)
class Request:
    """The request of an agent with its memory.

    ``path`` is the end of the URL's path; '' if the program prints the request. ``start`` is how
    the agent is started, ``blocks`` finds the memory in the body.
    """

    path: str
    start: starts.Starter
    blocks: Extract


def claude(body: Mapping[str, Any], texts: Mapping[str, str]) -> list[Block]:
    """Return the first text part of the first message that lists files, as a user block; else [].

    ``texts["item"]`` is the text of the program in front of the path of each file.
    """
    file_heading = re.compile(rf"\n\n{re.escape(texts['item'])}{_ABSOLUTE}")
    parts = body["messages"][0]["content"]
    part_texts = [part["text"] for part in parts if part["type"] == "text"]
    with_files = [text for text in part_texts if file_heading.search(text)]
    return [Block("user", text) for text in with_files[:1]]


def codex(body: Mapping[str, Any], texts: Mapping[str, str]) -> list[Block]:
    """Return the first part of a user message that starts with the heading, as one user block.

    ``texts["heading"]`` is the heading of the program's memory. [] without such a part.
    """
    user_messages = [message for message in body["input"] if message.get("role") == "user"]
    part_texts = [part["text"] for message in user_messages for part in message["content"]]
    with_heading = [text for text in part_texts if text.startswith(texts["heading"])]
    return [Block("user", text) for text in with_heading[:1]]


def gemini(body: Mapping[str, Any], _texts: Mapping[str, str]) -> list[Block]:
    """Return the ``<loaded_context>`` elements of the system instruction and the first message.

    Each part of the two has at most one.
    """
    messages = [("system", body["systemInstruction"]), ("user", body["contents"][0])]
    closing = "</loaded_context>"
    blocks = []
    for role, message in messages:
        for part in message["parts"]:
            text = part["text"]
            # Memory may contain both tags: the first opening one and the last closing one count.
            before, end = text.find("\n<loaded_context>\n"), text.rfind(closing)
            start = before + len("\n")
            if before >= 0 and end > start:
                blocks.append(Block(role, text[start : end + len(closing)]))
    return blocks


def opencode(body: Mapping[str, Any], texts: Mapping[str, str]) -> list[Block]:
    """Return the part of the system message from the first file to the end of the last one.

    Each file begins with ``texts["head"]``, its path and ``texts["end"]``. [] without a file.
    """
    text = system_text(body)
    head, end = map(re.escape, (texts["head"], texts["end"]))
    files = [*re.finditer(rf"\n{head}(?P<path>{_ABSOLUTE}[^\n]*?){end}", text)]
    if not files:
        return []
    # Nothing marks the end of the last file, so its length is that of the file on disk. If its text
    # is not that of the request, the rest of the message counts as the file.
    raw = read_bytes(Path(files[-1]["path"])) or b""
    last_text = raw.decode("utf-8", "replace").removeprefix(BOM)
    last_start = files[-1].end()
    is_unchanged = text.startswith(last_text, last_start)
    end_of_block = last_start + len(last_text) if is_unchanged else len(text)
    first_start = files[0].start() + len("\n")
    return [Block("system", text[first_start:end_of_block])]


def copilot(body: Mapping[str, Any], _texts: Mapping[str, str]) -> list[Block]:
    """Return the custom instructions: the text between the tools and the notifications.

    [] if the text is missing or empty.
    """
    between = re.search(r"</tools>\n\n(.*)\n<system_notifications>", system_text(body), re.DOTALL)
    return [Block("system", between[1])] if between and between[1] else []


def system_text(body: Mapping[str, Any]) -> str:
    """Return the text of the first message, which is that of the system; its parts are joined."""
    content = body["messages"][0]["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def quoting(body: Any, texts: Sequence[str]) -> list[Block]:
    """Return the string in ``body`` that contains the most of ``texts``, as one block.

    [] if no string contains any. For a program whose own pieces are unknown: memory in its request
    is found by the texts of the files. The role of the block is unknown too, and is ''.
    """
    # {string: how many of `texts` it contains}
    counts = {string: sum(text in string for text in texts) for string in _strings(body)}
    best = max(counts, key=lambda string: counts[string], default="")
    return [Block("", best)] if counts.get(best) else []


def _strings(value: Any) -> Iterator[str]:
    """Yield every string in the JSON ``value``, without keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


REQUESTS = {
    "claude-code": Request("/messages", starts.claude, claude),
    "codex": Request("", starts.codex, codex),
    "gemini-cli": Request("enerateContent", starts.gemini, gemini),
    "opencode": Request("/chat/completions", starts.opencode, opencode),
    "copilot-cli": Request("/chat/completions", starts.copilot, copilot),
}
"""The agents that can be started, by the id of the runtime."""
