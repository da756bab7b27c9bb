"""Which runtime and agent to use, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agent_memory import runtimes
from agent_memory.config.agent_id import check_agent
from agent_memory.config.dependencies import dependencies, first_number, normalized_name
from agent_memory.config.lock_files import locked_version
from agent_memory.config.project_root import has_git, root_of
from agent_memory.l10n import t
from agent_memory.runtimes import installed
from agent_memory.runtimes.agents.programs import find_program

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.config.dependencies import Manifest
    from agent_memory.runtimes.base import Runtime


class Choice(NamedTuple):
    """The chosen runtime and agent, each with the reason in words."""

    runtime: Runtime
    runtime_reason: str
    agent: str
    agent_reason: str


def choose(ctx: Context, runtime_id: str | None = None) -> tuple[Context, Choice]:
    """Return ``ctx`` with the chosen agent, and the choice of runtime and agent.

    Raises:
        UsageError: the runtime is unknown or the agent id is invalid.

    """
    runtime, why = _runtime(ctx, runtime_id)
    agent, agent_why = _agent(ctx, runtime)
    return ctx.with_(agent=agent), Choice(runtime, why, agent, agent_why)


def _runtime(ctx: Context, runtime_id: str | None) -> tuple[Runtime, str]:
    """Return the runtime and the reason.

    The runtime is the requested one, that of the settings, the first installed one, or the one that
    the files of the project suggest.

    Raises:
        UsageError: the requested id or that of the settings is unknown.

    """
    if runtime_id and runtime_id != "auto":
        return runtimes.get(runtime_id), t("requested")
    if ctx.settings.runtime != "auto":
        return runtimes.get(ctx.settings.runtime), t("the setting `runtime`")
    # "auto" in the list means: detect, even if other runtimes are named before it.
    if ctx.settings.runtimes and "auto" not in ctx.settings.runtimes:
        return runtimes.get(ctx.settings.runtimes[0]), t("the first of the setting `runtimes`")
    root = root_of(ctx, has_git) or ctx.cwd
    for runtime in runtimes.RUNTIMES:
        package = find_installed(ctx, root, runtime)
        if package:
            name, version, location = package.name, package.version, package.found
            return runtime, t("{0} {1} is installed in {2}", name, version, location)
    return _by_files(ctx, root)


def find_installed(ctx: Context, root: Path, runtime: Runtime) -> installed.Installed | None:
    """Return the package of ``runtime`` in an environment or in the project's ``node_modules``.

    None if it is not installed in a version that the runtime's profile describes. In an editor the
    result is cached for a short time.
    """
    env, interpreter = ctx.env.get("VIRTUAL_ENV"), ctx.settings.interpreter
    key = ("package", runtime.id, root, ctx.cwd, env, interpreter)
    return ctx.programs.recent(key, lambda: _find_installed(ctx, root, runtime))


def _find_installed(ctx: Context, root: Path, runtime: Runtime) -> installed.Installed | None:
    """Return :func:`find_installed` without its cache."""
    packages = [installed.find_package(ctx, root, name) for name in runtime.packages]
    packages += [installed.find_node_package(ctx, root, name) for name in runtime.node_packages]
    for package in packages:
        if package and runtime.matches(package.version):
            return package
    return None


def _by_files(ctx: Context, root: Path) -> tuple[Runtime, str]:
    """Return the runtime that the files of the project suggest, and the reason.

    The suggested runtime is returned if no other one reads its files (:func:`_is_certain`). Else
    the order is: the first installed agent, the suggested runtime if there is one, a runtime that
    the project depends on, the default.
    """
    suggested = _suggested(ctx, root)
    if suggested and _is_certain(ctx, root, suggested[0]):
        return suggested
    return (
        _first_program(ctx, root)
        or suggested
        or declared(ctx, root, without_files=True)
        or (runtimes.FALLBACK, t("the default, because no memory file exists yet"))
    )


def _suggested(ctx: Context, root: Path) -> tuple[Runtime, str] | None:
    """Return the available runtime with the heaviest marker and the reason, None without any.

    If it is a package, a runtime that the project depends on and has files of replaces it, because
    both may read the same files.
    """
    heaviest = _heaviest(ctx, root)
    if heaviest is None:
        return None
    is_package = heaviest[0].program is None
    return (declared(ctx, root) if is_package else None) or heaviest


def _is_certain(ctx: Context, root: Path, runtime: Runtime) -> bool:
    """Whether ``runtime``, whose files exist, precedes the installed agents.

    A package does not if agents read all of its files that exist, such as AGENTS.md.
    """
    if runtime.program:  # an agent: it is installed, or the project depends on it
        return True
    # A runtime without markers was found by a folder of entries, which no agent has (drover), or as
    # a dependency of the project.
    if not runtime.markers:
        return True
    return has_own_marker(ctx, root, runtime)


def _heaviest(ctx: Context, root: Path) -> tuple[Runtime, str] | None:
    """Return the available runtime with the heaviest marker and the reason; None without any."""
    detections = [(runtime, runtime.detected(ctx, root)) for runtime in runtimes.RUNTIMES]
    detected = [(runtime, found) for runtime, found in detections if found]
    for runtime, found in sorted(detected, key=lambda pair: -pair[1].weight):
        if is_available(ctx, root, runtime):
            return runtime, found.reason
    return None


def _first_program(ctx: Context, root: Path) -> tuple[Runtime, str] | None:
    """Return the first runtime whose program is installed, with the reason; None without any."""
    for runtime in runtimes.RUNTIMES:
        program = runtime.program and find_program(ctx, root, runtime.program)
        if program:
            return runtime, t("{0} is installed", program)
    return None


def declared(
    ctx: Context, root: Path, *, without_files: bool = False
) -> tuple[Runtime, str] | None:
    """Return (runtime, reason) of the first runtime that the project depends on and has files of.

    None without such a runtime. ``without_files``: the project need not have files of it.
    """
    manifests = list(dependencies(ctx, root))
    if not manifests:
        return None
    for runtime in runtimes.RUNTIMES:
        files = (*runtime.project_files, *runtime.memory_names, *runtime.markers)
        if without_files or any(runtime.marker_reason(ctx, root, name) for name in files):
            why = _dependency_reason(ctx, root, manifests, runtime)
            if why:
                return runtime, why
    return None


def _dependency_reason(
    ctx: Context, root: Path, manifests: Sequence[Manifest], runtime: Runtime
) -> str:
    """Return a sentence that a manifest requires ``runtime``, '' if none does.

    A requirement does not count if the runtime does not match its version. This is the locked
    version, else the first number of the requirement; without a number any version matches.
    """
    for file, is_npm, requirements in manifests:
        for name in runtime.node_packages if is_npm else runtime.packages:
            requirement = requirements.get(normalized_name(name))
            if requirement is None:
                continue
            # only uv.lock and poetry.lock are read, which belong to pyproject.toml
            locked = (
                locked_version(ctx, root, normalized_name(name)) if file == "pyproject.toml" else ""
            )
            version = first_number(locked or requirement)
            if not version or runtime.matches(version):
                return t("{0} is a dependency in {1}", name, file)
    return ""


def has_own_marker(ctx: Context, root: Path, runtime: Runtime) -> bool:
    """Whether a marker exists that counts for ``runtime`` and for no other."""
    return any(runtime.marker_reason(ctx, root, marker) for marker in own_markers(runtime))


def own_markers(runtime: Runtime) -> list[str]:
    """Return the markers of ``runtime``, without those that count for another runtime.

    A marker of several runtimes counts for the first agent among them, or without an agent for the
    first of the runtimes.
    """
    return [marker for marker in runtime.markers if _runtime_of(marker) is runtime]


def _runtime_of(marker: str) -> Runtime:
    """Return the runtime that ``marker`` counts for: the first agent that has it, else the first.

    An agent is here a runtime that is a program of the user, not a package of a project.
    """
    with_marker = [runtime for runtime in runtimes.RUNTIMES if marker in runtime.markers]
    return next((runtime for runtime in with_marker if runtime.program), with_marker[0])


def is_available(ctx: Context, root: Path | None, runtime: Runtime) -> bool:
    """Whether ``runtime`` can be used: False only for an agent whose program is not installed."""
    return runtime.program is None or find_program(ctx, root, runtime.program) is not None


def _agent(ctx: Context, runtime: Runtime) -> tuple[str, str]:
    """Return the id of the agent and the reason.

    Raises:
        UsageError: the requested id or that of the settings is invalid.

    """
    if ctx.agent:
        return check_agent(ctx.agent), t("requested")
    if ctx.settings.agent != "auto":
        return check_agent(ctx.settings.agent), t("the setting `agent`")
    names = runtime.agents(ctx)
    if len(names) == 1:
        return names[0], t("the only agent")
    why = t("the default; {0} agents exist", len(names)) if names else t("the default")
    return runtime.default_agent, why
