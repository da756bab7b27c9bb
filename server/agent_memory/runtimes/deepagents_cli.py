"""deepagents-cli 0.0.10 to 0.0.12: agent.md of the user and of the project's ``.deepagents``.

The root's own agent.md is never read, although the prompt says so. Memory precedes the base
prompt, the guide follows it. A file that cannot be decoded silently becomes the placeholder;
symlinks are followed; newlines become LF, as in Python's text mode, and a BOM stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from agent_memory.base.model import Problem, Role, Scope, Segment, Severity, Source, Status
from agent_memory.config import project_root
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t, untranslated
from agent_memory.runtimes import agent_md, installed, skills_block, templates, wording
from agent_memory.runtimes.base import Composition
from agent_memory.runtimes.deepagents_family import DeepagentsRuntime
from agent_memory.runtimes.reading import failures, numbered, status_of, with_effect
from agent_memory.runtimes.segments import fill, merged
from agent_memory.skills import discovery
from agent_memory.skills.discovery import SkillFolder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText
    from agent_memory.skills.discovery import Skill

_CHECKED = ("0.0.10", "0.0.12")
"""The first and the last version that this profile was compared with."""
_MODULE = "deepagents_cli/agent_memory.py"
_SNIPPET = templates.TemplateSpec(
    _MODULE,
    "DEFAULT_MEMORY_SNIPPET",
    {"a6b1ed92b26d4850": _CHECKED},
    agent_md.SNIPPET_FIELDS,
    wording.AGENT_MD_SNIPPET,
)
_GUIDE = templates.TemplateSpec(
    _MODULE,
    "LONGTERM_MEMORY_SYSTEM_PROMPT",
    {"6bc04773abdc46b3": _CHECKED},
    agent_md.GUIDE_FIELDS,
    wording.AGENT_MD_GUIDE,
)


_SKILLS = templates.TemplateSpec(
    "deepagents_cli/skills/middleware.py",
    "SKILLS_SYSTEM_PROMPT",
    {"c1a4e8dd9eb9a299": ("0.0.12", "0.0.12")},  # older versions parse SKILL.md otherwise
    frozenset({"skills_locations", "skills_list"}),
    wording.SKILLS.replace("{skills_load_warnings}", ""),
)


class DeepagentsCli(DeepagentsRuntime):
    """The profile of deepagents-cli before it moved to AGENTS.md."""

    id: ClassVar[str] = "deepagents-cli"
    title: ClassVar[str] = "deepagents-cli"
    summary: ClassVar[str] = untranslated("agent.md of the user and the project")
    settings: ClassVar[tuple[str, ...]] = ("memoryTemplate",)
    packages: ClassVar[tuple[str, ...]] = ("deepagents-cli",)
    container_tags: ClassVar[tuple[str, ...]] = ("user_memory", "project_memory")
    project_files: ClassVar[tuple[str, ...]] = (".deepagents/agent.md",)
    memory_names: ClassVar[tuple[str, ...]] = ("agent.md",)
    is_root = staticmethod(project_root.has_git)

    def matches(self, version: str) -> bool:
        """Whether ``version`` is one that reads agent.md: 0.0.13 moved to AGENTS.md."""
        return installed.within(version, _CHECKED)

    def sources(self, ctx: Context) -> list[Source]:
        """Return agent.md of the user, the project and the root (not read), then the skills.

        If ``cwd`` is in no project, its memory files are listed before the skills as ignored,
        because a user expects them to be loaded.
        """
        user = ctx.user_folder / self.agent_of(ctx)
        result = [_read(ctx, user / "agent.md", Scope.USER)]
        root = self.root(ctx)
        if root:
            folder = root / ".deepagents"
            result.append(_read(ctx, folder / "agent.md", Scope.PROJECT, "project"))
            result += _of_root(ctx, root)
        result += self.lost_memory(ctx)
        return [*numbered(result), *discovery.sources_of(self.skills(ctx))]

    def skills(self, ctx: Context) -> list[Skill]:
        """Return the user's skills and the project's, which override them."""
        return discovery.discover(ctx, self._skill_folders(ctx), discovery.CLI)

    def _skill_folders(self, ctx: Context) -> list[SkillFolder]:
        """Return the skill folders of the user and the project, the lowest priority first."""
        agent, root = self.agent_of(ctx), self.root(ctx)
        own, shown = ctx.user_folder / agent / "skills", f"~/.deepagents/{agent}/skills"
        folders = [SkillFolder(own, "User", Scope.USER, shown)]
        if root:
            path = root / ".deepagents" / "skills"
            folders.append(SkillFolder(path, "Project", Scope.PROJECT))
        return folders

    def compose(self, ctx: Context, sources: Sequence[Source], base: str = "") -> Composition:
        """Return memory, base prompt, guide and skills, separated by blank lines."""
        root = self.root(ctx)
        package = installed.find_package(ctx, root, "deepagents-cli")
        snippet = templates.load(ctx, root, package, _SNIPPET)
        guide = templates.load(ctx, root, package, _GUIDE)
        memory = agent_md.memory_fields(ctx, sources, _text)
        custom = ctx.settings.memory_template
        segments = agent_md.fill_custom(custom, memory) if custom else fill(snippet.text, memory)
        if base:
            segments += [Segment("\n\n"), Segment(base, "base")]
        fields = agent_md.guide_fields(ctx, self, root, sources)
        segments += [Segment("\n\n"), *fill(guide.text, fields)]
        skills = templates.load(ctx, root, package, _SKILLS)
        skill_fields = skills_block.cli_fields(self._skill_folders(ctx), self.skills(ctx))
        segments += [Segment("\n\n"), *fill(skills.text, skill_fields)]
        least_exact = min(snippet, guide, skills, key=lambda part: wording.rank(part.exactness))
        return Composition(
            tuple(merged(segments)),
            least_exact.exactness,
            least_exact.version,
            least_exact.origin,
            (*_first_start(sources), *failures(sources, Severity.WARNING)),
        )


def _text(content: FileText) -> str:
    """Return the text of a file as Python's text mode reads it: every newline is a line feed."""
    return content.text.replace("\r\n", "\n").replace("\r", "\n")


