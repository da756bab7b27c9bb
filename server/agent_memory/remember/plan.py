"""What a plan to file something is: an outcome, a sentence for a person, and the edits."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from agent_memory.base.model import Edit, Role, Scope
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
    DUPLICATE = "duplicate"
    SECRET = "secret"  # noqa: S105 -- the name of an outcome
    CONSENT = "consent"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Plan:
    """What remembering a snippet would do. Nothing is written yet.

    ``message`` is one plain sentence. ``path`` and ``line`` (from 0) say where the item goes,
    or for a duplicate where it stands; ``section`` is the heading, '' for none. ``sections``
    are (title, suggested) of the target. ``edits`` or ``creates`` (path, text) are given where
    ``outcome`` is ready. ``item`` is the tidy text; it is empty where it holds a secret.
    ``evicts`` are the items that make place for it, their secrets masked: whoever files it asks
    first. ``role`` is what the target is for, ``entry`` the learned entry it would be, if any.
    ``before`` is the file it was planned for; ``write`` carries the plan out where that takes
    more than this one file.
    """

    outcome: Outcome
    message: str
    path: Path
    line: int = 0
    section: str = ""
    sections: tuple[tuple[str, bool], ...] = ()
    secrets: tuple[Secret, ...] = ()
    edits: tuple[Edit, ...] = ()
    creates: tuple[tuple[Path, str], ...] = ()
    item: str = ""
    tidy: FormattedItem = field(default_factory=FormattedItem)
    scope: Scope = Scope.PROJECT
    role: Role = Role.MEMORY
    anyway: bool = False
    evicts: tuple[str, ...] = ()
    entry: Entry | None = None
    before: FileText | None = field(default=None, repr=False)
    write: Callable[[], None] | None = field(default=None, repr=False, compare=False)


def refused(path: Path, why: str) -> Plan:
    """Return the plan of what is not filed into ``path``, and ``why``."""
    return Plan(Outcome.REFUSED, t("Not filed: {0}", why), path)


def secret_found(path: Path, found: tuple[Secret, ...]) -> Plan:
    """Return the plan of a text that holds the secrets ``found``, which it does not repeat."""
    kinds = ", ".join(dict.fromkeys(secret.title for secret in found))
    message = t("Not filed: the text holds a secret ({0}). It can be filed redacted", kinds)
    return Plan(Outcome.SECRET, message, path, secrets=found)
