"""What a runtime is to the rest of the product, and the steps several runtimes share."""

from __future__ import annotations

import re
import string
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
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
from agent_memory.base.text import split_lines
from agent_memory.fs.reader import Failure, FileText
from agent_memory.l10n import t, untranslated

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.skills.discovery import Skill

COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)

_WORDS = {
    Failure.DIRECTORY: untranslated("a folder stands in the file's place"),
    Failure.SPECIAL: untranslated("this is no regular file but a pipe, socket or device"),
    Failure.LOOP: untranslated("the symlink leads back to itself"),
    Failure.DENIED: untranslated("permission denied"),
    Failure.TOO_LARGE: untranslated("the file is over 16 MiB, which Agent Memory does not read"),
    Failure.UNDECODABLE: untranslated("the file is not valid UTF-8"),
    Failure.IO: untranslated("the file could not be read"),
}


_SIGNS = frozenset({"agent.md", "AGENTS.md", "skills"})
"""A folder of ``~/.deepagents`` with one of these belongs to an agent."""


@dataclass(frozen=True, slots=True)
class Composition:
    """A prompt as a runtime composes it; ``segments`` in order are its text."""

    segments: tuple[Segment, ...]
    exactness: Exactness = Exactness.OWN_WORDING
    version: str = ""
    origin: str = ""
    problems: tuple[Problem, ...] = ()


class Runtime(ABC):
    """A program that puts memory into a system prompt.

    A new runtime is one file with a subclass and one line in the table of
    :mod:`agent_memory.runtimes`. Nothing here raises for what is on disk: what the real
    runtime would do (crash, skip, placeholder) is a problem or a source's reason.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    default_agent: ClassVar[str] = "agent"
    packages: ClassVar[tuple[str, ...]] = ()
    """Distributions whose presence in the project means that this runtime is used there."""
    node_packages: ClassVar[tuple[str, ...]] = ()
    """The same for npm packages."""
    container_tags: ClassVar[tuple[str, ...]] = ()
    """Names of the tags memory is wrapped in; memory that closes one breaks out of it."""
    strips_comments: ClassVar[bool] = False
    project_files: ClassVar[tuple[str, ...]] = ()
    """Where in a project memory is read, below its root; the first is the one that is made."""
    max_file_bytes: ClassVar[int | None] = None
    """UTF-8 bytes of one file behind which this runtime cuts it off."""

    def matches(self, version: str) -> bool:  # noqa: ARG002
        """Whether an installed package of ``version`` behaves as this profile says."""
        return True

    @abstractmethod
    def root(self, ctx: Context) -> Path | None:
        """Return the project's root by this runtime's own rule."""

    @abstractmethod
    def sources(self, ctx: Context) -> list[Source]:
        """Return every file this runtime reads, could read or ignores, in load order."""

    def agents(self, ctx: Context) -> list[str]:
        """Return the agents there are; here those with a folder in ``~/.deepagents``."""
        folders = [ctx.user_folder / name for name in sorted(ctx.store.names(ctx.user_folder))]
        return [folder.name for folder in folders if _SIGNS & ctx.store.names(folder)]

    def skills(self, ctx: Context) -> list[Skill]:  # noqa: ARG002
        """Return what looks like a skill, the listed ones first, in the prompt's order."""
        return []

    @abstractmethod
    def compose(self, ctx: Context, sources: Sequence[Source], base: str = "") -> Composition:
        """Return the prompt block, with ``base`` (a whole system prompt) in its place if given."""

    def memory_path(self, ctx: Context, scope: Scope) -> Path | None:
        """Return the file that is written to for ``scope``; None where this runtime has none.

        That is the first one that is there and read, else the first that would be read.
        """
        mine = [
            source
            for source in self.sources(ctx)
            if source.scope == scope
            and source.role in (Role.MEMORY, Role.INSTRUCTIONS)
            and source.status not in (Status.SHADOWED, Status.IGNORED)
        ]
        there = [source for source in mine if source.status is not Status.MISSING]
        if there or mine:
            return (there or mine)[0].path
        outside = scope is Scope.PROJECT and self.project_files and not self.root(ctx)
        return ctx.cwd.resolve() / self.project_files[0] if outside else None

    def rootless(self, ctx: Context) -> list[Source]:
        """Return what would be project memory, were ``cwd`` in a project by this runtime's rule."""
        why = t(
            "{0} is in no git repository, so {1} finds no project. Run `git init` "
            "there, or name the folder in the setting projectRoot",
            ctx.cwd.name,
            self.id,
        )
        paths = [ctx.cwd.resolve() / name for name in self.project_files]
        return [
            Source(path, Scope.PROJECT, Role.MEMORY, Status.IGNORED, why, str(path))
            for path in paths
            if ctx.store.read(path).failure is not Failure.MISSING
        ]

    def agent_of(self, ctx: Context) -> str:
        """Return the agent's id: what was asked for, else the setting, else the default."""
        configured = ctx.settings.agent
        return ctx.agent or (configured if configured != "auto" else self.default_agent)


