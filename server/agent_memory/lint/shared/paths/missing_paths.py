"""Whether a path that does not exist is reported, with what severity, and why not."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Role, Severity
from agent_memory.lint.shared.own_memory import is_own_memory
from agent_memory.lint.shared.paths.certainty import is_certain, is_meant_here
from agent_memory.lint.shared.paths.claims import (
    PathClaim,
    is_claim,
    is_claim_by_name,
    is_stated,
    is_to_be_read,
)
from agent_memory.lint.shared.paths.doubts import (
    comes_with_use,
    has_alternative,
    is_default_of_option,
    is_folder,
    is_not_for_now,
    is_pattern,
    is_vague,
)
from agent_memory.lint.shared.paths.evidence import (
    begins_entry,
    is_of_project_beside,
    is_outside,
    is_route,
    is_supported,
)
from agent_memory.lint.shared.paths.history import past_of, past_of_folder
from agent_memory.lint.shared.paths.layout_lists import is_in_layout
from agent_memory.lint.shared.paths.lookup import existing_paths, folder_of
from agent_memory.lint.shared.paths.missing import Missing, missing_hit
from agent_memory.lint.shared.paths.samples import (
    head_of_column,
    headings_of,
    is_of_plan,
    is_sample,
)
from agent_memory.lint.shared.paths.similar_files import is_elsewhere, similar
from agent_memory.lint.shared.paths.whole_text import (
    is_about_other_project,
    is_created,
    is_said_gone,
)
from agent_memory.lint.shared.surroundings import spans_before
from agent_memory.lint.shared.word_lists import AS_EXAMPLE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.fs.listing import Listing
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.rule import Hit
    from agent_memory.lint.shared.paths.history import Past
    from agent_memory.lint.shared.paths.lookup import PathLookup
    from agent_memory.lint.shared.paths.mentions import Mention
    from agent_memory.lint.shared.paths.similar_files import Similar
    from agent_memory.markdown.references import Reference

_PROMPTS = "prompts"
"""Name of a folder of tasks that a person starts."""
_AS_IMPORT = lazy_compile(r"\bimport(?:s|ed|ing)?(?= ` `)")
"""The word before a path that code imports, perhaps the code of an example."""
_TO_READ = lazy_compile(r"\W*(?:read|see|consult)(?: (?:first|also|before \w+))?\W*\Z")
"""The heading of a column of files that the agent is to read."""
_INTO = lazy_compile(
    r"\b(?:add|create|define|put|write)\b[^.;`|]{0,40}\b(?:in|into|to|under) (?=` `)"
)
"""``Create a test in ` ` ``."""
_UP = lazy_compile(r"^(?:\.\./)+")
"""The steps to the folders above at the start of a path."""


def path_hits(file: MemoryFile, mention: Mention, path: str, place: PathLookup) -> Iterator[Hit]:
    """Report the missing ``path`` of ``mention``, unless the project may lack it.

    The severity is that of the rule for a path that the project must have had, else information.
    """
    mention = _with_column(file, mention)
    tree, reference = place.tree, mention.reference
    tail = _UP.sub("", path)  # without `../` at its start
    past = past_of(tree, path, place.base)
    if past is None and reference.path.endswith("/") and is_own_memory(file, place.base):
        past = past_of_folder(tree, tail)
    if past:  # git deleted it, so it was one of this project
        is_reported = _is_deleted_path_missed(file, reference, past, tail, place)
    else:
        is_reported = _is_missed(file, mention, path, place)
    if not is_reported or is_default_of_option(file, reference):
        return
    listing = tree.listing
    near = similar(listing, tail, place.base) if listing else None
    if near and _is_in_row(file.lines[reference.span.line], near.path):
        return  # the row says where it is now
    certain = bool(past) or mention.is_listed or is_in_layout(file, reference, place)
    certain = certain or is_certain(file, reference, tail, place, near, is_used=mention.is_used)
    git_never_had_it = not past and tree.deleted.is_known
    if git_never_had_it and not (certain and _is_expected(mention, near, place)):
        return  # most are examples, or files to come
    severity = None if certain else Severity.INFO
    yield missing_hit(file, place, Missing(reference, near, past), severity)


def _with_column(file: MemoryFile, mention: Mention) -> Mention:
    """Return ``mention`` with *read* before its path, if its column is one of files to read."""
    reference = mention.reference
    if not _TO_READ.match(head_of_column(file, reference)):
        return mention
    text = reference.text.replace("` `", "read ` `", 1)
    return mention._replace(reference=reference._replace(text=text))


def _is_expected(mention: Mention, near: Similar | None, place: PathLookup) -> bool:
    """Return whether a path that git never had should exist now, and not only later.

    It should if it is to be read or run, has a similar existing file, or is not in a folder that
    comes with use.
    """
    reference, tail = mention.reference, _UP.sub("", mention.reference.path)
    if mention.is_used or near or is_to_be_read(PathClaim(tail, reference.text)):
        return True
    return not comes_with_use(reference, tail, place)


def _is_deleted_path_missed(
    file: MemoryFile, reference: Reference, past: Past, tail: str, place: PathLookup
) -> bool:
    """Return whether the text says that ``tail``, which git deleted, exists in this project.

    ``tail`` is the path without ``../`` at its start. False for a path of a plan, for one that git
    ignores or the text creates, and if a file of another folder or project may be meant.
    """
    # Whether git deleted the path that it is from the folder of the file, not only a similar one.
    is_exact = past.path == posixpath.normpath(posixpath.join(place.base, tail))
    # A path that git had is no made-up example, and no import in one.
    text = AS_EXAMPLE.sub("", reference.text) if is_exact else reference.text
    text = _AS_IMPORT.sub("", text) if is_exact or past.path == tail else text
    text = _without_new_file(reference, text, tail, place)
    claim = PathClaim(tail, text, is_folder(reference), begins_entry(file, reference))
    is_task = _PROMPTS in file.path.parts  # a task may tell the agent to create the file
    if not (is_to_be_read(claim) or (is_stated(claim) and not is_task)):
        return False
    if is_of_plan(file, reference, tail, place.tree.has):
        return False
    listing = place.tree.listing
    if listing is None:
        return False  # too many files to know whether another one may be meant
    ending = existing_paths(listing, tail)
    if ending and not is_exact:
        return False  # the existing file of that name may be meant
    # A file at the root can be about any folder, a file below it is about its own.
    if place.base == "." and _is_named_apart(file, tail, ending):
        return False  # the text may mean the path in that folder
    if _is_in_named_folder(file, reference, tail, ending, place.base):
        return False  # it may mean the path in that folder
    if file.source.role is Role.SKILL and _is_of_installing_project(past, claim, tail, place):
        return False
    # `skill` is False for skills too: git had the path, so it is not one of another project.
    if is_outside(place.tree, tail, place.base, skill=False):
        return False
    if not past.moved_to and is_created(file, tail.lower()):
        return False  # deleted, to be created again by the text
    return not _is_elsewhere_or_gone(file, reference, tail, place)


def _without_new_file(reference: Reference, text: str, tail: str, place: PathLookup) -> str:
    """Return ``text``, without "create a file in" if the folder above ``tail`` is missing too."""
    above = folder_of(tail) if is_folder(reference) else ""
    is_gone = above and not place.has(above) and not comes_with_use(reference, tail, place)
    return _INTO.sub("", text) if is_gone else text


def _is_of_installing_project(past: Past, claim: PathClaim, tail: str, place: PathLookup) -> bool:
    """Return whether the path ``tail`` of a skill is one of the projects that install the skill.

    It is if it begins with a period, as settings do, or if the skill has a copy of the file, which
    it then writes. If no folder of an agent has the skill, a package ships it: then each path is
    one, unless its file was moved, is to be read or was part of the skill.
    """
    listing, base = place.tree.listing, place.base
    if tail.startswith(".") or (listing and _has_copy(listing, tail, base)):
        return True
    is_shipped = not any(part.startswith(".") for part in base.split("/"))
    is_own = past.path.startswith(f"{base}/")
    return is_shipped and not (past.moved_to or is_own or is_to_be_read(claim))


def _is_named_apart(file: MemoryFile, tail: str, ending: list[str]) -> bool:
    """Return whether the text names a folder in which ``tail`` exists: "inside `packages/a`".

    ``ending`` are the existing paths that end with ``tail``.
    """
    folders = (path.removesuffix(tail).rstrip("/") for path in ending)
    return any(folder and folder in file.content.text for folder in folders)


def _is_in_named_folder(
    file: MemoryFile, reference: Reference, tail: str, ending: list[str], base: str
) -> bool:
    """Return whether the text above the path names a folder in which ``tail`` exists.

    A heading does, such as ``## (shop)``, or a code span before the path in its paragraph.
    ``ending`` are the existing paths that end with ``tail``. The folder may be one from ``base``,
    that of the file.
    """
    folders = {path.removesuffix(tail).rstrip("/") for path in ending}
    folders |= {folder.removeprefix(f"{base}/") for folder in folders}
    if not folders:
        return False
    titles = headings_of(file, reference.span.line)
    named = {word for title in titles for word in _words_of(title)}
    named.update(span.rstrip("/") for span in spans_before(file, reference.span))
    return not folders.isdisjoint(named - {""})


def _words_of(title: str) -> set[str]:
    """Return the words of a heading, without marks and slashes around them."""
    return {word.strip("*:,/") for word in title.replace("`", " ").split()} - {""}


def _has_copy(listing: Listing, tail: str, base: str) -> bool:
    """Return whether a file in ``base``, the folder of a skill, has the name of ``tail``.

    The skill then says where to copy that file.
    """
    named = listing.by_name.get(posixpath.basename(tail), ())
    return any(path.startswith(f"{base}/") for path in named)


def _is_missed(file: MemoryFile, mention: Mention, path: str, place: PathLookup) -> bool:
    """Return whether the text says that the missing ``path`` exists, and is about this project.

    Checks that scan the whole text come last: most paths fail an earlier one.
    """
    tree, base, reference = place.tree, place.base, mention.reference
    is_skill, tail = file.source.role is Role.SKILL, _UP.sub("", path)
    if is_vague(reference, tail, place, skill=is_skill):
        return False
    if not _is_claimed(file, mention, tail, place) or has_alternative(reference.text, place):
        return False
    if "[" in tail and not is_route(tail, place):
        return False  # a placeholder
    listing = tree.listing
    if listing is None or is_not_for_now(listing, tail, place):
        return False  # too many files to know, or a path of later
    if is_skill and _has_copy(listing, tail, base):
        return False  # the skill says to create it
    # Another folder may have the path, unless the text is about the folder of the file.
    ending = existing_paths(listing, tail)
    is_here = mention.is_listed or place.is_of_package(path)
    if (ending and not is_here) or _is_in_named_folder(file, reference, tail, ending, base):
        return False
    # One of these must show that the project had the path, or is to have it.
    is_moved, is_listed = is_elsewhere(listing, tail), is_in_layout(file, reference, place)
    is_of_project = mention.is_of_project or is_supported(file, reference, tail, place)
    if not (is_moved or is_of_project or is_listed):
        return False
    if is_outside(tree, tail, base, skill=is_skill):
        return False
    if _is_elsewhere_or_gone(file, reference, tail, place):
        return False
    is_meant = is_moved or is_listed or is_meant_here(file, reference, tail, place)
    return is_meant and not is_created(file, tail.lower())


def _is_claimed(file: MemoryFile, mention: Mention, tail: str, place: PathLookup) -> bool:
    """Return whether the text says that the path ``tail`` exists.

    A folder without a parent (``docs/``) must begin an entry, or be one of this project by its
    form: elsewhere in a sentence, it is often a word.
    """
    reference = mention.reference
    is_noted = begins_entry(file, reference)
    claim = PathClaim(tail, reference.text, is_folder(reference), is_noted)
    if "/" in tail:
        top = tail.partition("/")[0]
        is_claimed = is_claim(claim) and not is_pattern(top, reference.text, place)
    elif claim.is_folder:
        is_claimed = (is_noted or mention.is_of_project) and is_claim(claim)
    else:  # a file name in plain text
        is_claimed = is_claim_by_name(claim)
    return is_claimed and not is_sample(file, reference, tail, place.tree.has)


def _is_elsewhere_or_gone(
    file: MemoryFile, reference: Reference, tail: str, place: PathLookup
) -> bool:
    """Return whether the path is one of another project, or the text says that it was removed."""
    if is_about_other_project(file, reference) or is_said_gone(file, tail):
        return True
    return is_of_project_beside(file, tail, place)


def _is_in_row(line: str, path: str) -> bool:
    """Return whether ``line`` is a row of a table with ``path`` in it: ``| old.py | new.py |``."""
    return line.lstrip().startswith("|") and path in line
