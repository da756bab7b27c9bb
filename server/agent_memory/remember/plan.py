"""The result of planning: an outcome, sentences for a person, and the edits."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.model import Edit, Role, Scope
from agent_memory.fs.write_roots import WriteRoots
from agent_memory.l10n import t
from agent_memory.remember.snippet import FormattedItem

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agent_memory.entries.entry_file import Entry
    from agent_memory.fs.reader import FileText
    from agent_memory.secrets.model import Secret


class Outcome(StrEnum):
    """What can be done with a snippet."""

    READY = "ready"
    DUPLICATE = "duplicate"  # it is saved already
    SECRET = "secret"  # noqa: S105 -- the name of an outcome
    CONSENT = "consent"  # a folder of the project would have to be created
    REFUSED = "refused"


class SectionChoice(NamedTuple):
    """A section of a file to save the item in, and whether it fits the item best."""

    title: str
    suggested: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """What remembering a snippet would do. Nothing is written yet.

    Attributes:
        outcome: Whether the plan can be applied, and if not, why.
        headline: The main sentence, without a final period; a question if consent is needed.
        path: The file of the item; for a duplicate, the file that already contains it.
        line: The item's first line in ``path``, counted from 0.
        section: The heading above the item, '' without one.
        new_section: Whether ``section`` is a heading that the edit adds.
        sections: Each section of the file.
        secrets: Secrets of the selected text; unless the outcome is secret, they are redacted.
        edits: Changes of existing files; empty unless the outcome is ready.
        creates: (path, text) of new files; empty unless the outcome is ready.
        item: The text to save; empty if the snippet contains a secret.
        formatted: ``item`` as bullets or a block.
        label: The file's name in messages.
        scope: Whose memory the file is.
        role: What the file is for.
        allow_duplicate: Whether the item is added even if the file already contains it.
        notes: Further sentences, each without a final period.
        evicts: Items that are removed to make room, secrets masked. Ask before applying the plan.
        entry: The learned entry that the plan saves, if any.
        folder: The folder to create after consent; set if the outcome is consent.
        before: The file content that the plan was made for, if applying the plan compares it.
        roots: The folders that applying the plan may write to.
        write: Carries out a plan that is more than an edit of this file; None: apply the edit.

    """

    outcome: Outcome
    headline: str
    path: Path
    line: int = 0
    section: str = ""
    new_section: bool = False
    sections: tuple[SectionChoice, ...] = ()
    secrets: tuple[Secret, ...] = ()
    edits: tuple[Edit, ...] = ()
    creates: tuple[tuple[Path, str], ...] = ()
    item: str = ""
    formatted: FormattedItem = field(default_factory=FormattedItem)
    label: str = ""
    scope: Scope = Scope.PROJECT
    role: Role = Role.MEMORY
    allow_duplicate: bool = False
    notes: tuple[str, ...] = ()
    evicts: tuple[str, ...] = ()
    entry: Entry | None = None
    folder: Path | None = None
    before: FileText | None = field(default=None, repr=False)
    roots: WriteRoots = field(default=WriteRoots(()), repr=False, compare=False)
    write: Callable[[], None] | None = field(default=None, repr=False, compare=False)

    @property
    def place(self) -> str:
        """Where the item is: the name of the file, and the section if there is one."""
        name = self.label or self.path.name
        return f"{name} > {self.section}" if self.section else name

    @property
    def message(self) -> str:
        """The headline and the notes. A question comes last."""
        if self.outcome is Outcome.CONSENT:
            return ". ".join((*self.notes, self.headline))
        return ". ".join((self.headline, *self.notes))


def refused(path: Path, reason: str, *notes: str) -> Plan:
    """Return a plan that adds nothing to ``path``; ``reason`` is a whole sentence."""
    return Plan(Outcome.REFUSED, reason, path, notes=notes)


def secret_found(path: Path, found: tuple[Secret, ...]) -> Plan:
    """Return the plan for a text with the secrets ``found``; its message names only their kinds."""
    kinds = ", ".join(dict.fromkeys(secret.title for secret in found))
    message = t("Not saved: the text contains a secret ({0})", kinds)
    return Plan(Outcome.SECRET, message, path, secrets=found)
