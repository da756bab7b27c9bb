"""Whether a path that does not exist is reported, with what severity, and why not."""

from __future__ import annotations

import posixpath
from bisect import bisect_left
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
    is_described,
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
from agent_memory.lint.shared.surroundings import introduction, spans_before
from agent_memory.lint.shared.word_lists import AS_EXAMPLE
from agent_memory.markdown.code_spans import code_spans

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


def path_hits(file: MemoryFile, mention: Mention, path: str, lookup: PathLookup) -> Iterator[Hit]:
    """Report the missing ``path`` of ``mention``, unless the project may lack it.

    The severity is that of the rule for a path that the project must have had, else information.
    """
    mention = _with_column(file, mention)
    tree, reference = lookup.tree, mention.reference
    tail = _UP.sub("", path)  # without `../` at its start
    past = past_of(tree, path, lookup.base)
    if past is None and reference.path.endswith("/") and is_own_memory(file, lookup.base):
        past = past_of_folder(tree, tail)
    if past:  # git deleted it, so it was one of this project
        is_missed = _is_deleted_path_missed(file, reference, past, tail, lookup)
    else:
        is_missed = _is_missed(file, mention, path, lookup)
    if not is_missed or is_default_of_option(file, reference):
        return
    similar_file = similar(tree.listing, tail, lookup.base) if tree.listing else None
    if similar_file and _is_in_row(file.lines[reference.span.line], similar_file.path):
        return  # the row says where the file is now
    certain = (
        past is not None
        or mention.is_listed
        or is_in_layout(file, reference, lookup)
        or is_certain(file, reference, tail, lookup, similar_file, is_used=mention.is_used)
    )
    git_never_had_it = past is None and tree.deleted.is_known
    if git_never_had_it and not (certain and _is_expected(mention, similar_file, lookup)):
        return  # most such paths are examples, or files to come
    if similar_file and _is_named_too(file.lines[reference.span.line], tail, similar_file.path):
        similar_file = None
    severity = None if certain else Severity.INFO
    yield missing_hit(file, lookup, Missing(reference, similar_file, past), severity)


def _with_column(file: MemoryFile, mention: Mention) -> Mention:
    """Return ``mention`` with *read* before its path, if its column is one of files to read."""
    reference = mention.reference
    if not _TO_READ.match(head_of_column(file, reference)):
        return mention
    text = reference.text.replace("` `", "read ` `", 1)
    return mention._replace(reference=reference._replace(text=text))


def _is_expected(mention: Mention, similar_file: Similar | None, lookup: PathLookup) -> bool:
    """Return whether a path that git never had should exist now, and not only later.

    It should if it is to be read or run, has a similar existing file, or is not in a folder that
    comes with use.
    """
    reference, tail = mention.reference, _UP.sub("", mention.reference.path)
    if mention.is_used or similar_file or is_to_be_read(PathClaim(tail, reference.text)):
        return True
    return not comes_with_use(reference, tail, lookup)


def _is_deleted_path_missed(
    file: MemoryFile, reference: Reference, past: Past, tail: str, lookup: PathLookup
) -> bool:
    """Return whether the text says that ``tail``, which git deleted, exists in this project.

    ``tail`` is the path without ``../`` at its start. False for a path of a plan, for one that git
    ignores or the text creates, and if a file of another folder or project may be meant.
    """
    claim = _claim_of_deleted(file, reference, past, tail, lookup)
    is_task = _PROMPTS in file.path.parts  # a task may tell the agent to create the file
    if not (is_to_be_read(claim) or (is_stated(claim) and not is_task)):
        return False
    if is_of_plan(file, reference, tail, lookup.tree.has):
        return False
    if _is_existing_file_meant(file, reference, past, tail, lookup):
        return False
    if file.source.role is Role.SKILL and _is_of_installing_project(past, claim, tail, lookup):
        return False
    # `skill` is False for skills too: git had the path, so it is not one of another project.
    if is_outside(lookup.tree, tail, lookup.base, skill=False):
        return False
    if not past.moved_to and is_created(file, tail.lower()):
        return False  # deleted, and to be created again as the text says
    return not _is_elsewhere_or_gone(file, reference, tail, lookup)


def _claim_of_deleted(
    file: MemoryFile, reference: Reference, past: Past, tail: str, lookup: PathLookup
) -> PathClaim:
    """Return the claim of the text about ``tail``, which git deleted.

    Words by which a path may be made up are left out: git had the path.
    """
    text = reference.text
    is_exact = _is_exact(past, tail, lookup)
    if is_exact or _is_below_folder_before(file, reference, past, tail):
        text = AS_EXAMPLE.sub("", text)
    if is_exact or past.path == tail:
        text = _AS_IMPORT.sub("", text)  # the import is not one of an example
    text = _without_new_file(reference, text, tail, lookup)
    return PathClaim(tail, text, is_folder(reference), is_described(file, reference))


