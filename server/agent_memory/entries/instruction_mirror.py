"""Mirror instruction files as read-only entries, for recall (drover's ``seedMemory``)."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.base.ulid import stable_ulid
from agent_memory.entries.entry_file import Entry
from agent_memory.entries.validation import (
    INSTRUCTIONS_TAG,
    REFERENCE_MAX,
    SUMMARY_MAX,
    units,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from agent_memory.entries.store import EntryStore


@dataclass(frozen=True, slots=True)
class InstructionFile:
    """A file of the instruction chain: its path, its folder below the root, its content."""

    path: Path
    folder: str  # relative to the root, with /; '' for the root itself
    content: str

    @property
    def label(self) -> str:
        """Its line in the index."""
        return f"Project instructions — {self.folder or '(repo root)'} ({self.path.name})"


def seed(store: EntryStore, files: Iterable[InstructionFile]) -> list[tuple[Path, str]]:
    """Mirror ``files`` as ``reference`` entries; return those that do not fit, with the reason.

    Drover stops at the first such file; here the others are still mirrored. Entries of deleted
    files are removed.
    """
    known = {entry.id: entry for entry in store.current() if INSTRUCTIONS_TAG in entry.tags}
    refused: list[tuple[Path, str]] = []
    kept: set[str] = set()
    now = int(time.time() * 1000)
    for file in files:
        entry_id = stable_ulid(str(file.path))
        kept.add(entry_id)
        why = _refusal(file)
        if why:
            refused.append((file.path, why))
            continue
        old = known.get(entry_id)
        if old and (old.summary, old.body) == (file.label, file.content.strip()):
            continue
        entry = Entry(
            entry_id,
            "global",
            "reference",
            file.label,
            file.content.strip(),
            old.created if old else now,
            tags=(INSTRUCTIONS_TAG,),
            updated=now if old else None,
        )
        store.save(entry, [old] if old else [])
    store.drop([entry for entry_id, entry in known.items() if entry_id not in kept])
    return refused


def _refusal(file: InstructionFile) -> str:
    if not file.content.strip():
        return "the file is empty"
    if units(file.content) > REFERENCE_MAX:
        return f"the file has more than {REFERENCE_MAX} characters"
    if units(file.label) > SUMMARY_MAX:
        return f"its folder's name makes the summary longer than {SUMMARY_MAX} characters"
    return ""