def status_of(content: FileText, *, empty: str = "") -> tuple[Status, str]:
    """Return the status that reading ``content`` gives, before a runtime's own rules."""
    if content.failure is Failure.MISSING:
        return Status.MISSING, t("there is no such file")
    if content.failure:
        return Status.UNREADABLE, t(_WORDS[content.failure])
    if not content.text:
        return Status.EMPTY, empty or t("the file is empty")
    return Status.LOADED, ""


def numbered(sources: Sequence[Source]) -> list[Source]:
    """Give the loaded sources their place in the load order, from 1."""
    out, order = [], 0
    for source in sources:
        if source.status in (Status.LOADED, Status.TRUNCATED):
            order += 1
            out.append(replace(source, order=order))
        else:
            out.append(source)
    return out


def fill(template: str, fields: Mapping[str, str | Sequence[Segment]]) -> list[Segment]:
    """Fill ``template`` as ``str.format`` does, keeping the origin of every piece.

    Memory is never parsed for braces: only the template is.
    """
    out: list[Segment] = []
    for text, name, _, _ in string.Formatter().parse(template):
        out.append(Segment(text))
        if name is not None:
            value = fields[name]
            out += [Segment(value)] if isinstance(value, str) else value
    return merged(out)


def merged(segments: Sequence[Segment]) -> list[Segment]:
    """Join neighbouring pieces that come from no file and drop empty ones."""
    out: list[Segment] = []
    for segment in segments:
        if not segment.text:
            continue
        last = out[-1] if out else None
        if last and last.path is segment.path is None and _looks(last) == _looks(segment):
            out[-1] = replace(last, text=last.text + segment.text)
        else:
            out.append(segment)
    return out


def _looks(segment: Segment) -> tuple[str, str]:
    return segment.kind, segment.label


def without_comments(segment: Segment) -> list[Segment]:
    """Cut HTML comments out of a file's segment; each piece keeps its own first line.

    A comment that is never closed is no comment to the runtimes, and stays.
    """
    out: list[Segment] = []
    at, text = 0, segment.text
    for start, end in [*(match.span() for match in COMMENT.finditer(text)), (len(text), 0)]:
        if start > at:
            line = segment.line + line_breaks(text[:at])
            out.append(replace(segment, text=text[at:start], line=line))
        at = end
    return out


def line_breaks(text: str) -> int:
    """Return how many line endings ``text`` holds."""
    lines = split_lines(text)
    return len(lines) - (not text.endswith(("\n", "\r"))) if lines else 0


def right_stripped(segments: Sequence[Segment]) -> list[Segment]:
    """Strip white space off the end of the text that ``segments`` make together."""
    out = list(segments)
    while out:
        last = out.pop()
        text = last.text.rstrip()
        if text:
            return [*out, replace(last, text=text)]
    return []


def failures(sources: Sequence[Source], severity: Severity = Severity.ERROR) -> list[Problem]:
    """Return a problem for each source the runtime fails on, with what happens then.

    A skill that is left out is no failure of the prompt.
    """
    return [
        Problem(f"{source.path}: {source.reason}", source.path, severity)
        for source in sources
        if source.status is Status.UNREADABLE and source.role is not Role.SKILL
    ]
