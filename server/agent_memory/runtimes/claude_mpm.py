"""Claude MPM 3.2.1: the memory file of an agent is added to the task delegated to the agent.

The file is ``.claude-mpm/memories/{agent}_agent.md``, else ``{agent}_memories.md``, else
``{agent}.md``. Missing required sections are added in the prompt only. Claude MPM overwrites an
unreadable file with its default, which the preview reports as an error. It creates a missing file
with sample facts about itself, so the preview then shows no memory.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from agent_memory.base.model import Problem, Role, Scope, Segment, Severity, Source, Status
from agent_memory.config import project_root
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t, untranslated
from agent_memory.runtimes import installed, templates
from agent_memory.runtimes.base import Composition, Runtime
from agent_memory.runtimes.claude_mpm_names import (
    FOLDER,
    agent_of,
    files_of,
    memory_names,
    new_file,
)
from agent_memory.runtimes.reading import failures, numbered, status_of, with_effect
from agent_memory.runtimes.segments import fill, merged

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from agent_memory.config.context import Context

MEMORIES = "memories"
REQUIRED = (
    "Project Architecture",
    "Implementation Guidelines",
    "Common Mistakes to Avoid",
    "Current Technical Context",
)
"""Sections that Claude MPM adds to the memory in the prompt if they are missing."""
_MARKERS = (
    ".git",
    "pyproject.toml",
    "package.json",
    "Cargo.toml",
    "go.mod",
    "pom.xml",
    "build.gradle",
    ".claude-pm",
)
"""Files and folders that mark the root of a project."""
_OWN_WORDING = """
AGENT MEMORY - PROJECT-SPECIFIC KNOWLEDGE:
{memory_content}

INSTRUCTIONS: Read what you have learned before you begin, use it, and do not repeat old mistakes.
"""
_TEMPLATE = templates.TemplateSpec(
    "claude_mpm/hooks/memory_integration_hook.py",
    "memory_section",
    {"84afdea05cf79cc8": ("3.2.1", "3.2.1")},
    frozenset({"memory_content"}),
    _OWN_WORDING,
    function="execute",
)


class ClaudeMpm(Runtime):
    """The profile of Claude MPM."""

    id: ClassVar[str] = "claude-mpm"
    title: ClassVar[str] = "Claude MPM"
    summary: ClassVar[str] = untranslated("one memory file per agent in .claude-mpm/memories")
    default_agent: ClassVar[str] = "engineer"
    packages: ClassVar[tuple[str, ...]] = ("claude-mpm",)
    markers: ClassVar[Mapping[str, int]] = {f"{FOLDER}/{MEMORIES}": 30}
    folders: ClassVar[tuple[str, ...]] = (FOLDER,)
    max_file_bytes: ClassVar[int | None] = 8 * 1024
    stores_learnings: ClassVar[bool] = True

    @staticmethod
    def role_of(path: Path) -> Role | None:
        """Return MEMORY for Markdown in the memories folder, NOTE for its README, else None."""
        if not is_in_memories_folder(path) or path.suffix.lower() != ".md":
            return None
        return Role.NOTE if path.name.lower() == "readme.md" else Role.MEMORY

    def owner_of(self, path: Path, home: Path) -> str:  # noqa: ARG002
        """Return the agent in the name of a memory file, '' for other files."""
        return agent_of(path.stem) if self.role_of(path) is Role.MEMORY else ""

    def root(self, ctx: Context) -> Path:
        """Return the root in the settings, else the nearest folder with a marker, else ``cwd``."""
        with_marker = project_root.find_root(ctx.cwd, _has_marker)
        return ctx.given_root or with_marker or ctx.cwd

    def agents(self, ctx: Context) -> list[str]:
        """Return the ids of the agents that have a memory file."""
        return sorted({agent_of(path.stem) for path in self._files(ctx)})

    def _folder(self, ctx: Context) -> Path:
        """Return the folder of memory files of the project."""
        return memories_folder(self.root(ctx))

    def _files(self, ctx: Context) -> list[Path]:
        """Return the existing memory files of all agents, sorted by name."""
        folder = self._folder(ctx)
        return [folder / name for name in memory_names(ctx.store.names(folder))]

    def sources(self, ctx: Context) -> list[Source]:
        """Return the agent's file, which may be missing, then the files it shadows.

        The files of other agents follow.
        """
        folder, agent = self._folder(ctx), self.agent_of(ctx)
        of_agent = [folder / name for name in files_of(agent, ctx.store.names(folder))]
        chosen = of_agent[0] if of_agent else folder / new_file(agent)
        result = [self._read(ctx, chosen)]
        why = t("{0} is read instead", chosen.name)
        result += [_source(path, Status.SHADOWED, why) for path in of_agent[1:]]
        for path in self._files(ctx):
            if path not in of_agent:
                why = t("added to the tasks of the agent {0}", agent_of(path.stem))
                result.append(_source(path, Status.LISTED, why))
        return numbered(result)

    def _read(self, ctx: Context, path: Path) -> Source:
        """Return the agent's file ``path`` as a source: its status, and what Claude MPM does."""
        from agent_memory.runtimes import claude_mpm_config  # noqa: PLC0415 -- few use Claude MPM

        if not claude_mpm_config.load(ctx, self.root(ctx)).enabled:
            return _source(path, Status.IGNORED, t("memory.enabled is false in config.yml"))
        content = ctx.store.read(path)
        status, reason = status_of(content)
        if status is Status.LOADED and not content.text.strip():
            reason = t("the agent sees only the sections that Claude MPM adds")
        source = _source(path, status, reason)
        if content.failure is Failure.SPECIAL:
            return with_effect(source, t("the agent hangs"))
        if content.failure is Failure.DIRECTORY:
            return with_effect(source, t("Claude MPM shows its default memory instead"))
        if content.failure is Failure.TOO_LARGE:  # only for us
            return with_effect(source, t("the agent reads the whole file"))
        if status is Status.UNREADABLE and content.failure is not Failure.OUTSIDE:  # only for us
            return with_effect(source, t("Claude MPM overwrites it with its default file"))
        if status is Status.MISSING:
            effect = t("Claude MPM creates it, with sample facts, when it is needed")
            return with_effect(source, effect)
        return source

    def compose(self, ctx: Context, sources: Sequence[Source], base: str = "") -> Composition:
        """Return ``base`` (the delegated task), followed by the agent's memory in its template."""
        root = self.root(ctx)
        package = installed.find_package(ctx, root, "claude-mpm")
        template = templates.load(ctx, root, package, _TEMPLATE)
        out = [Segment(base, "base")] if base else []
        for source in sources:
            if source.status not in (Status.LOADED, Status.EMPTY):
                continue  # only the agent's own file is one of these two
            in_file = Segment(_text(ctx, source.path), "project", source.path)
            memory = _with_missing_sections(in_file)  # as Claude MPM does, also in an empty file
            out += fill(template.text, {"memory_content": memory})
        return Composition(
            tuple(merged(out)),
            template.exactness,
            template.version,
            template.origin,
            problems=(*failures(sources), *self._problems(ctx, sources)),
        )

    def _problems(self, ctx: Context, sources: Sequence[Source]) -> list[Problem]:
        """Return the problems of the configuration, and one if the agent's file is too large.

        If memory is disabled, the size does not matter: no learning is added to the file.
        """
        from agent_memory.runtimes import claude_mpm_config  # noqa: PLC0415 -- few use Claude MPM

        config = claude_mpm_config.load(ctx, self.root(ctx))
        problems = [Problem(text, config.path, Severity.WARNING) for text in config.problems]
        limit_kb = config.size_kb(self.agent_of(ctx))
        own_files = sources[:1] if config.enabled else ()
        for source in own_files:
            size = len(_text(ctx, source.path).encode("utf-8", "surrogatepass"))  # in bytes
            if size > limit_kb * 1024:
                why = t(
                    "{0}: {1:,} bytes exceed the limit of {2} KB, so the next learning removes "
                    "items",
                    source.path,
                    size,
                    limit_kb,
                )
                problems.append(Problem(why, source.path, Severity.WARNING))
        return problems


