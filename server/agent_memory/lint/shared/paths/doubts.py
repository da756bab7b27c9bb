"""Whether a path that does not exist may be one of any project, a dependency or a template.

A path in the history of git was part of this project, so most of these checks are left out for it.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.lint.shared.paths.lookup import folder_of
from agent_memory.lint.shared.paths.similar_files import from_template, is_shortened
from agent_memory.lint.shared.word_lists import word_list, words_of

if TYPE_CHECKING:
    from agent_memory.fs.file_index import FileIndex
    from agent_memory.fs.listing import Listing
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.shared.paths.lookup import PathLookup
    from agent_memory.markdown.references import Reference

_HEADERS = (".h", ".hh", ".hpp", ".hxx")
"""Endings of C and C++ headers."""
_SHORT = 2
"""Maximum number of parts of a path that many projects have: ``src/main.py``."""
_KEEPERS = (".gitkeep", ".keep")
"""Files that keep a folder in git while it is empty."""
_MANY = 3
"""Minimum number of names, which tools define, in a line that lists what any project may have."""
_COMPARED = 50
"""Maximum number of names of such a line that are looked up."""
_LOCK_FILE = lazy_compile(r"\b(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?)")
"""A lock file of a package manager of Node."""
_EITHER = lazy_compile(
    r"` ` ?\(?(?:or|oder|ou|o|または|または、|或|或者|또는|или) ?`([\w./-]+)`"
    r"|`([\w./-]+)` ?\(?(?:or|oder|ou|o|または|または、|或|或者|또는|или) ?` `"
)
"""The path, which is a space in its sentence, and an alternative before or after it."""
_OPTION_DEFAULT = lazy_compile(r"(?<![\w-])--[a-z][\w-]*.*\bdefaults?(?: (?:is|to))?\W{0,4}\Z")
"""The text before the default value of an option: ``--plan: another plan (default: ``."""
_BEFORE_DEFAULT = 200
"""Characters before a path that are searched for the option."""
_SETTINGS = lazy_compile(r"([\w-]+)(?:\.local)?\.(?:conf|ini|json|toml|ya?ml)\Z")
"""The name of a file of settings; the group is that of the program: ``shop.local.yaml``."""
_IN_FOLDER = lazy_compile(r"` in (?:the )?`([\w.-]+/[\w-]+)`")
"""What follows a name: the folder or the repository that has it, as in `` in `acme/keys` ``."""
_NAMING = lazy_compile(r"\bfiles?: ` ?`")
"""The path after ``file:``, as the pattern of a name: ``test file: ` ` ``."""


def is_folder(reference: Reference) -> bool:
    """Return whether the path is that of a folder by its form: a slash at the end, or no dot.

    A file without a dot in its name, such as ``Makefile``, counts as a folder.
    """
    return reference.path.endswith("/") or "." not in posixpath.basename(reference.path)


def is_vague(reference: Reference, tail: str, lookup: PathLookup, *, skill: bool) -> bool:
    """Return whether the path may be one of any project; ``skill``: the memory file is a skill.

    In a skill, these may be:

    - a folder;
    - a path of one or two parts; not if the skill has its folder and the text is about this skill;
    - a path that begins with a period, if the skill is not in a folder such as ``.claude``.

    In any file, ``client/server`` may be two words, and ``.github/a.yml`` a file of a tool, if the
    project does not have the folder. ``tail`` is the path without ``../`` at its start.
    """
    tree, base = lookup.tree, lookup.base
    parts = tail.split("/")
    if skill and is_folder(reference):
        return True
    if skill and len(parts) <= _SHORT:
        is_in_skill = len(parts) > 1 and tree.has(posixpath.join(base, *parts[:-1]))
        return not is_in_skill or "skill.md" in reference.text  # the text is about other skills
    if is_folder(reference) and not reference.path.endswith("/"):
        return not tree.has(parts[0])  # `client/server` may be two words
    if not tail.startswith("."):
        return False
    if skill and not base.startswith("."):
        return True  # not yet in a folder such as .claude: a path of the project that installs it
    folders = parts[:-1]
    folder_of_tool = "/".join(folders[:2])  # `.github/workflows` of `.github/workflows/x/a.yml`
    return not tree.has(folder_of_tool)


def is_not_for_now(listing: Listing, tail: str, lookup: PathLookup) -> bool:
    """Return whether the project need not have the path ``tail`` now, in the form of the text.

    The path is that of an existing file without a folder such as ``src``, is in a folder that is
    empty until later, is a header of a dependency, or is that of a file to create from a template.
    ``listing`` has the files of the project.
    """
    # If its first folder exists, the path is not shortened but complete.
    if is_shortened(listing, tail) and not lookup.has(tail.partition("/")[0]):
        return True
    if _is_filled_later(listing, tail, lookup):
        return True
    return _is_foreign_header(listing, tail) or from_template(listing, tail)


def is_pattern(top: str, text: str, lookup: PathLookup) -> bool:
    """Return whether ``text`` says how files are named, and the folder ``top`` does not exist.

    Such as "test file: `top/y.ts`".
    """
    return not lookup.has(top) and bool(_NAMING.search(text))


def is_default_of_option(file: MemoryFile, reference: Reference) -> bool:
    """Return whether the line says that the path is the default value of an option.

    The value need not exist: the caller of the program gives another one, or gets an error.
    """
    start = reference.span.start
    before = file.lines[reference.span.line][max(0, start - _BEFORE_DEFAULT) : start]
    return bool(_OPTION_DEFAULT.search(before.lower()))


def comes_with_use(reference: Reference, tail: str, lookup: PathLookup) -> bool:
    """Return whether the path is, or is in, a missing folder of texts or media: ``docs/plans/``.

    A project creates such a folder with its first file, so one that git never had may come later.
    """
    folder = tail if is_folder(reference) else folder_of(tail)
    parts = posixpath.normpath(posixpath.join(lookup.base, folder)).lower().split("/")
    return not lookup.has(folder) and not words_of("content_folders").keys().isdisjoint(parts)


def has_alternative(text: str, lookup: PathLookup) -> bool:
    """Return whether ``text`` names the path with an alternative that exists.

    In "`app.yml` or `app.yaml`", each is an alternative of the other. A project needs only one.
    """
    pair = _EITHER.search(text)
    if not pair:
        return False
    other, listing = pair[1] or pair[2], lookup.tree.listing
    return lookup.has(other) or (listing is not None and bool(listing.ending(other)))


def is_one_of_lock_files(name: str, text: str) -> bool:
    """Return whether ``name`` is a lock file, and ``text``, its sentence, names another one.

    ``text`` does not contain ``name``. A sentence with lock files of several package managers is
    about any project, such as about files to ignore.
    """
    return bool(_LOCK_FILE.fullmatch(name) and _LOCK_FILE.search(text))


def is_settings_of_program(name: str, tree: FileIndex) -> bool:
    """Return whether ``name`` is that of a settings file of the program that the project builds.

    Users of the program have the file. For ``shop.toml``, the root of the project is called shop or
    has a folder ``cmd/shop``.
    """
    settings = _SETTINGS.match(name)
    if settings is None:
        return False
    program = settings[1]
    return program == tree.root.name or tree.has(f"cmd/{program}")


def is_in_unknown_folder(file: MemoryFile, reference: Reference, lookup: PathLookup) -> bool:
    """Return whether the text says that the name is in ``x/y``, and the project has no such folder.

    Then ``x/y`` is the repository of others, or a folder that another finding is about.
    """
    line, listing = file.lines[reference.span.line], lookup.tree.listing
    folder = _IN_FOLDER.match(line, reference.span.end)
    if folder is None or listing is None:
        return False
    return not (lookup.has(folder[1]) or listing.ending(folder[1]))


def is_of_any_project(file: MemoryFile, reference: Reference, tree: FileIndex) -> bool:
    """Return whether the line of the path lists names that any project may have, also this path.

    It has :data:`_MANY` of them or more, and the project never had a file of one of these names.
    Such a line says what to look for in any project: ``karma.config.js``, ``vitest.config.js`` and
    ``jasmine.config.js``.
    """
    names = file.content.once(_conventional_names, file).get(reference.span.line, [])
    if reference.path not in names or len(names) < _MANY:
        return False
    listings = [each for each in (tree.listing, tree.deleted.listing) if each is not None]
    return any(
        all(name not in listing.by_name for listing in listings) for name in names[:_COMPARED]
    )


def _conventional_names(file: MemoryFile) -> dict[int, list[str]]:
    """Return the file names that a tool or a convention defines, by line number."""
    names: dict[int, list[str]] = defaultdict(list)
    for reference in file.name_references:
        name = reference.path.lower()
        if word_list("common_names").match(name) or name.startswith("build.gradle"):
            names[reference.span.line].append(reference.path)
    return names


def _is_filled_later(listing: Listing, tail: str, lookup: PathLookup) -> bool:
    """Return whether the only file in the folder of ``tail`` is one of :data:`_KEEPERS`.

    Such a folder gets its files with use. It is relative to the root or to the memory file's
    folder.
    """
    folder = folder_of(tail)
    if not folder:
        return False
    candidates = (folder, posixpath.normpath(posixpath.join(lookup.base, folder)))
    with_keeper = [
        candidate
        for candidate in candidates
        if any(f"{candidate}/{name}" in listing.files for name in _KEEPERS)
    ]
    return any(_count_below(candidate, listing) == 1 for candidate in with_keeper)


def _count_below(folder: str, listing: Listing) -> int:
    """Return the number of files in ``folder`` and in the folders below it."""
    return sum(path.startswith(f"{folder}/") for path in listing.files)


def _is_foreign_header(listing: Listing, tail: str) -> bool:
    """Return whether ``tail`` is a C or C++ header, and the project has none: of a dependency."""
    return tail.endswith(_HEADERS) and not any(path.endswith(_HEADERS) for path in listing.files)
