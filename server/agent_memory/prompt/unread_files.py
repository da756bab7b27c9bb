"""Files that look like memory but that the runtime does not find.

Searched only in the folders a runtime reads memory from: wrong letter case, the older or newer
file name (agent.md, AGENTS.md), a wrong suffix, or the right name one folder too high.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Role, Scope, Source, Status
from agent_memory.l10n import t
from agent_memory.runtimes.classify import PROJECT_FOLDERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from agent_memory.config.context import Context

GENERATIONS = frozenset({"agent.md", "agents.md"})
_NEAR = lazy_compile(r"agents?\.(?:txt|markdown|mdown|mdx|md\.txt|md\.md)\Z")


class Why(StrEnum):
    """Why a runtime does not find a file."""

    CASE = "case"
    GENERATION = "generation"  # the other file name, and the one that is read is missing
    BOTH = "both"  # the other file name, and the one that is read exists too
    NAME = "name"  # a wrong suffix or a misspelled name
    PLACE = "place"  # one folder too high


class UnreadFile(NamedTuple):
    """A file that the runtime does not find; ``wanted`` is the path that it reads."""

    source: Source
    why: Why
    wanted: Path
    taken: bool  # ``wanted`` exists


def unread_files(ctx: Context, sources: Sequence[Source]) -> list[UnreadFile]:
    """Return the unread files near ``sources``."""
    memory = [item for item in sources if item.role in (Role.MEMORY, Role.INSTRUCTIONS)]
    wanted = {item.path: item for item in memory if item.path.name.lower() in GENERATIONS}
    loads_project = any(
        item.status is Status.LOADED and item.scope is Scope.PROJECT for item in memory
    )
    known = {source.path for source in sources}
    found = [
        file
        for item in wanted.values()
        for file in _beside(ctx, item, loads_project=loads_project)
        if file.source.path not in known
    ]
    return found + list(_above(ctx, list(wanted.values())))


def _beside(ctx: Context, item: Source, *, loads_project: bool) -> Iterator[UnreadFile]:
    """Yield the unread files next to the memory file ``item``, which may be missing.

    ``loads_project``: the runtime loads some project memory.
    """
    folder, name = item.path.parent, item.path.name
    names = ctx.store.names(folder)
    taken = name in names
    for other in sorted(names - {name}):
        why = _why(other, name, taken=taken)
        if why is None:
            continue
        in_root = folder.name not in PROJECT_FOLDERS and item.scope is Scope.PROJECT
        if in_root and other == "AGENT.md":
            continue  # a name of other agents, not this one in the wrong case
        if in_root and other == "AGENTS.md" and (taken or loads_project):
            continue  # it is meant for other tools, which read the root's AGENTS.md
        yield _unread(item, folder / other, why, item.path, taken=taken)


def _above(ctx: Context, wanted: list[Source]) -> Iterator[UnreadFile]:
    """Yield a user memory file right in ``~/.deepagents`` rather than in an agent's folder."""
    for item in wanted:
        folder, name = item.path.parent.parent, item.path.name
        if item.scope is not Scope.USER or folder != ctx.user_folder:
            continue
        if name in ctx.store.names(folder):
            taken = name in ctx.store.names(item.path.parent)
            yield _unread(item, folder / name, Why.PLACE, item.path, taken=taken)


def _why(name: str, wanted: str, *, taken: bool) -> Why | None:
    """Return why the file ``name`` is not read instead of ``wanted``, None for an unrelated name.

    ``taken``: the file ``wanted`` exists.
    """
    low = name.lower()
    if low == wanted.lower():
        return Why.CASE
    if low in GENERATIONS:
        return Why.BOTH if taken else Why.GENERATION
    if _NEAR.match(low) and not taken:
        return Why.NAME
    return None


def _unread(item: Source, path: Path, why: Why, wanted: Path, *, taken: bool) -> UnreadFile:
    reason = t("the runtime looks for {0} in {1}", wanted.name, wanted.parent.name or wanted.parent)
    source = Source(path, item.scope, item.role, Status.IGNORED, reason, str(path))
    return UnreadFile(source, why, wanted, taken)