def memories_folder(root: Path) -> Path:
    """Return the folder of memory files of the project at ``root``."""
    return root / FOLDER / MEMORIES


def is_in_memories_folder(path: Path) -> bool:
    """Whether ``path`` is right in a folder of memory files; any file counts, its README too."""
    return path.parts[-3:-1] == (FOLDER, MEMORIES)


def _has_marker(folder: Path) -> bool:
    """Whether ``folder`` has a file or folder of ``_MARKERS``, so is the root of a project.

    The root of the file system never is.
    """
    return folder != folder.parent and any((folder / name).exists() for name in _MARKERS)


def _source(path: Path, status: Status, reason: str) -> Source:
    """Return the memory file ``path`` of the project as a source."""
    return Source(path, Scope.PROJECT, Role.MEMORY, status, reason, str(path))


def _text(ctx: Context, path: Path) -> str:
    """Return the text of ``path`` with line feeds as newlines, '' if it cannot be read.

    Python's text mode, with which Claude MPM reads it, replaces other newlines.
    """
    content = ctx.store.read(path)
    return content.text.replace("\r\n", "\n").replace("\r", "\n")


def _with_missing_sections(memory: Segment) -> list[Segment]:
    """Return ``memory`` with its missing required sections, as Claude MPM adds them.

    They are inserted before the heading Recent Learnings, or at the end without this heading. The
    result is [memory] if no section is missing, else it is the text before, the sections and the
    text after.
    """
    lines = memory.text.split("\n")
    # A heading such as "## Project Architecture (Max: 15 items)"
    present = {line[3:].split("(")[0].strip() for line in lines if line.startswith("## ")}
    missing = [name for name in REQUIRED if name not in present]
    if not missing:
        return [memory]
    insert_at = next(
        (number for number, line in enumerate(lines) if line.startswith("## Recent Learnings")),
        len(lines),
    )
    added = "\n".join(map(_empty_section, missing))
    # The newlines that splitting has removed next to the added text
    newline_before = "\n" if insert_at else ""
    newline_after = "\n" if insert_at < len(lines) else ""
    sections = newline_before + added + newline_after
    return [
        replace(memory, text="\n".join(lines[:insert_at])),
        Segment(sections, label="added by claude-mpm"),
        replace(memory, text="\n".join(lines[insert_at:]), line=memory.line + insert_at),
    ]


def _empty_section(name: str) -> str:
    """Return the section ``name`` as Claude MPM adds it, with a blank line on either side."""
    return f"\n## {name} (Max: 15 items)\n<!-- Section added by repair -->\n"
