"""Lists and tables of files: whether most of the paths that their rows begin with exist."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Role
from agent_memory.lint.shared.own_memory import is_own_memory
from agent_memory.lint.shared.paths.evidence import BETWEEN, CELL
from agent_memory.lint.shared.paths.lookup import existing_paths
from agent_memory.lint.shared.paths.samples import headings_of
from agent_memory.lint.shared.surroundings import introductions, outer_items
from agent_memory.lint.shared.word_lists import says
from agent_memory.markdown.code_spans import code_spans
from agent_memory.markdown.model import LineKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.shared.paths.lookup import PathLookup
    from agent_memory.markdown.code_spans import CodeSpan
    from agent_memory.markdown.references import Reference

_MARKER = lazy_compile(r"\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?[*_]*\Z")
"""The text of an item, and not of a row or a heading, before a code span that it begins with."""
_JOIN = lazy_compile(rf"{BETWEEN}\Z")
"""All of the text between two code spans with names that a row begins with."""
_PATH = lazy_compile(r"(?:\./)?[\w@+.-]+(?:/[\w@+.-]+)*(?:/|\.[A-Za-z]\w{0,9})\Z")
"""A file with an extension, or a folder with a slash at its end."""
_FOLDER = lazy_compile(
    r"`((?:[\w@.-]+/)*[\w@.-]+)/?`|(?<![\w`/.])((?:[\w@.-]+/)+[\w@.-]*)(?![\w`/])"
)
"""A folder in a text above a list: in a code span, where it needs no slash, or with a slash."""
_EXISTING = 2
"""Other paths that must exist where the rows place them."""
_SHARE = 0.5
"""Share of the paths that must exist, in any folder."""
_SHARE_FOR_FOLDER = 0.66
"""The same for a missing folder, which may come with its first file."""
_BESIDE = 3
"""Files that must exist beside the memory file, so that a list is one of these."""
_SHARE_BESIDE = 0.7
"""Share of the paths that must exist there."""
_DEEP = 2
"""Slashes of a path that few other projects have."""
_SHARED = 4
"""Such paths that must exist, so that a file for several projects has a list of this one."""
_SHARE_SHARED = 0.6
"""Share of the paths that they must be."""
_ROWS = 200
"""Paths of a list that are looked up."""
_CHARACTERS = 500
"""Characters of a line in which the names that it begins with, or a folder, are searched for."""
_TEXTS = 20
"""Headings and outer items whose folders count."""
_FOLDERS = 20
"""Folders of one name, each of which may be that of the rows."""


class _Layout(NamedTuple):
    """A list or a column of a table: the paths that its items or cells begin with.

    ``line`` is that of its first row, ``above`` the one that the list is nested in or below.
    ``column`` is the number of bars before the paths, 0 in a list.
    """

    line: int
    above: int
    column: int
    paths: list[str]


class _Found(NamedTuple):
    """How many of the ``total`` first paths of a layout, at most :data:`_ROWS`, exist.

    ``existing`` paths exist in any folder, ``placed`` ones from the root, beside the file or in one
    of ``folders`` (named in the texts above the layout), ``beside`` ones in the file's folder.
    ``deep`` existing ones have :data:`_DEEP` slashes.
    """

    folders: list[str]
    total: int
    existing: int
    placed: int
    beside: int
    deep: int


def is_in_layout(file: MemoryFile, reference: Reference, place: PathLookup) -> bool:
    """Return whether the missing path is in a list of files of the project, most of which exist.

    A row of the list, or a cell of its table, begins with the path. At least :data:`_EXISTING`
    others exist from the root, beside the file, or in a folder that a heading, the text above or an
    outer item names. In a file that several projects may share, the path and others must be deep
    (:func:`_is_of_this_project`). False if git ignores the path in such a folder, and below a
    heading that tells how to add something. False for a folder if git's history is not known: a
    program may create it.
    """
    is_folder = reference.path.endswith("/")
    if is_folder and not place.tree.deleted.is_known:
        return False
    found = _found_in_list(file, reference, place)
    if found is None or place.tree.listing is None:
        return False
    in_folders = (posixpath.join(each, reference.path) for each in found.folders)
    if any(place.tree.ignored.covers(path) for path in in_folders):
        return False
    if not is_own_memory(file, place.base):
        is_skill = file.source.role is Role.SKILL  # skills name files of any project
        return not is_skill and _is_of_this_project(reference.path, found)
    share = _SHARE_FOR_FOLDER if is_folder else _SHARE
    return found.placed >= _EXISTING and found.existing >= share * found.total


def _is_of_this_project(path: str, found: _Found) -> bool:
    """Return whether most paths of a list are deep ones that exist, and ``path`` is a deep one."""
    enough = max(_SHARED, _SHARE_SHARED * found.total)
    return path.count("/") >= _DEEP and found.deep >= enough


def is_among_files(file: MemoryFile, reference: Reference, place: PathLookup) -> bool:
    """Return whether the missing name is in a list of files, enough of which exist in any folder.

    In memory of the project, at least :data:`_EXISTING` and half of all paths are enough. In a file
    that several projects may share, as many must exist as in a list of the files beside it. The
    list is not below a heading that tells how to add something.
    """
    found = _found_in_list(file, reference, place)
    if found is None:
        return False
    is_own = is_own_memory(file, place.base)
    least, share = (_EXISTING, _SHARE) if is_own else (_BESIDE, _SHARE_BESIDE)
    return found.existing >= max(least, share * found.total)


def _found_in_list(file: MemoryFile, reference: Reference, place: PathLookup) -> _Found | None:
    """Return which paths exist of the list that has ``reference``; None if it is in no list.

    Also None below a heading that tells how to add something: the path may be a file to create.
    """
    position = reference.span.line, reference.span.start
    layout = file.content.once(_layouts, file).get(position)
    if layout is None or says(("recipes", next(headings_of(file, reference.span.line), ""))):
        return None
    return _found(file, layout, place)


def is_of_folder(
    file: MemoryFile, reference: Reference, place: PathLookup, *, was_in_it: bool
) -> bool:
    """Return whether the name is in a list of the files beside ``file``, where it is missing.

    A file of this name in another folder then is another one, unless that folder is below or the
    text above the list names it. ``was_in_it``: git deleted the file there; then fewer others must
    exist.
    """
    tree, base, name = place.tree, place.base, reference.path
    layout = file.content.once(_layouts, file).get((reference.span.line, reference.span.start))
    if layout is None or base == "." or not is_own_memory(file, base) or tree.listing is None:
        return False
    found = _found(file, layout, place)
    if found.beside < (_EXISTING if was_in_it else _BESIDE):
        return False
    if not was_in_it and found.beside < _SHARE_BESIDE * found.total:
        return False
    elsewhere = existing_paths(tree.listing, name)
    if any(path.startswith(f"{base}/") for path in elsewhere):
        return False
    return not any(tree.has(f"{at}/{name}") for at in found.folders)


def _found(file: MemoryFile, layout: _Layout, place: PathLookup) -> _Found:
    """Return which paths of ``layout`` exist; looked up once for all of its rows."""
    key = (layout.line, layout.column)
    if key not in place.layouts:
        place.layouts[key] = _look_up(file, layout, place)
    found: _Found = place.layouts[key]
    return found


def _look_up(file: MemoryFile, layout: _Layout, place: PathLookup) -> _Found:
    """Return :func:`_found` without its cache."""
    tree, base, paths = place.tree, place.base, layout.paths[:_ROWS]
    folders = list(_folders_named_above(file, layout, place))
    existing = placed = beside = deep = 0
    for path in paths:
        is_placed = place.may_have(path) or any(tree.has(f"{at}/{path}") for at in folders)
        placed += is_placed
        exists = is_placed or bool(tree.listing and existing_paths(tree.listing, path))
        existing += exists
        deep += exists and path.count("/") >= _DEEP
        beside += tree.has(posixpath.normpath(posixpath.join(base, path)))
    return _Found(folders, len(paths), existing, placed, beside, deep)


def _folders_named_above(file: MemoryFile, layout: _Layout, place: PathLookup) -> Iterator[str]:
    """Yield the existing folders that headings or the texts above ``layout`` name.

    A text can leave out the first folders of a path: ``api/`` for ``src/api``.
    """
    listing = place.tree.listing
    outer = file.content.once(outer_items, file)
    texts = [*headings_of(file, layout.line)]
    above: int | None = layout.above
    while above is not None and len(texts) < _TEXTS:
        texts.append(file.lines[above])
        above = outer.get(above)
    for text in texts:
        for match in _FOLDER.finditer(text, 0, _CHARACTERS):
            folder = posixpath.normpath(match[1] or match[2])
            ending = listing.ending(folder) if listing else ()
            # "/.": only folders have it.
            yield from (path for path in ending[:_FOLDERS] if place.tree.has(f"{path}/."))


def _layouts(file: MemoryFile) -> dict[tuple[int, int], _Layout]:
    """Return the list or column of each path that an item or a cell begins with.

    The keys are (line, column) of the paths.
    """
    layouts: dict[tuple[int, int], _Layout] = {}
    by_place: dict[tuple[int, int], _Layout] = {}  # by the line above it and the column
    above_lists = file.content.once(introductions, file.lines, file.markdown)
    outer = file.content.once(outer_items, file)
    above_table = -1  # the last line with text that is not a row
    for number, line in enumerate(file.lines):
        is_row = line.lstrip().startswith("|")
        if not is_row:
            above_table = number if line.strip() else above_table
        if "`" not in line or number in file.example_lines or not file.markdown.is_prose(number):
            continue
        is_item = file.markdown.kinds[number] is LineKind.ITEM
        above = above_table if is_row else outer.get(number, above_lists[number])
        for column, span in _leading(line, is_item=is_item) if is_item or is_row else ():
            new = _Layout(number, max(above, 0), column, [])  # -1: line 0 stands for it
            layout = by_place.setdefault((above, column), new)
            layout.paths.append(span.text)
            layouts[number, span.start] = layout
    return layouts


def _leading(line: str, *, is_item: bool) -> Iterator[tuple[int, CodeSpan]]:
    """Yield (column, span) for the paths that an item, or a cell of a row, begins with.

    The column is the number of bars before the path, 0 in an item. Each begins with one path, or
    with several: ``a.py``, ``b.py``.
    """
    before_first = _MARKER if is_item else CELL
    end = -1  # of the last path that a row or cell begins with, -1 without one
    for span in code_spans(line[:_CHARACTERS]):
        is_next = end >= 0 and bool(_JOIN.match(line, end, span.first))
        if not is_next and not before_first.match(line, 0, span.first):
            end = -1
            continue
        end = span.end
        if _PATH.match(span.text):
            yield 0 if is_item else line.count("|", 0, span.first), span
