"""deepagentsdk as its plan specifies it.

The user's agent.md, then the project's: ``.deepagents/agent.md``, else the root's ``agent.md``.
The section precedes the base prompt. The published package differs from the plan, so the wording
is our own and the prompt says so.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from agent_memory.base.model import (
    Exactness,
    Problem,
    Role,
    Scope,
    Segment,
    Severity,
    Source,
    Status,
)
from agent_memory.config import project_root
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t, untranslated
from agent_memory.runtimes import agent_md, installed, wording
from agent_memory.runtimes.base import Composition
from agent_memory.runtimes.deepagents_family import DeepagentsRuntime
from agent_memory.runtimes.reading import failures, numbered, status_of, with_effect
from agent_memory.runtimes.segments import fill, merged
from agent_memory.skills import discovery
from agent_memory.skills.discovery import SkillFolder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText
    from agent_memory.skills.discovery import Skill

_DEPRECATED = "user (deprecated)"
"""The label of the skill folders in the settings."""


class Deepagentsdk(DeepagentsRuntime):
    """The profile of the deepagentsdk plan."""

    id: ClassVar[str] = "deepagentsdk"
    title: ClassVar[str] = "deepagentsdk"
    summary: ClassVar[str] = untranslated("agent.md of the user and the project, or of its root")
    settings: ClassVar[tuple[str, ...]] = ("skillFolders", "memoryTemplate")
    node_packages: ClassVar[tuple[str, ...]] = ("deepagentsdk",)
    markers: ClassVar[Mapping[str, int]] = {
        ".deepagents/agent.md": 70,
        "agent.md": 50,
        "~/.deepagents/{agent}/agent.md": 20,
    }
    container_tags: ClassVar[tuple[str, ...]] = ("user_memory", "project_memory")
    project_files: ClassVar[tuple[str, ...]] = (".deepagents/agent.md", "agent.md")
    memory_names: ClassVar[tuple[str, ...]] = ("agent.md",)
    is_root = staticmethod(project_root.has_git_folder)

    def sources(self, ctx: Context) -> list[Source]:
        """Return user memory, project memory (preferred, fallback), its notes and the skills.

        Before the skills is ignored memory: files of a folder that users take for the project, but
        the runtime does not.
        """
        user = ctx.user_folder / self.agent_of(ctx)
        result = [_read(ctx, user / "agent.md", Scope.USER)]
        root = self.root(ctx)
        if root:
            result += _project_memory(ctx, root)
            folder = root / ".deepagents"
            if not ctx.store.hides(folder):  # `_notes` reads the folder without the store
                result += _notes(folder)
        result += self.lost_memory(ctx)
        return [*numbered(result), *discovery.sources_of(self.skills(ctx))]

    def skills(self, ctx: Context) -> list[Skill]:
        """Return the skills of the agent, the user's deprecated folders and the project."""
        return discovery.discover(ctx, self._skill_folders(ctx))

    def _skill_folders(self, ctx: Context) -> list[SkillFolder]:
        """Return the skill folders: of the agent, of the settings (deprecated), of the project."""
        own = ctx.user_folder / self.agent_of(ctx) / "skills"
        names = map(os.path.expanduser, ctx.settings.skill_folders)  # Path's own may raise
        deprecated = [ctx.path_of("skill_folders", name) for name in names]
        folders = [SkillFolder(own, "agent", Scope.USER)]
        folders += [SkillFolder(path, _DEPRECATED, Scope.USER) for path in deprecated]
        root = self.root(ctx)
        if root:
            path = root / ".deepagents" / "skills"
            folders.append(SkillFolder(path, "project", Scope.PROJECT))
        return folders

    def _memory_section(
        self, ctx: Context, sources: Sequence[Source], *, is_whole: bool
    ) -> list[Segment]:
        """Return the memory, then the guide about it.

        The template in the settings replaces the text around the memory, and also the guide if it
        ``is_whole``.
        """
        memory = agent_md.memory_fields(ctx, sources, _text)
        guide = agent_md.guide_fields(ctx, self, self.root(ctx), sources)
        custom = ctx.settings.memory_template
        if is_whole:
            return agent_md.fill_custom(custom, {**memory, **guide})
        if custom:
            snippet = agent_md.fill_custom(custom, memory)
        else:
            snippet = [Segment("## Agent Memory\n\n"), *fill(wording.AGENT_MD_SNIPPET, memory)]
        return [*snippet, *fill(wording.AGENT_MD_GUIDE, guide)]

    def _deprecations(self, ctx: Context) -> list[Problem]:
        """Return a notice for each skill of the user's deprecated folders."""
        new = f"~/.deepagents/{self.agent_of(ctx)}/skills/"
        return [
            Problem(
                t(
                    "{0}: userSkillsDir is deprecated and no longer read from version 1.0 on. Move "
                    "the skill to {1}",
                    skill.path,
                    new,
                ),
                skill.path,
                Severity.INFO,
            )
            for skill in self.skills(ctx)
            if skill.folder.label == _DEPRECATED
        ]

    def compose(self, ctx: Context, sources: Sequence[Source], base: str = "") -> Composition:
        """Return the memory section, then ``base`` after a blank line if there is one."""
        root = self.root(ctx)
        # a template of the user with a placeholder of the guide replaces the whole section
        is_whole = agent_md.has_guide(ctx.settings.memory_template)
        segments = self._memory_section(ctx, sources, is_whole=is_whole)
        if base:
            segments += [Segment("\n\n"), Segment(base, "base")]
        package = installed.find_node_package(ctx, root, "deepagentsdk")
        return Composition(
            tuple(merged(segments)),
            # a whole template has no sentence of our own wording
            Exactness.UNVERIFIED if is_whole else Exactness.OWN_WORDING,
            package.version if package else "",
            _origin(package, is_whole=is_whole),
            (
                *failures(sources, Severity.WARNING),
                *self.lost_project(ctx),
                *self._deprecations(ctx),
            ),
        )


