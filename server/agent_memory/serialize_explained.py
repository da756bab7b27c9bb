"""Explanations and the table of all files as JSON, for the command line and the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_memory.l10n import t
from agent_memory.language import token_estimate

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.prompt.answer import Action, Answer
    from agent_memory.prompt.explain import Explained
    from agent_memory.prompt.overview import Overview, Row

    Uri = Callable[[Path], str]
    """Returns the URI of a path."""


def shown(path: Path, root: Path | None, home: Path) -> str:
    """Return ``path`` for people: relative to ``root``, else ``~/…`` below ``home``, else whole."""
    for base, prefix in ((root, ""), (home, "~/")):
        if base and path.is_relative_to(base):
            return prefix + path.relative_to(base).as_posix()
    return str(path)


def explained_json(
    explained: Explained, ctx: Context, root: Path | None, uri: Uri
) -> dict[str, Any]:
    """Return the answer of ``agentMemory/explain``.

    ``root`` is the project's root, if any; ``uri`` returns a path's URI. In the answer, ``shown``
    is the path for people (:func:`shown`), and ``line`` counts from 0, None for the whole file.
    """
    return {
        "path": str(explained.path),
        "uri": uri(explained.path),
        "shown": shown(explained.path, root, ctx.home),
        "line": explained.line,
        "cwd": str(ctx.cwd),
        "runtimes": [answer_json(answer, uri) for answer in explained.answers],
        "runtimesNote": explained.listed.note,
    }


def answer_json(answer: Answer, uri: Uri) -> dict[str, Any]:
    """Return what one runtime does with a file or line, as docs/protocol.md describes it.

    ``order`` is the number of the file in load order, from 1, and ``of`` the number of loaded
    files; both are None if the file is not loaded. ``bytes`` has ``[start, end]`` in the UTF-8 of
    the prompt for each part that comes from the file or line. ``role`` is the message with these
    parts, such as ``system``; None without a part. ``by`` is the file that imports or replaces the
    file; for a line with an import that is not followed, the file to import.
    """
    return {
        "runtime": answer.runtime.id,
        "title": t(answer.runtime.title),
        "outcome": str(answer.outcome),
        "reason": answer.reason,
        "action": _action_json(answer.action, uri),
        "order": answer.order,
        "of": answer.of,
        "role": answer.role,
        "bytes": [list(start_and_end) for start_and_end in answer.bytes],
        "by": {"path": str(answer.by), "uri": uri(answer.by)} if answer.by else None,
        "exactness": str(answer.prompt.exactness),
    }


def _action_json(action: Action | None, uri: Uri) -> dict[str, Any] | None:
    """Return ``action`` as JSON, None for None.

    An action is what a person can do about the answer: ``message`` says it in words. ``path`` is
    the file to create with ``text`` (``kind`` is ``create``) or to open (``open``). For ``advice``,
    there is only a message.
    """
    if action is None:
        return None
    return {
        "message": action.message,
        "kind": action.kind,
        "path": str(action.path) if action.path else None,
        "uri": uri(action.path) if action.path else None,
        "text": action.text,
    }


def overview_json(table: Overview, ctx: Context, uri: Uri) -> dict[str, Any]:
    """Return ``files`` and ``complete`` of the answer of ``agentMemory/sources``.

    ``complete`` is False if the project has too many files, so that rows may be missing.
    """
    return {
        "files": [_row_json(row, table.root, ctx, uri) for row in table.rows],
        "complete": table.complete,
    }


def _row_json(row: Row, root: Path, ctx: Context, uri: Uri) -> dict[str, Any]:
    """Return a file of the table as JSON, with what each runtime does with it.

    ``root`` is the project's root, to which ``shown`` is relative. ``madeFor`` is the name of the
    agent that the file belongs to, '' for several or none. ``outcome``, ``reason`` and ``action``
    are those of the selected runtime. ``readBy`` are the ids of the listed runtimes whose prompt
    contains text of the file.
    """
    content = ctx.store.read(row.path)
    return {
        "path": str(row.path),
        "uri": uri(row.path),
        "shown": shown(row.path, root, ctx.home),
        "scope": str(row.scope),
        "bytes": content.size,
        "tokens": token_estimate.count_lines(content.lines),
        "madeFor": row.made_for,
        "outcome": str(row.selected.outcome),
        "reason": row.selected.reason,
        "action": _action_json(row.selected.action, uri),
        "readBy": row.read_by,
        "runtimes": [answer_json(answer, uri) for answer in row.answers],
    }
