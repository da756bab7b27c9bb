"""Selects the files of a check: given paths, folders, files changed since a revision."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.base.failures import log_failure
from agent_memory.cli import options
from agent_memory.fs.reader import Failure, failure_of
from agent_memory.runtimes.classify import role_of
from agent_memory.runtimes.known_files import COPIES, DATED, TEST_DATA
from agent_memory.runtimes.selection import choose

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agent_memory.config.context import Context

SKIPPED = frozenset(
    {
        *(".git", ".hg", ".svn", ".jj"),
        ".trash",  # of learned entries
        *("node_modules", "bower_components", "vendor", "site-packages"),
        *(".venv", "venv", ".tox", ".nox", "__pycache__", ".mypy_cache", ".ruff_cache"),
        *(".pytest_cache", ".cache", ".direnv", ".idea", ".gradle", ".terraform"),
    }
)
"""Folders that are not searched: version control, removed entries, installed packages, caches."""


def given(ctx: Context, paths: Sequence[Path], runtime_id: str | None) -> list[Path]:
    """Return the files of ``paths``; relative paths start at the context's folder.

    A folder stands for every memory file below it. A folder with the name of a memory file, such as
    ``AGENTS.md``, is returned itself: a rule reports it. If a path differs from the runtime's only
    by symlinked folders, the runtime's path is returned. ``runtime_id`` None: the runtime of the
    settings, else a detected one.

    Raises:
        UsageError: a path does not exist, or a folder above it may not be searched; the message
            names the path.

    """
    files: list[Path] = []
    for path in paths:
        full = Path(os.path.abspath(ctx.cwd / path.expanduser()))  # noqa: PTH100 -- keeps symlinks
        _ensure_exists(path, full)
        if _is_folder(full) and not _is_misplaced(full):
            files += _without_duplicate_links(walk(full))
        else:
            files.append(full)
    return in_runtime_spelling(ctx, files, runtime_id)


def _ensure_exists(path: Path, full: Path) -> None:
    """Raise ``UsageError`` about ``path`` as the user wrote it, unless ``full`` exists."""
    try:
        full.lstat()
    except (OSError, ValueError) as error:
        failure = failure_of(error)
        if failure is Failure.MISSING:
            raise UsageError(f"{path} does not exist") from error
        raise UsageError(f"{path} cannot be read: {failure.words}") from error


def _without_duplicate_links(paths: Iterable[Path]) -> list[Path]:
    """Return ``paths`` without symlinks to others of them: they would have the same findings."""
    files = list(paths)
    not_links = {path for path in files if not path.is_symlink()}

    def is_duplicate(path: Path) -> bool:
        """Whether ``path`` is a symlink to one of ``not_links``."""
        return path not in not_links and Path(os.path.realpath(path)) in not_links

    return [path for path in files if not is_duplicate(path)]


def in_runtime_spelling(ctx: Context, paths: Sequence[Path], runtime_id: str | None) -> list[Path]:
    """Return each of ``paths`` once; files of the runtime as the runtime spells their paths.

    The two spellings differ if a folder is a symlink. If the runtime's files cannot be listed,
    ``paths`` keep their spelling: the check reports the failure.

    Raises:
        UsageError: the runtime or agent is not valid.

    """
    ctx, choice = choose(ctx, runtime_id)
    try:
        runtime_paths = {source.path for source in choice.runtime.sources(ctx)}
    except UsageError:
        raise  # a mistake of the user, not a failure of the runtime's code
    except Exception as error:  # noqa: BLE001 -- the check reports it on a file
        log_failure(error, choice.runtime.id)
        runtime_paths = set()
    real_folders: dict[Path, Path] = {}  # a cache: most paths are in few folders

    def runtime_path(path: Path) -> Path:
        """Return ``path`` as the runtime spells it; the path of any other file is unchanged."""
        if path in runtime_paths:
            return path
        folder = real_folders.get(path.parent)
        if folder is None:
            folder = real_folders[path.parent] = path.parent.resolve()
        in_real_folder = folder / path.name
        return in_real_folder if in_real_folder in runtime_paths else path

    return list(dict.fromkeys(map(runtime_path, paths)))


def walk(folder: Path) -> Iterator[Path]:
    """Yield the memory files below ``folder``, sorted by name in each folder.

    Not searched are symlinked folders and those with a name of :data:`SKIPPED`, :data:`TEST_DATA`,
    :data:`COPIES` (next to ``.git``) or :data:`DATED` (not directly in ``folder``). A folder with
    the name of a memory file is yielded like a file. An unreadable folder is reported on standard
    error.
    """
    # A stack, whose last item comes next; no recursion, because folders can be nested deeply.
    pending = _reversed_contents(folder)
    while pending:
        item = pending.pop()
        path = Path(item.path)
        if item.is_dir(follow_symlinks=False) and not _is_misplaced(path):
            if not _is_left_out(path, folder):
                pending += _reversed_contents(path)
            continue
        is_link_to_folder = item.is_symlink() and _is_folder(path)
        if role_of(path) and not is_link_to_folder:
            yield path


def _is_left_out(folder: Path, given: Path) -> bool:
    """Whether the files in ``folder`` are not memory of the project, such as test data.

    ``given`` is the folder that the user named. Dated copies directly in it are not left out.
    """
    name = folder.name
    if name in SKIPPED or TEST_DATA.fullmatch(name):
        return True
    if folder.parent != given and DATED.fullmatch(f"{folder.parent.name}/{name}"):
        return True
    # `archive` contains old files only at the root of a repository; deeper it may be anything.
    is_named_as_copies = COPIES.fullmatch(name) is not None
    return is_named_as_copies and os.path.lexists(folder.parent / ".git")


def _reversed_contents(folder: Path) -> list[os.DirEntry[str]]:
    """Return the items in ``folder`` from the last to the first name, for a stack.

    [] if the folder cannot be read, which is reported on standard error.
    """
    try:
        with os.scandir(folder) as scan:
            return sorted(scan, key=lambda item: item.name, reverse=True)
    except OSError as error:
        options.complain(f"cannot read {folder}: {error.strerror}")
        return []


def _is_folder(path: Path) -> bool:
    """Whether ``path`` is a folder or a symlink to one."""
    return os.path.isdir(path)  # noqa: PTH112 -- Path.is_dir raises without permission


def _is_misplaced(folder: Path) -> bool:
    """Whether ``folder`` has the name of a memory file or skill, which a rule reports."""
    return folder.name in ("agent.md", "AGENTS.md", "SKILL.md")


def changed_since(ctx: Context, revision: str, paths: Sequence[Path]) -> list[Path]:
    """Return those of ``paths`` that differ from ``revision`` in the working tree or are new.

    Raises:
        UsageError: git is missing, this is not a repository, or the revision is unknown.

    """
    from agent_memory.fs.git_revision import Revision  # noqa: PLC0415 -- rarely needed

    try:
        return Revision(ctx.cwd, revision).changed(paths)
    except UsageError as why:
        raise UsageError(f"--changed-since: {why}") from why
