"""The memory file of a scope: user or project."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.base.model import Role, Scope, Source, Status
from agent_memory.l10n import t, untranslated
from agent_memory.remember.targets import Target, choose_for_files

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.runtimes.selection import Choice

SCOPES = ("user", "project")
_LABELS = {
    Scope.USER: untranslated("User Memory"),
    Scope.PROJECT: untranslated("Project Memory"),
}


def scope_target(ctx: Context, scope: Scope, runtime_id: str | None) -> Target:
    """Return the memory file of ``scope`` of the chosen runtime; the file may be missing.

    ``runtime_id`` None: the runtime of the settings, else a detected one.

    Raises:
        UsageError: the runtime is unknown or has no such file, or the agent's id is not valid.

    """
    ctx, choice = choose_for_files(ctx, runtime_id)
    path = memory_path(ctx, choice, scope)
    label = t(_LABELS[scope])
    for source in choice.runtime.sources(ctx):
        if source.path == path:  # one file can serve both scopes: the requested one counts
            return Target(replace(source, scope=scope), ctx, choice, label)
    return Target(Source(path, scope, Role.MEMORY, Status.MISSING), ctx, choice, label)


def memory_path(ctx: Context, choice: Choice, scope: Scope) -> Path:
    """Return the path of the memory file of ``scope``; the file may be missing.

    Raises:
        UsageError: the runtime has none, for example outside of a project.

    """
    path = choice.runtime.memory_path(ctx, scope)
    if path is None:
        title, why = t(choice.runtime.title), _why_ignored(ctx, choice, scope)
        if scope is Scope.USER:
            if why:
                raise UsageError(t("{0} has no user memory here: {1}", title, why))
            raise UsageError(t("{0} has no user memory here", title))
        if why:
            raise UsageError(t("{0} has no project memory here: {1}", title, why))
        raise UsageError(t("{0} has no project memory here", title))
    return path


def _why_ignored(ctx: Context, choice: Choice, scope: Scope) -> str:
    """Return why the runtime ignores its memory file of ``scope``; '' if it ignores none."""
    for source in choice.runtime.sources(ctx):
        is_memory = source.scope is scope and source.role is Role.MEMORY
        if is_memory and source.status is Status.IGNORED:
            return source.reason
    return ""


def known_scope(scope: Scope | str) -> Scope:
    """Return ``scope``, user or project, as a :class:`Scope`.

    Raises:
        UsageError: ``scope`` is unknown or has no memory files, such as one of entries.

    """
    if scope in SCOPES:
        return Scope(scope)
    raise UsageError(t("{0!r} is not a scope of memory files: use user or project", scope))
