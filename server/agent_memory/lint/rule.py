"""What a rule is, and what it is given to look at.

A rule is one file with one :class:`Rule`. It looks at one line (cheapest: the answer is kept per
text of a line, so a keystroke costs one line), one file, or the whole project.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agent_memory.base.model import Fix, Related, Role, Severity
from agent_memory.lint.memory_file import MemoryFile
from agent_memory.lint.project import Project

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.base.text import Span
    from agent_memory.lint.suppressions import Suppression

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
