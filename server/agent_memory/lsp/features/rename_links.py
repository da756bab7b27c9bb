"""The new path of a link after its target was moved."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

from agent_memory.lsp.protocol.convert import real

if TYPE_CHECKING:
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.markdown.links import Link

# Characters that would end the target of a link or change its meaning.
_SPECIAL = re.compile(r"[\s%#?()<>\[\]\\]")  # in [text](target)
_SPECIAL_IN_ANGLES = re.compile(r"[%#?<>\\]")  # in [text](<target>)


class Bases(NamedTuple):
    """The folders that a link can begin with: "~/" is the home folder, "/" may be the root."""

    home: Path
    root: Path  # of the project


class PathMove(NamedTuple):
    """The move of a file or folder."""

    old: Path
    new: Path


def relinked(file: MemoryFile, link: Link, target: Path, bases: Bases, move: PathMove) -> str:
    """Return the path of ``link`` of ``file`` to ``target`` after ``move``.

    ``target``, to which the link leads now, is the old path of the move or a path below it. A
    rename in the same folder replaces only the changed name, if the link contains it. In all other
    cases the path is a new one: see :func:`_path_after_move`. A slash at the end stays.
    """
    old, new = move
    # The last parts of the link are the path from `old` to the target: none if it is `old` itself.
    count_below = len(real(target).relative_to(real(old)).parts)
    parts = link.path.rstrip("/").split("/")
    to_old, below_old = parts[: len(parts) - count_below], parts[len(parts) - count_below :]
    is_rename_in_folder = new.parent == old.parent
    # A link through a symlink may not contain the old name.
    if is_rename_in_folder and to_old and unquote(to_old[-1]) == old.name:
        path = "/".join([*to_old[:-1], _encoded(new.name, file, link), *below_old])
    else:
        path = _encoded(_path_after_move(file.path, target, bases, move, link.path), file, link)
    return path + "/" if link.path.endswith("/") else path


def _path_after_move(source: Path, target: Path, bases: Bases, move: PathMove, written: str) -> str:
    """Return the path to ``target`` after the move, with slashes and not URL-encoded.

    If the path ``written`` in the link begins with ``~`` or the ``/`` of the root, so does the
    result, unless the target is no longer below that folder of ``bases``. If it begins with the
    ``/`` of the disk, or the target is on another drive, the result is absolute. In all other cases
    it is relative to the file ``source``.
    """
    old, new = move
    home, root = bases
    new_target = new / real(target).relative_to(real(old))
    folder = source.parent
    # A link through a symlink does not begin with `old`: its path is relative to the real folder.
    if not Path(os.path.normpath(target)).is_relative_to(old):
        new_target, folder, root = real(new_target), real(folder), real(root)
    if written.startswith("~/") and new_target.is_relative_to(home):
        return f"~/{new_target.relative_to(home).as_posix()}"
    if unquote(written).startswith("/"):
        if Path(unquote(written)) == target:  # the "/" of the disk
            return new_target.as_posix()
        # The "/" of the root.
        if new_target.is_relative_to(root):
            return f"/{new_target.relative_to(root).as_posix()}"
    try:
        relative = Path(os.path.relpath(new_target, folder)).as_posix()
    except ValueError:  # on another drive
        return new_target.as_posix()
    if written.startswith("./") and not relative.startswith("../"):
        return f"./{relative}"  # as written before; "./../a" would be odd
    return relative


def _encoded(path: str, file: MemoryFile, link: Link) -> str:
    """Return ``path`` with the characters URL-encoded that would end ``link`` or change it.

    They depend on the character before the link in ``file``: "<" of ``[text](<target>)``, or "@" of
    an import, whose path is not a URL and stays as it is.
    """
    character_before = file.lines[link.line][link.start - 1]
    if character_before == "@":
        return path
    special = _SPECIAL_IN_ANGLES if character_before == "<" else _SPECIAL
    return special.sub(lambda match: quote(match[0]), path)
