"""Which file of the project a path that does not exist probably means."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.lint.shared.word_lists import word_list

if TYPE_CHECKING:
    from agent_memory.fs.listing import Listing

_CLOSE = 0.85
"""Minimum similarity of two file names, from 0 to 1 (difflib)."""


_FOLDERS_MAX = 50
"""Folders of one name whose files are compared."""
_FEW = 3
_SOURCES = frozenset({"apps", "crates", "lib", "libs", "packages", "src"})
"""Folders that people leave out when they name a file of a package."""
_DIALECTS = (("js", "jsx", "ts", "tsx", "mjs", "mts"), ("yml", "yaml"), ("c", "cc", "cpp", "cxx"))
"""Extensions of one language: files are renamed from one to another."""


class Similar(NamedTuple):
    """An existing path. ``certain``: it has the same name, in another folder or letter case."""

    path: str
    certain: bool


def similar(listing: Listing, path: str, base: str = ".") -> Similar | None:
    """Return the file that ``path``, written in a file of the folder ``base``, probably means.

    None if no file is similar enough. The result is cached with ``listing``.
    """
    key = f"{base}\n{path}"
    if key not in listing.nearest:
        listing.nearest[key] = _same_in_other_case(listing, path) or _nearest(listing, path, base)
    found: Similar | None = listing.nearest[key]
    return found


def is_elsewhere(listing: Listing, path: str) -> bool:
    """Return whether the file was probably moved: others, but few, have its name.

    Names that a tool or a custom defines say nothing without the name of their folder.
    """
    folder, _, name = path.rpartition("/")
    if name.startswith("["):
        return False  # a route, or a placeholder
    named = listing.by_folded_name.get(name.casefold(), ())
    if named and word_list("common_names").match(name.lower()):
        tail = f"{folder.rpartition('/')[2]}/{name}"
        return any(item in listing.files for item in listing.ending(tail))
    return 1 <= sum(item in listing.files for item in named) <= _FEW


def is_shortened(listing: Listing, path: str) -> bool:
    """Return whether ``path`` is that of a file without its folders for sources: ``core/a.rs``."""
    parts = path.split("/")
    named = listing.by_name.get(parts[-1], ()) if len(parts) > 1 else ()
    return any(
        [part for part in item.split("/") if part not in _SOURCES] == parts for item in named
    )


def from_template(listing: Listing, path: str) -> bool:
    """Return whether the project has a template of this name, from which the file is created."""
    named = listing.by_name.get(path.rpartition("/")[2], ())
    return any("template" in item.rpartition("/")[0].lower() for item in named)


def _places(listing: Listing, folder: str, base: str) -> list[str]:
    """Return the folders that ``folder`` may be: below ``base`` and the root, else anywhere.

    None of very many: the time of a check would grow with the square of the project's size.
    """
    direct = [place for place in (_prefix_of(base) + folder, folder) if place in listing.folders]
    ending = direct or listing.ending(folder)
    return ending if len(ending) <= _FOLDERS_MAX else []


def _with_other_extension(listing: Listing, name: str) -> Similar | None:
    """Return the only file of this name in another dialect of its language, None without one."""
    stem, _, extension = name.rpartition(".")
    dialects = next((some for some in _DIALECTS if extension in some), ())
    found = [
        path
        for other in dialects
        if other != extension
        for path in listing.by_name.get(f"{stem}.{other}", ())
    ]
    return Similar(found[0], certain=False) if len(found) == 1 else None


def _prefix_of(base: str) -> str:
    """Return what the paths of files in the folder ``base`` begin with, '' for the root."""
    return "" if base == "." else f"{base}/"


def _same_in_other_case(listing: Listing, path: str) -> Similar | None:
    """Return the only file whose path ends with ``path`` in any case of letters, None without one.

    It is certain unless the letters are the same: then it is a file of another package.
    """
    low = path.casefold()
    named = listing.by_folded_name.get(low.rpartition("/")[2], ())
    same = [item for item in named if f"/{item}".casefold().endswith(f"/{low}")]
    if len(same) != 1:
        return None
    return Similar(same[0], certain=not f"/{same[0]}".endswith(f"/{path}"))


def _nearest(listing: Listing, path: str, base: str) -> Similar | None:
    """Return the same file in another folder, else a file of the folder with a similar name.

    None if no name is similar enough. The folder does not count for the similarity: it would make
    any two of its files similar.
    """
    folder, _, name = path.rpartition("/")
    if not folder:  # any file of the project could have a similar name
        return _with_other_extension(listing, name)
    named = [item for item in listing.by_name.get(name, ()) if item in listing.files]
    common = bool(named) and word_list("common_names").match(name.lower())
    top = path.partition("/")[0] + "/"
    for start in (top, *(() if common else (_prefix_of(base), ""))):
        same = [item for item in named if item.startswith(start)]
        if len(same) == 1:  # another README is not the same file
            return Similar(same[0], certain=not common and start == top)
    siblings = {
        item.rpartition("/")[2].casefold(): item
        for place in _places(listing, folder, base)
        for item in listing.files_of(place)
    }
    near = difflib.get_close_matches(name.casefold(), siblings, 1, _CLOSE)
    return Similar(siblings[near[0]], certain=False) if near else None
