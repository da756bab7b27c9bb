"""Whether something shows that a path which does not exist was meant to be one of this project.

Most paths of real memory files that do not exist were never in the project: names of examples, of
other projects, of files to create. Absence alone is therefore no reason for a warning.
"""

from __future__ import annotations

import posixpath
from bisect import bisect_right
from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.lint.shared.own_memory import is_own_memory
from agent_memory.lint.shared.word_lists import says, word_list, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.fs.file_index import FileIndex
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.shared.paths.lookup import PathLookup
    from agent_memory.markdown.references import Reference

_START_OF_ITEM = lazy_compile(r"\s*(?:(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?|\|\s*|#+\s+)[*_]*`?\Z")
"""The start of an item, of a row or of a heading, up to the path that it begins with."""
BETWEEN = r"[*_]*\s*(?:[,/&+]|and|or)\s*[*_]*"
"""The text between two paths that an item begins with: ``a.py``, ``b.py``."""
_BEFORE_DESCRIPTION = lazy_compile(
    rf"`?(?:{BETWEEN}`[^`]*`)*"
    r"\)?[*_]*\s*(?:[:|(（：—–]|-{1,2}[\s>]|\Z)"  # noqa: RUF001
)
"""The text between a path and its description: perhaps other paths, then a colon or dash."""
_OTHER_PATH_BEFORE = lazy_compile(rf"`[^`]*`{BETWEEN}(?=`)")
"""A path before another one: ``a.py``, ``b.py``."""
_TITLE_BEFORE = lazy_compile(r"\*\*[^*`]{1,40}\*\* \((?=`\Z)")
"""A title before its path: ``**Parser** (`src/parser/`)``."""
CELL = lazy_compile(r".*\|\s*[*_]*`?\Z")
"""The text before a path, or its backtick, that any cell of a row begins with."""
_LABEL = lazy_compile(
    r"\W*(?:\d+[.)]\W+)?(?:\w[\w/&-]*[ /]){0,4}\w[\w-]*\W{0,3}:\W{1,4}"
    r"(?:`[^`]*`(?: \([^()]*\))?(?:,| and|,? or) )*` "
    r"|\W*(?:[\w*:-]+ ){1,4}(?:in|is|are|by) (?:`[^`]*`(?:,| and) )*` "
)
"""The text up to a path after a label and a colon, or after a few words.

``Key files: ` ` `` or ``fixtures are in ` ` ``, where the space stands for the path. Other paths
may be before it: ``Fixtures in `x/`, ` ` ``.
"""
_GROUP = lazy_compile(r"\([^()]*`[^()]*\)")
"""Parentheses with a code span: ``(`a.py`, `b.py`)``."""
_NAMED_FILE = lazy_compile(r"`([\w@./-]+\.\w+)`")
"""A code span with a file that has an extension: a path or only a name."""
_FOLDER = lazy_compile(r"`([\w@./-]+)/`|(?<![\w`/])([\w@./-]+)/(?![\w`/])")
"""A folder in a heading, with a slash at its end, in a code span or not."""
_PROJECT = lazy_compile(
    r"(?<![\w./-])([\w.-]+)/\.(?:agents|claude|codex|cursor|gemini|git|github)\b"
)
"""A folder with the hidden folder of a tool, which projects have at their root."""
_DEEP = 3
"""Minimum number of folders in a path that only this project has: many have ``src/api``."""
_FOLDER_SPAN = lazy_compile(r"`((?:[\w@.-]+/)+[\w@.-]*)`")
"""A code span with a path: the folder of the files that a line names after it."""
_SEARCHED = 500
"""Characters of a line in which a folder, and then a file of it, are searched for."""
_NEIGHBORS = 200
"""Paths of a section that are looked up to tell whether it lists files of the project."""


def is_supported(file: MemoryFile, reference: Reference, tail: str, lookup: PathLookup) -> bool:
    """Return whether the text or the tree shows that the project had the file or folder ``tail``.

    False in a section that tells how to add a file. Otherwise, one of these is enough:

    - its first :data:`_DEEP` folders exist;
    - the folder that it is in exists; the text must place a folder (:func:`is_placed`), not a file;
    - its first folder exists, the text places it, and other projects are not likely: the file is
      memory of this project, or that folder is not one that any project has;
    - the text tells the agent to read it;
    - it is among files that a section lists (:func:`_is_among_files`), or in parentheses with one
      that exists;
    - it is a name after its folder and a file in that folder (:func:`follows_folder_and_file`).

    ``tail`` is the path without ``../`` at its start.
    """
    folder = posixpath.dirname(tail.rstrip("/"))
    if _is_in_recipe(file, reference.span.line):
        return False  # a file to create
    if folder and _is_in_deep_folder(folder, lookup):
        return True
    is_file = not reference.path.endswith("/")
    # In the middle of a sentence, a folder is often an example.
    if folder and lookup.has(folder) and (is_file or is_placed(file, reference)):
        return True
    top = tail.partition("/")[0]
    is_common = top.lower() in words_of("common_folders")  # of any project: `src`
    is_about_project = is_own_memory(file, lookup.base) or not is_common
    if folder and is_about_project and lookup.has(top) and is_placed(file, reference):
        return True  # a folder of the project, in which the one of the path is missing
    if is_pointed_at(reference) or _is_among_files(file, reference, tail, lookup):
        return True
    if _is_in_parentheses_with_file(file, reference, lookup):
        return True
    return "/" not in tail and follows_folder_and_file(file, reference, lookup)


