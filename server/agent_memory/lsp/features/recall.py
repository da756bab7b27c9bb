"""``agentMemory/recall``: searching what was learned, and only what the asker may see."""

from __future__ import annotations

import contextlib
from collections import Counter
from typing import TYPE_CHECKING, Any

from agent_memory import serialize
from agent_memory.base.errors import UsageError
from agent_memory.lsp.features.prompt import context
from agent_memory.lsp.transport.params import Params
from agent_memory.runtimes import drover_entries

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from agent_memory.lsp.server import MemoryServer
    from agent_memory.lsp.workspace.session import Session
    from agent_memory.recall.engine import Recall, SearchHit

_open: dict[Path, Recall] = {}
_changes: Counter[Path] = Counter()
_folders: list[Path] = []  # where they stood, one after the other
_KNOWN = ("query", "scopes", "kinds", "tags", "limit", "uri", "agent", "run", "runtime")


def recall(session: Session, value: Any) -> dict[str, Any]:
    """Answer ``agentMemory/recall``. A project without entries has none to recall.

    Raises:
        BadParamsError, UsageError: the parameters cannot be used as given.

    """
    from agent_memory.entries.store import Filter  # noqa: PLC0415 -- starting does not need it
    from agent_memory.recall.engine import LIMIT, check_query  # noqa: PLC0415 -- as above

    params = Params(value, _KNOWN)
    query, limit = params.text("query") or "", params.number("limit", LIMIT)
    check_query(query, limit)
    ctx, _ = context(session, params)
    wanted = Filter(
        ctx.agent,
        params.text("run"),
        tuple(params.texts("scopes") or ()),
        tuple(params.texts("kinds") or ()),
        tuple(params.texts("tags") or ()),
    ).check()
    root = session.view(ctx.cwd).project.root
    folder = drover_entries.folder(ctx, root)
    if folder is None or not folder.is_dir():
        return {"entries": []}
    hits = _index(folder, ctx.env).search(query, wanted, limit)
    allowed = ctx.settings.allowed_secrets
    return {"entries": [_shown(session, hit, allowed) for hit in hits]}


def _index(folder: Path, env: Mapping[str, str]) -> Recall:
    """Return the index of ``folder`` as the files are now; it stays open between two letters."""
    from agent_memory.recall.engine import Recall  # noqa: PLC0415 -- starting does not need it

    index = _open.get(folder)
    if index is None:
        index = _open[folder] = Recall.open(folder, env)
    else:
        index.keep_up()
    return index


def touched(paths: Iterable[Path]) -> None:
    """Take in what the watcher saw change, in every index that is open."""
    for path in paths:
        for folder, index in _open.items():
            if path.is_relative_to(folder):
                _changes[folder] += 1
                with contextlib.suppress(UsageError):  # held by another process: looked at later
                    index.update(path)


def changes(folder: Path | None) -> int:
    """Return how often the entries that a client may recall were seen to change.

    That they stand in another ``folder`` than at the last call is a change as well.
    """
    if folder is not None and _folders[-1:] != [folder]:
        _folders.append(folder)
    return _changes.total() + len(_folders)


def _shown(session: Session, hit: SearchHit, allowed: list[str]) -> dict[str, Any]:
    path = hit.entry.path
    return {
        **serialize.entry_json(hit.entry, hit.score, allowed),
        "uri": session.places.uri(path) if path else None,
    }


def register(server: MemoryServer) -> None:
    """Add the request."""
    session = server.session
    server.connection.handlers["agentMemory/recall"] = lambda params: recall(session, params)
