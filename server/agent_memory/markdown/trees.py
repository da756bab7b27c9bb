"""Directory trees in fences: drawn with lines (``├── app.py``), or by indentation alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text import split_lines, without_newline
from agent_memory.base.text_cache import TextCache

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_memory.markdown.model import Fence, Markdown

_BRANCH = lazy_compile(r"[│┃ \t|]*(?:[├└┣┗╰]|\+-|\|-|`-)")
"""The start of a line that is drawn, up to its branch."""
_LEAD = lazy_compile(r"(?:[\s│┃|├└┣┗╰─━`-]|\+-)*")
"""The lines of the drawing before a name; a name may begin with + (``+page.svelte``)."""
_PART = r"(?:[\w@.+-]+|\([\w.-]+\)(?=/)|\[{1,2}[\w.-]+\]{1,2}(?:\.\w+)*)"
"""A name, or that of a route: a group ``(shop)/``, a parameter ``[id]`` or ``[id].tsx``."""
_ENTRY = lazy_compile(
    rf"(?P<name>(?:\./)?{_PART}(?:/{_PART})*/?|\.)"
    r"(?=(?P<note>:?\s.*)?\Z)"
)
"""The name or path of an entry and its note: ``src/app.py  # start``; ``.`` is the top."""
_REST_OF_NAME = lazy_compile(r"(?: [\w@.+&()-]+)+(?:/|\.\w{1,5})(?=\s|\Z)")
"""The rest of a name with spaces, in what seems to be a note: ``my`` `` files/``."""
_OTHER_NAMES = lazy_compile(r"(?: / [\w@.+-]+(?: \([^()]*\))?)+/?\s*\Z")
"""More names on the line of an entry: ``auth / login (old) / user``."""
_NOTE = lazy_compile(r":?\s+(?:[#←—–(→*:]|//|<-|--?\s).*|:?\s{2,}\S.*|:\s.*|\s*")  # noqa: RUF001
"""What may follow a name in a tree that is not drawn; anything else is a sentence."""
_PATTERN = lazy_compile(
    r"\s*(?:[\w@./-]*(?:\*|<[\w -]+>|\{[\w,-]+\}|\[[\w-]+\])[\w@.*/<>{},-]*|\.\.\.|…)"
    r"(?P<note>(?:\s.*)?)\Z"
)
"""A line with a pattern or a name to fill in, in a tree that is not drawn: ``*.tsx``, ``...``."""
_ELSEWHERE = lazy_compile(
    r"[<{\[]\w|(?:^|[\s(])(?:~|[A-Za-z]:)?[/\\]\w|\w/[^/]*\w.*/|\b(?:external|archived?|not in)\b",
    re.IGNORECASE,
)
"""A title with a name to fill in, or a path of another place: no folder of this project."""
_PLAIN_INFO = frozenset({"", "text", "txt", "plaintext", "plain", "tree"})
"""Languages of fences that may hold a tree by indentation."""
_LINES = " \t│┃|"
"""Characters of a line between two entries."""
_LINES_MAX = 400
"""Lines of a fence; a longer one is not read."""
_COLUMNS_MAX = 500
"""Characters of a line that are read."""


class TreeEntry(NamedTuple):
    """A file or folder of a tree.

    ``path`` is its path from the top of the tree, with slashes and none at the end; ``line`` and
    the columns ``start`` to ``end`` are those of its name, counted from 0. ``note`` is the text
    after the name. ``below`` is the next line that is neither a part of it nor blank, or the line
    after the code.
    """

    path: str
    line: int
    start: int
    end: int
    note: str
    is_folder: bool
    below: int


class _Outer(NamedTuple):
    """A line of a tree that further lines may be part of, because they begin further right.

    ``path`` is '' for the title of the tree. It is None if the entries below are left out: the line
    is not a plain name, or the title of another place.
    """

    start: int
    path: str | None


class _Line(NamedTuple):
    """The parts of the line of an entry; ``start`` is the column of the name."""

    start: int
    name: str
    note: str
    is_drawn: bool


def trees_of(lines: Sequence[str], scan: Markdown) -> list[list[TreeEntry]]:
    """Return the trees in the fences of a file, each with at least two entries.

    Entries whose name is not a plain one (``*.py``, ``<name>``, ``...``) are left out, with those
    below them.
    """
    return [tree for tree in (_tree(lines, fence) for fence in scan.fences) if tree]


def _tree(lines: Sequence[str], fence: Fence) -> list[TreeEntry]:
    """Return the tree in ``fence``, [] without one; its lines count from the start of the file."""
    if not 1 < fence.code_end - fence.open <= _LINES_MAX:  # the fence is empty or too long
        return []
    first = fence.open + 1
    is_plain = fence.info.split(" ", maxsplit=1)[0].lower() in _PLAIN_INFO
    entries = _tree_in(("".join(lines[first : fence.code_end]), is_plain))
    return [entry._replace(line=first + entry.line, below=first + entry.below) for entry in entries]


