"""The files of a git revision: the earlier content of memory files."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.fs import git
from agent_memory.fs.reader import Failure, read_file
from agent_memory.l10n import t

if TYPE_CHECKING:
    from collections.abc import Sequence

_LINK = "120000"  # git's mode of a symlink, octal
_ESCAPING = frozenset({"", "..", ".git"})
"""Path components that would lead out of the working tree (path traversal) or to git's own data."""


@dataclass(frozen=True, slots=True)
class Blob:
    """A file of a revision; ``path`` is relative to the top of the repository, with ``/``.

    ``mode`` is git's in octal, ``sha`` the name of the object with the content.
    """

    mode: str
    sha: str
    path: str

    @property
    def is_link(self) -> bool:
        """Whether it is a symlink; its content is then the path of its target."""
        return self.mode == _LINK


class Revision:
    """The revision ``name`` of the repository that contains ``folder``.

    ``top`` is the folder of its working tree, without symlinks.

    Raises:
        UsageError: git is not installed, or there is no repository or no such revision.

    """

    def __init__(self, folder: Path, name: str = "HEAD") -> None:
        top = os.fsdecode(git.run(folder, "rev-parse", "--show-toplevel"))
        self.top = Path(top.removesuffix("\n")).resolve()
        command = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        try:
            self.commit = git.run(self.top, *command).decode().strip()
        except UsageError as error:
            why = (
                t("there is no git commit yet")
                if name == "HEAD"
                else t("unknown git revision '{0}'", name)
            )
            raise UsageError(f"{self.top}: {why}") from error

    @cached_property
    def blobs(self) -> dict[str, Blob]:
        """Every file and symlink, by its path, without submodules and ``_ESCAPING`` paths."""
        out = git.run(self.top, "ls-tree", "-r", "-z", "--full-tree", self.commit)
        blobs = {}
        for record in os.fsdecode(out).split("\0")[:-1]:  # "<mode> <type> <sha>\t<path>"
            head, _, path = record.partition("\t")
            mode, kind, sha = head.split(" ")
            # "commit" is a submodule; "tree" is not listed, because of -r.
            if kind == "blob" and not _ESCAPING.intersection(path.split("/")):
                blobs[path] = Blob(mode, sha, path)
        return blobs

    def contents(self, blobs: Sequence[Blob]) -> list[bytes]:
        """Return the bytes of each of ``blobs``, as git stores them.

        Raises:
            UsageError: git does not have the content of one of them.

        """
        shas = "".join(f"{blob.sha}\n" for blob in blobs).encode()
        out = git.run(self.top, "cat-file", "--batch", given=shas)
        contents, start = [], 0
        for blob in blobs:  # for each: "<sha> <type> <size>", a newline, the content, a newline
            end_of_head = out.index(b"\n", start)
            head = out[start:end_of_head].split(b" ")
            if len(head) != 3:  # "<sha> missing"
                raise UsageError(
                    t(
                        "{0}: git does not have the content of {1} at this revision, because the "
                        "clone is partial or damaged. Run `git fsck`, or fetch the revision again",
                        self.top,
                        blob.path,
                    )
                )
            first_byte, size = end_of_head + 1, int(head[2])
            contents.append(out[first_byte : first_byte + size])
            start = first_byte + size + 1
        return contents

    def relative_path(self, path: Path) -> str | None:
        """Return ``path`` relative to the top of the repository; None if it is outside.

        A symlink itself is located, not its target.
        """
        real = path.parent.resolve() / path.name
        return real.relative_to(self.top).as_posix() if real.is_relative_to(self.top) else None

    def changed(self, paths: Sequence[Path]) -> list[Path]:
        """Return those of ``paths`` that differ from this revision, or are new and not ignored.

        A file outside of the repository does not differ. A file that was deleted or cannot be read
        differs, even if it is empty in the revision. A symlink also counts as changed if its target
        does. The bytes are compared by their hash. A newline that git converts makes no difference.
        A file that a git filter rewrites counts as changed.
        """
        out = git.run(self.top, "ls-files", "--cached", "--others", "--exclude-standard", "-z")
        listed = set(os.fsdecode(out).split("\0"))  # all files that git does not ignore

        def differs(path: Path) -> bool:
            """Whether ``path`` is new, or has another content than in the revision.

            False if it is outside of the repository.
            """
            name = self.relative_path(path)
            if name is None:
                return False
            blob = self.blobs.get(name)
            if blob is None:  # new, unless git ignores it
                return name in listed
            return not _has_content_of(path, blob)

        return [path for path in paths if differs(path) or differs(path.resolve())]


def _has_content_of(path: Path, blob: Blob) -> bool:
    """Whether ``path`` has the content of ``blob``, apart from CRLF for LF.

    A symlink must be one in the revision too, with the same target.
    """
    if path.is_symlink():
        return blob.is_link and _object_name(os.fsencode(path.readlink()), blob.sha) == blob.sha
    content = read_file(path)
    if content.failure not in (None, Failure.UNDECODABLE):  # missing, or not a file that is read
        return False
    raw = content.raw or content.text.encode()  # only a file that is not UTF-8 has `raw`
    return blob.sha in (
        _object_name(raw, blob.sha),
        _object_name(raw.replace(b"\r\n", b"\n"), blob.sha),
    )


def _object_name(raw: bytes, like: str) -> str:
    """Return git's object name of ``raw``, with the algorithm of the name ``like``."""
    algorithm = hashlib.sha256 if len(like) == 64 else hashlib.sha1  # 64 or 40 digits
    return algorithm(b"blob %d\0" % len(raw) + raw, usedforsecurity=False).hexdigest()
