"""What each agent does with a file or a line of it, why, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.base.model import Source, Status
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t
from agent_memory.prompt.answer import Action, Answer, FileOutcome
from agent_memory.prompt.explain_line import explain_line, lines_of
from agent_memory.prompt.not_read import action_to_read, why_not_read
from agent_memory.prompt.runtime_view import RuntimeView
from agent_memory.runtimes.classify import agent_of_user_file
from agent_memory.runtimes.several import Listed, listed

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.config.context import Context

__all__ = ["Answer", "Explained", "FileOutcome", "explain", "explain_file"]
_OUTCOMES = {
    Status.LOADED: FileOutcome.LOADED,
    Status.TRUNCATED: FileOutcome.CUT,
    Status.LISTED: FileOutcome.ON_DEMAND,
    Status.MISSING: FileOutcome.MISSING,
    Status.EMPTY: FileOutcome.EMPTY,
    Status.SHADOWED: FileOutcome.SHADOWED,
    Status.UNREADABLE: FileOutcome.UNREADABLE,
}
"""The outcome by the status; that of an ignored file depends on why it is ignored."""


@dataclass(frozen=True, slots=True)
class Explained:
    """The answers about ``path`` (``line`` from 0, None: the file), one for each runtime."""

    path: Path
    line: int | None
    listed: Listed
    answers: tuple[Answer, ...]


def explain(
    ctx: Context, path: Path, line: int | None = None, runtime_id: str | None = None
) -> Explained:
    """Return what each runtime of the settings, or only ``runtime_id``, does with ``path``.

    ``line`` counts from 0, None for the whole file. The agent is that of ``ctx``, else the one
    whose user memory contains ``path``, else that of the settings, an only agent or the default.

    Raises:
        UsageError: the runtime is unknown, the agent id is invalid, or the file has no such line.

    """
    if line is not None:
        _ensure_line_exists(ctx, path, line)
    ctx = ctx.with_(agent=ctx.agent or agent_of_user_file(path, ctx.home))
    runtimes = listed(ctx, runtime_id)
    views = [RuntimeView(ctx, runtime.id) for runtime in runtimes.runtimes]
    return Explained(path, line, runtimes, tuple(explain_in(view, path, line) for view in views))


def _ensure_line_exists(ctx: Context, path: Path, line: int) -> None:
    """Raise an error unless the file ``path`` has the ``line``, which counts from 0.

    Raises:
        UsageError: the file has no such line.

    """
    count = len(lines_of(ctx.store.read(path)))
    if count == 1 and line != 0:
        raise UsageError(t("{0} has 1 line, so there is no line {1:,}", path, line + 1))
    if not 0 <= line < count:
        raise UsageError(t("{0} has {1:,} lines, so there is no line {2:,}", path, count, line + 1))


def explain_in(view: RuntimeView, path: Path, line: int | None) -> Answer:
    """Return what the runtime of ``view`` does with an existing ``line`` of ``path``.

    ``line`` counts from 0, None for the file. If the file is not loaded, the answer about it is
    also that about each of its lines.
    """
    whole = explain_file(view, path)
    source = view.source(path)
    if line is None or source is None or not whole.is_loaded:
        return whole
    return explain_line(view, whole, source, line)


def explain_file(view: RuntimeView, path: Path) -> Answer:
    """Return what the runtime of ``view`` does with ``path``."""
    source = view.source(path)
    if source:
        return _of_source(view, source)
    if view.ctx.store.read(path).failure is Failure.MISSING:
        return Answer(view.prompt, FileOutcome.MISSING, t("the file does not exist"))
    when = view.runtime.condition(view.ctx, path)
    if when:
        return Answer(view.prompt, FileOutcome.ON_DEMAND, when)
    return Answer(view.prompt, FileOutcome.NOT_READ, *why_not_read(view, path))


def _of_source(view: RuntimeView, source: Source) -> Answer:
    """Return the answer about a file that the runtime lists as ``source``."""
    outcome = _OUTCOMES.get(source.status, FileOutcome.NOT_READ)  # NOT_READ: it is ignored
    if source.status is Status.IGNORED and source.left_out:
        outcome = FileOutcome.CUT  # other files use up the budget
    elif source.status is Status.IGNORED and source.by:
        outcome = FileOutcome.NOT_FOLLOWED  # it is imported, but the import is not followed
    return Answer(
        view.prompt,
        outcome,
        _reason(view, source),
        _action(view, source),
        order=view.order(source),
        of=view.loaded_count if view.order(source) else None,
        role=view.role(source.path),
        bytes=view.ranges(source.path),
        by=source.by,
    )


def _reason(view: RuntimeView, source: Source) -> str:
    """Return the reason of ``source``, for one of several loaded files with its number.

    If the only loaded file has no reason, the reason is that it is the only one.
    """
    order = view.order(source)
    if not order:
        return source.reason
    if view.loaded_count == 1:
        return source.reason or t("the only file")
    place = t("file {0} of {1}", order, view.loaded_count)
    return t("{0}; {1}", place, source.reason) if source.reason else place


def _action(view: RuntimeView, source: Source) -> Action | None:
    """Return what to do so that the text of ``source`` is loaded; None if nothing is proposed."""
    if source.action:
        kind = "open" if source.by else "advice"
        return Action(source.action, kind, source.by)
    if source.status is Status.MISSING and source.by:
        return Action(t("Create it, or remove the import from {0}", source.by), "open", source.by)
    if source.status is Status.EMPTY:
        return Action(t("Write into it, or delete it"), "open", source.path)
    if source.status is Status.IGNORED:
        return action_to_read(view, source.path)
    return None
