"""The files that a project no longer has, from the history of git.

Most paths in memory that do not exist are names of examples, plans or other projects. One that
git had before is different: the project changed, and the memory did not.
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.fs import git
from agent_memory.fs.listing import Listing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_COMMITS = 10_000
"""Commits of the current branch that are read, the newest first; of a merge, its result."""
_SECONDS = 10.0
"""Timeout of each call of git; what it has written by then, about the newest commits, is used."""
_BYTES = 32 << 20
"""Output of git that is read: about 400,000 paths."""
_FRESH = 2.0
"""Seconds in which the current commit is not read again; more if reading the history took long."""
_MOVES = 5
"""Moves of one file that are followed."""


class Deletion(NamedTuple):
    """What happened to a file: in ``commit``, it was deleted or moved to ``moved_to``."""

    commit: str
    moved_to: str | None = None
    is_exact: bool = True
    """False if ``moved_to`` has other content: it is the only added file of the same name."""


class Deleted:
    """The deleted files of one project, by their path from its root; the newest deletion first.

    A path can exist again. ``is_known`` is False without a history, as in a shallow clone of one
    commit: then nothing is known of the past.
    """

    def __init__(
        self, files: Mapping[str, Deletion] | None = None, *, is_known: bool = False
    ) -> None:
        self.files = files or {}
        self.is_known = is_known

    @cached_property
    def listing(self) -> Listing:
        """The same paths, to look up folders and ends of paths."""
        return Listing(frozenset(self.files))

    def commit_of(self, path: str) -> str:
        """Return the id of the commit that deleted or moved ``path``; '' if none did.

        For a folder, it is the newest commit that deleted or moved a file in it.
        """
        if path in self.files:
            return self.files[path].commit
        start = f"{path}/"
        deletions = self.files.items()  # the newest first
        return next((deletion.commit for file, deletion in deletions if file.startswith(start)), "")

    def moved_to(self, path: str) -> str | None:
        """Return where the file ``path`` was moved to at last, None if it was not moved.

        A file that was moved several times is followed to the last place, through at most
        ``_MOVES`` moves; that place can be deleted, too.
        """
        moves = self._moves(path)
        return moves[-1].moved_to if moves else None

    def is_exact_move(self, path: str) -> bool:
        """Return whether no move of the file ``path`` changed its content; True without a move."""
        return all(move.is_exact for move in self._moves(path))

    def _moves(self, path: str) -> list[Deletion]:
        """Return the moves of the file ``path``, the first one first, at most ``_MOVES``."""
        moves: list[Deletion] = []
        while len(moves) < _MOVES:
            deletion = self.files.get(path)
            if deletion is None or not deletion.moved_to:
                break
            moves.append(deletion)
            path = deletion.moved_to
        return moves


NOTHING = Deleted()


@dataclass
class _Loaded:
    """The history of one project, as it was read."""

    deleted: Deleted
    head: bytes
    """Id of the commit that was the current one; empty without one."""
    checked: float
    """Time of the last look at the current commit (monotonic seconds)."""
    seconds: float
    """How long reading the history took."""


class DeletedFiles:
    """The deleted files of projects, cached until the current commit changes.

    ``on_demand``: :meth:`of` reads the history. Otherwise it returns what :meth:`load` has read,
    because reading takes up to seconds.
    """

    def __init__(self, *, on_demand: bool = True) -> None:
        self._on_demand = on_demand
        self._loaded: dict[Path, _Loaded] = {}

    def of(self, root: Path) -> Deleted:
        """Return the deleted files of ``root``; :data:`NOTHING` if its history was not read.

        That is the case if ``root`` has no git history that can be read, and before :meth:`load` if
        the history is not read on demand.
        """
        loaded = self._loaded.get(root)
        if self._on_demand and not (loaded and _is_fresh(loaded)):
            self.load(root)
            loaded = self._loaded.get(root)
        return loaded.deleted if loaded else NOTHING

    def load(self, root: Path) -> bool:
        """Read the history of ``root`` if its current commit is another one than at the last call.

        Return whether :meth:`of` now has another result. Without a commit, nothing is known.
        """
        started = time.monotonic()
        old = self._loaded.get(root)
        head = _head(root)
        if old and old.head == head:
            old.checked = started
            return False
        deleted = _deleted(root) if head else NOTHING
        now = time.monotonic()
        if now - started >= _SECONDS:
            _log_timeout()
        self._loaded[root] = _Loaded(deleted, head, now, now - started)
        previous = old.deleted if old else NOTHING
        return (deleted.files, deleted.is_known) != (previous.files, previous.is_known)


def _log_timeout() -> None:
    """Log that a part of the history may be unknown; `check` shows it on standard error."""
    import logging  # noqa: PLC0415 -- 5 ms that `check` does not need

    text = "git took longer than %g seconds: some paths that a commit deleted may not be reported"
    logging.getLogger(__name__).warning(text, _SECONDS)


def _is_fresh(loaded: _Loaded) -> bool:
    """Return whether the current commit was read so recently that it need not be read again."""
    # Even with a new commit each time, reading the history takes at most a tenth of the time.
    return time.monotonic() - loaded.checked < max(_FRESH, 10 * loaded.seconds)


def _head(root: Path) -> bytes:
    """Return the id of the current commit; empty without one."""
    if not any(os.path.lexists(folder / ".git") for folder in (root, *root.parents)):
        return b""  # no repository, as in tests and temporary copies: starting git takes 3 ms
    command = ("rev-parse", "--verify", "--quiet", "HEAD^{commit}")  # fails before any commit
    # The output is one id of 40 or 64 digits.
    return git.read_some(root, *command, seconds=_SECONDS, limit=1_000) or b""


def _deleted(root: Path) -> Deleted:
    """Return the deleted and moved files of ``root``, the newest change of each.

    Nothing is known if git fails, or if no commit has a parent. Of a very long history, or one that
    git needs too long for, only the newest part is read.

    Unlike `git log`, the plumbing commands used here run no program of the configuration, such as
    one that verifies signatures. Git reads no content of files, so it finds only the moves of
    unchanged files. Another deleted file was probably moved if its commit adds exactly one file of
    its name.
    """
    given = _commits_with_parents(root)
    options = (
        "--diff-filter=ADR",
        "--find-renames=100%",
        "--name-status",
        "--relative",  # paths from `root`, which may be below the top of the repository
        "-r",
        "-z",
    )
    out = git.read_some(
        root, "diff-tree", "--stdin", *options, given=given, seconds=_SECONDS, limit=_BYTES
    )
    files: dict[str, Deletion] = {}
    for path, deletion in _parsed(out or b""):
        files.setdefault(path, deletion)  # the newest of several
    return Deleted(files, is_known=bool(given) and out is not None)


def _commits_with_parents(root: Path) -> bytes:
    """Return a line "<commit> <parent>" for each commit of the current branch, the newest first.

    Of a merge, it is the first parent. A commit without a parent is left out: it deletes nothing.
    Empty if git fails.
    """
    limit = f"--max-count={_COMMITS}"
    listed = git.read_some(
        *(root, "rev-list", "--first-parent", "--parents", limit, "HEAD"),
        seconds=_SECONDS,
        limit=_BYTES,
    )
    # Each line is "<commit> <parent> ...". A last line without a newline was cut off.
    lines = (listed or b"").rpartition(b"\n")[0].splitlines()
    pairs = [line.split(b" ")[:2] for line in lines]
    return b"".join(b"%b %b\n" % (pair[0], pair[1]) for pair in pairs if len(pair) > 1)


def _parsed(out: bytes) -> Iterator[tuple[str, Deletion]]:
    """Yield (path, deletion) for each file in the output of ``git diff-tree -z``.

    Each commit is followed by the records `A <path>`, `D <path>` and `R100 <old path> <new path>`.
    A deleted file was probably moved if its commit adds exactly one file of its name.
    """
    fields = iter(os.fsdecode(out).split("\0"))
    commit = ""
    deleted: list[str] = []  # paths that `commit` deletes
    added: defaultdict[str, list[str]] = defaultdict(list)  # paths that it adds, by file name
    for field in fields:
        if field == "D":
            deleted.append(next(fields, ""))
        elif field == "A":
            path = next(fields, "")
            added[path.rpartition("/")[2]].append(path)
        elif field.startswith("R"):
            old, new = next(fields, ""), next(fields, "")
            yield old, Deletion(commit, new)
        else:  # the next commit, or '' at the end: all files of the last one are known
            for path in deleted:
                of_same_name = added[path.rpartition("/")[2]]
                moved_to = of_same_name[0] if len(of_same_name) == 1 else None
                yield path, Deletion(commit, moved_to, is_exact=moved_to is None)
            commit = field
            deleted.clear()
            added.clear()
