"""Which files a check looks at: given paths, folders walked, files changed since a revision."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.cli import options
from agent_memory.runtimes.classify import role_of
from agent_memory.runtimes.selection import choose

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_memory.config.context import Context

SKIPPED = frozenset(
    {
        *(".git", ".hg", ".svn", ".jj"),
        *("node_modules", "bower_components", "vendor", "site-packages"),
        *(".venv", "venv", ".tox", ".nox", "__pycache__", ".mypy_cache", ".ruff_cache"),
        *(".pytest_cache", ".cache", ".direnv", ".idea", ".gradle", ".terraform"),
    }
)
"""Folders a walk does not enter: version control, installed packages, caches."""


def given(ctx: Context, paths: Sequence[Path], runtime_id: str | None) -> list[Path]:
    """Return the files that ``paths`` mean, relative ones seen from the context's folder.

    A folder means every memory file below it. A file is given back by the path the runtime
    knows it by, where only symlinked folders differ.

    Raises:
        UsageError: a path does not exist; the message names it.

    """
    found: list[Path] = []
    for path in paths:
        full = Path(os.path.abspath(ctx.cwd / path.expanduser()))  # noqa: PTH100 -- keeps symlinks
        if not os.path.lexists(full):
            raise UsageError(f"{path}: there is no such file or folder")
        found += walk(full) if _is_folder(full) and not _is_misplaced(full) else [full]
    return as_known(ctx, found, runtime_id)


def as_known(ctx: Context, paths: Sequence[Path], runtime_id: str | None) -> list[Path]:
    """Return ``paths`` as the runtime writes them, where they are its own."""
    ctx, choice = choose(ctx, runtime_id)
    known = {source.path for source in choice.runtime.sources(ctx)}
    real: dict[Path, Path] = {}

    def one(path: Path) -> Path:
        if path in known:
            return path
        folder = real.get(path.parent)
        if folder is None:
            folder = real[path.parent] = path.parent.resolve()
        return folder / path.name if folder / path.name in known else path

    return list(dict.fromkeys(map(one, paths)))


def walk(folder: Path) -> Iterator[Path]:
    """Yield the memory files below ``folder``, sorted, without entering :data:`SKIPPED`.

    Symlinked folders are not entered. A folder that may not be read is named on standard error.
    """
    try:
        with os.scandir(folder) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
    except OSError as error:
        options.complain(f"{folder}: cannot be read: {error.strerror}")
        return
    for entry in entries:
        path = Path(entry.path)
        if entry.is_dir(follow_symlinks=False) and not _is_misplaced(path):
            if entry.name not in SKIPPED:
                yield from walk(path)
        elif role_of(path) and not (entry.is_symlink() and _is_folder(path)):
            yield path


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path)  # noqa: PTH112 -- Path.is_dir raises in a symlink loop


def _is_misplaced(folder: Path) -> bool:
    """Whether a folder stands where a memory file belongs: that is a finding."""
    return folder.name in ("agent.md", "AGENTS.md", "SKILL.md")


def changed_since(ctx: Context, revision: str, paths: Sequence[Path]) -> list[Path]:
    """Return which of ``paths`` differ from ``revision`` in the working tree, or are new.

    Raises:
        UsageError: git is missing, this is no repository, or there is no such revision.

    """
    from agent_memory.fs.git_revision import Revision  # noqa: PLC0415 -- seldom needed

    try:
        return Revision(ctx.cwd, revision).changed(paths)
    except UsageError as why:
        raise UsageError(f"--changed-since: {why}") from why
