"""Code actions that move an item to the other scope or a section, or a section to a note."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from agent_memory.base.errors import UsageError
from agent_memory.base.model import Role, Scope
from agent_memory.l10n import t, untranslated
from agent_memory.lsp.protocol.methods import MOVE_SECTION, REMEMBER
from agent_memory.lsp.transport.errors import BadParamsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lsp.workspace.session import Session

_TITLES = {
    Scope.PROJECT: untranslated("Move to Project Memory"),
    Scope.USER: untranslated("Move to User Memory"),
}
_NOTE = "note"  # as the target of a move: a new file


class _Move(NamedTuple):
    """A move of an item or a section.

    ``target`` is a scope ('user' or 'project'), the line of a section's heading, or ``_NOTE``.
    """

    kind: str  # of the code action
    target: str | int
    title: str


def offer(
    session: Session, path: Path, line: int, wanted: Callable[[str], bool]
) -> Iterator[dict[str, Any]]:
    """Yield code actions: the moves for ``line`` (from 0) of ``path`` whose kind is ``wanted``.

    Only readable files with the role ``memory`` have moves. A client that resolves actions gets
    them without the edit; for another client a move that is not possible now is left out.
    """
    file = session.projects.view_of(path).project.files.get(path)
    if file is None or not file.content.ok or file.source.role is not Role.MEMORY:
        return
    for move in _possible_moves(file, line):
        if not wanted(move.kind):
            continue
        action: dict[str, Any] = {"title": move.title, "kind": move.kind}
        if session.capabilities.resolve_actions:
            action["data"] = {"uri": session.positions.uri(path), "move": [move.target, line]}
            yield action
            continue
        try:
            yield {**action, "edit": edit(session, path, [move.target, line])}
        except UsageError:
            continue  # for example a folder that needs consent: an action cannot ask


def edit(session: Session, path: Path, move: Any) -> dict[str, Any]:
    """Return the WorkspaceEdit of the offered ``move``: [target, line].

    ``target`` is that of a :class:`_Move`, ``line`` (from 0) that of the item or heading to move.

    Raises:
        BadParamsError: ``move`` does not have this form, so it is not from :func:`offer`.
        UsageError: the move is not possible; the message says why.

    """
    from agent_memory.remember import move_section  # noqa: PLC0415 -- loaded on first use
    from agent_memory.remember.move import move as plan_move  # noqa: PLC0415 -- not at start
    from agent_memory.remember.split import split  # noqa: PLC0415 -- not at start

    if not isinstance(move, list) or len(move) != 2 or not isinstance(move[1], int):
        raise BadParamsError("this action is not from Agent Memory")
    target, line = move
    if isinstance(target, int):  # the line of a section's heading
        lines = session.store.read(path).lines
        return session.edit(move_section.edits(path, lines, line, target))
    ctx = session.context(session.projects.cwd_of(path), session.projects.agent_of(path))
    if target == _NOTE:
        plan = split(ctx, path, line=line)
        edits = plan.edits
    else:
        move_plan = plan_move(ctx, path, line, target)
        plan, edits = move_plan.plan, move_plan.edits
        # For example an item with a secret. In such a case `split` raises the error itself.
        if not edits and not plan.creates:
            raise UsageError(plan.message)
    return session.edit(edits, creates=plan.creates, roots=plan.roots)


def _possible_moves(file: MemoryFile, line: int) -> Iterator[_Move]:
    """Yield each move that is possible at ``line`` of ``file``.

    An item can move to the other scope or to a section; a section can move to a note, if ``line``
    is that of its heading.
    """
    from agent_memory.remember import move_section  # noqa: PLC0415 -- not at start

    if any(element.line <= line < element.end_line for element in file.markdown.items):
        other = Scope.PROJECT if file.source.scope is Scope.USER else Scope.USER
        yield _Move(REMEMBER, str(other), t(_TITLES[other]))
        for section in move_section.sections_for(file.content.lines, line):
            title = t("Move to the section '{0}'", section.title)
            yield _Move(MOVE_SECTION, section.heading.line, title)
    # A heading of level 1 is the title: its section is the whole file.
    if any(element.line == line and element.level > 1 for element in file.markdown.headings):
        yield _Move(REMEMBER, _NOTE, t("Move this section to its own note"))
