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

_LEADS = lazy_compile(r"\s*(?:(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?|\|\s*|#+\s+)[*_]*`?\Z")
"""The text before a path that an item, the first cell of a row or a heading begins with."""
BETWEEN = r"[*_]*\s*(?:[,/&+]|and|or)\s*[*_]*"
"""The text between two names that an entry begins with: ``a.py``, ``b.py``."""
_NOTED = lazy_compile(
    rf"`?(?:{BETWEEN}`[^`]*`)*"
    r"\)?[*_]*\s*(?:[:|(（：—–]|-{1,2}[\s>]|\Z)"  # noqa: RUF001
)
"""What follows a path that an entry begins with, before the note: perhaps other names."""
_NAME_BEFORE = lazy_compile(rf"`[^`]*`{BETWEEN}(?=`)")
"""A name before another one: ``a.py``, ``b.py``."""
_TITLE = lazy_compile(r"\*\*[^*`]{1,40}\*\* \((?=`\Z)")
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
_NEAR = 500
"""Characters of a line in which a folder, and then a file of it, are searched for."""
_NEIGHBORS = 200
"""Paths of a section that are looked up to tell whether it lists files of the project."""


def is_supported(file: MemoryFile, reference: Reference, tail: str, place: PathLookup) -> bool:
    """Return whether the text or the tree shows that the project had the file or folder ``tail``.

    False in a section that tells how to add a file. Otherwise, one of these is enough:

    - its first :data:`_DEEP` folders exist;
    - the folder that it is in exists; the text must place a folder (:func:`is_placed`), not a file;
    - its first folder exists, the text places it, and other projects are not likely: the file is
      memory of this project, or that folder is not one that any project has;
    - the text tells the agent to read it;
    - it is among files that a section lists (:func:`_is_among_files`), or in parentheses with one
      that exists;
    - it is a name after its folder and a file in it.

    ``tail`` is the path without ``../`` at its start.
    """
    folder = posixpath.dirname(tail.rstrip("/"))
    if _is_in_recipe(file, reference.span.line):
        return False  # a file to create
    if folder and _is_in_deep_folder(folder, place):
        return True
    is_file = not reference.path.endswith("/")
    # In the middle of a sentence, a folder is often an example.
    if folder and place.has(folder) and (is_file or is_placed(file, reference)):
        return True
    top = tail.partition("/")[0]
    is_common = top.lower() in words_of("common_folders")  # of any project: `src`
    is_about_project = is_own_memory(file, place.base) or not is_common
    if folder and is_about_project and place.has(top) and is_placed(file, reference):
        return True  # a folder of the project, from which a folder was removed
    if is_pointed_at(reference) or _is_among_files(file, reference, tail, place):
        return True
    if _is_beside_file(file, reference, place):
        return True
    return "/" not in tail and is_of_folder_before(file, reference, place)


def is_placed(file: MemoryFile, reference: Reference) -> bool:
    """Return whether the path begins an item or a cell, follows a label, or is said to be read.

    Paths elsewhere in a sentence are often examples, of other projects, or ones to create.
    """
    before = file.lines[reference.span.line][: reference.span.start]
    begins = _LEADS.match(before) or CELL.match(before) or _LABEL.match(reference.text)
    return bool(begins) or is_pointed_at(reference)


def begins_entry(file: MemoryFile, reference: Reference) -> bool:
    """Return whether an item, a row or a heading begins with the path, and a note follows."""
    if not file.markdown.is_prose(reference.span.line):
        return False
    line = file.lines[reference.span.line]
    before, after = line[: reference.span.start], line[reference.span.end :]
    # A title or other names may be before it: **Parser** (`a.py`), or `a.py`, `b.py` - both parse.
    before = _TITLE.sub("", _NAME_BEFORE.sub("", before), 1)
    return bool(_LEADS.match(before) and _NOTED.match(after))


def is_of_project_beside(file: MemoryFile, tail: str, place: PathLookup) -> bool:
    """Return whether the path ``a/b.md`` is one of another project.

    Its first folder does not exist, and the file names that folder as a project (``a/.claude``), or
    names the path with a folder above (``x/a/b.md``).
    """
    top = tail.partition("/")[0]
    if place.has(top):
        return False
    is_in_longer_path = tail in file.content.once(_tails, file)
    return is_in_longer_path or top in file.content.once(_projects_beside, file)


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


def _tails(file: MemoryFile) -> frozenset[str]:
    """Return the paths with two folders or more, each without its first folder."""
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


def _is_in_deep_folder(folder: str, place: PathLookup) -> bool:
    """Return whether the first parts of ``folder`` exist, and are more than any project has."""
    parts = folder.split("/")
    return len(parts) >= _DEEP and place.has("/".join(parts[:_DEEP]))


def is_pointed_at(reference: Reference) -> bool:
    """Return whether the text tells the agent to read the path, or what is defined in it."""
    return says(("pointers", reference.text))


def is_named_with_file(file: MemoryFile, reference: Reference, place: PathLookup) -> bool:
    """Return whether the line of ``reference`` also has the name of an existing file in a span."""
    listing = place.tree.listing
    names = _NAMED_FILE.findall(file.lines[reference.span.line])
    return listing is not None and any(
        name != reference.path and listing.ending(name) for name in names
    )


