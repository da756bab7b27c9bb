"""Links of a memory file: their positions, target files and headings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.markdown.code_spans import in_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agent_memory.markdown.model import Heading, Markdown
    from agent_memory.markdown.references import Reference

_IMPORT = lazy_compile(r"(?<![\w`@/.])@((?:~|\.{1,2})?/?[\w.][\w./-]*\.\w+)")
"""``@docs/api.md``, ``@~/notes.md`` or ``@./notes.md``, but not ``name@host.org``."""
_SCHEME = lazy_compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
"""At least two letters: ``C:`` is a drive."""
_LINES = lazy_compile(r"\.[A-Za-z][A-Za-z0-9]{0,9}(:\d+(?:[-:]\d+)?)\Z")
"""An extension and line numbers: ``.py:12``, ``.py:3-9``. With them, ``app.py:`` has the form of
a scheme."""
_NOT_IN_SLUG = lazy_compile(r"[^\w\- ]")
"""Characters of a heading that its anchor does not have: the punctuation of "C++ (new)!"."""


class Link(NamedTuple):
    """A link; its target is at columns ``start`` to ``end`` of ``line``, in code points.

    ``path`` is '' for a heading in the same file, and without line numbers (``app.py:12``);
    ``anchor`` is without ``#``. ``is_import``: it is written ``@path``.
    """

    line: int
    start: int
    end: int
    path: str
    anchor: str
    is_import: bool = False

    @property
    def external(self) -> bool:
        """Whether the target begins as a URL does, such as with ``https:`` or ``mailto:``."""
        return bool(_SCHEME.match(self.path))


def links_of(lines: Sequence[str], scan: Markdown, inline: Iterable[Reference]) -> Iterator[Link]:
    """Yield the links outside code and comments: ``[text](target)``, then ``@path`` imports.

    ``inline`` are the inline links (:func:`agent_memory.markdown.references.links_of`).
    """
    for reference in inline:
        path, _, anchor = reference.path.partition("#")
        line_numbers = _LINES.search(path)  # `:12` at the end of the path
        if line_numbers:
            path = path[: line_numbers.start(1)]
        span = reference.span
        yield Link(span.line, span.start, span.end, path, anchor)
    for number, line in enumerate(lines):
        if "@" not in line or not scan.is_prose(number):
            continue
        for match in _IMPORT.finditer(line):
            start, end = match.span(1)
            if not in_code(line, start):
                yield Link(number, start, end, match[1], "", is_import=True)


def target_of(link: Link, source: Path, home: Path, root: Path | None) -> Path | None:
    """Return the path that ``link`` in the file ``source`` points to; it may not exist.

    The result is ``source`` itself for a link with only an anchor. None for a URL, and for a name
    with a NUL character, which no file can have. ``root`` is that of the project of ``source``, for
    links with a leading slash; None if the file is in no project.
    """
    if link.external:
        return None
    if not link.path:
        return source
    name = unquote(link.path)
    if "\0" in name:
        return None
    if name.startswith("~/"):
        return home / name[2:]
    if name.startswith("/") and root and not link.is_import:
        return _from_root(name, root)
    return source.parent / name  # if `name` has a leading slash: the path `name` on the disk


def _from_root(name: str, root: Path) -> Path:
    """Return the path that ``name``, which has a leading slash, means in a link.

    The slash stands for the ``root`` of the project, or for that of the disk if ``name`` exists
    only there.
    """
    inside, on_disk = root / name.lstrip("/"), Path(name)
    return on_disk if _exists(on_disk) and not _exists(inside) else inside


def _exists(path: Path) -> bool:
    """Return whether ``path`` exists; False if that cannot be found out."""
    try:
        return path.exists()
    except OSError:  # the name is too long, or a folder cannot be searched
        return False


def heading_of(scan: Markdown, anchor: str) -> Heading | None:
    """Return the heading with ``anchor``, which GitHub and VS Code derive in the same way.

    Repeated headings are numbered: ``setup``, ``setup-1``. None without such a heading.
    """
    wanted = unquote(anchor).casefold()
    counts: dict[str, int] = {}  # headings so far, by slug
    for heading in scan.headings:
        name = slug(heading.text)
        count = counts.get(name, 0)
        counts[name] = count + 1
        if wanted == (f"{name}-{count}" if count else name):
            return heading
    return None


def slug(text: str) -> str:
    """Return the anchor of a heading's ``text``, without the number of a repeated heading."""
    return _NOT_IN_SLUG.sub("", text.strip().casefold()).replace(" ", "-")
