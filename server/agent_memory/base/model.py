"""The vocabulary of the product as plain, immutable values.

source    one file a runtime may read
segment   a piece of the composed prompt with its origin
finding   what a rule reports; a fix is the edit that mends it
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.base.text import Span


class Scope(StrEnum):
    """Whose memory a source is."""

    USER = "user"
    PROJECT = "project"
    GLOBAL = "global"
    AGENT = "agent"
    RUN = "run"


class Role(StrEnum):
    """What a source is for."""

    MEMORY = "memory"
    INSTRUCTIONS = "instructions"
    SKILL = "skill"
    ENTRY = "entry"
    NOTE = "note"


class Status(StrEnum):
    """What a runtime makes of a source."""

    LOADED = "loaded"
    LISTED = "listed"  # named in the prompt, read by the agent when it needs it
    MISSING = "missing"
    EMPTY = "empty"
    SHADOWED = "shadowed"  # another file is read in its place
    TRUNCATED = "truncated"
    UNREADABLE = "unreadable"  # the runtime crashes or silently ignores it
    IGNORED = "ignored"  # it stands where this runtime does not look


class Severity(StrEnum):
    """How much harm a finding means, worst first."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for info, 1 for warning, 2 for error."""
        return {"info": 0, "warning": 1, "error": 2}[self.value]


class Exactness(StrEnum):
    """How sure a composed prompt is to be, byte for byte, what the runtime sends."""

    EXACT = "exact"  # the template of a known version with a known hash
    UNVERIFIED = "unverified"  # a template was found, its hash is not known
    OWN_WORDING = "own-wording"  # the runtime is not installed


@dataclass(frozen=True, slots=True)
class Source:
    """One file a runtime may read.

    ``reason`` says in words why it has its status; ``order`` counts loaded files from 1.
    ``display`` is the path as the runtime writes it into the prompt.
    """

    path: Path
    scope: Scope
    role: Role
    status: Status
    reason: str = ""
    display: str = ""
    order: int | None = None
    name: str = ""  # the name of a skill, the id of an entry
    linked: bool = False  # reached through a symlink, which is why it is not read
    effect: str = ""  # what the runtime does about it if not read as it is; ends ``reason`` too
    left_out: bool = False  # an entry for which the index in the prompt has no room


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a prompt.

    ``kind`` is ``template``, ``user``, ``project``, ``root``, ``skills``, ``entries`` or
    ``base``. A piece that comes from a file names it, and ``line`` is the 0-based line of the
    file its first character stands on: line i of the segment is line ``line + i`` of the file.
    For a skill or an entry it is the line of the description or summary that is shown.
    """

    text: str
    kind: str = "template"
    path: Path | None = None
    line: int = 0
    label: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something about a prompt that its reader must know, such as a runtime's crash."""

    message: str
    path: Path | None = None
    severity: Severity = Severity.WARNING


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace ``span`` of the file ``path`` by ``text``."""

    path: Path
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A way out of a finding.

    A safe fix never changes what the agent is told; an unsafe one is only applied when the
    user asks for it. ``renames`` are (old path, new path), ``creates`` are new files with their
    text.
    """

    title: str
    edits: tuple[Edit, ...] = ()
    renames: tuple[tuple[Path, Path], ...] = ()
    safe: bool = True
    creates: tuple[tuple[Path, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that belongs to a finding."""

    path: Path
    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule reports about a place of a file.

    ``data`` must never hold a secret's value: it travels to editors and logs.
    """

    code: str
    name: str
    severity: Severity
    message: str
    path: Path
    span: Span
    fixes: tuple[Fix, ...] = ()
    related: tuple[Related, ...] = ()
    unnecessary: bool = False
    data: dict[str, Any] = field(default_factory=dict)
