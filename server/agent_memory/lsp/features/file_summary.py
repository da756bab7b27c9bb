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
_SEEN = (Status.LOADED, Status.TRUNCATED)  # the prompt has text of files with this status


def file_title(view: ProjectView, file: MemoryFile) -> str:
    """Return the estimated size and load order of a file: ``1,240 tokens, loaded 2nd of 4``.

    A file that is not loaded has its status in place of the load order. If only one file is
    loaded, its text says so.
    """
    size = tokens_text(token_estimate.count_lines(file.lines))
    source = file.source
    if source.status is Status.LISTED:
        return t("{0}, listed for the agent to read", size)
    if source.status in (Status.IGNORED, Status.SHADOWED):
        return t("{0}, not read by {1}", size, t(view.project.choice.runtime.title))
    if source.order is None:  # not loaded: unreadable, missing or empty
        return f"{size}, {t(source.status)}"
    count_loaded = sum(other.status in _SEEN for other in view.project.sources)
    is_truncated = source.status is Status.TRUNCATED
    if count_loaded == 1:
        if is_truncated:
            return t("{0}, loaded in part, the only file", size)
        return t("{0}, loaded, the only file", size)
    ordinal = _ordinal(source.order)
    if is_truncated:
        return t("{0}, loaded in part {1} of {2}", size, ordinal, count_loaded)
    return t("{0}, loaded {1} of {2}", size, ordinal, count_loaded)


def tokens_text(count: int) -> str:
    """Return ``count`` tokens in words: ``1 token``, ``1,240 tokens``."""
    return t("1 token") if count == 1 else t("{0:,} tokens", count)


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
            # A final newline ends the last line; no line follows it.
            lines_below_first = max(0, text.count("\n") - text.endswith("\n"))
            lines.update(range(segment.line, segment.line + lines_below_first + 1))
    return lines


def why_unseen(cursor: Cursor) -> str:
    """Return a sentence: why the agent does not see the line under the cursor; '' if it does.

    Also '' for a blank line of a file that the agent sees, and for a file that it reads on demand.
    """
    source, runtime = cursor.file.source, cursor.view.project.choice.runtime
    if source.status is Status.LISTED:  # the agent reads the file itself, with all lines
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
    """Return ``number`` as an ordinal, such as "2nd"."""
    is_11_to_13 = number % 100 in (11, 12, 13)  # 11th, unlike 21st
    return t(_OTHERS if is_11_to_13 else _ORDINALS.get(number % 10, _OTHERS), number)
