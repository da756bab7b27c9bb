"""Claude MPM 3.2.1: each agent's memory file is put into what is delegated to the agent.

The file is ``.claude-mpm/memories/{agent}_agent.md`` (also ``_memories.md`` and ``.md``, decision
X26). Sections that are required and missing are added in the prompt only. A file that cannot be
read is overwritten by Claude MPM with its default, which the preview says as an error; a missing
one is written with sample facts about Claude MPM itself, so the preview shows no memory then.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from agent_memory.base.model import (
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
from agent_memory.runtimes import claude_mpm_config, installed, templates, wording
from agent_memory.runtimes.base import (
    Composition,
    Runtime,
    failures,
    fill,
    merged,
    numbered,
    status_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.config.context import Context

SUFFIXES = ("_agent", "_memories", "")
REQUIRED = (
    "Project Architecture",
    "Implementation Guidelines",
    "Common Mistakes to Avoid",
    "Current Technical Context",
)
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
_WANTED = templates.Wanted(
    "claude_mpm/hooks/memory_integration_hook.py",
    "memory_section",
    {"84afdea05cf79cc8": ("3.2.1", "3.2.1")},
    frozenset({"memory_content"}),
    wording.CLAUDE_MPM,
    function="execute",
)


class ClaudeMpm(Runtime):
    """The profile of Claude MPM."""

    id: ClassVar[str] = "claude-mpm"
    title: ClassVar[str] = untranslated("Claude MPM (one memory file per agent)")
    default_agent: ClassVar[str] = "engineer"
    packages: ClassVar[tuple[str, ...]] = ("claude-mpm",)
    max_file_bytes: ClassVar[int | None] = 8 * 1024

    def root(self, ctx: Context) -> Path | None:
        """Return the given root, else the nearest folder with a project's marker, else ``cwd``."""
        found = project_root.find_root(ctx.cwd, _has_marker)
        return ctx.given_root or found or ctx.cwd

    def agents(self, ctx: Context) -> list[str]:
        """Return the agents that have a memory file."""
        names = {path.stem for path in self._files(ctx)}
        return sorted({agent_id(name) for name in names})

    def _folder(self, ctx: Context) -> Path:
        return (self.root(ctx) or ctx.cwd) / ".claude-mpm" / "memories"

    def _files(self, ctx: Context) -> list[Path]:
        folder = self._folder(ctx)
        names = sorted(ctx.store.names(folder))
        return [folder / name for name in names if name.endswith(".md") and name != "README.md"]

    def sources(self, ctx: Context) -> list[Source]:
        """Return the agent's file, those it stands before, and the other agents'."""
        agent = agent_id(self.agent_of(ctx))
        candidates = [self._folder(ctx) / f"{agent}{suffix}.md" for suffix in SUFFIXES]
        there = [
            path for path in candidates if path.name in {item.name for item in self._files(ctx)}
        ]
        chosen = there[0] if there else candidates[0]
        found = [self._read(ctx, chosen)]
        for path in there[1:]:
            why = t("{0} is read in its place", chosen.name)
            found.append(_source(path, Status.SHADOWED, why))
        for path in self._files(ctx):
            if path not in there:
                why = t("put into what is delegated to the agent {0}", agent_id(path.stem))
                found.append(_source(path, Status.LISTED, why))
        return numbered(found)

    def _read(self, ctx: Context, path: Path) -> Source:
        content = ctx.store.read(path)
        status, reason = status_of(content)
        if not claude_mpm_config.load(ctx, self.root(ctx)).enabled:
            return _source(path, Status.IGNORED, t("memory.enabled is false in config.yml"))
        if content.failure is Failure.SPECIAL:
            reason += t(": the agent waits for it for ever")
        elif content.failure is Failure.DIRECTORY:
            reason += t(": claude-mpm shows its default memory in its place")
        elif status is Status.UNREADABLE:
            reason += t(": claude-mpm overwrites it with its default file")
        elif status is Status.MISSING:
            reason += t("; claude-mpm writes a default one, with sample facts, when it needs it")
        elif status is Status.LOADED and not content.text.strip():
            status, reason = Status.LOADED, t("only the sections that are added to it are seen")
        return _source(path, status, reason)

    def compose(self, ctx: Context, sources: Sequence[Source], base: str = "") -> Composition:
        """Return ``base`` (what is delegated) and the agent's memory behind it."""
        root = self.root(ctx)
        package = installed.find_package(ctx, root, "claude-mpm")
        template = templates.load(ctx, root, package, _WANTED)
        out = [Segment(base, "base")] if base else []
        for source in sources:
            if source.status in (Status.LOADED, Status.EMPTY):
                memory = _repaired(Segment(_text(ctx, source.path), "project", source.path))
                out += fill(template.text, {"memory_content": memory})
        return Composition(
            tuple(merged(out)),
            template.exactness,
            template.version,
            template.origin,
            (*failures(sources), *self._over_limit(ctx, sources)),
        )

    def _over_limit(self, ctx: Context, sources: Sequence[Source]) -> list[Problem]:
        config = claude_mpm_config.load(ctx, self.root(ctx))
        problems = [Problem(text, config.path, Severity.WARNING) for text in config.problems]
        limit = config.size_kb(agent_id(self.agent_of(ctx)))
        for source in sources[:1]:
            size = len(_text(ctx, source.path).encode("utf-8", "surrogatepass"))
            if size > limit * 1024:
                why = t(
                    "{0:,} bytes, over its limit of {1} KB: the next learning cuts items",
                    size,
                    limit,
                )
                problems.append(Problem(f"{source.path}: {why}", source.path, Severity.WARNING))
        return problems


def agent_id(name: str) -> str:
    """Return the agent's id: lower case, underscores, a trailing word ``agent`` dropped (X28)."""
    plain = re.sub(r"[ -]+", "_", name.lower())
    return re.sub(r"_(agent|memories)\Z", "", plain) or plain


def _has_marker(folder: Path) -> bool:
    return folder != folder.parent and any((folder / name).exists() for name in _MARKERS)


def _source(path: Path, status: Status, reason: str) -> Source:
    return Source(path, Scope.PROJECT, Role.MEMORY, status, reason, str(path))


def _text(ctx: Context, path: Path) -> str:
    """Return the text as Python's text mode reads it."""
    content = ctx.store.read(path)
    if content.failure is Failure.MISSING:
        return ""
    return content.text.replace("\r\n", "\n").replace("\r", "\n")


def _repaired(memory: Segment) -> list[Segment]:
    """Return ``memory`` with the missing required sections before Recent Learnings, or behind."""
    lines = memory.text.split("\n")
    there = {line[3:].split("(")[0].strip() for line in lines if line.startswith("## ")}
    missing = [name for name in REQUIRED if name not in there]
    if not missing:
        return [memory]
    at = next(
        (number for number, line in enumerate(lines) if line.startswith("## Recent Learnings")),
        len(lines),
    )
    added = [
        line
        for name in missing
        for line in ("", f"## {name} (Max: 15 items)", "<!-- Section added by repair -->", "")
    ]
    head, tail = "\n".join(lines[:at]), "\n".join(lines[at:])
    gap = "\n" if at else ""
    end = "\n" if at < len(lines) else ""
    middle = Segment(gap + "\n".join(added) + end, label="added by claude-mpm")
    return [
        replace(memory, text=head),
        middle,
        replace(memory, text=tail, line=memory.line + at),
    ]
