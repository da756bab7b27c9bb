"""The search indexes of learned entries that a session has open, by folder."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from agent_memory.entries.instruction_mirror import Mirrors
    from agent_memory.recall.engine import Recall


class RecallIndexes:
    """Opens an index on first use and keeps it up to date."""

    def __init__(self) -> None:
        self._open: dict[Path, Recall] = {}
        self._changes = 0  # of what a client may recall: see generation
        self._last_shown: object = None  # folder and mirrors of the last generation, if any

    def get(self, folder: Path, env: Mapping[str, str]) -> Recall:
        """Return the index of ``folder``; it stays open for the next search.

        An index that is open already is first compared with its files, but not at each search if
        that takes long. ``env`` are environment variables, used to open it.

        Raises:
            UsageError: another process is writing the index.

        """
        from agent_memory.recall.engine import Recall  # noqa: PLC0415 -- only once it is needed

        index = self._open.get(folder)
        if index is None:
            index = self._open[folder] = Recall.open(folder, env)
        else:
            index.refresh_throttled()
        return index

    def update(self, paths: Iterable[Path]) -> None:
        """Read the changed ``paths`` again in the open indexes of their folders.

        Each path in such a folder counts as a change of what a client may recall.
        """
        for path in paths:
            for folder, index in self._open.items():
                if path.is_relative_to(folder):
                    self._changes += 1
                    with contextlib.suppress(UsageError):  # locked by another process: read later
                        index.update(path)

    def invalidate(self) -> bool:
        """Mark the open indexes as outdated; return whether any index is open.

        The next search compares an outdated index with its files. If any is open, the call counts
        as a change of what a client may recall.
        """
        for index in self._open.values():
            index.invalidate()
        if self._open:
            self._changes += 1
        return bool(self._open)

    def generation(self, folder: Path | None, mirrors: Mirrors) -> int:
        """Return a number that grows with each change of what a client may recall.

        ``mirrors`` are instruction files that are searched as entries. Another ``folder`` than in
        the last call counts as a change, and other ``mirrors``. Without a folder there is nothing
        to recall, so ``mirrors`` do not count.
        """
        texts = [(entry.id, entry.summary, entry.body) for entry in mirrors.entries]
        shown = (folder, texts) if folder else None
        if shown != self._last_shown:
            self._last_shown = shown
            self._changes += 1
        return self._changes