def _is_exact(past: Past, tail: str, lookup: PathLookup) -> bool:
    """Return whether git deleted ``tail`` in the folder of the memory file.

    Else ``past`` is that of ``tail`` at the root, or of a longer path that ends with it.
    """
    return past.path == posixpath.normpath(posixpath.join(lookup.base, tail))


def _is_below_folder_before(file: MemoryFile, reference: Reference, past: Past, tail: str) -> bool:
    """Return whether git deleted ``tail`` in the folder that the code span before it names.

    As in "in `src/pages/` (e.g., `cart/list.py`)"; the folder may leave out its first parts.
    """
    spans = code_spans(file.lines[reference.span.line])
    before = bisect_left(spans, reference.span.start, key=lambda span: span.end) - 1
    if before < 0:
        return False
    meant = posixpath.normpath(posixpath.join(spans[before].text, tail))
    return f"/{past.path}".endswith(f"/{meant}")


def _is_existing_file_meant(
    file: MemoryFile, reference: Reference, past: Past, tail: str, lookup: PathLookup
) -> bool:
    """Return whether ``tail``, which git deleted, may stand for an existing file of another folder.

    Also True if the project has too many files to tell.
    """
    listing = lookup.tree.listing
    if listing is None:
        return True
    existing = existing_paths(listing, tail)
    if existing and not _is_exact(past, tail, lookup):
        return True
    # A memory file at the root can be about any folder, one below the root is about its own.
    if lookup.base == "." and _is_folder_named(file, tail, existing):
        return True
    return _is_in_named_folder(file, reference, tail, existing, lookup.base)


def _without_new_file(reference: Reference, text: str, tail: str, lookup: PathLookup) -> str:
    """Return ``text``, without words such as "create a file in" before a folder ``tail``.

    ``text`` is returned as it is if the folder above ``tail`` exists or comes with use: then
    ``tail`` may be a folder to create.
    """
    above = folder_of(tail) if is_folder(reference) else ""
    if not above or lookup.has(above) or comes_with_use(reference, tail, lookup):
        return text
    return _INTO.sub("", text)


def _is_of_installing_project(past: Past, claim: PathClaim, tail: str, lookup: PathLookup) -> bool:
    """Return whether the path ``tail`` of a skill is one of the projects that install the skill.

    It is if it begins with a period, as settings do, or if the skill has a copy of the file, which
    it then writes. If no folder of an agent has the skill, a package ships it: then each path is
    one, unless its file was moved, is to be read or was part of the skill.
    """
    listing, base = lookup.tree.listing, lookup.base
    if tail.startswith(".") or (listing and _has_copy(listing, tail, base)):
        return True
    is_shipped = not any(part.startswith(".") for part in base.split("/"))
    is_own = past.path.startswith(f"{base}/")
    return is_shipped and not (past.moved_to or is_own or is_to_be_read(claim))


def _is_folder_named(file: MemoryFile, tail: str, existing: list[str]) -> bool:
    """Return whether any text of the file names a folder that has ``tail``: `packages/a`.

    ``existing`` are the existing paths that end with ``tail``.
    """
    folders = (path.removesuffix(tail).rstrip("/") for path in existing)
    return any(folder and folder in file.content.text for folder in folders)


def _is_in_named_folder(
    file: MemoryFile, reference: Reference, tail: str, existing: list[str], base: str
) -> bool:
    """Return whether the text above the path names a folder in which ``tail`` exists.

    A heading does, such as ``## (shop)``, the text that introduces its list, such as ``Files (in
    `shop/`):``, or a code span before the path in its paragraph. ``existing`` are the existing
    paths that end with ``tail``. The folder can be relative to the root or to ``base``, the folder
    of the memory file.
    """
    folders = {path.removesuffix(tail).rstrip("/") for path in existing}
    folders |= {folder.removeprefix(f"{base}/") for folder in folders}
    if not folders:
        return False
    titles = headings_of(file, reference.span.line)
    named = {word for title in titles for word in _words_of(title)}
    named.update(span.rstrip("/") for span in spans_before(file, reference.span))
    if not folders.isdisjoint(named - {""}):
        return True
    introducing = _folders_in(introduction(file, reference.span.line))
    return any(folder and folder.lower() in introducing for folder in folders)


def _folders_in(text: str) -> set[str]:
    """Return the code spans of ``text``, and its words with a slash: without slashes at the end."""
    spans = {span.text.rstrip("/") for span in code_spans(text)}
    return spans | {word.strip("*_:,()/") for word in text.split() if "/" in word}


def _words_of(title: str) -> set[str]:
    """Return the words of a heading, without marks and slashes around them."""
    return {word.strip("*:,/") for word in title.replace("`", " ").split()} - {""}


