"""Which runtimes findings and explanations are about: the setting ``runtimes``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agent_memory import runtimes
from agent_memory.config.project_root import find_root, has_git
from agent_memory.l10n import t
from agent_memory.runtimes.agents.claude_code import ClaudeCode
from agent_memory.runtimes.agents.codex import Codex
from agent_memory.runtimes.agents.programs import find_program
from agent_memory.runtimes.selection import declared, find_installed, own_markers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.runtimes.base import Runtime

AUTO = "auto"


class Listed(NamedTuple):
    """The ids of the runtimes, each with the reason; ``note`` is a sentence if none was found."""

    reasons: dict[str, str]
    note: str = ""

    @property
    def is_assumed(self) -> bool:
        """Whether nothing shows that these runtimes are used."""
        return bool(self.note)

    @property
    def runtimes(self) -> list[Runtime]:
        """The runtimes, in order."""
        return [runtimes.get(name) for name in self.reasons]


def listed(ctx: Context, runtime_id: str | None = None) -> Listed:
    """Return the runtimes of the settings; a ``runtime_id`` other than `auto` is the only one.

    Raises:
        UsageError: the runtime is unknown.

    """
    if runtime_id and runtime_id != AUTO:
        return Listed({runtimes.get(runtime_id).id: t("requested")})
    found: dict[str, str] = {}
    for name in ctx.settings.runtimes:
        if name == AUTO:
            for runtime, why in _automatic(ctx):
                found.setdefault(runtime, why)
        else:
            found.setdefault(runtimes.get(name).id, t("the setting `runtimes`"))
    if found:
        return Listed(found)
    why = t("assumed, because no agent was found")
    note = t("No agent was found; assuming Codex and Claude Code.")
    return Listed({Codex.id: why, ClaudeCode.id: why}, note)


def _automatic(ctx: Context) -> Iterator[tuple[str, str]]:
    """Yield the runtime of the settings and the installed ones, else those that have files.

    Each is (id, reason).
    """
    configured = ctx.settings.runtime
    if configured != AUTO:
        yield configured, t("the setting `runtime`")
    root = ctx.given_root or find_root(ctx.cwd.resolve(), has_git) or ctx.cwd
    found = list(_installed(ctx, root))
    yield from found
    if not found and configured == AUTO:
        yield from _with_files(ctx, root)


def _installed(ctx: Context, root: Path) -> Iterator[tuple[str, str]]:
    """Yield (id, reason) of each runtime whose program or package is installed."""
    for runtime in runtimes.RUNTIMES:
        program = runtime.program and find_program(ctx, root, runtime.program)
        package = find_installed(ctx, root, runtime)
        if program:
            yield runtime.id, str(program)
        elif package:
            yield runtime.id, str(package)


def _with_files(ctx: Context, root: Path) -> Iterator[tuple[str, str]]:
    """Yield (id, reason) of each runtime with a marker, which counts for its first agent only.

    A runtime that the project depends on stands for all that are packages.
    """
    dependency = declared(ctx, root)
    if dependency:
        yield dependency[0].id, dependency[1]
    for runtime in runtimes.RUNTIMES:
        if dependency and runtime.program is None:
            continue
        whys = [runtime.has_marker(ctx, root, marker) for marker in own_markers(runtime)]
        # A runtime without markers finds its files in its own way (drover).
        mark = None if runtime.markers else runtime.detected(ctx, root)
        why = next(filter(None, whys), mark[1] if mark else "")
        if why:
            yield runtime.id, why
