"""Imports of Copilot CLI: the file follows its `@path` in an element of its own."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.model import Segment
from agent_memory.base.text import BOM
from agent_memory.fs.reader import Failure
from agent_memory.runtimes.agents.javascript import decoded
from agent_memory.runtimes.segments import line_breaks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.config.context import Context

MAX_DEPTH = 8
"""Imports in a row that are followed."""
_IMPORT = re.compile(r"(?<![\w%+\-.`])@([^\s\"'<>`]+)")
"""`@path`, unless it is a part of an address such as ``name@host``, or follows a backtick."""
_TRAILING = "!,.:;?)]}"
"""Characters at the end of a path that belong to the sentence around it."""
_FENCES = ("```", "~~~")


def text_of(ctx: Context, path: Path, kind: str, root: Path | None) -> list[Segment]:
    """Return the text of ``path`` with its imports, as segments of the ``kind``.

    Imports must be below ``root``; if it is None, no import is followed.
    """
    return CopilotExpander(ctx, root).expand_file(path, kind)


@dataclass
class CopilotExpander:
    """Expands one file. Imports must be in the folder ``root``; each is sent once.

    ``root`` None: imports are not followed. ``imported`` are the files that were.
    """

    ctx: Context
    root: Path | None
    imported: list[Path] = field(default_factory=list)
    _seen: set[Path] = field(default_factory=set)

    def expand_file(self, path: Path, kind: str) -> list[Segment]:
        """Return the text of ``path`` with its imports, as segments of the ``kind``."""
        self._seen.add(path)
        text = decoded(self.ctx.store.read(path)).removeprefix(BOM)
        return list(self._expand(path, kind, text, 0))

    def _expand(self, path: Path, kind: str, text: str, depth: int) -> Iterator[Segment]:
        """Yield ``text`` of the file ``path``, each imported file after its `@path`.

        ``depth`` is the number of imports that lead to ``path``.
        """
        piece_start = 0  # offset of the text that was not yielded yet
        if self.root and depth < MAX_DEPTH and "@" in text:
            for start, name in _imports(text):
                target = self._target(path, name)
                if target is None:
                    continue
                end = start + len("@") + len(name)
                yield Segment(text[piece_start:end], kind, path, line_breaks(text[:piece_start]))
                yield from self._import(target, kind, depth)
                piece_start = end
        yield Segment(text[piece_start:], kind, path, line_breaks(text[:piece_start]))

    def _target(self, path: Path, name: str) -> Path | None:
        """Return the file that ``@name`` in ``path`` imports, None if nothing is imported.

        The file must be readable and below the root. A name that has neither a dot nor a slash is a
        person or a package, not a file.
        """
        looks_like_file = "." in name or "/" in name
        if not looks_like_file or name.startswith(("/", "~")):
            return None
        target = Path(os.path.normpath(path.parent / name))
        root = self.root or path.parent  # the second is only for the type: the caller has a root
        if not target.is_relative_to(root):
            return None
        failure = self.ctx.store.read(target).failure
        is_readable = failure in (None, Failure.UNDECODABLE)  # invalid bytes are replaced
        return target if is_readable else None

    def _import(self, target: Path, kind: str, depth: int) -> Iterator[Segment]:
        """Yield the XML element with the imported file ``target``, an empty one the second time."""
        head = f'\n\n<imported_custom_instruction source="{target}"'
        if target in self._seen:
            yield Segment(f'{head} skipped="already-loaded" />')
            return
        self._seen.add(target)
        self.imported.append(target)
        text = decoded(self.ctx.store.read(target)).removeprefix(BOM).rstrip()
        yield Segment(f"{head}>\n")
        yield from self._expand(target, kind, text, depth + 1)
        yield Segment("\n</imported_custom_instruction>")


def _imports(text: str) -> Iterator[tuple[int, str]]:
    """Yield (offset, path) of each `@path` in ``text`` that is outside of code."""
    open_fence = ""  # the marker of the fence around the line, '' outside of a fence
    line_start = 0
    for line in text.split("\n"):
        marker = line.lstrip()[:3]
        if open_fence:
            if marker == open_fence:  # `~~~` does not close a fence of backticks
                open_fence = ""
        elif marker in _FENCES:
            open_fence = marker
        else:
            for match in _IMPORT.finditer(line):
                if not _in_code(line, match.start()):
                    yield line_start + match.start(), match[1].rstrip(_TRAILING)
        line_start += len(line) + 1


def _in_code(line: str, at: int) -> bool:
    """Whether the offset ``at`` is between two backticks of ``line``."""
    return line.count("`", 0, at) % 2 == 1 and "`" in line[at:]
