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

        The second needs ``root``: see :class:`Mirrors`.
        """
        if INSTRUCTIONS_TAG not in entry.tags:
            return False
        return any(entry.id == mirror.id for mirror in self.entries) or self._is_stale(entry)

    def over(self, entries: Iterable[Entry]) -> list[Entry]:
        """Return ``entries`` without stored mirrors that are hidden, then the mirrors of this run.

        A mirror keeps the creation time of the stored one, like an entry that is saved again.
        """
        visible, created = [], {}  # `created`: the time by the id of a hidden entry
        for entry in entries:
            if self.hides(entry):
                created[entry.id] = entry.created
            else:
                visible.append(entry)
        for mirror in self.entries:
            first_created = created.get(mirror.id)
            if first_created is None:
                visible.append(mirror)
            else:
                visible.append(replace(mirror, created=first_created, updated=mirror.created))
        return visible

    def _is_stale(self, entry: Entry) -> bool:
        """Whether ``entry``, a stored mirror, is of a file that no longer exists at its path.

        The file was deleted, or the project was moved since. False without ``root``, and for an
        entry whose summary is not that of a mirror.
        """
        label = _LABEL.match(entry.summary)
        if self.root is None or label is None:
            return False
        path = self.root / ("" if label[1] == _ROOT else label[1]) / label[2]
        is_moved = stable_ulid(str(path)) != entry.id  # the id is a hash of the path
        return is_moved or not path.exists()


def mirrors(
    files: Iterable[InstructionFile],
    root: Path | None = None,
    clock: Callable[[], float] = time.time,
) -> Mirrors:
    """Return the mirrors of the ``files`` before the first one that is empty or over a limit.

    Like in drover, this file and those after it have no mirror. ``root`` is that of
    :class:`Mirrors`, ``clock`` returns seconds since the epoch. The times of creation are a
    millisecond apart, so a list with the last changed first begins with the last file.
    """
    now = int(clock() * 1000)
    entries: list[Entry] = []
    for number, file in enumerate(files):
        body = file.content.strip()
        if not body or units(body) > REFERENCE_MAX or units(file.label) > SUMMARY_MAX:
            break
        entry_id, tags = stable_ulid(str(file.path)), (INSTRUCTIONS_TAG,)
        entries.append(
            Entry(
                entry_id,
                "global",
                "reference",
                file.label,
                body,
                now + number,
                tags=tags,
                path=file.path,
            )
        )
    return Mirrors(tuple(entries), root)


NO_MIRRORS = Mirrors()
