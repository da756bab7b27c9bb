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
from agent_memory.runtimes.classify import classify
from agent_memory.runtimes.selection import choose, find_installed
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
    """Return the project to check: all sources of the listed runtimes, and ``paths``.

    ``runtime_id`` None: the settings choose the runtime. ``alone``: leave out the sources of the
    other listed runtimes, and the baseline.

    Raises:
        UsageError: the runtime is not known or the agent's id is not valid.

    """
    given = ctx  # without the agent of the chosen runtime, which other runtimes may not have
    ctx, choice = choose(ctx, runtime_id)
    others = () if alone else _others(given, runtime_id, choice.runtime)
    failures = Failures()
    sources: tuple[Source, ...] = ()
    unread: list[UnreadFile] = []
    try:
        sources = tuple(choice.runtime.sources(ctx))
        unread = unread_files(ctx, sources)
    except UsageError:
        raise
    except Exception as error:  # noqa: BLE001 -- the given paths are still checked
        failures.add(choice.runtime.id, error)
    known = {source.path: source for source in (*sources, *(item.source for item in unread))}
    projects = (open_other(given, name) for name in others)
    of_others = [path for project in projects if project for path in project.files]
    files = _read(ctx, known, [*known, *of_others, *(paths or ())])
    root = choice.runtime.root(ctx)
    accepted = None if alone else baseline.load(baseline.root_of(ctx.cwd), ctx.store)
    return Project(
        ctx,
        choice,
        root,
        sources,
        files,
        lambda: compose_chosen(ctx, choice, sources=sources),
        accepted,
        tuple(unread),
        FileIndex(root or ctx.cwd),
        others,
        failures.found,
        is_chosen=_is_chosen(ctx, root or ctx.cwd, choice.runtime, runtime_id),
    )


def _others(ctx: Context, runtime_id: str | None, chosen: Runtime) -> tuple[str, ...]:
    """Return the other runtimes to check for. Agents that are only assumed are not judged."""
    found = listed(ctx, runtime_id)
    return () if found.is_assumed else tuple(name for name in found.reasons if name != chosen.id)


def _read(ctx: Context, known: dict[Path, Source], paths: Iterable[Path]) -> dict[Path, MemoryFile]:
    """Return the ``paths`` that exist, each once, as a ``known`` source or by its place."""
    files: dict[Path, MemoryFile] = {}
    for path in dict.fromkeys(paths):
        content = ctx.store.read(path)
        if content.failure != "missing":
            files[path] = MemoryFile(path, content, known.get(path) or classify(path, ctx))
    return files


def _is_chosen(ctx: Context, root: Path, runtime: Runtime, runtime_id: str | None) -> bool:
    """Return whether the runtime is more than a guess by the files of the project."""
    named = runtime_id not in (None, "auto") or not ctx.settings.is_default("runtime")
    return named or find_installed(ctx, root, runtime) is not None


def open_other(ctx: Context, runtime_id: str) -> Project | None:
    """Return the project of another listed runtime, None if the agent's id is not valid for it."""
    try:
        return open_project(ctx, runtime_id, alone=True)
    except UsageError:
        return None
