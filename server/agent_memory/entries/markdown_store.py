"""The entries in a folder of Markdown files, in drover's layout."""

from __future__ import annotations

import os
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.base.ulid import is_ulid
from agent_memory.entries.entry_file import (
    Entry,
    EntryPlace,
    Skipped,
    parse,
    render,
)
from agent_memory.entries.instruction_mirror import NO_MIRRORS
from agent_memory.entries.store import EntryStore
from agent_memory.entries.trash import NAME as TRASH
from agent_memory.entries.trash import Trash
from agent_memory.formats.limits import unexpected
from agent_memory.fs.atomic_write import update
from agent_memory.fs.reader import read_file
from agent_memory.fs.rename import remove
from agent_memory.fs.write_roots import inside
from agent_memory.l10n import t

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from agent_memory.entries.instruction_mirror import Mirrors
    from agent_memory.fs.reader import FileText
    from agent_memory.fs.write_roots import WriteRoots

_OWNER_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}\Z")
"""The id of an agent or a run, which is also the name of its folder."""


class MarkdownEntries(EntryStore):
    """Entries below the folder ``root``, which need not exist. Every call reads the files again.

    ``mirrors`` are the entries of a run that mirror instruction files: they are loaded, but never
    written. Writes stay in ``roots`` (None: in ``root``, which the user has named).
    """

    def __init__(
        self,
        root: Path,
        clock: Callable[[], float] = time.time,
        *,
        mirrors: Mirrors = NO_MIRRORS,
        roots: WriteRoots | None = None,
    ) -> None:
        super().__init__(clock)
        self.mirrors = mirrors
        self.root = Path(os.path.abspath(root))  # noqa: PTH100 -- resolve would follow symlinks
        self.roots = roots or inside(self.root)

    def load(self) -> list[Entry]:
        """Return the stored entries that :attr:`mirrors` does not hide, then the mirrors."""
        return self.mirrors.merged_into(self.stored())

    def stored(self) -> list[Entry]:
        """Return every entry that drover would load; :meth:`skipped` returns the other files."""
        entries = []
        for place, path in self.files():
            entry = self._read(place, path)
            if isinstance(entry, Entry):
                entries.append(entry)
        return entries

    def latest(self, folder: Path, most: int) -> list[Entry]:
        """Return the entries of the newest ``most`` files of a folder of entries, newest id first.

        ``folder`` is one of :meth:`folders`. Of a file that drover skips, there is no entry.
        """
        names = [name for name in _names(folder) if is_entry_name(name)]
        paths = [folder / name for name in names[::-1][:most]]  # ULIDs sort by time
        placed = [(self.place_of(path), path) for path in paths]
        read = [self._read(place, path) for place, path in placed if place]
        return [entry for entry in read if isinstance(entry, Entry)]

    def skipped(self) -> list[tuple[Path, str]]:
        """Return the files that drover silently skips, and why."""
        read = [(path, self._read(place, path)) for place, path in self.files()]
        return [(path, why) for path, why in read if isinstance(why, str)]

    def files(self) -> Iterator[tuple[EntryPlace, Path]]:
        """Yield place and path of each file with the name of an entry file, in load order."""
        for place, folder in self.folders():
            for name in _names(folder):
                if is_entry_name(name):
                    yield place, folder / name

    def folders(self) -> Iterator[tuple[EntryPlace, Path]]:
        """Yield place and path of each folder for entries, in load order.

        Those of agents and runs exist; the folder of global entries may be missing.
        """
        yield EntryPlace("global"), self.root / "global"
        for name in _owner_names(self.root / "agents"):
            yield EntryPlace("agent", agent=name), self.root / "agents" / name
        for name in _owner_names(self.root / "runs"):
            yield EntryPlace("run", run=name), self.root / "runs" / name

    def place_of(self, path: Path) -> EntryPlace | None:
        """Return the place of the entry file ``path``; None if it cannot be one of this store."""
        try:
            parts = path.relative_to(self.root).parts
        except ValueError:
            return None
        if not parts or not is_entry_name(parts[-1]):
            return None
        if len(parts) == 2 and parts[0] == "global":
            return EntryPlace("global")
        if len(parts) == 3 and parts[0] == "agents" and _OWNER_NAME.match(parts[1]):
            return EntryPlace("agent", agent=parts[1])
        if len(parts) == 3 and parts[0] == "runs" and _OWNER_NAME.match(parts[1]):
            return EntryPlace("run", run=parts[1])
        return None

    def path_of(self, entry: Entry) -> Path:
        """Return the path of the file for ``entry``."""
        folder = {  # an agent or a run is '' only in the paths of the other scopes
            "global": self.root / "global",
            "agent": self.root / "agents" / (entry.agent or ""),
            "run": self.root / "runs" / (entry.run or ""),
        }[entry.scope]
        return folder / f"{entry.id}.md"

    def save(self, entry: Entry, old: Sequence[Entry]) -> Entry:
        """Write the file of ``entry``, then remove the files of ``old`` with another path.

        Returns:
            ``entry`` with its path.

        Raises:
            UsageError: it cannot be written, or another file has its name.

        """
        path = self.path_of(entry)
        old_paths = {item.path for item in old}

        def change(content: FileText) -> str:
            """Return the new content of the file of the entry.

            Raises:
                UsageError: the file is not that of the entry.

            """
            # Another file of this name may be one that drover skips: it is not overwritten. If
            # `change` is called again after its own write, the file has this entry already.
            if content.ok and path not in old_paths and content.text != render(entry):
                raise UsageError(
                    t(
                        "{0} exists and is not the entry {1}, so it was left unchanged. "
                        "Fix, move or remove it first",
                        path,
                        entry.id,
                    )
                )
            return render(entry)

        update(path, change, self.roots)
        self.drop([item for item in old if item.path != path])
        return replace(entry, path=path)

    def drop(self, entries: Sequence[Entry]) -> None:
        """Remove the files of ``entries``; an entry without a path has none.

        Raises:
            UsageError: a file cannot be removed.

        """
        for entry in entries:
            if entry.path:
                remove(entry.path, self.roots)

    def discard(self, entries: Sequence[Entry]) -> None:
        """Move ``entries`` to the trash.

        Raises:
            UsageError: a file cannot be moved.

        """
        self.trash().put(entries)

    def trash(self) -> Trash:
        """Return the trash of this store."""
        return Trash(
            self.root, self, MarkdownEntries(self.root / TRASH, roots=self.roots), self.roots
        )

    def _read(self, place: EntryPlace, path: Path) -> Entry | str:
        """Return the entry in the file ``path``, or the reason why drover skips the file."""
        content = read_file(path)
        if content.symlink:
            return t("it is a symlink")
        if content.failure:
            return t("it cannot be read ({0})", content.failure)
        try:
            return parse(content.text, place, path)
        except Skipped as why:
            return str(why)
        except Exception as error:  # noqa: BLE001 -- one file must not hide the other entries
            return unexpected(error, "an entry")


def is_entry_name(name: str) -> bool:
    """Whether ``name`` is that of an entry file: a ULID with the ending ``.md``."""
    return name.endswith(".md") and is_ulid(name[:-3])


def _owner_names(folder: Path) -> list[str]:
    """Return the sorted names of the folders in ``folder`` that can be those of an agent or a run.

    Symlinks are left out. [] if ``folder`` cannot be searched.
    """
    names = [name for name in _names(folder) if _OWNER_NAME.match(name)]
    # Path.is_dir and Path.is_symlink raise in a folder that cannot be searched.
    return [
        name
        for name in names
        if os.path.isdir(folder / name)  # noqa: PTH112
        and not os.path.islink(folder / name)  # noqa: PTH114
    ]


def _names(folder: Path) -> list[str]:
    """Return the sorted names in ``folder``; none if it cannot be listed."""
    try:
        with os.scandir(folder) as items:
            return sorted(item.name for item in items)
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return []
