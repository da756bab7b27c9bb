"""Which file of the project a path that does not exist probably means."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.lint.shared.word_lists import word_list

if TYPE_CHECKING:
    from agent_memory.fs.file_index import Listing

_CLOSE = 0.85
"""Minimum similarity of two file names, from 0 to 1 (difflib)."""


class Similar(NamedTuple):
    """An existing path. ``certain``: it has the same name, in another folder or letter case."""

    path: str
    certain: bool


def similar(listing: Listing, path: str) -> Similar | None:
    """Return the file that ``path`` probably means; the result is cached with ``listing``."""
    if path not in listing.nearest:
        listing.nearest[path] = _same_in_other_case(listing, path) or _nearest(listing, path)
    found: Similar | None = listing.nearest[path]
    return found


def from_template(listing: Listing, path: str) -> bool:
    """Return whether the project has a template of this name, from which the file is created."""
    named = listing.by_name.get(path.rpartition("/")[2], ())
    return any("template" in item.rpartition("/")[0].lower() for item in named)


def _same_in_other_case(listing: Listing, path: str) -> Similar | None:
    low = path.casefold()
    named = listing.by_folded_name.get(low.rpartition("/")[2], ())
    same = [item for item in named if f"/{item}".casefold().endswith(f"/{low}")]
    if len(same) != 1:
        return None
    return Similar(same[0], certain=not f"/{same[0]}".endswith(f"/{path}"))  # of another package


def _nearest(listing: Listing, path: str) -> Similar | None:
    """Return the same file in another folder, else a file of the folder with a similar name.

    The folder does not count for the similarity: it would make any two of its files similar.
    """
    folder, _, name = path.rpartition("/")
    if not folder:
        return None  # a name without a folder: any file of the project could be similar
    top = path.partition("/")[0] + "/"
    named = listing.by_name.get(name, [])
    same = [item for item in named if item in listing.files and item.startswith(top)]
    if len(same) == 1:
        common = word_list("common_names", re.IGNORECASE).match(name)
        return Similar(same[0], certain=not common)  # another README is not the same file
    siblings = {
        item.rpartition("/")[2].casefold(): item
        for item in listing.files
        if item.rpartition("/")[0].endswith(folder)
    }
    near = difflib.get_close_matches(name.casefold(), siblings, 1, _CLOSE)
    return Similar(siblings[near[0]], certain=False) if near else None