@TextCache
def _tree_in(content: tuple[str, bool]) -> tuple[TreeEntry, ...]:
    """Return the tree of a fence; empty if it has fewer than two entries.

    ``content`` is its text, and whether its language allows a tree by indentation. The lines of the
    entries count from the one after the opening of the fence.
    """
    text, is_plain = content
    texts = [without_newline(line) for line in split_lines(text)]
    is_drawn = any(_BRANCH.match(line) for line in texts)
    if not is_drawn and not (is_plain and _is_indented(texts)):
        return ()
    entries = tuple(_entries(texts, is_drawn=is_drawn))
    return entries if len(entries) > 1 else ()


def _is_indented(texts: list[str]) -> bool:
    """Return whether the lines are a tree by indentation: each a name, one of them a folder.

    A note such as ``# tests`` may follow a name. The name may be a pattern: ``*.tsx``.
    """
    parsed = [(_parsed(text), text) for text in texts if text.strip()]
    # Notes in one column: the longest name may leave only one space before its note.
    columns = {_note_column(line) for line, _ in parsed if line and line.note.startswith("  ")}
    if not all(_is_name_with_note(line, text, columns) for line, text in parsed):
        return False
    return any(line and line.name.endswith("/") for line, _ in parsed)


def _is_name_with_note(line: _Line | None, text: str, columns: set[int]) -> bool:
    """Return whether ``text`` has no more than a name or a pattern, and a note.

    ``line`` are the parts of ``text``, None without a plain name; ``columns`` are those in which
    the notes of other lines begin.
    """
    if line is not None:
        return bool(_NOTE.fullmatch(line.note)) or _note_column(line) in columns
    pattern = _PATTERN.match(text[:_COLUMNS_MAX])
    return pattern is not None and bool(_NOTE.fullmatch(pattern["note"]))


def _note_column(line: _Line) -> int:
    """Return the column in which the note of ``line`` begins, or its end without a note."""
    return line.start + len(line.name) + len(line.note) - len(line.note.lstrip())


def _entries(texts: list[str], *, is_drawn: bool) -> Iterator[TreeEntry]:
    """Yield the entries; an entry is part of the last one above it that begins further left.

    ``texts`` are the lines of the tree, ``is_drawn``: it is drawn and not only indented.
    """
    above: list[_Outer] = []  # the lines that the next line may be part of, the innermost last
    starts = [_start_column(text) for text in texts]
    for number, text in enumerate(texts):
        if not text.strip(_LINES):
            continue
        start = starts[number]
        while above and above[-1].start >= start:
            above.pop()
        outer_path = above[-1].path if above else ""
        line = _parsed(text)
        is_title = is_drawn and not start and not _is_entry_at_edge(line)
        if is_title:
            above.append(_Outer(0, None if _ELSEWHERE.search(text) else ""))
            continue
        if line is None or outer_path is None or not _is_entry(line, is_drawn=is_drawn):
            above.append(_Outer(start, None))
            continue
        path = _path_below(outer_path, line.name)
        above.append(_Outer(start, path))
        below = _end_of_entry(texts, starts, number)
        has_entries = any(inner.strip(_LINES) for inner in texts[number + 1 : below])
        yield TreeEntry(
            path,
            line=number,
            start=line.start,
            end=line.start + len(line.name),
            note=line.note.strip(),
            is_folder=line.name.endswith("/") or has_entries,
            below=below,
        )


def _is_entry(line: _Line, *, is_drawn: bool) -> bool:
    """Return whether ``line``, which has a name, is an entry.

    ``is_drawn``: the tree is drawn. Then an indented line without a branch is not an entry.
    """
    if not is_drawn:
        return True
    is_indented = line.start > 0
    return line.is_drawn or not is_indented


def _path_below(outer: str, name: str) -> str:
    """Return the path of ``name``, which a tree has below the folder ``outer`` ('': the top).

    The names ``.`` and ``./`` stand for ``outer`` itself.
    """
    name = name.removeprefix("./").strip("/")
    return outer if name in ("", ".") else f"{outer}/{name}".strip("/")


def _is_entry_at_edge(line: _Line | None) -> bool:
    """Return whether a line at the left edge of a drawn tree is an entry, and not its title."""
    return line is not None and (line.is_drawn or bool(_NOTE.fullmatch(line.note)))


def _end_of_entry(texts: list[str], starts: list[int], number: int) -> int:
    """Return the first line after line ``number`` that is not part of the entry on that line.

    ``starts`` are the columns in which the lines ``texts`` begin after the drawing. The result is
    the number of lines if all of them are part of it.
    """
    for later in range(number + 1, len(texts)):
        if texts[later].strip(_LINES) and starts[later] <= starts[number]:
            return later
    return len(texts)


def _start_column(text: str) -> int:
    """Return the column of the first character that is not part of the drawing."""
    lead = _LEAD.match(text)  # always a match, perhaps an empty one
    return lead.end() if lead else 0


@TextCache
def _parsed(text: str) -> _Line | None:
    """Return the parts of the line of an entry; None if it is not one with a plain name."""
    text = text[:_COLUMNS_MAX]
    entry = _ENTRY.match(text, _start_column(text))
    if entry is None or "..." in entry["name"]:
        return None
    name, note = entry["name"], entry["note"] or ""
    if "." not in name and not name.endswith("/") and _REST_OF_NAME.match(note):
        return None  # `my files/`
    if _OTHER_NAMES.match(note):
        return None  # `login / logout`
    return _Line(entry.start("name"), name, note, bool(_BRANCH.match(text)))