def _has_copy(listing: Listing, tail: str, base: str) -> bool:
    """Return whether a file in ``base``, the folder of a skill, has the name of ``tail``.

    The skill then says where to copy that file.
    """
    named = listing.by_name.get(posixpath.basename(tail), ())
    return any(path.startswith(f"{base}/") for path in named)


def _is_missed(file: MemoryFile, mention: Mention, path: str, lookup: PathLookup) -> bool:
    """Return whether the text says that ``path``, which git did not delete, is in this project.

    Checks that scan the whole text come last: most paths fail an earlier one.
    """
    listing, reference = lookup.tree.listing, mention.reference
    tail = _UP.sub("", path)  # without `../` at its start
    if listing is None:
        return False  # too many files to know whether another one is meant
    if not _is_claimed(file, mention, tail, lookup):
        return False
    if _need_not_exist(file, reference, tail, listing, lookup):
        return False
    if _is_of_other_folder(file, mention, path, listing, lookup):
        return False
    # One of these must show that the project had the path, or is to have it.
    is_moved, is_listed = is_elsewhere(listing, tail), is_in_layout(file, reference, lookup)
    is_of_project = mention.is_of_project or is_supported(file, reference, tail, lookup)
    if not (is_moved or is_listed or is_of_project):
        return False
    is_skill = file.source.role is Role.SKILL
    if is_outside(lookup.tree, tail, lookup.base, skill=is_skill):
        return False
    if _is_elsewhere_or_gone(file, reference, tail, lookup):
        return False
    if not (is_moved or is_listed or is_meant_here(file, reference, tail, lookup)):
        return False
    return not is_created(file, tail.lower())


def _need_not_exist(
    file: MemoryFile, reference: Reference, tail: str, listing: Listing, lookup: PathLookup
) -> bool:
    """Return whether the project need not have the path ``tail``, although the text names it.

    The path may be one of any project, has an existing alternative, has a placeholder, or may come
    later. ``listing`` has the files of the project.
    """
    is_skill = file.source.role is Role.SKILL
    if is_vague(reference, tail, lookup, skill=is_skill) or has_alternative(reference.text, lookup):
        return True
    if "[" in tail and not is_route(tail, lookup):
        return True  # a placeholder
    if is_not_for_now(listing, tail, lookup):
        return True
    return is_skill and _has_copy(listing, tail, lookup.base)  # the skill says to create it


def _is_of_other_folder(
    file: MemoryFile, mention: Mention, path: str, listing: Listing, lookup: PathLookup
) -> bool:
    """Return whether ``path`` may be that of an existing file in another folder.

    It may if an existing path ends with it, and nothing shows that the memory file's folder is
    meant. It may too if the text names the folder of such an existing path.
    """
    tail = _UP.sub("", path)
    existing = existing_paths(listing, tail)
    is_here = mention.is_listed or lookup.is_of_package(path)
    if existing and not is_here:
        return True
    return _is_in_named_folder(file, mention.reference, tail, existing, lookup.base)


def _is_claimed(file: MemoryFile, mention: Mention, tail: str, lookup: PathLookup) -> bool:
    """Return whether the text says that the path ``tail`` exists.

    A folder without a parent (``docs/``) must begin an entry, or be one of this project by its
    form: elsewhere in a sentence, it is often a word.
    """
    reference = mention.reference
    claim = PathClaim(tail, reference.text, is_folder(reference), is_described(file, reference))
    if "/" in tail:
        top = tail.partition("/")[0]
        is_claimed = is_claim(claim) and not is_pattern(top, reference.text, lookup)
    elif claim.is_folder:
        is_claimed = (claim.is_described or mention.is_of_project) and is_claim(claim)
    else:  # a file name in plain text
        is_claimed = is_claim_by_name(claim)
    return is_claimed and not is_sample(file, reference, tail, lookup.tree.has)


def _is_elsewhere_or_gone(
    file: MemoryFile, reference: Reference, tail: str, lookup: PathLookup
) -> bool:
    """Return whether the path is one of another project, or the text says that it was removed."""
    if is_about_other_project(file, reference) or is_said_gone(file, tail):
        return True
    return is_of_project_beside(file, tail, lookup)


def _is_named_too(line: str, missing: str, existing: str) -> bool:
    """Return whether ``line`` names the path ``existing`` beside ``missing``, as another file.

    Two paths that differ in letter case only are those of one file.
    """
    is_same_file = existing.casefold().endswith(missing.casefold())
    return existing in line and not is_same_file


def _is_in_row(line: str, path: str) -> bool:
    """Return whether ``line`` is a row of a table with ``path`` in it: ``| old.py | new.py |``."""
    return line.lstrip().startswith("|") and path in line