def _origin(package: installed.Installed | None, *, is_whole: bool) -> str:
    """Return where the template comes from; ``is_whole``: all of it is in the settings."""
    if is_whole:
        return t("the template in the setting memoryTemplate")
    if package:
        return t(
            "structure of the plan, wording of Agent Memory; the template of {0} differs", package
        )
    return t("structure of the plan, wording of Agent Memory")


def _text(content: FileText) -> str:
    """Return the text of a file as Node decodes it: invalid bytes become U+FFFD."""
    if content.failure is Failure.UNDECODABLE:
        return content.raw.decode("utf-8", "replace")
    return content.text


def _read(ctx: Context, path: Path, scope: Scope, name: str = "") -> Source:
    """Return the memory file ``path`` as a source: its status, and what the agent does about it.

    ``name`` is the kind of its segments, '' for that of its scope.
    """
    content = ctx.store.read(path)
    status, reason = status_of(content, empty=t("an empty file is treated as missing"))
    source = Source(path, scope, Role.MEMORY, status, reason, str(path), name=name)
    if content.failure is Failure.UNDECODABLE:  # Node decodes it nevertheless, so it is loaded
        source = replace(source, status=Status.LOADED)
        return with_effect(source, t("each invalid byte is read as U+FFFD"))
    if content.failure is Failure.SPECIAL:
        return with_effect(source, t("the agent hangs"))
    if content.failure is Failure.TOO_LARGE:
        return with_effect(source, t("the agent reads the whole file"))
    if status is Status.UNREADABLE and content.failure is not Failure.OUTSIDE:  # only for us
        return with_effect(source, t("the agent silently treats it as missing"))
    return source


def _project_memory(ctx: Context, root: Path) -> list[Source]:
    """Return ``.deepagents/agent.md``, then the root's ``agent.md``, which the former shadows.

    A folder or an unreadable file with the former path shadows the latter, too: the agent only
    tests whether the path exists. A missing file that would be shadowed is left out.
    """
    preferred = _read(ctx, root / ".deepagents" / "agent.md", Scope.PROJECT, "project")
    fallback = _read(ctx, root / "agent.md", Scope.PROJECT, "root")
    is_loop = ctx.store.read(preferred.path).failure is Failure.LOOP  # it exists for no program
    if preferred.status is Status.MISSING or is_loop:
        return [preferred, fallback]
    if fallback.status is Status.MISSING:
        return [preferred]
    why = t(".deepagents/agent.md is read instead")
    return [preferred, replace(fallback, status=Status.SHADOWED, reason=why)]


def _notes(folder: Path) -> list[Source]:
    """Return the Markdown files in ``folder``, without subfolders and without memory files.

    [] if the folder cannot be listed.
    """
    try:
        paths = sorted(path for path in folder.glob("*.md") if path.is_file())
    except OSError:
        return []
    return [
        Source(path, Scope.PROJECT, Role.NOTE, Status.LISTED, t("the agent reads it when needed"))
        for path in paths
        if path.name.lower() not in ("agent.md", "agents.md")
    ]
