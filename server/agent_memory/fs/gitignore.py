"""Which paths git would not keep: .gitignore patterns and submodules, read without running git.

A repository can make git run programs of its choice, so a project that was only opened is
never asked through git.
"""

from __future__ import annotations

import re
from fnmatch import translate
from functools import cached_property
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SUBMODULE = re.compile(r"^\s*path\s*=\s*(.+?)\s*$", re.MULTILINE)


class Ignored:
    """What git leaves out below ``root``. Files that cannot be read leave nothing out."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._rules: dict[str, list[tuple[re.Pattern[str], bool, bool]]] = {}

    def covers(self, path: str) -> bool:
        """Whether ``path`` (with slashes, from the root; it need not exist) is left out."""
        parts = PurePosixPath(path).parts
        inside = ("/".join(parts[:end]) for end in range(1, len(parts) + 1))
        return any(
            head in self.submodules or self._matches(head, folder=head != path) for head in inside
        )

    @cached_property
    def submodules(self) -> frozenset[str]:
        """The folders that other repositories are checked out into."""
        return frozenset(_SUBMODULE.findall(_read(self.root / ".gitmodules")))

    def _matches(self, path: str, *, folder: bool) -> bool:
        verdict = False
        for base in _bases(path):
            rest = path[len(base) :].lstrip("/")
            for pattern, negated, only_folders in self._patterns(base):
                if (folder or not only_folders) and pattern.match(rest):
                    verdict = not negated
        return verdict

    def _patterns(self, base: str) -> list[tuple[re.Pattern[str], bool, bool]]:
        known = self._rules.get(base)
        if known is None:
            text = _read(self.root / base / ".gitignore")
            known = self._rules[base] = [
                _compiled(line) for line in text.splitlines() if line.strip() and line[0] != "#"
            ]
        return known


def _bases(path: str) -> Iterator[str]:
    """Yield the folders whose .gitignore speaks about ``path``, the root's ('') first."""
    yield ""
    parts = path.split("/")
    for end in range(1, len(parts)):
        yield "/".join(parts[:end])


def _compiled(line: str) -> tuple[re.Pattern[str], bool, bool]:
    """Return (pattern for a path below the file's folder, negated, only for folders)."""
    text = line.rstrip()
    negated = text.startswith("!")
    text = text[1:] if negated else text
    only_folders = text.endswith("/")
    text = text.rstrip("/")
    anchored = "/" in text
    text = text.lstrip("/")
    pieces = [
        ".*" if part == "**" else translate(part)[4:-3].replace(".*", "[^/]*")
        for part in text.split("/")
    ]
    body = "/".join(pieces).replace(".*/", "(?:.*/)?")
    return re.compile(("" if anchored else "(?:.*/)?") + body + r"\Z"), negated, only_folders


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")[:100_000]
    except OSError:
        return ""
