"""Files that look like memory but that the runtime does not find.

Their name has the wrong letter case or suffix, or is the older or newer one (agent.md, AGENTS.md),
in a folder that the runtime reads memory from; or they are one folder above it.
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
"""The older and the newer name of memory files, in lower case."""
_WRONG_SUFFIX = lazy_compile(r"agents?\.(?:txt|markdown|mdown|mdx|md\.txt|md\.md)\Z")
"""Names, in lower case, that are those of memory files with a wrong suffix."""


class Why(StrEnum):
    """Why a runtime does not find a file."""

    CASE = "case"
    GENERATION = "generation"  # the other file name, and the one that is read is missing
    BOTH = "both"  # the other file name, and the one that is read exists too
    NAME = "name"  # a wrong suffix or a misspelled name
    PLACE = "place"  # one folder too high


class UnreadFile(NamedTuple):
    """A file that the runtime does not find; ``wanted`` is the path that it looks for."""

    source: Source
    why: Why
    wanted: Path
    taken: bool  # ``wanted`` exists


def unread_files(ctx: Context, sources: Sequence[Source]) -> list[UnreadFile]:
    """Return the files that look like memory in ``sources`` but that the runtime does not find.

    They are in the folders of the memory files in ``sources``, or one folder above user memory.
    """
    memory = [source for source in sources if source.role in (Role.MEMORY, Role.INSTRUCTIONS)]
    by_path = {source.path: source for source in memory if _is_wanted(source)}
    wanted = list(by_path.values())
    loads_project = any(
        source.status is Status.LOADED and source.scope is Scope.PROJECT for source in memory
    )
    source_paths = {source.path for source in sources}
    found = [
        file for source in wanted for file in _next_to(ctx, source, loads_project=loads_project)
    ]
    found += _above(ctx, wanted)
    return [file for file in found if file.source.path not in source_paths]


def _is_wanted(source: Source) -> bool:
    """Whether the runtime looks for ``source``, and it has the older or newer name of memory files.

    A runtime does not look for a file that it ignores, unless the reason is a used-up budget.
    """
    is_ignored = source.status is Status.IGNORED and not source.left_out
    return source.path.name.lower() in GENERATIONS and not is_ignored


def _next_to(ctx: Context, wanted: Source, *, loads_project: bool) -> Iterator[UnreadFile]:
    """Yield the unread files next to the memory file ``wanted``, which may be missing.

    ``loads_project``: the runtime loads some project memory.
    """
    folder, name = wanted.path.parent, wanted.path.name
    names = ctx.store.names(folder)
    exists = name in names
    # The root or another folder of the project, not a folder of memory such as `.deepagents`.
    in_plain_folder = folder.name not in PROJECT_FOLDERS and wanted.scope is Scope.PROJECT
    for other in sorted(names - {name}):
        why = _why_not_found(other, name, taken=exists)
        if why is None:
            continue
        if in_plain_folder and other == "AGENT.md":
            continue  # a file of other agents, not a misspelled agent.md or AGENTS.md
        if in_plain_folder and other == "AGENTS.md" and (exists or loads_project):
            continue  # other tools read it; without other memory it is meant for this runtime
        yield _unread(wanted, folder / other, why, taken=exists)


def _above(ctx: Context, wanted: list[Source]) -> Iterator[UnreadFile]:
    """Yield each file in ``~/.deepagents`` that should be in the folder of an agent below it.

    It has the name of one of ``wanted`` in such a folder.
    """
    for source in wanted:
        folder, name = source.path.parent.parent, source.path.name
        if source.scope is not Scope.USER or folder != ctx.user_folder:
            continue
        if name in ctx.store.names(folder):
            exists = name in ctx.store.names(source.path.parent)
            yield _unread(source, folder / name, Why.PLACE, taken=exists)


def _why_not_found(name: str, wanted: str, *, taken: bool) -> Why | None:
    """Return why the runtime, which looks for ``wanted``, does not find the file ``name``.

    None for an unrelated name. ``taken``: the file ``wanted`` exists, so that a name with a wrong
    suffix counts as unrelated.
    """
    lowered = name.lower()
    if lowered == wanted.lower():
        return Why.CASE
    if lowered in GENERATIONS:
        return Why.BOTH if taken else Why.GENERATION
    if _WRONG_SUFFIX.match(lowered) and not taken:
        return Why.NAME
    return None


def _unread(wanted: Source, path: Path, why: Why, *, taken: bool) -> UnreadFile:
    """Return ``path`` as a file that the runtime does not find: it looks for ``wanted``."""
    folder = wanted.path.parent
    reason = t("the runtime looks for {0} in {1}", wanted.path.name, folder.name or folder)
    source = Source(path, wanted.scope, wanted.role, Status.IGNORED, reason, str(path))
    return UnreadFile(source, why, wanted.path, taken)
