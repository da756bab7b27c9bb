"""Which files a snippet may be filed into by name: those that some runtime reads as memory here.

That is what the chosen runtime reads, else what another one does: memory and instruction files
between the project's root and the file, skills, Claude MPM's memories, notes; and the notes that
any of these links to.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory import runtimes
from agent_memory.base.model import (
    Role,
    Scope,
    Source,
    Status,
)
from agent_memory.config.agent_id import AGENT_ID
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t
from agent_memory.lint.memory_file import MemoryFile
from agent_memory.markdown.links import target_of
from agent_memory.runtimes.classify import owner_of, role_of
from agent_memory.runtimes.selection import choose

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.config.context import Context
    from agent_memory.runtimes.selection import Choice

_READ = frozenset({Status.LOADED, Status.TRUNCATED, Status.LISTED})
_NOTE_SUFFIXES = frozenset({".md", ".markdown"})
_SHOWN = 12
_NO_ENTRIES = Path(os.devnull)


@dataclass(frozen=True, slots=True)
class Target:
    """A file with the runtime that reads it; ``ctx`` and ``choice`` are those of that runtime.

    ``refusal`` says why nothing may be filed into it, '' where something may.
    """

    source: Source
    ctx: Context
    choice: Choice

    @property
    def refusal(self) -> str:
        """Why nothing may be filed here; '' where something may."""
        source = self.source
        if source.status in (Status.SHADOWED, Status.IGNORED, Status.UNREADABLE):
            return t("{0} does not read it: {1}", self.choice.runtime.id, source.reason)
        if source.role is Role.SKILL and source.scope is Scope.GLOBAL:
            return t("it belongs to an installed package, and the next version replaces it")
        return ""


def asked(ctx: Context, runtime_id: str | None) -> tuple[Context, Choice]:
    """Return the context and choice of a question about files: learned entries are left out.

    They are never filed into, and reading many takes long.

    Raises:
        UsageError: the runtime is not known or the agent's id is not valid.

    """
    ctx, choice = choose(ctx, runtime_id)
    return ctx.with_(entries=_NO_ENTRIES), choice


def find(ctx: Context, path: Path, runtime_id: str | None = None) -> Target | str:
    """Return ``path`` as a target; else why it is none, and which files are.

    A relative path is meant from ``ctx.cwd``.

    Raises:
        UsageError: the runtime is not known or the agent's id is not valid.

    """
    path = _absolute(ctx, path)
    entry = t("it is a learned entry, which is replaced as a whole: use its id")
    why = entry if role_of(path) is Role.ENTRY else ""
    for target in _readers(_asked_from(ctx, path), path, runtime_id):
        if not target.refusal:
            return target
        why = why or target.refusal
    why = why or t("no runtime reads it as memory of this project or of yours")
    return f"{path}: {why}. {_can_be_named(ctx, runtime_id)}"


def nameable(ctx: Context, runtime_id: str | None = None) -> list[Target]:
    """Return the files that may be named, those of the chosen runtime first.

    Files that are not there yet are among them only for the chosen runtime.

    Raises:
        UsageError: the runtime is not known or the agent's id is not valid.

    """
    out: dict[str, Target] = {}
    for number, (inner, choice) in enumerate(_askers(ctx, runtime_id)):
        for target in _of(inner, choice):
            missing = target.source.status is Status.MISSING
            if not target.refusal and not (number and missing):
                out.setdefault(os.path.realpath(target.source.path), target)
    return list(out.values())


def _readers(ctx: Context, path: Path, runtime_id: str | None) -> Iterator[Target]:
    """Yield ``path`` for each runtime that knows it, the chosen one first."""
    real = os.path.realpath(path)
    for place in _places(ctx, path, runtime_id):
        for inner, choice in _askers(place, runtime_id):
            for target in _of(inner, choice):
                if target.source.path == path or os.path.realpath(target.source.path) == real:
                    yield target


def _places(ctx: Context, path: Path, runtime_id: str | None) -> Iterator[Context]:
    """Yield ``ctx``, then the same from the file's folder if that is in the same project.

    Instruction files count for the agent that works below them.
    """
    yield ctx
    _, choice = choose(ctx, runtime_id)
    root = choice.runtime.root(ctx) or ctx.cwd
    folder = path.parent
    if folder != ctx.cwd and folder.is_dir() and folder.resolve().is_relative_to(root.resolve()):
        nearer = ctx.with_(cwd=folder)
        if (choice.runtime.root(nearer) or root).resolve() == root.resolve():
            yield nearer


def _askers(ctx: Context, runtime_id: str | None) -> Iterator[tuple[Context, Choice]]:
    chosen = asked(ctx, runtime_id)
    yield chosen
    for runtime in runtimes.RUNTIMES:
        if runtime.id != chosen[1].runtime.id:
            yield asked(ctx, runtime.id)


def _of(ctx: Context, choice: Choice) -> Iterator[Target]:
    """Yield every source of a runtime, then the notes that what it reads links to."""
    sources = choice.runtime.sources(ctx)
    known = {source.path for source in sources}
    for source in sources:
        yield Target(source, ctx, choice)
    for source in sources:
        if source.status in _READ:
            for path in _linked(ctx, choice, source):
                if path not in known:
                    known.add(path)
                    why = t("linked from {0}", source.path)
                    note = Source(path, source.scope, Role.NOTE, Status.LISTED, why, str(path))
                    yield Target(note, ctx, choice)


def _linked(ctx: Context, choice: Choice, source: Source) -> Iterator[Path]:
    """Yield the notes that ``source`` links to, inside the project or the user's folder."""
    content = ctx.store.read(source.path)
    if "](" not in content.text and "@" not in content.text:
        return
    inside = [(choice.runtime.root(ctx) or ctx.cwd).resolve(), ctx.user_folder.resolve()]
    for link in MemoryFile(source.path, content, source).links:
        found = target_of(link, source.path, ctx.home)
        if found is None or found.suffix.lower() not in _NOTE_SUFFIXES:
            continue
        if role_of(found) not in (None, Role.NOTE):  # then it counts as what it is, or not at all
            continue
        path = Path(os.path.normpath(found))
        real = Path(os.path.realpath(path))
        there = ctx.store.read(path).failure is not Failure.MISSING
        if there and any(real.is_relative_to(folder) for folder in inside):
            yield path


def _asked_from(ctx: Context, path: Path) -> Context:
    """Return ``ctx`` for the agent whose file ``path`` is, by its place."""
    agent = owner_of(path, ctx.home)
    return ctx.with_(agent=agent) if AGENT_ID.fullmatch(agent) else ctx


def _absolute(ctx: Context, path: Path) -> Path:
    parts = path.parts
    base = ctx.home.joinpath(*parts[1:]) if parts[:1] == ("~",) else ctx.cwd / path
    return Path(os.path.normpath(base))


def _can_be_named(ctx: Context, runtime_id: str | None) -> str:
    paths = [target.source.path for target in nameable(ctx, runtime_id)]
    names = [_shown(ctx, path) for path in paths[:_SHOWN]]
    if not names:
        return t("Nothing can be named here")
    more = t(" and {0} more", len(paths) - _SHOWN) if len(paths) > _SHOWN else ""
    return t("What can be named: {0}{1}", ", ".join(names), more)


def _shown(ctx: Context, path: Path) -> str:
    for base, mark in ((ctx.cwd, ""), (ctx.cwd.resolve(), ""), (ctx.home, "~/")):
        if path.is_relative_to(base):
            return mark + path.relative_to(base).as_posix()
    return str(path)
