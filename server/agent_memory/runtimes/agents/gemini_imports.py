"""Imports of Gemini CLI: `@path` is replaced by the file between two comments."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import unquote

from agent_memory.base.model import Scope, Segment, Source, Status
from agent_memory.config.project_root import find_root, has_git
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t
from agent_memory.runtimes.agents.agent import import_role
from agent_memory.runtimes.agents.javascript import decoded
from agent_memory.runtimes.segments import line_breaks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agent_memory.config.context import Context

_CODE = re.compile(r"(`+)(.*?)\1", re.DOTALL)
"""Code: backticks, any text, as many backticks again."""
_IMPORT = re.compile(r"(?<![^ \t\n\r])@([./A-Za-z][^ \t\n\r]*)")
"""`@path` after white space or at the start."""
_ADDRESS = re.compile(r"(?:file|https?)://")
"""The start of an address, which is not imported."""
_OUTSIDE = "outside"
_ERRORS = {
    Failure.MISSING: "ENOENT: no such file or directory, access '{}'",
    Failure.DENIED: "EACCES: permission denied, access '{}'",
    Failure.LOOP: "ELOOP: too many symbolic links encountered, access '{}'",
    Failure.DIRECTORY: "EISDIR: illegal operation on a directory, read",
}
"""What Node says about a file that cannot be read; of other failures only the path is shown."""


@dataclass
class GeminiExpander:
    """Expands the files of one prompt. ``texts`` are the comments around imports.

    ``outcomes`` has what became of each import, by its path and its importer: '' for imported,
    ``_OUTSIDE`` for an address or a path that leaves the project, else the error.
    """

    ctx: Context
    texts: Mapping[str, str]
    outcomes: dict[tuple[Path, Path], str] = field(default_factory=dict)
    max_depth: ClassVar[int] = 5  # imports in a row; those in the last file are not followed

    def expand_file(self, path: Path, kind: str) -> list[Segment]:
        """Return the text of ``path`` with its imports, as segments of the ``kind``."""
        root = find_root(path.parent, has_git) or path.parent
        # `path` is not in `seen`: Gemini CLI expands an import of the file itself once.
        return self.expand(path, kind, Path(os.path.realpath(root)), ())

    def code_spans(self, text: str) -> Sequence[tuple[int, int]]:
        """Return (start, end) of the code in ``text``, in which nothing is imported."""
        return [match.span() for match in _CODE.finditer(text)]

    def is_inside(self, target: Path, root: Path) -> bool:
        """Whether ``target`` is in ``root``; escapes such as `%20` are decoded, links followed."""
        try:
            return Path(os.path.realpath(unquote(str(target)))).is_relative_to(root)
        except ValueError:  # a NUL in the name, which Gemini CLI takes for a path that leads out
            return False

    def missing_import(self, name: str, error: str) -> Segment:
        """Return what replaces `@name` if the file is missing: the same as if reading failed.

        Qwen Code overrides this method.
        """
        return self.failed_import(name, error)

    def failed_import(self, name: str, error: str) -> Segment:
        """Return what replaces `@name` if the file cannot be read."""
        texts = self.texts
        return Segment(f"{texts['failed']}{name}{texts['dash']}{error}{texts['failed_end']}")

    def expand(self, path: Path, kind: str, root: Path, seen: tuple[Path, ...]) -> list[Segment]:
        """Return the text of ``path`` with its imports.

        ``kind`` is that of the segments, ``seen`` are the imported files that lead to ``path``, and
        ``root`` is the folder that imports must not leave.
        """
        text = decoded(self.ctx.store.read(path))
        if "@" not in text or len(seen) >= self.max_depth:
            return [Segment(text, kind, path)]
        code = self.code_spans(text)
        out: list[Segment] = []
        piece_start = 0  # offset of the text that is not added yet
        for match in _IMPORT.finditer(text):
            if any(start <= match.start() < end for start, end in code):
                continue
            line = line_breaks(text[:piece_start])
            out.append(Segment(text[piece_start : match.start()], kind, path, line))
            out += self._import(path, match[1], kind, root, seen)
            piece_start = match.end()
        return [*out, Segment(text[piece_start:], kind, path, line_breaks(text[:piece_start]))]

    def _import(
        self, path: Path, name: str, kind: str, root: Path, seen: tuple[Path, ...]
    ) -> list[Segment]:
        """Return what replaces the import ``name`` in ``path``: the file between two comments.

        If the file is not imported, it is a comment or what :meth:`missing_import` returns. Each
        import except one in a circle is added to ``outcomes``. The other parameters are those of
        :meth:`expand`.
        """
        texts, target = self.texts, Path(os.path.normpath(path.parent / name))
        if _ADDRESS.match(name) or not self.is_inside(target, root):
            self.outcomes.setdefault((target, path), _OUTSIDE)
            return [Segment(f"{texts['failed']}{name}{texts['outside_end']}")]
        if target in seen:  # a circle
            return [Segment(f"{texts['again']}{name}{texts['again_end']}")]
        failure = self.ctx.store.read(target).failure
        if failure and failure is not Failure.UNDECODABLE:  # Node decodes any bytes
            error = _ERRORS.get(failure, "{}").format(target)
            self.outcomes.setdefault((target, path), error)
            is_missing = failure is Failure.MISSING
            return [
                self.missing_import(name, error) if is_missing else self.failed_import(name, error)
            ]
        self.outcomes.setdefault((target, path), "")
        return [
            Segment(f"{texts['open']}{name}{texts['open_end']}"),
            *self.expand(target, kind, root, (*seen, target)),
            Segment(f"{texts['close']}{name}{texts['close_end']}"),
        ]


def imported(expander: GeminiExpander, sources: Sequence[Source]) -> list[Source]:
    """Return the files that the loaded ``sources`` import, directly or by other imports.

    A file is LOADED, or IGNORED with the error. It is returned once, with its first importer.
    """
    for source in sources:
        if source.status is Status.LOADED:
            expander.expand_file(source.path, "")  # only to fill `outcomes`
    by_path: dict[Path, Source] = {}
    for (path, importer), error in expander.outcomes.items():
        refusal = t("it is outside of the project") if error == _OUTSIDE else error
        imported_by = t("imported by {0}", importer)
        source = Source(
            path,
            Scope.PROJECT,
            import_role(path),
            Status.IGNORED if error else Status.LOADED,
            f"{imported_by}: {refusal}" if refusal else imported_by,
            str(path),
            by=importer,
            refusal=refusal,
        )
        by_path.setdefault(path, source)
    return list(by_path.values())