def is_placed(file: MemoryFile, reference: Reference) -> bool:
    """Return whether the path begins an item or a cell, follows a label, or is one to read.

    Paths elsewhere in a sentence are often examples, of other projects, or ones to create.
    """
    before = file.lines[reference.span.line][: reference.span.start]
    if _START_OF_ITEM.match(before) or CELL.match(before) or _LABEL.match(reference.text):
        return True
    return is_pointed_at(reference)


def is_described(file: MemoryFile, reference: Reference) -> bool:
    """Return whether an item, a row or a heading begins with the path, and a description follows.

    Before the path may be a title, ``**Parser** (`a.py`): …``, or other paths, ``a.py, b.py - …``.
    """
    if not file.markdown.is_prose(reference.span.line):
        return False
    line = file.lines[reference.span.line]
    before, after = line[: reference.span.start], line[reference.span.end :]
    before = _OTHER_PATH_BEFORE.sub("", before)
    before = _TITLE_BEFORE.sub("", before)
    return bool(_START_OF_ITEM.match(before) and _BEFORE_DESCRIPTION.match(after))


def is_of_project_beside(file: MemoryFile, tail: str, lookup: PathLookup) -> bool:
    """Return whether the path ``tail``, such as ``a/b.md``, is one of another project.

    Its first folder does not exist, and the text names that folder as a project (``a/.claude``), or
    has a path that ends with ``tail`` after one more folder (``x/a/b.md``).
    """
    top = tail.partition("/")[0]
    if lookup.has(top):
        return False
    is_end_of_other_path = tail in file.content.once(_paths_below_first_folder, file)
    return is_end_of_other_path or top in file.content.once(_projects_beside, file)


def is_outside(tree: FileIndex, tail: str, base: str, *, skill: bool) -> bool:
    """Return whether the path need not exist here: git ignores it, or it is for other projects.

    ``skill``: the memory file is a skill. Skills are written for many projects, so a path of one
    counts as that of another project if its first folder does not exist. Git ignores the path from
    the root or from ``base``, as a file or as a folder with files, or a line of the .gitignore ends
    with the path or with two or more of its first folders.
    """
    top = tail.partition("/")[0]
    if skill and not (tree.has(top) or tree.has(posixpath.normpath(posixpath.join(base, top)))):
        return True
    from_base = posixpath.normpath(posixpath.join(base, tail))
    ignored = tree.ignored
    # `build/` in a .gitignore ignores folders only: `x` stands for any file in them.
    candidates = (tail, from_base, f"{tail}/x", f"{from_base}/x")
    if ignored.names(tail) or any(ignored.covers(path) for path in candidates):
        return True
    parts = tail.split("/")
    return any(ignored.names("/".join(parts[:end])) for end in range(2, len(parts)))


def _paths_below_first_folder(file: MemoryFile) -> frozenset[str]:
    """Return the paths of the text with two folders or more, each without its first folder."""
    paths = (reference.path for reference in file.path_references)
    return frozenset(path.partition("/")[2] for path in paths if path.count("/") > 1)


def _projects_beside(file: MemoryFile) -> frozenset[str]:
    """Return the folders that the text names as projects: ``shop`` of ``shop/.claude``."""
    return frozenset(_PROJECT.findall(file.content.text))


def _is_in_recipe(file: MemoryFile, line: int) -> bool:
    """Return whether the heading above ``line`` says that the section tells how to add something.

    The names in such a section are those of files to create.
    """
    return says(("recipes", _title_of_section(file, line)))


def _is_in_deep_folder(folder: str, lookup: PathLookup) -> bool:
    """Return whether ``folder`` has :data:`_DEEP` parts or more, and the first of these exist."""
    parts = folder.split("/")
    return len(parts) >= _DEEP and lookup.has("/".join(parts[:_DEEP]))


def is_pointed_at(reference: Reference) -> bool:
    """Return whether the text tells the agent to read the path, or what is defined in it."""
    return says(("pointers", reference.text))


def is_named_with_file(file: MemoryFile, reference: Reference, lookup: PathLookup) -> bool:
    """Return whether the line of ``reference`` also has the name of an existing file in a span."""
    listing = lookup.tree.listing
    names = _NAMED_FILE.findall(file.lines[reference.span.line])
    return listing is not None and any(
        name != reference.path and listing.ending(name) for name in names
    )


