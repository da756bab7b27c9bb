"""The vocabulary of the product as plain, immutable values.

source    a file that a runtime may read
segment   a piece of the composed prompt with its origin
finding   the report of a rule; a fix is a change that resolves it
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.base.text import Span


def sentence(text: str) -> str:
    """Return ``text`` with a final period, unless a period, ``?``, ``!`` or ``…`` ends it."""
    return text if text.endswith((".", "?", "!", "…")) else f"{text}."


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
    """How a runtime treats a source."""

    LOADED = "loaded"
    LISTED = "listed"  # named in the prompt; the agent reads it on demand
    MISSING = "missing"
    EMPTY = "empty"
    SHADOWED = "shadowed"  # another file is read instead
    TRUNCATED = "truncated"
    UNREADABLE = "unreadable"  # by the runtime, which crashes or ignores it, or only by us
    IGNORED = "ignored"  # this runtime does not read it


class Severity(StrEnum):
    """How harmful a finding is, worst first."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """A number to compare severities: 0 for info, 1 for warning, 2 for error."""
        return {"info": 0, "warning": 1, "error": 2}[self.value]


class Exactness(StrEnum):
    """How certain it is that a composed prompt equals the one that the runtime sends."""

    EXACT = "exact"  # the template was compared with what this version sends
    UNVERIFIED = "unverified"  # a template was found, but this text or version was not compared
    OWN_WORDING = "own-wording"  # no template was read: the sentences around memory are our own


@dataclass(frozen=True, slots=True)
class Source:
    """A file that a runtime may read.

    ``reason`` explains the status, '' if there is nothing to say. ``order`` counts the loaded and
    truncated files from 1, and apart from them the listed skills and the entries in the index; it
    is None for all others.
    ``display`` is the path in the form of the prompt.
    ``by`` is the file that replaces or imports this one, ``action`` a sentence on how to get this
    one loaded, '' if there is nothing to say.
    """

    path: Path
    scope: Scope
    role: Role
    status: Status
    reason: str = ""
    display: str = ""
    order: int | None = None
    # The name of a skill or a rule, the id of an entry, or a kind that the runtime gives the file.
    name: str = ""
    linked: bool = False  # not read because it is a symlink
    # How the runtime reacts to a file that it cannot read as it is; ``reason`` ends with it.
    effect: str = ""
    left_out: bool = False  # an entry or file for which the budget of the prompt is used up
    by: Path | None = None
    action: str = ""
    refusal: str = ""  # why an import is not followed; ``reason`` ends with it


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a prompt.

    ``kind`` is ``template``, ``user``, ``project``, ``root``, ``skills``, ``entries`` or
    ``base``. A piece of a file has its ``path``, and ``line`` is the 0-based line of its first
    character: line i of the segment is line ``line + i`` of the file. For a skill or an entry it
    is the line of its description or summary. ``label`` says where a text comes from that is
    neither of the template nor of a file, such as "added by claude-mpm"; else it is ''. ``block``
    is the index of the :class:`Block` with the segment, None for the blank line between two blocks.
    """

    text: str
    kind: str = "template"
    path: Path | None = None
    line: int = 0
    label: str = ""
    block: int | None = 0


class Block(NamedTuple):
    """A text of the request to the model that stems from memory.

    ``role`` is the role of its message: ``system``, ``developer`` or ``user``.
    """

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem of a prompt, such as a crash of the runtime; ``path``: the file that causes it."""

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
    """A change that resolves a finding.

    A safe fix does not change what the agent is told; an unsafe one is only applied on request.
    ``renames`` are (old path, new path), ``creates`` are (path, text) of new files. A fix that is
    not ``certain`` is a guess: it is offered after the certain ones.
    """

    title: str
    edits: tuple[Edit, ...] = ()
    renames: tuple[tuple[Path, Path], ...] = ()
    safe: bool = True
    creates: tuple[tuple[Path, str], ...] = ()
    certain: bool = True


@dataclass(frozen=True, slots=True)
class Related:
    """Another location that belongs to a finding."""

    path: Path
    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Finding:
    """The report of a rule about a location in a file.

    ``code`` and ``name`` are those of the rule. ``fact`` is what an editor lists, ``advice`` the
    sentences that it shows on hover: the effect and what to do, '' if there is nothing to add.
    ``unnecessary``: an editor fades the text of the span. ``data`` is for other code, such as the
    ``sha256`` of a secret. It must not contain the value of a secret: it is sent to editors and
    logs.
    """

    code: str
    name: str
    severity: Severity
    fact: str
    path: Path
    span: Span
    fixes: tuple[Fix, ...] = ()
    related: tuple[Related, ...] = ()
    unnecessary: bool = False
    data: dict[str, Any] = field(default_factory=dict)
    advice: str = ""

    @property
    def message(self) -> str:
        """The fact and the advice as sentences; without advice the fact alone, with no period."""
        return f"{sentence(self.fact)} {sentence(self.advice)}" if self.advice else self.fact
