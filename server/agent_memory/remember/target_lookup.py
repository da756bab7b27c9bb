"""Finds the target for a path, or the reason for a refusal."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.base.model import Role
from agent_memory.config.agent_id import AGENT_ID
from agent_memory.l10n import t
from agent_memory.remember.plan import Plan, refused
from agent_memory.remember.targets import Target, all_choices, available_targets, targets_of
from agent_memory.runtimes.classify import owner_of, role_of
from agent_memory.runtimes.selection import choose

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.config.context import Context

_MAX_LISTED = 12
"""Files that the message of a refusal lists."""


def find_target(ctx: Context, path: Path, runtime_id: str | None = None) -> Target | Plan:
    """Return the target ``path``, or a refused plan if nothing can be saved there.

    The plan says why and lists the available files. A relative path starts at ``ctx.cwd``. If
    several runtimes read the file, the target is that of the chosen one, if possible.
    ``runtime_id`` None: the runtime of the settings, else a detected one.

    Raises:
        UsageError: the runtime is unknown, the agent's id is not valid or ``path`` has a NUL.

    """
    _, choice = choose(ctx, runtime_id)
    chosen = choice.runtime
    if "\0" in str(path):
        raise UsageError(t("The path contains a NUL character. Name a memory file of this project"))
    path = _absolute(ctx, path)
    reason = ""  # why nothing can be saved in `path`: the first one that is found
    if role_of(path) is Role.ENTRY:
        # Entries are not targets: this reason counts, unless a runtime reads the file as memory.
        reason = t("{0} is a learned entry, which is replaced as a whole: use its id", path)
    for target in _readers(_with_agent_of(ctx, path), path, runtime_id):
        if not target.refusal:
            # The chosen runtime reads a file with a condition later in a session, for example when
            # the agent works in its folder.
            is_read = target.choice.runtime.id == chosen.id or chosen.condition(ctx, path)
            return replace(target, instead_of="" if is_read else chosen.id)
        reason = reason or target.refusal
    if not reason:
        reason = t("No runtime reads {0} as memory of this project or user", path)
    return refused(path, reason, _available(ctx, runtime_id))


def _readers(ctx: Context, path: Path, runtime_id: str | None) -> Iterator[Target]:
    """Yield ``path`` as a target of each runtime that has it as a source, the chosen one first.

    Runtimes that have it as a source only if they work in its folder come last.
    """
    real = os.path.realpath(path)
    for folder_ctx in _working_folders(ctx, path, runtime_id):
        for agent_ctx, choice in all_choices(folder_ctx, runtime_id):
            for target in targets_of(agent_ctx, choice):
                if target.source.path == path or os.path.realpath(target.source.path) == real:
                    yield target


def _working_folders(ctx: Context, path: Path, runtime_id: str | None) -> Iterator[Context]:
    """Yield ``ctx``, then ``ctx`` with the folder of ``path`` as the working folder.

    The second only if that folder is another one of the same project. An agent that works there
    also reads the instruction files in it, unlike one that works above.
    """
    yield ctx
    _, choice = choose(ctx, runtime_id)
    root = choice.runtime.root(ctx) or ctx.cwd
    folder = path.parent
    if folder != ctx.cwd and folder.is_dir() and folder.resolve().is_relative_to(root.resolve()):
        in_folder = ctx.with_(cwd=folder)
        # Without a root, nothing shows that the folder is in another project.
        root_of_folder = choice.runtime.root(in_folder) or root
        if root_of_folder.resolve() == root.resolve():
            yield in_folder


def _with_agent_of(ctx: Context, path: Path) -> Context:
    """Return ``ctx`` for the agent that ``path`` belongs to by its location.

    Without such an agent, or if its name is not a valid id, ``ctx`` is returned as it is.
    """
    agent = owner_of(path, ctx.home)
    return ctx.with_(agent=agent) if AGENT_ID.fullmatch(agent) else ctx


def _absolute(ctx: Context, path: Path) -> Path:
    """Return ``path`` as an absolute path without ``..``.

    ``~`` stands for the home; a relative path starts at the working folder.
    """
    parts = path.parts
    base = ctx.home.joinpath(*parts[1:]) if parts[:1] == ("~",) else ctx.cwd / path
    return Path(os.path.normpath(base))


def _available(ctx: Context, runtime_id: str | None) -> str:
    """Return the sentence that lists the available files, at most ``_MAX_LISTED`` of them.

    It says how many more there are.
    """
    paths = [target.source.path for target in available_targets(ctx, runtime_id)]
    if not paths:
        return t("No memory file is available here")
    names = ", ".join(_shown(ctx, path) for path in paths[:_MAX_LISTED])
    if len(paths) > _MAX_LISTED:
        more = len(paths) - _MAX_LISTED
        return t("Available memory files: {0} and {1} more", names, more)
    return t("Available memory files: {0}", names)


def _shown(ctx: Context, path: Path) -> str:
    """Return ``path`` relative to the working folder or as ``~/…``, else as it is."""
    for base, prefix in ((ctx.cwd, ""), (ctx.cwd.resolve(), ""), (ctx.home, "~/")):
        if path.is_relative_to(base):
            return prefix + path.relative_to(base).as_posix()
    return str(path)
