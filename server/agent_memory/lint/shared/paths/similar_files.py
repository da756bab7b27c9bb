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
"""Files of one name, of which the path may mean any."""
_SOURCES = frozenset({"apps", "crates", "lib", "libs", "packages", "src"})
"""Folders that people leave out when they name a file of a package."""
_DIALECTS = (("js", "jsx", "ts", "tsx", "mjs", "mts"), ("yml", "yaml"), ("c", "cc", "cpp", "cxx"))
"""Extensions of one language: files are renamed from one to another."""
_MAIN = {
    "py": ("__init__.py",),
    "rs": ("mod.rs",),
    **dict.fromkeys(_DIALECTS[0], tuple(f"index.{each}" for each in _DIALECTS[0])),
}
"""By the extension of a module: the main files of the folder that it can be split into."""


class Similar(NamedTuple):
    """An existing path that a missing one probably means.

    ``certain``: the missing one surely means it. For example, git moved the file to it, or the two
    differ in letter case only.
    """

    path: str
    certain: bool


def similar(listing: Listing, path: str, base: str = ".") -> Similar | None:
    """Return the file that ``path``, written in a file of the folder ``base``, probably means.

    None if no file is similar enough. The result, also None, is cached with ``listing``.
    """
    key = f"{base}\n{path}"
    if key not in listing.nearest:
        listing.nearest[key] = (
            _same_in_other_case(listing, path)
            or _main_of_folder(listing, path, base)
            or _nearest(listing, path, base)
        )
    nearest: Similar | None = listing.nearest[key]
    return nearest


def is_elsewhere(listing: Listing, path: str) -> bool:
    """Return whether the file was probably moved: one to three existing files have its name.

    The letter case does not count. Of a name that a tool or a convention defines, such as
    ``index.ts``, another file must have the name and the folder. False for a name that begins with
    a bracket.
    """
    folder, _, name = path.rpartition("/")
    if name.startswith("["):
        return False  # a route such as `[id].tsx`, or a placeholder: the name says nothing
    named = listing.by_folded_name.get(name.casefold(), ())
    if named and word_list("common_names").match(name.lower()):
        name_in_folder = f"{folder.rpartition('/')[2]}/{name}"
        return any(existing in listing.files for existing in listing.ending(name_in_folder))
    files = sum(existing in listing.files for existing in named)  # `named` has folders, too
    return 1 <= files <= _FEW


def is_shortened(listing: Listing, path: str) -> bool:
    """Return whether ``path`` is that of an existing file without its :data:`_SOURCES` folders.

    ``core/a.rs`` stands for ``crates/core/src/a.rs``. False for a name without a folder.
    """
    parts = path.split("/")
    named = listing.by_name.get(parts[-1], ()) if len(parts) > 1 else ()
    return any(
        [part for part in existing.split("/") if part not in _SOURCES] == parts
        for existing in named
    )


def from_template(listing: Listing, path: str) -> bool:
    """Return whether a folder of templates has a file with the name of ``path``, to copy there."""
    named = listing.by_name.get(path.rpartition("/")[2], ())
    return any("template" in item.rpartition("/")[0].lower() for item in named)


def _places(listing: Listing, folder: str, base: str) -> list[str]:
    """Return the existing folders that ``folder`` may be: from ``base`` or the root, else any.

    "Any" is each folder whose path ends with ``folder``. Empty if there are very many: the time of
    a check would grow with the square of the project's size.
    """
    candidates = (_prefix_of(base) + folder, folder)
    existing = [candidate for candidate in candidates if candidate in listing.folders]
    places = existing or listing.ending(folder)
    return places if len(places) <= _FOLDERS_MAX else []


def _with_other_extension(listing: Listing, name: str) -> Similar | None:
    """Return the only file with ``name`` but the extension of another dialect, in any folder.

    For ``app.js``, that may be ``src/app.ts``. None if there is no such file, or several.
    """
    stem, _, extension = name.rpartition(".")
    dialects: tuple[str, ...] = next((each for each in _DIALECTS if extension in each), ())
    other_names = [f"{stem}.{other}" for other in dialects if other != extension]
    found = [path for other in other_names for path in listing.by_name.get(other, ())]
    return Similar(found[0], certain=False) if len(found) == 1 else None


def _prefix_of(base: str) -> str:
    """Return what the paths of files in the folder ``base`` begin with, '' for the root."""
    return "" if base == "." else f"{base}/"


def _same_in_other_case(listing: Listing, path: str) -> Similar | None:
    """Return the only file whose path ends with ``path``, in any letter case.

    None if there is no such file, or several. If its path ends exactly with ``path``, it is a file
    of another folder, perhaps of another package, and not certain. Else only the letter case
    differs, and it is certain.
    """
    folded = path.casefold()
    named = listing.by_folded_name.get(folded.rpartition("/")[2], ())
    found = [existing for existing in named if f"/{existing}".casefold().endswith(f"/{folded}")]
    if len(found) != 1:
        return None
    is_same_case = f"/{found[0]}".endswith(f"/{path}")
    return Similar(found[0], certain=not is_same_case)


def _main_of_folder(listing: Listing, path: str, base: str) -> Similar | None:
    """Return the main file of the folder that the module ``path`` was split into, None without one.

    That of ``src/cart.rs`` is ``src/cart/mod.rs``, from ``base`` or from the root. A name without a
    folder does not count.
    """
    stem, _, extension = path.rpartition(".")
    if "/" not in path:
        return None
    candidates = (
        f"{start}{stem}/{name}"
        for start in dict.fromkeys((_prefix_of(base), ""))
        for name in _MAIN.get(extension, ())
    )
    main = next((each for each in candidates if each in listing.files), None)
    return Similar(main, certain=False) if main else None


def _nearest(listing: Listing, path: str, base: str) -> Similar | None:
    """Return the same file in another folder, else a file of the folder with a similar name.

    None if no name is similar enough. For a name without a folder, return a file with another
    extension only, since any file of the project could have a similar name.
    """
    folder, _, name = path.rpartition("/")
    if not folder:
        return _with_other_extension(listing, name)
    return _in_other_folder(listing, path, base) or _with_similar_name(listing, path, base)


def _in_other_folder(listing: Listing, path: str, base: str) -> Similar | None:
    """Return the only file with the name of ``path`` in the first of three places that has one.

    The places are the first folder of ``path``, where the file is certain, the folder ``base`` and
    the whole project. For a name that many projects have, such as README.md, only the first folder
    is searched, and the file is not certain: another README is not the same file. None if no place
    has exactly one file of this name.
    """
    name = path.rpartition("/")[2]
    named = [existing for existing in listing.by_name.get(name, ()) if existing in listing.files]
    if not named:
        return None
    is_common = bool(word_list("common_names").match(name.lower()))
    top = path.partition("/")[0] + "/"
    prefixes = (top,) if is_common else (top, _prefix_of(base), "")
    for prefix in prefixes:
        found = [existing for existing in named if existing.startswith(prefix)]
        if len(found) == 1:
            return Similar(found[0], certain=not is_common and prefix == top)
    return None


def _with_similar_name(listing: Listing, path: str, base: str) -> Similar | None:
    """Return the file with the most similar name in the folder of ``path``, None without one.

    The folder does not count for the similarity: it would make any two of its files similar.
    """
    folder, _, name = path.rpartition("/")
    siblings = {
        existing.rpartition("/")[2].casefold(): existing
        for place in _places(listing, folder, base)
        for existing in listing.files_of(place)
    }
    nearest = difflib.get_close_matches(name.casefold(), siblings, 1, _CLOSE)
    return Similar(siblings[nearest[0]], certain=False) if nearest else None
