"""What a rule is, and what it is given to look at.

A rule is one file with one :class:`Rule`. It looks at one line (cheapest: the answer is kept per
text of a line, so a keystroke costs one line), one file, or the whole project.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from agent_memory import markdown
from agent_memory.model import Fix, Related, Role, Severity, Source

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.baseline import Baseline
    from agent_memory.choice import Choice
    from agent_memory.context import Context
    from agent_memory.files import FileText
    from agent_memory.prompt import Prompt
    from agent_memory.text import Span

ALL_ROLES = frozenset(Role)


@dataclass(frozen=True, slots=True)
class LineFix:
    """A fix inside one line: replace columns (start, end) by text."""

    title: str
    edits: tuple[tuple[int, int, str], ...]
    safe: bool = True


@dataclass(frozen=True, slots=True)
class LineHit:
    """What a line rule reports: columns in code points and what is wrong there."""

    start: int
    end: int
    message: str
    fixes: tuple[LineFix, ...] = ()
    severity: Severity | None = None
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hit:
    """What a file or project rule reports. ``severity`` None: that of the rule."""

    span: Span
    message: str
    fixes: tuple[Fix, ...] = ()
    related: tuple[Related, ...] = ()
    severity: Severity | None = None
    unnecessary: bool = False
    data: dict[str, Any] = field(default_factory=dict)
    path: Path | None = None  # project rules: the file it stands in


class MemoryFile:
    """One file under check: its content, what it is for, and its markdown, scanned once."""

    def __init__(self, path: Path, content: FileText, source: Source) -> None:
        self.path = path
        self.content = content
        self.source = source

    @property
    def lines(self) -> list[str]:
        """The lines of the file with their endings; empty if it could not be read."""
        return self.content.lines

    @cached_property
    def markdown(self) -> markdown.Markdown:
        """The scan of the lines."""
        return markdown.scan(self.lines)

    @cached_property
    def facts(self) -> dict[str, Any]:
        """A place where a project rule keeps what it worked out about this text."""
        return {}


@dataclass(frozen=True)
class Project:
    """Everything one check looks at: the runtime's sources and their files."""

    ctx: Context
    choice: Choice
    root: Path | None
    sources: tuple[Source, ...]
    files: dict[Path, MemoryFile]
    compose: Callable[[], Prompt]
    baseline: Baseline | None = None

    @cached_property
    def prompt(self) -> Prompt:
        """The composed prompt; composed when a rule first asks."""
        return self.compose()


LineCheck = Callable[[str], Iterable[LineHit]]
FileCheck = Callable[[MemoryFile, Project], Iterable[Hit]]
ProjectCheck = Callable[[Project], Iterable[Hit]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule. ``code`` (``AM###``) is never reused; ``name`` is its kebab-case alias.

    Exactly one of ``line``, ``file`` and ``project`` is set. ``roles`` are the kinds of file a
    line or file rule looks at. A rule whose ``on`` is False runs only where settings turn it on.
    ``readable`` False: the rule also sees files that could not be read as text.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    line: LineCheck | None = None
    file: FileCheck | None = None
    project: ProjectCheck | None = None
    roles: frozenset[Role] = ALL_ROLES
    on: bool = True
    readable: bool = True
    since: str = "0.1.0"
