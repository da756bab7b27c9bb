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
    """How many of the first paths of a layout, at most :data:`_ROWS`, exist."""

    folders: list[str]
    """The existing folders that the texts above the layout name."""
    total: int
    """The number of paths that were looked up."""
    existing: int
    """How many of them exist, in any folder."""
    placed: int
    """How many exist from the root, in the memory file's folder or in one of ``folders``."""
    beside: int
    """How many exist in the memory file's folder."""
    deep: int
    """How many exist, in any folder, and have :data:`_DEEP` slashes or more."""
    deleted: int
    """How many do not exist, and were deleted by git in any folder."""


def is_in_layout(file: MemoryFile, reference: Reference, lookup: PathLookup) -> bool:
    """Return whether the missing path is in a list of files of the project, most of which exist.

    A row of the list, or a cell of its table, begins with the path. At least :data:`_EXISTING`
    others exist from the root, beside the file, or in a folder that a heading, the text above or an
    outer item names. In a file that several projects may share, the path and others must be deep
    (:func:`_is_of_this_project`). False if git ignores the path in one of these folders, and below
    a heading that tells how to add something. False for a folder if git's history is not known: a
    program may create it.
    """
    is_folder = reference.path.endswith("/")
    if is_folder and not lookup.tree.deleted.is_known:
        return False
    found = _found_in_list(file, reference, lookup)
    if found is None or lookup.tree.listing is None:
        return False
    in_folders = (posixpath.join(each, reference.path) for each in found.folders)
    if any(lookup.tree.ignored.covers(path) for path in in_folders):
        return False
    if not is_own_memory(file, lookup.base):
        is_skill = file.source.role is Role.SKILL  # skills name files of any project
        return not is_skill and _is_of_this_project(reference.path, found)
    share = _SHARE_FOR_FOLDER if is_folder else _SHARE
    return found.placed >= _EXISTING and found.existing >= share * found.total


def _is_of_this_project(path: str, found: _Found) -> bool:
    """Return whether ``path`` is deep, and most paths of its list are deep ones that exist.

    A deep path has :data:`_DEEP` slashes or more, so that few other projects have it.
    """
    enough = max(_SHARED, _SHARE_SHARED * found.total)
    return path.count("/") >= _DEEP and found.deep >= enough


def is_in_list_of_files(file: MemoryFile, reference: Reference, lookup: PathLookup) -> bool:
    """Return whether the name, which git deleted, is in a list of files of the project.

    In memory of the project, at least :data:`_EXISTING` paths of the list must exist in any folder,
    and half of all must exist or, without this one, be deleted ones. In a file that several
    projects may share, as many must exist as in a list of the files beside it. The list is not
    below a heading that tells how to add something.
    """
    found = _found_in_list(file, reference, lookup)
    if found is None:
        return False
    if not is_own_memory(file, lookup.base):
        return found.existing >= max(_BESIDE, _SHARE_BESIDE * found.total)
    of_project = found.existing + found.deleted - 1  # the name itself shows nothing
    return found.existing >= _EXISTING and of_project >= _SHARE * found.total


def _found_in_list(file: MemoryFile, reference: Reference, lookup: PathLookup) -> _Found | None:
    """Return how many paths of the list of ``reference`` exist; None if it is in no list.

    Also None below a heading that tells how to add something: the path may be a file to create.
    """
    position = reference.span.line, reference.span.start
    layout = file.content.once(_layouts, file).get(position)
    heading = next(headings_of(file, reference.span.line), "")
    if layout is None or says(("recipes", heading)):
        return None
    return _found(file, layout, lookup)


def is_meant_in_folder(
    file: MemoryFile, reference: Reference, lookup: PathLookup, *, was_in_it: bool
) -> bool:
    """Return whether a file in the folder of ``file`` is meant, although others have its name.

    The name must be in a list of files, enough of which exist in that folder. False if a file of
    this name is in a folder below it, or in one that a text above the list names: it is meant then.
    ``was_in_it``: git deleted the file in that folder; then fewer files of the list must exist.
    """
    tree, base, name = lookup.tree, lookup.base, reference.path
    layout = file.content.once(_layouts, file).get((reference.span.line, reference.span.start))
    if layout is None or base == "." or not is_own_memory(file, base) or tree.listing is None:
        return False
    found = _found(file, layout, lookup)
    if found.beside < (_EXISTING if was_in_it else _BESIDE):
        return False
    if not was_in_it and found.beside < _SHARE_BESIDE * found.total:
        return False
    elsewhere = existing_paths(tree.listing, name)
    if any(path.startswith(f"{base}/") for path in elsewhere):
        return False
    return not any(tree.has(f"{at}/{name}") for at in found.folders)


