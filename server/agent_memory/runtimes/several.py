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
    """The ids of the runtimes, each with the reason.

    ``note`` is a sentence that says so if no runtime was found and these are assumed, else ''.
    """

    reasons: dict[str, str]
    note: str = ""

    @property
    def is_assumed(self) -> bool:
        """Whether nothing shows that these runtimes are used."""
        return bool(self.note)

    @property
    def runtimes(self) -> list[Runtime]:
        """The runtimes of ``reasons``, in order.

        Raises:
            UsageError: the runtime in the setting `runtime` is unknown; :func:`listed` accepts it.

        """
        return [runtimes.get(name) for name in self.reasons]


def listed(ctx: Context, runtime_id: str | None = None) -> Listed:
    """Return the runtime ``runtime_id``; if it is None or `auto`, return those of the settings.

    `auto` in the settings stands for the detected runtimes. Codex and Claude Code are assumed if no
    runtime results.

    Raises:
        UsageError: ``runtime_id`` or an id in the setting `runtimes` is unknown.

    """
    if runtime_id and runtime_id != AUTO:
        return Listed({runtimes.get(runtime_id).id: t("requested")})
    reasons: dict[str, str] = {}  # by id; of several reasons the first one counts
    for name in ctx.settings.runtimes:
        if name == AUTO:
            for automatic_id, why in _automatic(ctx):
                reasons.setdefault(automatic_id, why)
        else:
            reasons.setdefault(runtimes.get(name).id, t("the setting `runtimes`"))
    if reasons:
        return Listed(reasons)
    why = t("assumed, because no agent was found")
    note = t("No agent was found; assuming Codex and Claude Code.")
    return Listed({Codex.id: why, ClaudeCode.id: why}, note)


def _automatic(ctx: Context) -> Iterator[tuple[str, str]]:
    """Yield (id, reason) of the runtime in the setting ``runtime`` and of the installed ones.

    Without any of these, yield (id, reason) of the runtimes that have files in the project.
    """
    configured = ctx.settings.runtime
    if configured != AUTO:
        yield configured, t("the setting `runtime`")
    root = ctx.given_root or find_root(ctx.cwd.resolve(), has_git) or ctx.cwd
    installed = list(_installed(ctx, root))
    yield from installed
    if not installed and configured == AUTO:
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
    """Yield (id, reason) of each runtime that has a marker in the project.

    A marker of several runtimes counts for one of them. If the project depends on the package of a
    runtime and has files of it, that runtime is yielded first, and then only agents with markers
    are. An agent can be yielded twice.
    """
    dependency = declared(ctx, root)
    if dependency:
        runtime, why = dependency
        yield runtime.id, why
    for runtime in runtimes.RUNTIMES:
        if dependency and runtime.program is None:
            continue
        why = _reason_by_files(ctx, root, runtime)
        if why:
            yield runtime.id, why


def _reason_by_files(ctx: Context, root: Path, runtime: Runtime) -> str:
    """Return a sentence that a file of ``runtime`` exists, '' if none does."""
    if not runtime.markers:  # `detected` finds its files (drover)
        detection = runtime.detected(ctx, root)
        return detection.reason if detection else ""
    sentences = [runtime.marker_reason(ctx, root, marker) for marker in own_markers(runtime)]
    return next(filter(None, sentences), "")