def _read(ctx: Context, path: Path, scope: Scope, name: str = "") -> Source:
    """Return the memory file ``path`` as a source: its status, and what the agent does about it.

    ``name`` is the kind of its segments, '' for that of its scope.
    """
    content = ctx.store.read(path)
    status, reason = status_of(content, empty=t("an empty file is treated as missing"))
    if content.failure is Failure.LOOP:  # the runtime takes it for missing
        status = Status.MISSING
    source = Source(path, scope, Role.MEMORY, status, reason, str(path), name=name)
    if content.failure is Failure.SPECIAL:
        return with_effect(source, t("the agent hangs"))
    if content.failure is Failure.TOO_LARGE:
        return with_effect(source, t("the agent reads the whole file"))
    if status is Status.UNREADABLE and content.failure is not Failure.OUTSIDE:  # only for us
        return with_effect(source, t("the agent silently treats it as missing"))
    return source


def _of_root(ctx: Context, root: Path) -> list[Source]:
    """Return the root's own agent.md as ignored, [] if it is missing."""
    path = root / "agent.md"
    if ctx.store.read(path).failure is Failure.MISSING:
        return []
    why = t("deepagents-cli never reads the root's agent.md, although its prompt says so")
    return [Source(path, Scope.PROJECT, Role.MEMORY, Status.IGNORED, why, str(path), name="root")]


def _first_start(sources: Sequence[Source]) -> list[Problem]:
    """Return a hint if the user's file is missing: the runtime's first start creates it."""
    user = sources[0]  # `sources` has the user's file first, also if it is missing
    if user.status is not Status.MISSING:
        return []
    why = t("{0}: the first start of deepagents-cli creates this file with its defaults", user.path)
    return [Problem(why, user.path, Severity.INFO)]
