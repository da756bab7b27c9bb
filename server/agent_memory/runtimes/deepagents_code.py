"""deepagents-code (command ``dcode``): AGENTS.md of the user, the project folder and the root.

Observed in 0.1.57, which pins deepagents 0.7.6: all existing files are combined, each under its
absolute path; HTML comments and trailing white space are dropped; the block follows the base
prompt. With invalid UTF-8, a folder in place of a file or a symlinked user file, the agent exits
with an error. A project symlink is followed only if it stays in the project.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, ClassVar

from agent_memory.base.model import Exactness, Problem, Scope, Segment, Severity, Source
from agent_memory.config import project_root
from agent_memory.formats.json_parser import parse_json
from agent_memory.formats.limits import FormatError
from agent_memory.l10n import t, untranslated
from agent_memory.runtimes import agents_md, installed, templates, wording
from agent_memory.runtimes.base import Composition
from agent_memory.runtimes.deepagents_family import DeepagentsRuntime
from agent_memory.runtimes.reading import failures, numbered
from agent_memory.runtimes.segments import fill, merged
from agent_memory.skills import discovery
from agent_memory.skills.discovery import SkillFolder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.runtimes.installed import Installed
    from agent_memory.runtimes.templates import Template
    from agent_memory.skills.discovery import Skill

_CHECKED = ("0.1.57", "0.1.57")
"""The first and the last version that this profile was compared with."""
_SAVING = templates.TemplateSpec(
    agents_md.MODULE,
    "MEMORY_SYSTEM_PROMPT",
    agents_md.KNOWN,
    frozenset({"agent_memory"}),
    wording.AGENT_MEMORY,
)
"""The template of an agent that saves memory by itself (the setting `autoSave`)."""
_READ_ONLY = templates.TemplateSpec(
    "deepagents_code/agent.py",
    "_MEMORY_READONLY_SYSTEM_PROMPT",
    {"d5ff25d5f77319b2": _CHECKED},
    frozenset({"agent_memory"}),
    wording.AGENT_MEMORY_READ_ONLY,
)
"""The template of an agent that does not save memory by itself."""


class DeepagentsCode(DeepagentsRuntime):
    """The profile of deepagents-code."""

    id: ClassVar[str] = "deepagents-code"
    title: ClassVar[str] = "deepagents-code"
    summary: ClassVar[str] = untranslated("AGENTS.md of the user and the project")
    settings: ClassVar[tuple[str, ...]] = ("autoSave",)
    packages: ClassVar[tuple[str, ...]] = ("deepagents-code",)
    markers: ClassVar[Mapping[str, int]] = {
        ".deepagents/AGENTS.md": 60,
        "AGENTS.md": 40,
        "~/.deepagents/{agent}/AGENTS.md": 10,
    }
    container_tags: ClassVar[tuple[str, ...]] = ("agent_memory", "memory_guidelines")
    strips_comments: ClassVar[bool] = True
    project_files: ClassVar[tuple[str, ...]] = (".deepagents/AGENTS.md", "AGENTS.md")
    memory_names: ClassVar[tuple[str, ...]] = ("AGENTS.md",)
    is_root = staticmethod(project_root.has_live_git)
    skill_folders: ClassVar[tuple[str, ...]] = (".agents/skills", ".claude/skills")

    def sources(self, ctx: Context) -> list[Source]:
        """Return AGENTS.md of the user, of ``.deepagents`` and of the root, then the skills.

        Without a project (no root), only the user's files are loaded. The memory files in ``cwd``
        are ignored then, or those next to a nearer ``.git`` that the runtime rejects. They are
        listed before the skills with the reason, because a user expects them to be loaded.
        """
        user = ctx.user_folder / self.agent_of(ctx)
        result = [agents_md.opened_source(ctx, user / "AGENTS.md", Scope.USER)]
        root = self.root(ctx)
        if root:
            for folder, kind in ((root / ".deepagents", "project"), (root, "root")):
                result.append(_in_project(ctx, root, folder / "AGENTS.md", kind))
        result += self.lost_memory(ctx)
        return [*numbered(result), *discovery.sources_of(self.skills(ctx))]

    def skills(self, ctx: Context) -> list[Skill]:
        """Return the skills of all folders except those of plugins."""
        return discovery.discover(ctx, self._skill_folders(ctx))

    def _skill_folders(self, ctx: Context) -> list[SkillFolder]:
        """Return the skill folders as the runtime lists them, the lowest priority first.

        It lists the missing ones too, except for ``~/.claude/skills``.
        """
        root, user = self.root(ctx), Scope.USER
        folders = []
        package = installed.find_package(ctx, root, "deepagents-code")
        if package:
            shipped = package.folder / "deepagents_code" / "built_in_skills"
            folders.append(SkillFolder(shipped, "Built-in", Scope.GLOBAL, warns_if_missing=True))
        own = ctx.user_folder / self.agent_of(ctx) / "skills"  # created at start-up if missing
        shared, claude = ctx.home / ".agents/skills", ctx.home / ".claude/skills"
        folders.append(SkillFolder(own, "User Deepagents", user))
        folders.append(SkillFolder(shared, "User Agents", user, warns_if_missing=True))
        if root:
            folders += [_project_skills(root, name) for name in ("Deepagents", "Agents")]
        if os.path.exists(claude):  # noqa: PTH110 -- Path.exists may raise
            folders.append(SkillFolder(claude, "User Claude", user, warns_if_missing=True))
        if root:
            folders.append(_project_skills(root, "Claude"))
        return folders

    def compose(self, ctx: Context, sources: Sequence[Source], base: str = "") -> Composition:
        """Return base, memory block and skills block, separated by blank lines."""
        root = self.root(ctx)
        runtime = installed.find_package(ctx, root, "deepagents-code")
        # deepagents-code composes with this SDK; without it, an installed SDK is another one
        sdk = installed.find_package(ctx, root, "deepagents") if runtime else None
        if ctx.settings.auto_save:
            template = templates.load(ctx, root, sdk, _SAVING)
        else:
            template = templates.load(ctx, root, runtime, _READ_ONLY)
        # deepagents-code pins an SDK of the newest rule
        memory = agents_md.memory(ctx, sources, agents_md.RULES[0])
        base_and_memory = agents_md.joined(fill(template.text, {"agent_memory": memory}), base)
        folders = self._skill_folders(ctx)
        skill_template, skills_block = agents_md.skills_block(
            ctx, root, sdk, folders, discovery.discover(ctx, folders)
        )
        plugins = _plugins(ctx)
        exactness, origin = _exactness(runtime, template, skill_template, plugins)
        return Composition(
            tuple(merged([*base_and_memory, Segment("\n\n"), *skills_block])),
            exactness,
            runtime.version if runtime else "",
            origin,
            (*failures(sources), *self.lost_project(ctx), *plugins),
        )


def _in_project(ctx: Context, root: Path, path: Path, kind: str) -> Source:
    """Return the memory file ``path`` of the project at ``root`` as a source.

    ``kind`` is the kind of its segments.
    """
    source = agents_md.opened_source(ctx, path, Scope.PROJECT, name=kind, resolved=True)
    return agents_md.resolved_source(ctx, source, root)


def _project_skills(root: Path, name: str) -> SkillFolder:
    """Return the project's skill folder of the agent ``name``: ``.agents/skills`` for "Agents"."""
    path = root / f".{name.lower()}" / "skills"
    return SkillFolder(path, f"Project {name}", Scope.PROJECT, warns_if_missing=True)


