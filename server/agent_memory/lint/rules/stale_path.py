"""AM501: a path in the text that does not exist in the project.

The heuristic prefers false negatives: a path is reported only if its sentence is not about
examples, planned files or files that git ignores, and in a skill only if its folder exists.
"""

from __future__ import annotations

import difflib
import posixpath
import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import (
    Edit,
    Fix,
    Related,
    Role,
    Severity,
)
from agent_memory.base.text import Span
from agent_memory.base.text_cache import TextCache
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.lint.shared.word_lists import patterns, word_list

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.fs.file_index import FileIndex, Listing
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project
    from agent_memory.markdown.references import Reference

_EXTENSION = lazy_compile(
    r"(?:astro|bash|bat|bicep|cc?|cfg|cjs|clj|cmake|conf|cpp|cs|csproj|css|csv|cts|cxx|dart|env|erl"
    r"|exs?|fs|fsproj|go|gql|gradle|graphql|groovy|h|hcl|hpp|hs|html|hxx|ini|ipynb|java|jl|jsx?"
    r"|json[5c]?|kts?|less|lock|lua|mm?|mdx?|mdc|mjs|mk|ml|mts|nim|nix|php|pl|plist|png|prisma"
    r"|properties|proto|ps1|psm1|pyx?|pyi|rb?|rs|rst|sass|scala|scss|sh|sln|sol|sql|svelte|svg"
    r"|swift|tex|tf|tfvars|toml|tsx?|txt|vb|vue|wasm|xcodeproj|xml|ya?ml|zig|zsh)\Z"
)
_HEDGES = ("path_hedges", "gone", "foreign_hedges")
"""Word lists: with one of these words in its sentence, a path need not exist."""
_OWN_SPAN = "` `"
_SPAN = lazy_compile(r"`[^`]*`")
"""A code span. The words in one other than that of the path say nothing about the path."""
_HEADERS = (".h", ".hh", ".hpp", ".hxx")
_CLOSE = 0.85
"""Minimum similarity of two file names, from 0 to 1 (difflib)."""
_COMPILED = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report paths that exist neither at the root, next to the file, nor anywhere by ending."""
    tree, base = project.tree, project.below_root(file.path)
    if base is None:
        return
    skill = file.source.role is Role.SKILL
    for reference in file.path_references:
        path = posixpath.normpath(reference.path.replace("\\", "/"))
        if tree.has(path) or tree.has(posixpath.normpath(posixpath.join(base, path))):
            continue
        tail = re.sub(r"^(?:\.\./)+", "", path)
        if _is_hedged_section(file, reference.span.line):
            continue
        folder = reference.path.endswith("/")
        if skill and (folder or tail.count("/") < 2):
            continue
        if not _is_claim((tail, reference.text, folder)):
            continue
        listing = tree.listing
        if listing is None or _found(listing, tail) or _is_foreign_header(listing, tail):
            continue
        if _is_outside(tree, tail, base, skill=skill):
            continue
        if tail not in listing.nearest:
            listing.nearest[tail] = _nearest(listing, tail)
        yield _hit(file, project, reference, listing.nearest[tail])


def _is_hedged_section(file: MemoryFile, line: int) -> bool:
    """Return whether the section of ``line`` is about examples, plans or the past."""
    headings = file.markdown.headings
    above = bisect_left(headings, line, key=lambda heading: heading.line)
    if not above:
        return False
    return bool(word_list("section_hedges", re.IGNORECASE).search(headings[above - 1].text))


def _found(listing: Listing, tail: str) -> bool:
    """Return whether a path ends with ``tail``, or with the source ``tail`` is compiled from."""
    stem, dot, extension = tail.rpartition(".")
    sources = _COMPILED.get(dot + extension, ())
    return any(listing.ending(path) for path in (tail, *(stem + source for source in sources)))


def _is_foreign_header(listing: Listing, tail: str) -> bool:
    """Return whether ``tail`` is a header of a dependency: the project has no C or C++ headers."""
    return tail.endswith(_HEADERS) and not any(path.endswith(_HEADERS) for path in listing.files)


@TextCache
def _is_claim(reference: tuple[str, str, bool]) -> bool:
    """Return whether a text says that a path in it exists: no placeholder, build output or plan.

    ``reference`` is (path, text, whether the path is one of a folder).
    """
    path, text, folder = reference
    parts = path.split("/")
    if parts[0].startswith(".") and parts[0] != ".github":
        return False  # personal files of tools
    if "." in parts[0] and len(parts) > 2:
        return False  # a host name
    invented = word_list("placeholder_names", re.IGNORECASE)
    built = patterns("build_folders")
    folders = parts if folder else parts[:-1]
    if any(part.lower() in built or invented.match(part) for part in folders):
        return False
    if not folder and not _is_file_name(parts[-1].lower(), invented):
        return False
    said = _SPAN.sub(lambda span: span[0] if span[0] == _OWN_SPAN else "`x`", text)
    return not any(word_list(name).search(said) for name in _HEDGES)


def _is_file_name(name: str, invented: re.Pattern[str]) -> bool:
    """Return whether ``name`` is that of a file people keep: no placeholder, no local settings."""
    if not _EXTENSION.match(name.rpartition(".")[2]):
        return False
    stem = name.rpartition(".")[0]
    return not (invented.match(stem) or ".local." in name or name.startswith(".env"))


def _is_outside(tree: FileIndex, tail: str, base: str, *, skill: bool) -> bool:
    """Return whether the path is outside of the project: git ignores it, or a skill's folder is.

    Skills are written for many projects, so their paths say little without their folder.
    """
    folder = tail.rpartition("/")[0]
    here = posixpath.normpath(posixpath.join(base, folder))
    exists = not skill or tree.has(folder) or tree.has(here)
    below = posixpath.normpath(posixpath.join(base, tail))
    return not exists or tree.ignored.covers(tail) or tree.ignored.covers(below)


def _nearest(listing: Listing, path: str) -> str | None:
    """Return the same file in another folder, else a file of the folder with a similar name.

    The folder does not count for the similarity: it would make any two of its files similar.
    """
    folder, _, name = path.rpartition("/")
    top = path.partition("/")[0] + "/"
    named = listing.by_name.get(name, [])
    same = [item for item in named if item in listing.files and item.startswith(top)]
    if len(same) == 1:
        return same[0]
    siblings = {
        item.rpartition("/")[2].casefold(): item
        for item in listing.files
        if item.rpartition("/")[0].endswith(folder)
    }
    near = difflib.get_close_matches(name.casefold(), siblings, 1, _CLOSE)
    return siblings[near[0]] if near else None


def _hit(file: MemoryFile, project: Project, reference: Reference, near: str | None) -> Hit:
    message = (
        t("{0} does not exist in this project. Did you mean {1}?", reference.path, near)
        if near
        else t("{0} does not exist in this project. Correct the path, or remove it", reference.path)
    )
    fixes: tuple[Fix, ...] = ()
    related: tuple[Related, ...] = ()
    if near:
        fixes = (
            Fix(t("Replace with {0}", near), (Edit(file.path, reference.span, near),), safe=False),
        )
        target = project.tree.root / near
        related = (Related(target, Span(0, 0, 0, 0), t("Existing file")),)
    return Hit(reference.span, message, fixes, related)


RULE = FileRule(
    "AM501",
    "stale-path",
    Severity.WARNING,
    "A path that does not exist",
    check=check,
    roles=MEMORY_ROLES | {Role.SKILL},
    varies=True,
)
