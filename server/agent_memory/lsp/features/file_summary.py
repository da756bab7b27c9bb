"""Facts about a memory file and its lines: size, load order, whether the agent sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Status
from agent_memory.l10n import t, untranslated
from agent_memory.language import token_estimate
from agent_memory.markdown.model import LineKind
from agent_memory.markdown.parser import section_end

if TYPE_CHECKING:
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lsp.workspace.cursor import Cursor
    from agent_memory.lsp.workspace.project_view import ProjectView
    from agent_memory.markdown.model import Heading

_ORDINALS = {1: untranslated("{0}st"), 2: untranslated("{0}nd"), 3: untranslated("{0}rd")}
_OTHERS = untranslated("{0}th")
_SEEN = (Status.LOADED, Status.TRUNCATED)


def file_title(view: ProjectView, file: MemoryFile) -> str:
    """Return the size and load order of a file: ``1,240 tokens, loaded 2nd of 4``."""
    size = t("{0:,} tokens", count(file))
    source = file.source
    if source.status is Status.LISTED:
        return t("{0}, listed for the agent to read", size)
    if source.status in (Status.IGNORED, Status.SHADOWED):
        return t("{0}, not read by {1}", size, t(view.project.choice.runtime.title))
    if source.status not in _SEEN or source.order is None:
        return f"{size}, {t(source.status)}"
    loaded = [item for item in view.project.sources if item.status in _SEEN]
    cut = source.status is Status.TRUNCATED
    if len(loaded) == 1:
        only = t("{0}, loaded, the only file", size)
        return t("{0}, loaded in part, the only file", size) if cut else only
    facts = (size, _ordinal(source.order), len(loaded))
    whole = t("{0}, loaded {1} of {2}", *facts)
    return t("{0}, loaded in part {1} of {2}", *facts) if cut else whole


def count(file: MemoryFile) -> int:
    """Return the estimated tokens of a file."""
    return token_estimate.count_lines(file.lines)


def section_tokens(file: MemoryFile, heading: Heading) -> int:
    """Return the estimated tokens of the section of ``heading``, subsections included."""
    end = section_end(file.markdown, heading)
    return token_estimate.count_lines(file.lines[heading.line : end])


def seen_lines(view: ProjectView, file: MemoryFile) -> set[int]:
    """Return the lines (from 0) of ``file`` that are in the prompt, at least in part."""
    lines: set[int] = set()
    for segment in view.project.prompt.segments:
        if segment.path == file.path:
            text = segment.text
            lines_below_first = max(0, text.count("\n") - text.endswith("\n"))
            lines.update(range(segment.line, segment.line + lines_below_first + 1))
    return lines


def why_unseen(cursor: Cursor) -> str:
    """Return why the agent does not see the line under the cursor, '' if it does."""
    source, runtime = cursor.file.source, cursor.view.project.choice.runtime
    if source.status is Status.LISTED:
        return ""
    if source.status not in _SEEN:
        return t("The agent does not see this file ({0}): {1}.", t(source.status), source.reason)
    if not cursor.text.strip() or cursor.line in seen_lines(cursor.view, cursor.file):
        return ""
    if runtime.strips_comments and cursor.file.markdown.kinds[cursor.line] is LineKind.COMMENT:
        return t("The agent does not see this line: {0} removes comments.", t(runtime.title))
    if source.status is Status.TRUNCATED:
        return t("The agent does not see this line: {0}.", source.reason)
    return t("The agent does not see this line: {0} omits it.", t(runtime.title))


def _ordinal(number: int) -> str:
    tens = number % 100 in (11, 12, 13)
    return t(_OTHERS if tens else _ORDINALS.get(number % 10, _OTHERS), number)
