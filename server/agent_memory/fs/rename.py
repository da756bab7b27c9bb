"""Rename and remove files that may be written to; symlinks themselves, not their targets."""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.fs.folder import Folder, opened
from agent_memory.fs.lock import WAIT_SECONDS, locked
from agent_memory.fs.write_errors import not_written
from agent_memory.l10n import t

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.fs.write_roots import WriteRoots


def remove(path: Path, roots: WriteRoots, *, wait: float = WAIT_SECONDS) -> bool:
    """Remove the file ``path`` under its folder's lock; return whether it existed.

    A symlink itself is removed, not its target. ``wait`` is the timeout for the lock, in seconds.

    Raises:
        UsageError: it is not in ``roots``, another program holds the lock for longer than ``wait``,
            or the file exists and cannot be removed.

    """
    try:
        with opened(path, roots, follow=False) as (folder, name), locked(folder, wait):
            folder.unlink(name)
            folder.sync()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise not_written(path, error, follow=False) from error
    return True


def rename(old: Path, new: Path, roots: WriteRoots, *, replace: bool = False) -> None:
    """Rename ``old`` to ``new``, whose folder is created if it is missing.

    A symlink itself is renamed, not its target. ``replace``: an existing ``new`` is replaced.

    Raises:
        UsageError: a path is not in ``roots``, ``new`` is another file (unless ``replace``), or
            ``old`` cannot be renamed, also because it is missing.

    """
    with ExitStack() as stack:
        folder, name = _entered(stack, old, roots)
        to, new_name = _entered(stack, new, roots, create=True)
        try:
            if not replace and to.has(new_name) and not _is_one_file(folder, name, to, new_name):
                message = t("{0} was not renamed: {1} already exists. Move it first", old, new_name)
                raise UsageError(message)
            folder.replace(name, new_name, to)
            to.sync()
        except OSError as error:
            raise not_written(old, error, follow=False) from error


def _entered(
    stack: ExitStack, path: Path, roots: WriteRoots, *, create: bool = False
) -> tuple[Folder, str]:
    """Return what :func:`opened` yields for ``path`` itself; ``stack`` closes the folder.

    Raises:
        UsageError: it is not in ``roots``, or its folder cannot be opened or created.

    """
    try:
        return stack.enter_context(opened(path, roots, create=create, follow=False))
    except OSError as error:
        raise not_written(path, error, follow=False) from error


def _is_one_file(folder: Folder, name: str, to: Folder, new_name: str) -> bool:
    """Whether both names are one file, such as ``a.md`` and ``A.md`` where case is ignored."""
    return os.path.samestat(folder.stat(name), to.stat(new_name))
