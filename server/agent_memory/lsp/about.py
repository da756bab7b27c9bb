"""What can be said of a memory file and of a line: size, place, whether the agent sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory import tokens
from agent_memory.markdown import Kind, section_end
from agent_memory.model import Status

if TYPE_CHECKING:
    from agent_memory.lsp.spot import Spot
    from agent_memory.lsp.view import View
    from agent_memory.markdown import Heading
    from agent_memory.rules.base import MemoryFile

_ORDINALS = {1: "st", 2: "nd", 3: "rd"}
_SEEN = (Status.LOADED, Status.TRUNCATED)


def file_title(view: View, file: MemoryFile) -> str:
    """Return size and place of a file in a few words: ``1,240 tokens, loaded 2nd of 4``."""
    size = f"{count(file):,} tokens"
    source = file.source
    if source.status is Status.LISTED:
        return f"{size}, listed for the agent to read"
    if source.status not in _SEEN or source.order is None:
        return f"{size}, {source.status}"
    loaded = [item for item in view.project.sources if item.status in _SEEN]
    how = "loaded in part" if source.status is Status.TRUNCATED else "loaded"
    if len(loaded) == 1:
        return f"{size}, {how}, the only file"
    return f"{size}, {how} {_ordinal(source.order)} of {len(loaded)}"


def count(file: MemoryFile) -> int:
    """Return the estimated tokens of a file."""
    return tokens.count_lines(file.lines)


def section_tokens(file: MemoryFile, heading: Heading) -> int:
    """Return the estimated tokens of the section of ``heading``, sub-sections included."""
    end = section_end(file.markdown, heading)
    return tokens.count_lines(file.lines[heading.line : end])


def seen_lines(view: View, file: MemoryFile) -> set[int]:
    """Return the lines of ``file`` of which something is in the prompt."""
    lines: set[int] = set()
    for segment in view.project.prompt.segments:
        if segment.path == file.path:
            text = segment.text
            last = text.count("\n") - text.endswith("\n")
            lines.update(range(segment.line, segment.line + max(0, last) + 1))
    return lines


def why_unseen(spot: Spot) -> str:
    """Return why the agent does not see the line under the cursor, '' where it does."""
    source, runtime = spot.file.source, spot.view.project.choice.runtime
    if source.status is Status.LISTED:
        return ""
    if source.status not in _SEEN:
        return f"The agent does not see this file ({source.status}): {source.reason}."
    if not spot.text.strip() or spot.line in seen_lines(spot.view, spot.file):
        return ""
    if runtime.strips_comments and spot.file.markdown.kinds[spot.line] is Kind.COMMENT:
        return f"The agent does not see this line: {runtime.title} takes comments out."
    if source.status is Status.TRUNCATED:
        return f"The agent does not see this line: {source.reason}."
    return f"The agent does not see this line: {runtime.title} leaves it out."


def _ordinal(number: int) -> str:
    tens = number % 100 in (11, 12, 13)
    return f"{number}{'th' if tens else _ORDINALS.get(number % 10, 'th')}"