def is_of_folder_before(file: MemoryFile, reference: Reference, place: PathLookup) -> bool:
    """Return whether the line names a folder, an existing file in it and ``reference``.

    Such as ``b.py`` in "`src/api/`: `a.py` reads, `b.py` writes" with src/api/a.py.
    """
    span, listing = reference.span, place.tree.listing
    line = file.lines[span.line]
    folder = _FOLDER_SPAN.search(line, 0, min(span.start, _NEAR))
    if listing is None or folder is None:
        return False
    files = _NAMED_FILE.findall(line, folder.end(), folder.end() + _NEAR)
    named = [posixpath.join(folder[1], name) for name in files]
    from_file = (posixpath.normpath(posixpath.join(place.base, path)) for path in named)
    return any(path in listing.files for path in (*named, *from_file))


def is_route(path: str, place: PathLookup) -> bool:
    """Return whether the brackets in ``path`` are the parameter of a route, not a placeholder.

    For ``app/[id]/page.tsx``, the folder ``app/[id]`` exists. For ``app/[id].tsx``, the folder
    ``app`` has a file or folder whose name begins with a bracket.
    """
    before, _, after = path.partition("[")
    if "/" in after:
        return place.has(f"{before}[{after.partition('/')[0]}")
    listing = place.tree.listing
    starts = (f"{before}[", posixpath.normpath(posixpath.join(place.base, before)) + "/[")
    return listing is not None and any(existing.startswith(starts) for existing in listing.files)


def _is_among_files(file: MemoryFile, reference: Reference, tail: str, place: PathLookup) -> bool:
    """Return whether the path leads an item of a section that lists files of the project.

    Its heading says so, or another item begins with a path that exists. If the path has a folder,
    the other path must have the same first folder.
    """
    if not _leads(file, reference):
        return False
    if _lists_files(file, reference.span.line, place):
        return True
    top = tail.partition("/")[0] if "/" in tail else ""
    leading = file.content.once(_leading_paths, file)[section_of(file, reference.span.line)]
    return any(
        _is_known(path, place)
        for path in islice(leading, _NEIGHBORS)
        if path != reference.path and (not top or path.startswith(f"{top}/"))
    )


def _is_beside_file(file: MemoryFile, reference: Reference, place: PathLookup) -> bool:
    """Return whether the path is in parentheses with other files, one of which is known.

    Such as ``a.py`` in "the parsers (`a.py`, `b.py`)".
    """
    span = reference.span
    for group in _GROUP.finditer(file.lines[span.line]):
        if group.start() < span.start < group.end():
            names = _NAMED_FILE.findall(group[0])
            return any(_is_known(name, place) for name in names if name != reference.path)
    return False


def _lists_files(file: MemoryFile, line: int, place: PathLookup) -> bool:
    """Return whether the heading above ``line`` is one of a list of files of the project.

    It has a word for that, such as *Key files*, or names an existing folder that is not built.
    """
    title = _title_of_section(file, line)
    if says(("inventories", title)):
        return True
    folders = (match[1] or match[2] for match in _FOLDER.finditer(title))
    return any(place.has(path) and not _is_built(path) for path in folders)


def _is_built(folder: str) -> bool:
    """Return whether a part of ``folder`` is the name of a folder that builds create."""
    return not words_of("build_folders").keys().isdisjoint(folder.lower().split("/"))


def _is_known(path: str, place: PathLookup) -> bool:
    """Return whether ``path`` exists and shows that the text is about this project.

    A folder that builds create does not, nor does a file name that many projects have. Another
    name may be that of a file in any folder.
    """
    if "/" in path:
        return place.has(path) and not (path.endswith("/") and _is_built(path.strip("/")))
    if word_list("common_names").match(path.lower()):
        return False
    listing = place.tree.listing
    return place.has(path) or bool(listing and listing.by_name.get(path))


def _leads(file: MemoryFile, reference: Reference) -> bool:
    """Return whether an item, a row or a heading begins with the path.

    A path with a folder may also begin another cell of a row than the first one.
    """
    before = file.lines[reference.span.line][: reference.span.start]
    if _LEADS.match(before):
        return True
    in_row = "/" in reference.path and before.lstrip().startswith("|")
    return in_row and bool(CELL.match(before))


def section_of(file: MemoryFile, line: int) -> int:
    """Return the number of the section that ``line`` is in or begins: 0 above the first heading."""
    return bisect_right(file.markdown.headings, line, key=lambda heading: heading.line)


def _title_of_section(file: MemoryFile, line: int) -> str:
    """Return the heading of the section of ``line``, '' above the first one."""
    number = section_of(file, line)
    return file.markdown.headings[number - 1].text if number else ""


def _leading_paths(file: MemoryFile) -> dict[int, list[str]]:
    """Return the paths that items, rows and headings begin with, by the number of their section."""
    leading: dict[int, list[str]] = defaultdict(list)
    for reference in _references(file):
        if _leads(file, reference):
            leading[section_of(file, reference.span.line)].append(reference.path)
    return leading


def _references(file: MemoryFile) -> Iterator[Reference]:
    """Yield the paths, folders without a parent and file names in code spans of ``file``."""
    yield from file.path_references
    yield from file.folder_references
    yield from file.name_references