def follows_folder_and_file(file: MemoryFile, reference: Reference, lookup: PathLookup) -> bool:
    """Return whether the line of the path names a folder before it, and an existing file in that.

    For ``b.py`` in "`src/api/`: `a.py` reads, `b.py` writes", the file src/api/a.py must exist. The
    folder is relative to the root or to the folder of the memory file.
    """
    span, listing = reference.span, lookup.tree.listing
    line = file.lines[span.line]
    folder = _FOLDER_SPAN.search(line, 0, min(span.start, _SEARCHED))
    if listing is None or folder is None:
        return False
    names = _NAMED_FILE.findall(line, folder.end(), folder.end() + _SEARCHED)
    from_root = [posixpath.join(folder[1], name) for name in names]
    from_base = (posixpath.normpath(posixpath.join(lookup.base, path)) for path in from_root)
    return any(path in listing.files for path in (*from_root, *from_base))


def is_route(path: str, lookup: PathLookup) -> bool:
    """Return whether the brackets in ``path`` are the parameter of a route, not a placeholder.

    For ``app/[id]/page.tsx``, the folder ``app/[id]`` exists. For ``app/[id].tsx``, the folder
    ``app`` has a file or folder whose name begins with a bracket.
    """
    before, _, after = path.partition("[")
    if "/" in after:
        return lookup.has(f"{before}[{after.partition('/')[0]}")
    listing = lookup.tree.listing
    starts = (f"{before}[", posixpath.normpath(posixpath.join(lookup.base, before)) + "/[")
    return listing is not None and any(existing.startswith(starts) for existing in listing.files)


def _is_among_files(file: MemoryFile, reference: Reference, tail: str, lookup: PathLookup) -> bool:
    """Return whether the path begins an item of a section that lists files of the project.

    The heading of the section says so, or another item begins with a path that exists. If ``tail``
    has a folder, the other path must have the same first folder.
    """
    if not _begins_item(file, reference):
        return False
    if _lists_files(file, reference.span.line, lookup):
        return True
    top = tail.partition("/")[0] if "/" in tail else ""
    leading = file.content.once(_leading_paths, file)[section_of(file, reference.span.line)]
    return any(
        _shows_project(path, lookup)
        for path in islice(leading, _NEIGHBORS)
        if path != reference.path and (not top or path.startswith(f"{top}/"))
    )


def _is_in_parentheses_with_file(
    file: MemoryFile, reference: Reference, lookup: PathLookup
) -> bool:
    """Return whether the path is in parentheses with another file, which exists.

    For ``a.py`` in "the parsers (`a.py`, `b.py`)", that is b.py.
    """
    span = reference.span
    for group in _GROUP.finditer(file.lines[span.line]):
        if group.start() < span.start < group.end():
            names = _NAMED_FILE.findall(group[0])
            return any(_shows_project(name, lookup) for name in names if name != reference.path)
    return False


def _lists_files(file: MemoryFile, line: int, lookup: PathLookup) -> bool:
    """Return whether the heading above ``line`` says that its section lists files of the project.

    It has words such as *Key files*, or the name of an existing folder that no build creates.
    """
    title = _title_of_section(file, line)
    if says(("inventories", title)):
        return True
    folders = (match[1] or match[2] for match in _FOLDER.finditer(title))
    return any(lookup.has(path) and not _is_built(path) for path in folders)


def _is_built(folder: str) -> bool:
    """Return whether a part of ``folder`` is the name of a folder that builds create."""
    return not words_of("build_folders").keys().isdisjoint(folder.lower().split("/"))


def _shows_project(path: str, lookup: PathLookup) -> bool:
    """Return whether ``path`` exists and shows that the text is about this project.

    A folder that builds create does not show it, nor does a file name that many projects have. Any
    other name may be that of a file in any folder.
    """
    if "/" in path:
        return lookup.has(path) and not (path.endswith("/") and _is_built(path.strip("/")))
    if word_list("common_names").match(path.lower()):
        return False
    listing = lookup.tree.listing
    return lookup.has(path) or bool(listing and listing.by_name.get(path))


def _begins_item(file: MemoryFile, reference: Reference) -> bool:
    """Return whether an item, a row or a heading begins with the path.

    Also True if any cell of a row begins with it, and it has a folder.
    """
    before = file.lines[reference.span.line][: reference.span.start]
    if _START_OF_ITEM.match(before):
        return True
    is_in_row = before.lstrip().startswith("|")
    return is_in_row and "/" in reference.path and bool(CELL.match(before))


def section_of(file: MemoryFile, line: int) -> int:
    """Return the number of the section that ``line`` is in or begins: 0 above the first heading."""
    return bisect_right(file.markdown.headings, line, key=lambda heading: heading.line)


def _title_of_section(file: MemoryFile, line: int) -> str:
    """Return the text of the heading above ``line``, or on it; '' above the first heading."""
    number = section_of(file, line)  # from 1: the first heading begins section 1
    return file.markdown.headings[number - 1].text if number else ""


def _leading_paths(file: MemoryFile) -> dict[int, list[str]]:
    """Return the paths that items, rows and headings begin with, by their :func:`section_of`."""
    leading: dict[int, list[str]] = defaultdict(list)
    for reference in _references(file):
        if _begins_item(file, reference):
            leading[section_of(file, reference.span.line)].append(reference.path)
    return leading


def _references(file: MemoryFile) -> Iterator[Reference]:
    """Yield the paths, folders without a parent and file names in code spans of ``file``."""
    yield from file.path_references
    yield from file.folder_references
    yield from file.name_references
