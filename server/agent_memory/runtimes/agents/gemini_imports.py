"""Imports of Gemini CLI: `@path` is replaced by the file between two comments."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from agent_memory.base.model import Segment
from agent_memory.config.project_root import find_root, has_git
from agent_memory.fs.reader import Failure
from agent_memory.runtimes.agents.javascript import decoded
from agent_memory.runtimes.segments import line_breaks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_memory.config.context import Context

MAX_DEPTH = 5
_CODE = re.compile(r"(`+)(.*?)\1", re.DOTALL)
_IMPORT = re.compile(r"(?<![^ \t\n\r])@([./A-Za-z][^ \t\n\r]*)")
_ADDRESS = re.compile(r"(?:file|https?)://")
_ERRORS = {
    Failure.MISSING: "ENOENT: no such file or directory, access '{}'",
    Failure.DENIED: "EACCES: permission denied, access '{}'",
    Failure.LOOP: "ELOOP: too many symbolic links encountered, access '{}'",
    Failure.DIRECTORY: "EISDIR: illegal operation on a directory, read",
}
"""What Node says about a file that cannot be read."""


@dataclass
class Expander:
    """Expands the files of one prompt. ``texts`` are the comments around imports.

    ``notes`` has what became of each import, by its path and its importer: '' for imported.
    """

    ctx: Context
    texts: Mapping[str, str]
    notes: dict[tuple[Path, Path], str] = field(default_factory=dict)

    def file(self, path: Path, kind: str) -> list[Segment]:
        """Return the text of ``path`` with its imports."""
        root = find_root(path.parent, has_git) or path.parent
        return self._expand(path, kind, Path(os.path.realpath(root)), ())

    def _expand(self, path: Path, kind: str, root: Path, seen: tuple[Path, ...]) -> list[Segment]:
        text = decoded(self.ctx.store.read(path))
        if "@" not in text or len(seen) >= MAX_DEPTH:
            return [Segment(text, kind, path)]
        code = [match.span() for match in _CODE.finditer(text)]
        out: list[Segment] = []
        at = 0
        for match in _IMPORT.finditer(text):
            if any(start <= match.start() < end for start, end in code):
                continue
            out.append(Segment(text[at : match.start()], kind, path, line_breaks(text[:at])))
            out += self._import(path, match[1], kind, root, seen)
            at = match.end()
        return [*out, Segment(text[at:], kind, path, line_breaks(text[:at]))]

    def _import(
        self, path: Path, name: str, kind: str, root: Path, seen: tuple[Path, ...]
    ) -> list[Segment]:
        texts, target = self.texts, Path(os.path.normpath(path.parent / name))
        if not _is_inside(target, name, root):
            self.notes.setdefault((target, path), "outside")
            return [Segment(f"{texts['failed']}{name}{texts['outside_end']}")]
        if target in seen:
            return [Segment(f"{texts['again']}{name}{texts['again_end']}")]
        failure = self.ctx.store.read(target).failure
        if failure and failure is not Failure.UNDECODABLE:
            error = _ERRORS.get(failure, "{}").format(target)
            self.notes.setdefault((target, path), error)
            return [Segment(f"{texts['failed']}{name}{texts['dash']}{error}{texts['failed_end']}")]
        self.notes.setdefault((target, path), "")
        return [
            Segment(f"{texts['open']}{name}{texts['open_end']}"),
            *self._expand(target, kind, root, (*seen, target)),
            Segment(f"{texts['close']}{name}{texts['close_end']}"),
        ]


def _is_inside(target: Path, name: str, root: Path) -> bool:
    """Whether the real ``target`` is in ``root``, and ``name`` is no address."""
    if _ADDRESS.match(name):
        return False
    return Path(os.path.realpath(unquote(str(target)))).is_relative_to(root)