def _found(file: MemoryFile, layout: _Layout, lookup: PathLookup) -> _Found:
    """Return how many paths of ``layout`` exist; looked up once for all of its rows."""
    key = (layout.line, layout.column)
    if key not in lookup.layouts:
        lookup.layouts[key] = _look_up(file, layout, lookup)
    found: _Found = lookup.layouts[key]
    return found


def _look_up(file: MemoryFile, layout: _Layout, lookup: PathLookup) -> _Found:
    """Return :func:`_found` without its cache."""
    tree, paths = lookup.tree, layout.paths[:_ROWS]
    folders = list(_folders_named_above(file, layout, lookup))
    placed = [
        path
        for path in paths
        if lookup.may_have(path) or any(tree.has(f"{folder}/{path}") for folder in folders)
    ]
    existing = [
        path
        for path in paths
        if path in placed or (tree.listing and existing_paths(tree.listing, path))
    ]
    deleted = (path for path in paths if tree.deleted.listing.ending(path))
    from_base = (posixpath.normpath(posixpath.join(lookup.base, path)) for path in paths)
    return _Found(
        folders=folders,
        total=len(paths),
        existing=len(existing),
        placed=len(placed),
        beside=sum(map(tree.has, from_base)),
        deep=sum(path.count("/") >= _DEEP for path in existing),
        deleted=sum(path not in existing for path in deleted),
    )


def _folders_named_above(file: MemoryFile, layout: _Layout, lookup: PathLookup) -> Iterator[str]:
    """Yield the existing folders that the headings above ``layout`` and its outer items name.

    The line above the list or table counts too. A text can leave out the first folders of a path:
    ``api/`` for ``src/api``.
    """
    listing = lookup.tree.listing
    outer = file.content.once(outer_items, file)
    texts = [*headings_of(file, layout.line)]
    above: int | None = layout.above
    while above is not None and len(texts) < _TEXTS:
        texts.append(file.lines[above])
        above = outer.get(above)
    for text in texts:
        for match in _FOLDER.finditer(text, 0, _CHARACTERS):
            folder = posixpath.normpath(match[1] or match[2])
            paths = listing.ending(folder) if listing else ()
            # Only folders have a path "/.".
            yield from (path for path in paths[:_FOLDERS] if lookup.tree.has(f"{path}/."))


def _layouts(file: MemoryFile) -> dict[tuple[int, int], _Layout]:
    """Return the list or table column of each path that an item or a cell begins with.

    The keys are the positions of the paths: (line, column in characters).
    """
    layouts: dict[tuple[int, int], _Layout] = {}
    # By the line above the list or table, and the column: paths with the same two are in one.
    by_origin: dict[tuple[int, int], _Layout] = {}
    above_lists = file.content.once(introductions, file.lines, file.markdown)
    outer = file.content.once(outer_items, file)
    above_table = -1  # the last line with text that is not a row; -1 for a table at the top
    for number, line in enumerate(file.lines):
        is_row = line.lstrip().startswith("|")
        is_item = file.markdown.kinds[number] is LineKind.ITEM
        if line.strip() and not is_row:
            above_table = number
        if not (is_row or is_item) or "`" not in line:
            continue
        if number in file.example_lines or not file.markdown.is_prose(number):
            continue
        above = above_table if is_row else outer.get(number, above_lists[number])
        for column, span in _leading(line, is_item=is_item):
            # Without a line above (-1), line 0 stands for it.
            new = _Layout(number, max(above, 0), column, [])
            layout = by_origin.setdefault((above, column), new)
            layout.paths.append(span.text)
            layouts[number, span.start] = layout
    return layouts


def _leading(line: str, *, is_item: bool) -> Iterator[tuple[int, CodeSpan]]:
    """Yield (column, span) for the paths that an item, or a cell of a row, begins with.

    ``column`` is the number of bars before the path, 0 in an item. An item or a cell can begin with
    several paths: ``a.py``, ``b.py``.
    """
    before_first = _MARKER if is_item else CELL
    end = -1  # of the last of the spans that an item or a cell begins with, -1 after other text
    for span in code_spans(line[:_CHARACTERS]):
        is_next = end >= 0 and _JOIN.match(line, end, span.first)
        is_first = before_first.match(line, 0, span.first)
        if not (is_next or is_first):
            end = -1
            continue
        end = span.end
        if _PATH.match(span.text):
            yield 0 if is_item else line.count("|", 0, span.first), span
