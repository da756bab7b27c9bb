"""The deepagents SDK's memory middleware, 0.3.2 to 0.7.32: the caller lists the files.

Composition changed several times (``agents_md.RULES``); the version is that of the installed
package, or the newest if none is installed. The files are those of the setting ``sources``, by
default those of deepagents-code. The SDK passes each path unchanged to its file backend, which
does not expand ``~`` and resolves a relative path against the agent's working folder.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePosixPath
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
from agent_memory.l10n import t, untranslated
from agent_memory.runtimes import agents_md, installed, templates, wording
from agent_memory.runtimes.base import Composition
from agent_memory.runtimes.deepagents_family import DeepagentsRuntime
from agent_memory.runtimes.reading import failures, numbered, with_effect
from agent_memory.runtimes.segments import fill, merged
from agent_memory.skills import discovery
from agent_memory.skills.discovery import SkillFolder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_memory.config.context import Context
    from agent_memory.skills.discovery import Skill

_TEMPLATE = templates.TemplateSpec(
    agents_md.MODULE,
    "MEMORY_SYSTEM_PROMPT",
    agents_md.KNOWN,
    frozenset({"agent_memory", "memory_contents", "memory_locations"}),
    wording.AGENT_MEMORY,
)


class Deepagents(DeepagentsRuntime):
    """The profile of the deepagents SDK."""

    id: ClassVar[str] = "deepagents"
    title: ClassVar[str] = "deepagents SDK"
    summary: ClassVar[str] = untranslated("a list of AGENTS.md files")
    settings: ClassVar[tuple[str, ...]] = ("sources", "skillFolders")
    packages: ClassVar[tuple[str, ...]] = ("deepagents",)
    container_tags: ClassVar[tuple[str, ...]] = ("agent_memory", "memory_guidelines")
    project_files: ClassVar[tuple[str, ...]] = (".deepagents/AGENTS.md", "AGENTS.md")
    memory_names: ClassVar[tuple[str, ...]] = ("AGENTS.md",)
    is_root = staticmethod(project_root.has_live_git)
    strips_comments: ClassVar[bool] = True

    def matches(self, version: str) -> bool:
        """Whether ``version`` is a plain release with the memory middleware, so 0.3.2 or later."""
        return installed.release(version) >= (0, 3, 2)

    def sources(self, ctx: Context) -> list[Source]:
        """Return the listed files in their order, then the skills.

        Without the setting ``sources``, ignored memory comes in between: files of a folder that
        users take for the project, but the runtime does not.
        """
        rule = agents_md.rule_for(self._version(ctx))
        result = []
        for written, kind in agents_md.passed_files(ctx, self.agent_of(ctx), self.root(ctx)):
            path = ctx.path_of("sources", written)
            scope = Scope.USER if path.is_relative_to(ctx.user_folder) else Scope.PROJECT
            source = replace(agents_md.opened_source(ctx, path, scope, name=kind), display=written)
            if source.status is Status.MISSING:
                source = _missing(source, fails=rule.fails_if_missing)
            result.append(source)
        if not ctx.settings.sources:
            result += self.lost_memory(ctx)
        return [*numbered(result), *discovery.sources_of(self.skills(ctx))]

    def skills(self, ctx: Context) -> list[Skill]:
        """Return the skills of the folders in the settings; the SDK has no default folder."""
        return discovery.discover(ctx, _skill_folders(ctx))

    def _version(self, ctx: Context) -> str:
        """Return the version of the installed package, '' if it is not installed."""
        package = installed.find_package(ctx, self.root(ctx), "deepagents")
        return package.version if package else ""

    def compose(self, ctx: Context, sources: Sequence[Source], base: str = "") -> Composition:
        """Return ``base``, memory and skills in the order of the installed version.

        Without skill folders in the settings there is no block of skills.
        """
        root = self.root(ctx)
        package = installed.find_package(ctx, root, "deepagents")
        template = templates.load(ctx, root, package, _TEMPLATE)
        # Our own wording is that of the newest version, so its rule goes with it.
        is_own = template.exactness is Exactness.OWN_WORDING
        rule = agents_md.rule_for("" if is_own else template.version)
        memory_block = _memory_block(template, agents_md.memory(ctx, sources, rule), sources)
        least_exact = template
        skills_block: list[Segment] = []
        folders = _skill_folders(ctx)
        if folders:
            skill_template, skills_block = agents_md.skills_block(
                ctx, root, package, folders, self.skills(ctx)
            )
            templates_used = (template, skill_template)
            least_exact = min(templates_used, key=lambda part: wording.rank(part.exactness))
        prompt = _placed(memory_block, skills_block, base, rule, template.version)
        return Composition(
            tuple(merged(prompt)),
            least_exact.exactness,
            least_exact.version,
            least_exact.origin,
            (*failures(sources), *self.lost_project(ctx), *_unexpanded(sources)),
        )


def _memory_block(
    template: templates.Template, memory: list[Segment], sources: Sequence[Source]
) -> list[Segment]:
    """Return ``template`` filled with ``memory``, whose files are ``sources``."""
    # the template of a version has only some of these names
    fields: dict[str, str | Sequence[Segment]] = {
        "agent_memory": memory,
        "memory_contents": memory,
        "memory_locations": _locations(sources),
    }
    return fill(template.text, fields)


def _placed(
    memory: list[Segment],
    skills: list[Segment],
    base: str,
    rule: agents_md.ComposeRule,
    version: str,
) -> list[Segment]:
    """Return ``memory``, ``skills`` and ``base`` in one list.

    ``version`` decides which block is first, and ``rule`` where ``base`` is.
    """
    if not rule.before_base and agents_md.skills_first(version):  # base, skills, memory
        return agents_md.joined(agents_md.joined(memory, skills), base)
    # base, memory, skills; before 0.3.7: memory, base, skills
    base_and_memory = agents_md.joined(memory, base, before=rule.before_base)
    return agents_md.joined(skills, base_and_memory)


def _skill_folders(ctx: Context) -> list[SkillFolder]:
    """Return the folders of the settings with the labels the SDK derives from their paths."""
    return [
        SkillFolder(
            ctx.path_of("skill_folders", name),
            _label(name),
            Scope.PROJECT,
            name,
            warns_if_missing=True,
        )
        for name in ctx.settings.skill_folders
    ]


def _label(path: str) -> str:
    """Return the label that the SDK derives from the ``path`` of a skill folder.

    That is its last part, "Docs" for `docs`. For a folder `skills` in another folder than the root
    it is the part before, without the dot: "My Team" for `.my-team/skills`. "Built-in" for
    `built_in_skills`, "Unnamed" for an empty path.
    """
    parts = PurePosixPath(path.replace("\\", "/").rstrip("/")).parts
    if not parts:
        return "Unnamed"
    leaf = parts[-1]
    parent = parts[-2].lstrip(".") if len(parts) > 1 else ""
    if leaf.lower() == "built_in_skills":
        return "Built-in"
    if leaf.lower() == "skills" and parent not in ("", "/"):
        return parent.replace("_", " ").replace("-", " ").title()
    return leaf.capitalize()


def _missing(source: Source, *, fails: bool) -> Source:
    """Return the missing file ``source``, UNREADABLE if the installed version ``fails`` then."""
    if not fails:
        return source
    effect = t("deepagents 0.3.2 exits with an error")
    return replace(with_effect(source, effect), status=Status.UNREADABLE)


def _locations(sources: Sequence[Source]) -> str:
    """Return the list of files that deepagents before 0.3.4 wrote above the memory."""
    # Skills and ignored memory are sources too, but not files that the caller listed.
    listed = (
        source
        for source in sources
        if source.role is Role.MEMORY and source.status is not Status.IGNORED
    )
    lines = [f"- `{source.display}`" for source in listed]
    return "\n".join(["**Memory Sources:**", *lines])


def _unexpanded(sources: Sequence[Source]) -> list[Problem]:
    """Return a problem for each listed path with ``~``, which the SDK takes for a folder."""
    return [
        Problem(
            t(
                "{0}: the SDK does not expand '~' and looks for {1}. Use an absolute path",
                source.display,
                source.path,
            ),
            source.path,
            Severity.WARNING,
        )
        for source in sources
        if source.display.startswith("~")
    ]
