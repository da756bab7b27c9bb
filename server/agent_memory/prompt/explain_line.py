"""What a runtime does with one line of a file that it loads."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.model import Source, Status
from agent_memory.base.text import split_lines
from agent_memory.l10n import t
from agent_memory.markdown import parser
from agent_memory.markdown.links import links_of, target_of
from agent_memory.markdown.model import LineKind
from agent_memory.prompt.answer import Action, Answer, FileOutcome
from agent_memory.runtimes.agents.javascript import decoded

if TYPE_CHECKING:
    from agent_memory.fs.reader import FileText
    from agent_memory.markdown.model import Markdown
    from agent_memory.prompt.runtime_view import RuntimeView


def lines_of(content: FileText) -> list[str]:
    """Return the lines of ``content`` as agents decode it; at least one, which may be empty.

    Agents replace bytes that are not UTF-8 by U+FFFD. ``content`` has no text with such bytes.
    """
    return content.lines or split_lines(decoded(content)) or [""]


def explain_line(view: RuntimeView, whole: Answer, source: Source, line: int) -> Answer:
    """Return the answer about ``line``, from 0, of the loaded file ``source``.

    ``whole`` is the answer about the file. For a line with an import, the answer says what becomes
    of the imported file.
    """
    lines = lines_of(view.ctx.store.read(source.path))
    markdown = parser.scan(lines)
    answer = replace(whole, bytes=view.ranges(source.path, line), action=None)
    target = _import_target(view, source.path, lines, markdown, line)
    importer = source.by or source.path  # an imported file is a part of the file `by`
    if target and view.runtime.follows_import(target, importer):
        return _explain_import(view, answer, target)
    if not lines[line].strip():
        return replace(answer, outcome=FileOutcome.LOADED, reason=t("the line is blank"))
    if not answer.bytes:
        return _explain_dropped(view, answer, whole, markdown.kinds[line])
    # A runtime may trim lines, so fewer bytes mean a cut only in a file that a limit cuts.
    sent_bytes = sum(end - start for start, end in answer.bytes)
    line_bytes = len(lines[line].strip().encode("utf-8", "surrogatepass"))
    is_cut = source.status is Status.TRUNCATED and sent_bytes < line_bytes
    if is_cut:
        return replace(answer, outcome=FileOutcome.CUT)
    if target:  # the import is not followed, so the line is plain text
        title = t(view.runtime.title)
        reason = t(
            "{0} does not follow imports here: the agent gets this line, not {1}", title, target
        )
        answer = replace(answer, reason=reason)
    return replace(answer, outcome=FileOutcome.LOADED)


def _explain_dropped(view: RuntimeView, answer: Answer, whole: Answer, kind: LineKind) -> Answer:
    """Return ``answer``, about a line, with the reason why no byte of the line is in the prompt.

    ``kind`` is that of the line. ``whole`` is the answer about the file; ``answer`` still has its
    outcome and reason.
    """
    title = t(view.runtime.title)
    if whole.outcome is FileOutcome.CUT:  # the limit that cuts the file is the reason
        return replace(answer, action=whole.action)
    if kind is LineKind.COMMENT:
        return replace(
            answer,
            outcome=FileOutcome.COMMENT_DROPPED,
            reason=t("{0} removes this comment", title),
            action=Action(t("Move it out of the comment if the agent should follow it")),
        )
    if kind is LineKind.FRONT:
        reason = t("{0} removes front matter", title)
        return replace(answer, outcome=FileOutcome.FRONT_MATTER_DROPPED, reason=reason)
    reason = t("{0} leaves this line out", title)
    return replace(answer, outcome=FileOutcome.NOT_READ, reason=reason)


def _import_target(
    view: RuntimeView, path: Path, lines: list[str], markdown: Markdown, line: int
) -> Path | None:
    """Return the file that the first `@path` on ``line`` names, such as `@docs/api.md`.

    ``lines`` and ``markdown`` are those of the file ``path``. None if the line has no `@path` with
    a suffix outside of code and comments.
    """
    if "@" not in lines[line]:
        return None
    for link in links_of(lines, markdown, ()):  # imports only: no inline links are passed
        if link.line == line:
            target = target_of(link, path, view.ctx.home, None)
            return Path(os.path.normpath(target)) if target else None
    return None


def _explain_import(view: RuntimeView, answer: Answer, target: Path) -> Answer:
    """Return ``answer``, about a line, with what becomes of ``target``, the file it imports.

    The runtime follows imports of this file at this place, but may fail to load the file.
    """
    source = view.source(target)
    if source and source.order:
        reason = t("imports {0}, file {1} of {2}", target, source.order, view.loaded_count)
        return replace(answer, outcome=FileOutcome.LOADED, reason=reason)
    if source is None:  # the runtime takes the line for plain text, such as the name of a person
        return replace(answer, outcome=FileOutcome.LOADED)
    action = Action(source.action) if source.action else None
    if source.status is Status.MISSING:
        action = Action(t("Create {0}, or remove the import", target), "create", target, "")
    reason = t("{0}: {1}", target, source.reason)
    return replace(
        answer, outcome=FileOutcome.NOT_FOLLOWED, reason=reason, action=action, by=target
    )
