"""Opens a project to check: the sources of the listed runtimes and the given files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.fs.file_index import FileIndex
from agent_memory.lint import baseline
from agent_memory.lint.isolation import Failures
from agent_memory.lint.memory_file import MemoryFile
from agent_memory.lint.project import Project
from agent_memory.prompt.compose import compose_chosen
from agent_memory.prompt.unread_files import unread_files
from agent_memory.runtimes.agents.programs import find_program
from agent_memory.runtimes.classify import classify
from agent_memory.runtimes.selection import choose, find_installed, has_own_marker
from agent_memory.runtimes.several import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from agent_memory.base.model import Source
    from agent_memory.config.context import Context
    from agent_memory.prompt.unread_files import UnreadFile
    from agent_memory.runtimes.base import Runtime


def open_project(
    ctx: Context,
    runtime_id: str | None = None,
    paths: Sequence[Path] | None = None,
    *,
    alone: bool = False,
) -> Project:
    """Return the project to check, of the chosen runtime.

    Its files are the runtime's sources, the unread files near them (which look like memory, but
    are not found by the runtime), the files of the other runtimes that are set or found, and the
    ``paths``. Those that do not exist are left out. ``runtime_id`` None or 'auto': the settings
    choose the runtime, else what is installed, else the files. ``alone``: without the other
    runtimes, their files and the baseline.

    A runtime that fails to list its sources, also one of the others, has none, and its error is in
    ``failures`` of the project.

    Raises:
        UsageError: the runtime is not known or the agent's id is not valid.

    """
    # Only the chosen runtime gets its agent: others may not have an agent of that id.
    chosen_ctx, choice = choose(ctx, runtime_id)
    others = () if alone else _others(ctx, runtime_id, choice.runtime)
    failures = Failures()
    sources, unread = _sources(chosen_ctx, choice.runtime, failures)
    known = {source.path: source for source in (*sources, *(file.source for file in unread))}
    of_others: list[Path] = []
    for other in filter(None, (open_other(ctx, name) for name in others)):
        of_others += other.files
        failures.errors.update(other.failures)
    found = [*known, *of_others]
    root = choice.runtime.root(chosen_ctx)
    return Project(
        ctx=chosen_ctx,
        choice=choice,
        root=root,
        sources=sources,
        files=_read(chosen_ctx, known, [*found, *(paths or ())]),
        found=frozenset(found),
        compose=lambda: compose_chosen(chosen_ctx, choice, sources=sources),
        baseline=None if alone else baseline.load(baseline.root_of(ctx.cwd), ctx.store),
        unread_files=tuple(unread),
        files_there=FileIndex(root or ctx.cwd, history=ctx.history),
        others=others,
        failures=failures.errors,
        is_runtime_sure=_is_runtime_sure(chosen_ctx, root or ctx.cwd, choice.runtime, runtime_id),
    )


def _sources(
    ctx: Context, runtime: Runtime, failures: Failures
) -> tuple[tuple[Source, ...], list[UnreadFile]]:
    """Return the sources of ``runtime`` and the unread files near them (:func:`open_project`).

    An error in either listing is added to ``failures``, and its result is empty.

    Raises:
        UsageError: the agent's id is not valid.

    """
    sources: tuple[Source, ...] = ()
    try:
        sources = tuple(runtime.sources(ctx))
        return sources, unread_files(ctx, sources)
    except UsageError:
        raise
    except Exception as error:  # noqa: BLE001 -- the given paths are still checked
        failures.add(runtime.id, error)
        return sources, []


def _others(ctx: Context, runtime_id: str | None, chosen: Runtime) -> tuple[str, ...]:
    """Return the ids of the listed runtimes except ``chosen``: findings are reported for them too.

    Empty if ``runtime_id`` names a runtime, which is then the only one. Also empty if no runtime
    was found: the listed ones are then assumed.
    """
    runtimes = listed(ctx, runtime_id)
    if runtimes.is_assumed:
        return ()
    return tuple(name for name in runtimes.reasons if name != chosen.id)


def _read(ctx: Context, known: dict[Path, Source], paths: Iterable[Path]) -> dict[Path, MemoryFile]:
    """Return the files of ``paths`` that exist, each with its ``known`` source.

    A file without one gets a source by its name and location.
    """
    files: dict[Path, MemoryFile] = {}
    for path in dict.fromkeys(paths):
        content = ctx.store.read(path)
        if content.failure != "missing":
            files[path] = MemoryFile(path, content, known.get(path) or classify(path, ctx))
    return files


def _is_runtime_sure(ctx: Context, root: Path, runtime: Runtime, runtime_id: str | None) -> bool:
    """Return whether ``runtime`` is more than a guess by files that several agents read.

    It is if ``runtime_id`` names it or the settings set some runtime, if it is installed, or if the
    project has a file that counts for this runtime alone.
    """
    settings = ctx.settings
    is_named = runtime_id not in (None, "auto")
    is_set = not (settings.is_default("runtime") and settings.is_default("runtimes"))
    if is_named or is_set or find_installed(ctx, root, runtime):
        return True
    # A runtime has no `program` if it is a package: `find_installed` has searched for it.
    program = runtime.program and find_program(ctx, root, runtime.program)
    return bool(program) or has_own_marker(ctx, root, runtime)


def open_other(ctx: Context, runtime_id: str) -> Project | None:
    """Return the project of another listed runtime, without the runtimes listed besides it.

    None if the agent's id is not valid for this runtime.
    """
    try:
        return open_project(ctx, runtime_id, alone=True)
    except UsageError:
        return None
