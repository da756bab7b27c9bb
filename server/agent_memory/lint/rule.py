"""The shapes of a rule and what each reports.

A rule is one module of ``lint/rules`` with one ``RULE``, of one of four shapes:

- :class:`LineRule` checks one line; its result is cached by the text of the line, so a keystroke
  costs one line;
- :class:`FileRule` checks one file;
- :class:`ProjectRule` checks all files that the runtime reads together;
- :class:`SuppressionRule` checks suppression comments after all other rules have run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from agent_memory.base.model import Finding, Fix, Related, Role, Severity
from agent_memory.lint.memory_file import MemoryFile
from agent_memory.lint.project import Project

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.base.text import Span
    from agent_memory.lint.suppressions import Suppression

ALL_ROLES = frozenset(Role)
MEMORY_ROLES = frozenset({Role.MEMORY, Role.INSTRUCTIONS})
"""The roles of files whose text an agent gets; not those of skills, notes and entries."""


class LineFix(NamedTuple):
    """A fix inside one line; each edit (start, end, text) replaces these columns by the text."""

    title: str
    edits: tuple[tuple[int, int, str], ...]
    safe: bool = True


@dataclass(frozen=True, slots=True)
class LineHit:
    """A report of a line rule: columns in code points; message and severity as in :class:`Hit`."""

    start: int
    end: int
    message: str
    fixes: tuple[LineFix, ...] = ()
    severity: Severity | None = None
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hit:
    """A report of a rule that is not a line rule; its fields become those of the :class:`Finding`.

    ``message`` is the fact in about 12 words, then, after a newline, the advice in sentences.
    ``severity`` None: that of the rule.
    """

    span: Span
    message: str
    fixes: tuple[Fix, ...] = ()
    related: tuple[Related, ...] = ()
    severity: Severity | None = None
    unnecessary: bool = False
    data: dict[str, Any] = field(default_factory=dict)
    path: Path | None = None  # the file of the hit; None: the checked file
    made: tuple[Any, Finding] | None = field(default=None, init=False, compare=False, repr=False)
    """Cache: (what the finding depends on, the finding). Most hits outlive a keystroke."""


LineCheck = Callable[[str], Iterable[LineHit]]
FileCheck = Callable[[MemoryFile, Project], Iterable[Hit]]
ProjectCheck = Callable[[Project], Iterable[Hit]]
SuppressionCheck = Callable[[MemoryFile, "list[Suppression]", "Registry"], Iterable[Hit]]
Prefilter = Callable[[str], bool]


@dataclass(frozen=True, slots=True, eq=False, repr=False)  # each rule is one object
class Rule:
    """What all rules have; a rule is an instance of one of the four subclasses.

    ``code`` (``AM###``) is never reused; ``name`` is its kebab-case alias. ``roles`` are the
    kinds of file that are checked; a check of a whole project ignores them. A rule whose ``on`` is
    False runs only where settings turn it on. ``needs_text`` False: the rule also checks files that
    could not be read as text. ``varies``: the result depends on more than the file (runtime,
    settings, other files), so a suppression that silences nothing here may be needed elsewhere.
    ``per_runtime``: the rule is run for each listed runtime (set or found), not only for the chosen
    one. ``replaces`` are codes of rules that say less about the same line; their findings are left
    out there. ``since`` is the version with which the rule came.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    _: KW_ONLY
    roles: frozenset[Role] = ALL_ROLES
    on: bool = True
    needs_text: bool = True
    varies: bool = False
    per_runtime: bool = False
    replaces: tuple[str, ...] = ()
    since: str = "0.1.0"

    def __repr__(self) -> str:
        return f"<{self.code} {self.name}>"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class LineRule(Rule):
    """Checks each line without its context.

    ``prefilter`` is a cheap test that must be True for every line in which ``check`` reports
    something; a line that fails it is not checked. Without one, every line is checked.
    ``in_file`` reports what takes several lines to recognize, such as a cell below its heading.
    """

    check: LineCheck
    prefilter: Prefilter | None = None
    in_file: FileCheck | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class FileRule(Rule):
    """Checks one file. ``in_project`` reports what takes all files of the project to recognize.

    That is a contradiction between two files, or a problem of a file that is not memory.
    """

    check: FileCheck
    in_project: ProjectCheck | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ProjectRule(Rule):
    """Checks the files of the project together; each hit names its file."""

    check: ProjectCheck


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SuppressionRule(Rule):
    """Checks the suppression comments of a file, after they have been applied."""

    check: SuppressionCheck


class Registry(NamedTuple):
    """All rules, each by its code and by its name, and the codes of those that ran on a file."""

    rules: Mapping[str, Rule]
    ran: frozenset[str]
