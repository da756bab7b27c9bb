"""AM504: a path that exists on one person's machine only, in memory that a project shares."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Scope, Severity
from agent_memory.base.text import Span
from agent_memory.base.text_cache import text_cache
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.lint.shared.surroundings import lines_below
from agent_memory.lint.shared.word_lists import word_list
from agent_memory.markdown.code_spans import code_spans
from agent_memory.markdown.references import Reference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_ABSOLUTE = lazy_compile(
    r"(?:file://)?/(?:Users|home)/([\w.-]+)/[\w./@+-]*|file:///[\w./@%+:-]*"
    r"|[A-Za-z]:\\[\w.\\@+ -]+"
)
"""An absolute path; group 1 is the name of a home folder on Linux or macOS, else None."""
_HOME_ON_WINDOWS = lazy_compile(r"\\users(?:\\([^\\]*)|\Z)", re.IGNORECASE)
"""The folder of all homes on Windows; group 1 is the name of a home folder in it, if any."""
_PARTS = ("/Users/", "/home/", "file:///", ":\\")
"""One of them is in every match of :data:`_ABSOLUTE`."""
_INVENTED = lazy_compile(
    r"(?:usr|user(?:name)?|you(?:r.*)?|me|name|someone|example|runner|vscode|node|ubuntu|app|root|git"
    r"|linuxbrew|jovyan|agent|dev|developer|coder|shared|public|x+|foo|bar)\Z",
    re.IGNORECASE,
)
"""Names of home folders that are placeholders or belong to an image, not to a person."""
_EXAMPLE = lazy_compile(r"\be\.g\.|\bfor example\b|\bsuch as\b")
"""Words that say that a path is only an example."""
_PROGRAM = lazy_compile(r"\b(?:install(?:ed|ation|s)?|by default|usually|or wherever)\b")
"""Words about the place of a program, which differs from machine to machine as all know."""
_CHECKOUTS = lazy_compile(
    r"\\(?:repos?|repositories|projects?|code|dev|git(?:hub)?|source|src|work(?:space)?s?)\\",
    re.IGNORECASE,
)
"""A folder on a drive in which somebody keeps checkouts: ``D:\\repos\\x``."""
_MACHINES = lazy_compile(r"\b(?:machines?|laptops?|desktops?|workstations?)\b", re.IGNORECASE)
"""A heading or a text about the machines of the people who read the memory."""
_ENDING = 2
"""Last parts of a path that show that it is one of the project: ``docs/guide.md``."""
_PLACEHOLDER = lazy_compile(
    r"\.\.\.|<|/path/to/|[/\\](?:foo|bar|baz|example|my[-_]?(?:app|project|repo))(?=[/\\]|\Z)"
)
"""Part of a path that is to be filled in."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report link targets that are absolute paths, and code spans with a path of one person.

    Examples are ignored. A link with an invented name of a user is reported too: it is broken for
    everyone. A code span with a path that is not one of the project is information: it may be meant
    to be outside, such as settings or secrets of the person who wrote it.
    """
    if file.source.scope is not Scope.PROJECT:
        return
    for reference in file.link_references:  # without those in examples and code
        if _is_local_link(reference.path):
            yield _hit(reference.path, reference.span)
    for number, paths in _personal_in.found_in(file.lines):
        if file.content.once(_about_machines, file)[number]:
            continue  # the text says which machines it is about
        if number not in file.example_lines and file.markdown.is_prose(number):
            for path, start in paths:
                span = Span.on_line(number, start, start + len(path))
                if not _is_example(file, path, span):
                    severity = None if _is_of_project(path, project) else Severity.INFO
                    yield _hit(path, span, severity)


def _may_be_absolute(text: str) -> bool:
    """Return whether ``text`` may have an absolute path: the prefilter. Only False is certain."""
    return any(map(text.__contains__, _PARTS))


@text_cache(_may_be_absolute)
def _personal_in(line: str) -> tuple[tuple[str, int], ...]:
    """Return (path, column) of each code span of ``line`` that is a path of one person."""
    if "`" not in line or not _may_be_absolute(line):
        return ()
    spans = [span for span in code_spans(line) if _is_personal(span.text, line)]
    if not spans or _is_about_other_paths(line):
        return ()
    return tuple((span.text, span.start) for span in spans)


def _about_machines(file: MemoryFile) -> list[bool]:
    """Return for each line whether a heading or the text above says which machines it is about."""
    return lines_below(file.lines, file.markdown, lambda text: bool(_MACHINES.search(text)))


def _is_local_link(target: str) -> bool:
    """Return whether a link leads to one person's disk, so that it is broken for everyone else.

    False for a path with a placeholder.
    """
    return bool(_ABSOLUTE.fullmatch(target)) and not _PLACEHOLDER.search(target)


def _is_about_other_paths(line: str) -> bool:
    """Return whether the paths of the line are examples, or on a machine that all people share."""
    low = line.lower()
    return bool(word_list("server_words").search(low) or _EXAMPLE.search(low))


def _is_example(file: MemoryFile, path: str, span: Span) -> bool:
    """Return whether the sentence or the head of the table column says ``path`` is an example."""
    from agent_memory.lint.shared.paths.samples import head_of_column  # noqa: PLC0415 -- few files have such a path

    reference = file.with_text(Reference(path, span, ""))
    return bool(_EXAMPLE.search(reference.text)) or "example" in head_of_column(file, reference)


def _is_personal(text: str, line: str) -> bool:
    """Return whether the code span ``text`` of ``line`` is a path on the machine of one person.

    It is below the home folder of a person, a ``file:`` URL, or below a folder of checkouts.
    """
    path = _ABSOLUTE.fullmatch(text)
    if not path or _PLACEHOLDER.search(text):
        return False
    windows_home = _HOME_ON_WINDOWS.search(text)
    user = windows_home[1] if windows_home else path[1]  # the name of the home folder
    if user:
        return not _INVENTED.match(user)
    if windows_home:
        return False  # C:\Users\, which each machine has
    if not text.startswith("file:") and not _CHECKOUTS.search(text):
        return False  # C:\Program Files\x and C:\temp\x are the same on most machines
    return not _PROGRAM.search(line.lower())  # else it is where a program is installed


def _is_of_project(path: str, project: Project) -> bool:
    """Return whether ``path`` is one of the project, as seen on the machine of one person.

    It has the name of the root in it, its last part exists at the root, or it ends with the folder
    and name of a file of the project (unknown if there are too many files to list).
    """
    parts = [part for part in path.replace("\\", "/").split("/") if part]
    if project.tree.root.name.casefold() in map(str.casefold, parts):
        return True
    if parts and project.tree.has(parts[-1]):
        return True
    listing, ending = project.tree.listing, "/".join(parts[-_ENDING:])
    return listing is not None and "/" in ending and bool(listing.ending(ending))


def _hit(path: str, span: Span, severity: Severity | None = None) -> Hit:
    """Return the hit of ``path``, which is in ``span``; ``severity`` None: that of the rule."""
    if severity is Severity.INFO:
        message = t(
            "{0} is a path of one machine\n"
            "It does not exist for anyone else who uses this memory. Move it to user memory, or "
            "say how others find theirs.",
            path,
        )
    else:
        message = t(
            "{0} is a path of one machine\n"
            "It does not exist for anyone else who uses this memory. Write it relative to the "
            "project.",
            path,
        )
    return Hit(span, message, severity=severity)


RULE = FileRule(
    "AM504",
    "machine-path",
    Severity.WARNING,
    "A path of one machine in shared memory",
    check=check,
    roles=MEMORY_ROLES,
)
