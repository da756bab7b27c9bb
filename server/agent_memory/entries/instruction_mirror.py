"""Instruction files as read-only entries, for the index and for recall (drover's ``seedMemory``).

drover writes these entries at the start of each run. Here they are composed: nothing is written,
and the result is what the store would contain after the start of a run.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace
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
    from collections.abc import Callable, Iterable
    from pathlib import Path

_ROOT = "(repo root)"
# The summary of a mirror, with the folder and the file name: see InstructionFile.label.
_LABEL = re.compile(r"Project instructions — (.+) \(([^/]+)\)\Z")


@dataclass(frozen=True, slots=True)
class InstructionFile:
    """An instruction file that a run loads: its path, its folder below the root, its content.

    drover loads those in the folders from the project's root down to the working folder.
    """

    path: Path
    folder: str  # relative to the root, with /; '' for the root itself
    content: str

    @property
    def label(self) -> str:
        """The summary of its mirror, which the index shows."""
        return f"Project instructions — {self.folder or _ROOT} ({self.path.name})"


@dataclass(frozen=True, slots=True)
class Mirrors:
    """The entries that mirror the instruction files of a run.

    ``root`` is the project's root if the store belongs to this project alone: stored mirrors of
    deleted files are hidden then. If it is None, these may be those of another project and stay.
    """

    entries: tuple[Entry, ...] = ()
    root: Path | None = None

    def hides(self, entry: Entry) -> bool:
        """Whether a mirror replaces the stored ``entry``, or ``entry`` mirrors a deleted file.

        Without ``root``, an entry that mirrors a deleted file is not hidden: see :class:`Mirrors`.
        """
        if INSTRUCTIONS_TAG not in entry.tags:
            return False
        return any(entry.id == mirror.id for mirror in self.entries) or self._is_stale(entry)

    def merged_into(self, stored: Iterable[Entry]) -> list[Entry]:
        """Return the entries of ``stored`` that these mirrors do not hide, then these mirrors.

        A mirror that replaces a stored one keeps its creation time, as if it were saved again.
        """
        merged = []
        hidden_created = {}  # creation time of each hidden entry, by its id
        for entry in stored:
            if self.hides(entry):
                hidden_created[entry.id] = entry.created
            else:
                merged.append(entry)
        for mirror in self.entries:
            created = hidden_created.get(mirror.id)
            if created is None:
                merged.append(mirror)
            else:
                merged.append(replace(mirror, created=created, updated=mirror.created))
        return merged

    def _is_stale(self, entry: Entry) -> bool:
        """Whether ``entry``, a stored mirror, is of a file that no longer exists at its path.

        The file was deleted, or the project was moved since. False without ``root``, and for an
        entry whose summary is not that of a mirror.
        """
        label = _LABEL.match(entry.summary)
        if self.root is None or label is None:
            return False
        folder, name = label[1], label[2]
        path = self.root / name if folder == _ROOT else self.root / folder / name
        is_moved = stable_ulid(str(path)) != entry.id  # the id is a hash of the path
        return is_moved or not path.exists()


def mirrors(
    files: Iterable[InstructionFile],
    root: Path | None = None,
    clock: Callable[[], float] = time.time,
) -> Mirrors:
    """Return the mirrors of the ``files`` up to the first one that is empty or over a limit.

    As in drover, that file and those after it have no mirror. ``root`` is that of
    :class:`Mirrors`, ``clock`` returns seconds since the epoch. Each mirror is a millisecond newer
    than the one before it, so that a list with the newest first begins with the last file.
    """
    now = int(clock() * 1000)
    entries: list[Entry] = []
    for number, file in enumerate(files):
        body = file.content.strip()
        if not body or units(body) > REFERENCE_MAX or units(file.label) > SUMMARY_MAX:
            break
        entries.append(
            Entry(
                id=stable_ulid(str(file.path)),
                scope="global",
                kind="reference",
                summary=file.label,
                body=body,
                created=now + number,
                tags=(INSTRUCTIONS_TAG,),
                path=file.path,
            )
        )
    return Mirrors(tuple(entries), root)


NO_MIRRORS = Mirrors()
