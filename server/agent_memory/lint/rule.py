"""What a rule is, and what it is given to look at.

A rule is one file with one :class:`Rule`. It looks at one line (cheapest: the answer is kept per
text of a line, so a keystroke costs one line), one file, or the whole project.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from agent_memory.base.model import (
    Fix,
    Related,
    Role,
    Severity,
    Source,
    Status,
)
from agent_memory.base.text import Span, body
from agent_memory.fs.file_index import Tree
from agent_memory.l10n import t
from agent_memory.markdown import parser

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText
    from agent_memory.lint.baseline import Baseline
    from agent_memory.lint.suppressions import Suppression
    from agent_memory.prompt.compose import Prompt
    from agent_memory.prompt.unread_files import Stray
    from agent_memory.runtimes.selection import Choice

ALL_ROLES = frozenset(Role)
MEMORY_ROLES = frozenset({Role.MEMORY, Role.INSTRUCTIONS})


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
    def markdown(self) -> parser.Markdown:
        """The scan of the lines, kept as long as the text stays."""
        mapping = self.source.role not in (Role.SKILL, Role.ENTRY)
        key = "markdown" if mapping else "markdown with front matter"
        return self.content.once(key, lambda: parser.scan(self.lines, mapping=mapping))

    @cached_property
    def facts(self) -> dict[str, Any]:
        """What one check works out about this file; :meth:`FileText.once` outlives a check."""
        return {}

    @property
    def head(self) -> Span:
        """The first line: where a finding about the whole file stands."""
        return self.line_span(0)

    def line_span(self, line: int) -> Span:
        """Return the span of ``line`` from its first character that is no blank."""
        if line >= len(self.lines):
            return Span(line, 0, line, 0)
        text = body(self.lines[line])
        return Span.on_line(line, len(text) - len(text.lstrip()), len(text.rstrip()) or len(text))

    @property
    def in_prompt(self) -> bool:
        """Whether the runtime puts text of this file into the prompt."""
        return self.source.status in (Status.LOADED, Status.TRUNCATED)


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
    strays: tuple[Stray, ...] = ()
    files_there: Tree | None = None

    @cached_property
    def prompt(self) -> Prompt:
        """The composed prompt; composed when a rule first asks."""
        return self.compose()

    @cached_property
    def tree(self) -> Tree:
        """The files of the project, memory or not."""
        return self.files_there or Tree(self.root or self.ctx.cwd)

    def below_root(self, path: Path) -> str | None:
        """Return the folder of ``path`` from the project's root, None where it is in none.

        User memory is about every project, and a home folder is none: neither is searched.
        """
        folder = path.parent
        if folder not in self._below:
            self._below[folder] = self._from_root(folder)
        return self._below[folder]

    @cached_property
    def _below(self) -> dict[Path, str | None]:
        return {}

    def _from_root(self, folder: Path) -> str | None:
        root = self.tree.root
        if root == self.ctx.home or folder.is_relative_to(self.ctx.user_folder):
            return None
        return folder.relative_to(root).as_posix() if folder.is_relative_to(root) else None

    def head(self, path: Path) -> Span:
        """Return where a finding about the whole of ``path`` stands."""
        file = self.files.get(path)
        return file.head if file else Span(0, 0, 0, 0)

    def shown(self, path: Path) -> str:
        """Return ``path`` as people write it: from the project's root, or from ``~``."""
        for base, prefix in ((self.root, ""), (self.ctx.home, "~/")):
            if base and path.is_relative_to(base):
                return prefix + path.relative_to(base).as_posix()
        return str(path)

    def fate(self, file: MemoryFile) -> str:
        """Return in a sentence what the runtime makes of a file it cannot read."""
        _, _, effect = file.source.reason.partition(": ")
        if file.source.status in (Status.UNREADABLE, Status.LOADED) and effect:
            return f"{self.choice.runtime.id}: {effect}."
        return t("{0} does not read it, but other runtimes may fail on it.", self.choice.runtime.id)


LineCheck = Callable[[str], Iterable[LineHit]]
FileCheck = Callable[[MemoryFile, Project], Iterable[Hit]]
ProjectCheck = Callable[[Project], Iterable[Hit]]
LastCheck = Callable[[MemoryFile, "list[Suppression]", "Registry"], Iterable[Hit]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule. ``code`` (``AM###``) is never reused; ``name`` is its kebab-case alias.

    One of ``line``, ``file``, ``project`` and ``last`` is set, or ``line`` and ``file``; ``last``
    runs when the suppressions have been applied and is given them.
    ``roles`` are the kinds of file a line or file rule looks at. A rule whose ``on`` is False
    runs only where settings turn it on. ``readable`` False: the rule also sees files that could
    not be read as text. ``varies``: what it reports depends on more than the file (runtime,
    settings, other files), so a suppression that silences nothing here may be needed elsewhere.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    line: LineCheck | None = None
    file: FileCheck | None = None
    project: ProjectCheck | None = None
    last: LastCheck | None = None
    roles: frozenset[Role] = ALL_ROLES
    on: bool = True
    readable: bool = True
    varies: bool = False
    since: str = "0.1.0"


@dataclass(frozen=True, slots=True)
class Registry:
    """The rules there are, by code and by name, and the codes of those that ran on a file."""

    rules: Mapping[str, Rule]
    ran: frozenset[str]
