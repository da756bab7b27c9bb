"""The folders that may be written to, and whether a path stays inside them.

A repository can contain symlinks, so a path in a project can lead to any file of the user. Every
write therefore names the folders it may change, and :mod:`agent_memory.fs.folder` opens them so
that no symlink is followed after this check.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from agent_memory.base.errors import UsageError
from agent_memory.l10n import t

_GIT = ".git"
_ATTEMPTS = 100
"""Attempts to resolve a path while another program replaces its links."""


def real_path(path: Path) -> Path:
    """Return ``path`` without symlinks; unchanged if it cannot be resolved."""
    for _ in range(_ATTEMPTS):
        try:
            return Path(os.path.realpath(path))
        except OSError:  # a link was replaced while it was followed
            continue
        except ValueError:  # a NUL in the name
            break
    return path


class OutsideError(UsageError):
    """A path that may not be written to; the message has the reason and the next step."""


@dataclass(frozen=True, slots=True)
class WriteRoot:
    """A folder: its ``named`` path, as others write it, and its ``real`` path without symlinks.

    ``user``: it is one of the user's own, not of a project.
    """

    named: Path
    real: Path
    user: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """The real path of a file, and the folder ``root`` above it that may be written to.

    ``linked``: a symlink below the root leads to it, or the root is a dangling one, so no folder
    may be created for it.
    """

    path: Path
    root: Path
    linked: bool


@dataclass(frozen=True, slots=True)
class WriteRoots:
    """The folders that may be written to.

    A file must stay in the innermost root that contains its path; from a folder of the user,
    symlinks may also lead to another folder of the user. ``allowed`` are real files or folders that
    every symlink may lead to.
    """

    roots: tuple[WriteRoot, ...]
    allowed: tuple[Path, ...] = ()

    def place(self, path: Path) -> Place:
        """Return where a write to ``path`` would go; symlinks are followed.

        Raises:
            OutsideError: that is outside of the folders or in the data of git, or ``path`` contains
                a NUL.

        """
        named = Path(os.path.abspath(path))  # noqa: PTH100 -- keeps symlinks
        if "\0" in str(path):
            raise OutsideError(t("The path contains a NUL character, so nothing was written"))
        root_and_path = self._root_of(named)
        if root_and_path is None:
            raise OutsideError(_outside(path))
        root, below = root_and_path  # `below`: the path from the root on
        real = real_path(named)
        container = self._container_of(real, root)
        if container is None:
            is_in_other = any(real.is_relative_to(other.real) for other in self.roots)
            left = root.named if is_in_other else None
            raise OutsideError(_leads_outside(path, real, left))
        if _GIT in (part.lower() for part in real.relative_to(container).parts):
            raise OutsideError(_leads_to_git(path, real))
        root_is_dangling = os.path.islink(root.named) and not root.real.is_dir()  # noqa: PTH114 -- may raise
        linked = root_is_dangling or real != root.real / below
        # An allowed path can be the file itself; its root is then the folder.
        return Place(real, container.parent if real == container else container, linked)

    def check(self, path: Path) -> None:
        """Raise an error unless ``path`` may be written to.

        Raises:
            OutsideError: as for :meth:`place`, or a symlink leads to a missing folder.

        """
        place = self.place(path)
        if place.linked and not place.path.parent.is_dir():
            raise OutsideError(dangling(path, place))

    def refusal(self, path: Path) -> str:
        """Return why ``path`` may not be written to, '' if it may."""
        try:
            self.check(path)
        except OutsideError as why:
            return str(why)
        return ""

    def leaves(self, path: Path) -> bool:
        """Whether ``path`` is in one of the folders, and a symlink leads out of all of them.

        The ``allowed`` paths count as inside. A symlink from one of the folders to any other one
        does not lead out, while :meth:`place` refuses one from a project to a folder of the user.
        """
        named = Path(os.path.abspath(path))  # noqa: PTH100 -- keeps symlinks
        real = real_path(named)
        if self._root_of(named) is None:
            return False
        bases = (*(root.real for root in self.roots), *self.allowed)
        return not any(real.is_relative_to(base) for base in bases)

    def including(self, folder: Path) -> WriteRoots:
        """Return the roots with ``folder``, which the user has named, as one more.

        A folder inside a root is not added: its symlinks may be those of a repository.
        """
        named = Path(os.path.abspath(folder))  # noqa: PTH100 -- keeps symlinks
        if self._root_of(named):  # it may be written to already
            return self
        root = WriteRoot(named, real_path(named))
        return replace(self, roots=(*self.roots, root))

    def _container_of(self, real: Path, root: WriteRoot) -> Path | None:
        """Return the folder or allowed path that contains ``real``, if ``root`` may lead there.

        None if no symlink in ``root`` may lead to ``real``. From a folder of the user, a symlink
        may lead to any other one; from a project, it may not.
        """
        others = (other.real for other in self.roots if other.user and root.user)
        containers = (root.real, *others, *self.allowed)
        return next((path for path in containers if real.is_relative_to(path)), None)

    def _root_of(self, named: Path) -> tuple[WriteRoot, Path] | None:
        """Return the innermost root of the absolute path ``named``, and the path relative to it.

        None if the path is in no root.
        """
        innermost: tuple[WriteRoot, Path] | None = None
        depth = 0  # of the innermost root
        for root in self.roots:
            for base in (root.named, root.real):
                if named.is_relative_to(base) and len(base.parts) > depth:
                    depth = len(base.parts)
                    innermost = (root, named.relative_to(base))
        return innermost


def inside(folder: Path) -> WriteRoots:
    """Return ``folder``, which the user has named, as the only folder that may be written to."""
    return WriteRoots(()).including(folder)


def _outside(path: Path) -> str:
    """Return the message for a path that is in none of the folders."""
    return t(
        "{0} is outside of the project and of your memory folders, so it was not changed. Add its "
        "folder to `writeFolders` in your own settings to allow it",
        path,
    )


def _leads_outside(path: Path, real: Path, left: Path | None) -> str:
    """Return the message for a path that symlinks lead to the forbidden path ``real``.

    ``left`` is the root of ``path`` if ``real`` is in another one, such as the project, else None.
    """
    if left:
        return t(
            "{0} leads to {1}, outside of {2}, so nothing was written. Replace the link with a "
            "file, or add the folder it leads to to `writeFolders` in your own settings",
            path,
            real,
            left,
        )
    return t(
        "{0} leads to {1}, outside of the project, so nothing was written. Replace the link with a "
        "file, or add the folder it leads to to `writeFolders` in your own settings",
        path,
        real,
    )


def _leads_to_git(path: Path, real: Path) -> str:
    """Return the message for a path that leads to ``real``, a file of git."""
    return t(
        "{0} leads to {1}, which belongs to git, so nothing was written. Replace the link with a "
        "file",
        path,
        real,
    )


def dangling(path: Path, place: Place) -> str:
    """Return the message for a link to a file whose folder does not exist."""
    return t(
        "{0} leads to {1}, whose folder does not exist, so nothing was written. Create the "
        "folder, or remove the link",
        path,
        place.path,
    )
