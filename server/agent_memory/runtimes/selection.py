"""Which runtime and which agent a question is about, and why (design: `auto`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory import runtimes
from agent_memory.config.agent_id import check_agent
from agent_memory.config.project_root import find_root, has_git
from agent_memory.l10n import t
from agent_memory.runtimes import drover_entries, installed

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.runtimes.base import Runtime


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen runtime and agent with the reasons in words."""

    runtime: Runtime
    runtime_reason: str
    agent: str
    agent_reason: str


def choose(ctx: Context, runtime_id: str | None = None) -> tuple[Context, Choice]:
    """Settle runtime and agent; the returned context names the agent.

    Raises:
        UsageError: the runtime is not known or the agent's id is not valid.

    """
    runtime, why = _runtime(ctx, runtime_id)
    agent, agent_why = _agent(ctx, runtime)
    return ctx.with_(agent=agent), Choice(runtime, why, agent, agent_why)


def _runtime(ctx: Context, runtime_id: str | None) -> tuple[Runtime, str]:
    if runtime_id and runtime_id != "auto":
        return runtimes.get(runtime_id), t("asked for")
    if ctx.settings.runtime != "auto":
        return runtimes.get(ctx.settings.runtime), t("the setting `runtime`")
    root = ctx.given_root or find_root(ctx.cwd.resolve(), has_git) or ctx.cwd
    for runtime in runtimes.RUNTIMES:
        found = _installed(ctx, root, runtime)
        if found:
            return runtime, t("{0} {1} is installed in {2}", found.name, found.version, found.found)
    return _by_files(ctx, root)


def _installed(ctx: Context, root: Path, runtime: Runtime) -> installed.Installed | None:
    packages = [installed.find_package(ctx, root, name) for name in runtime.packages]
    packages += [installed.find_node_package(ctx, root, name) for name in runtime.node_packages]
    for found in packages:
        if found and runtime.matches(found.version):
            return found
    return None


def _by_files(ctx: Context, root: Path) -> tuple[Runtime, str]:
    user = ctx.user_folder / (ctx.agent or "agent")
    signs = (
        (root / ".deepagents" / "agent.md", "deepagentsdk"),
        (root / ".deepagents" / "AGENTS.md", "deepagents-code"),
        (root / "agent.md", "deepagentsdk"),
        (root / "AGENTS.md", "deepagents-code"),
        (root / ".claude-mpm" / "memories", "claude-mpm"),
        (user / "agent.md", "deepagentsdk"),
        (user / "AGENTS.md", "deepagents-code"),
    )
    for path, runtime_id in signs:
        if path.name in ctx.store.names(path.parent):  # as written: AGENT.md is not agent.md
            return runtimes.get(runtime_id), t(
                "{0} is in {1}", path.name, path.parent.name or path.parent
            )
    entries = drover_entries.folder(ctx, root)
    if entries and entries.is_dir():
        return runtimes.get("drover"), t("entries are in {0}", entries.name)
    return runtimes.get("deepagentsdk"), t("no memory file yet: the plan's agent.md")


def _agent(ctx: Context, runtime: Runtime) -> tuple[str, str]:
    if ctx.agent:
        return check_agent(ctx.agent), t("asked for")
    if ctx.settings.agent != "auto":
        return check_agent(ctx.settings.agent), t("the setting `agent`")
    names = runtime.agents(ctx)
    if len(names) == 1:
        return names[0], t("the only agent there is")
    many = t("the default; there are {0} agents", len(names)) if names else t("the default")
    return runtime.default_agent, many