def _exactness(
    runtime: Installed | None, memory: Template, skill: Template, plugins: Sequence[Problem]
) -> tuple[Exactness, str]:
    """Return (exactness of the whole prompt, origin of its least exact part).

    Even with exact templates the prompt is not exact if the profile was not compared with this
    version, or if skills of ``plugins`` are not shown.
    """
    least_exact = min(memory, skill, key=lambda part: wording.rank(part.exactness))
    exactness, origin = least_exact.exactness, least_exact.origin
    if exactness is not Exactness.EXACT or runtime is None:  # without a package none is exact
        return exactness, origin
    if not installed.within(runtime.version, _CHECKED):
        why = t("{0} (this profile was not compared with {1})", origin, runtime)
        return Exactness.UNVERIFIED, why
    if plugins:
        return Exactness.UNVERIFIED, t("{0} (without the skills of plugins)", origin)
    return exactness, origin


def _plugins(ctx: Context) -> list[Problem]:
    """Return a problem if plugins are enabled: their skills are not part of the preview.

    [] if none is enabled, or the file with their state is missing or invalid.
    """
    state = ctx.user_folder / ".state" / "plugin_state.json"
    content = ctx.store.read(state)
    try:
        enabled = parse_json(content.text)["enabledPlugins"] if content.text else {}
        names = sorted(name for name, is_enabled in enabled.items() if is_enabled is True)
    except (FormatError, KeyError, TypeError, AttributeError):
        return []
    if not names:
        return []
    why = t("This preview lacks the skills of these enabled plugins: {0}", ", ".join(names))
    return [Problem(why, state, Severity.INFO)]
