"""AM505: a version of a language that is too old for the manifest of the project."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Edit, Fix, Severity
from agent_memory.base.text import Span, without_newline
from agent_memory.base.text_cache import text_cache
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.lint.shared.manifest_versions import PLATFORMS, numbers, required
from agent_memory.lint.shared.placed_text import Placed, folder_of_line, tree_notes
from agent_memory.lint.shared.task_prompts import is_task_prompt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_CLAIM = lazy_compile(
    r"\b(?P<language>Python|Node(?:\.js)?|Go|PHP|Elixir|Rust|Ruby|p?npm|Yarn|yarn|Bun|bun"
    r"|iOS|macOS|tvOS|visionOS|watchOS)\b"
    r"(?: (?:compatibility|version)\b)?[^\w>≥]{0,4}"
    r"(?:>=?|≥|(?:[Mm]inimum )?version |v)?"
    r"\s?v?(?P<version>\d+(?:\.\d+){0,2})"
    r"(?![\d.]*\d)"
    r"(?P<or_later>\+| ?(?:or|and) (?:newer|later|higher|above|up))?"
)
"""A language or program with its version: ``Node.js >= 18``, ``Python version: 3.11+``."""
_NEEDED = lazy_compile(
    r"\b(?:requires?|required|requirements?|minimum|at least|needs?|supports?)\b"
)
"""Words that say that the version is required."""
_HEDGED = lazy_compile(
    r"\b(?:not|never|no longer|drop\w*|legacy|deprecated|until|before|was|were|below|older|instead"
    r"|example|e\.g)\b|n't\b|<"
)
"""Words that say that the version is not the one that the project uses."""
_BEFORE = lazy_compile(
    r"(?:^|[:|,(])[\s*_`>|-]*\Z"
    r"|\b(?:app|application|project|server|service|backend|codebase|[Ww]e) uses? \**\Z"
)
"""The text before a version that is the subject: none in its item or cell, or ``Backend: ``.

Also ``The project uses ``.
"""
_AFTER = lazy_compile(r"[\s*_`]*(?:$|[,;.|(+/])")
"""What follows a version that is the subject."""
_CLOSED = lazy_compile(r"[\s*_`]*[),+/]")
"""The same in an aside: its end, or another item of a list."""
_CALL = lazy_compile(r"[()]` ?\(\Z")
"""The text before an aside about a function: ``f()` (``."""
_FEATURE = lazy_compile(r"` [^`(]{0,60}\(\Z")
"""The text before an aside about a feature of the language: `` `|` over Union ( ``."""
_MODERN = lazy_compile(r"\b(?:modern|idiomatic)\W*\(\Z", re.IGNORECASE)
"""The text before an aside about a style: ``modern (``."""
_IN_WORDS = lazy_compile(r"\s*[-*+] (?:[^\s:/–—]+ ){3,}\(\Z")  # noqa: RUF001
"""The text before an aside in an item in words, with no label or path: ``- Fast sorting of (``."""
_PROGRAM = lazy_compile(
    r"\b(?:app|api|backend|code|frontend|language|runtime|server|service)s?\W*\(\Z", re.IGNORECASE
)
"""The text before an aside about a program: ``The new tide server (``."""
_LAST = lazy_compile(r"\)(?:\W*\Z| (?:to|for) )")
"""What follows a version at the end of an aside: the end of the item, or a purpose."""
_URL = lazy_compile(r"://\S*\Z")
"""The text before a version in a URL."""
_STYLE = lazy_compile(r"\s*[-*+]?\s*\**(?:use|prefer|avoid|write|favou?r)\b.*\(", re.IGNORECASE)
"""An order about a feature, with its version in an aside: ``Use dataclasses (Python 3.7+)``."""
# One of them is in every match of `_CLAIM`.
_NAMES = (
    "Python",
    "Node",
    "Go",
    "PHP",
    "Elixir",
    "Rust",
    "Ruby",
    "npm",
    "Yarn",
    "yarn",
    "Bun",
    "bun",
    *PLATFORMS,
)
_PLATFORM = frozenset(name.lower() for name in PLATFORMS)
_PLATFORM_LABEL = lazy_compile(
    r"\b(?:platforms?|minimum|deployment targets?|targets?)\b(?:[^.;(]|\.\d){0,80}\Z", re.IGNORECASE
)
"""The text before a platform, if its version is that of the apps: ``**Platforms**: ``.

Elsewhere it is often that of a feature: ``| Charts | iOS 16+ |``.
"""
_REPLACED = lazy_compile(r"[\s*_`]*(?:→|->|=>)[^\w]{0,4}(?:[A-Za-z.]+ )?v?\d")
"""What follows a version that another one replaces: an arrow and that version."""
_LISTED = lazy_compile(r"[*_`]{0,3}(?: ?[/,&|] ?| (?:and|or) )v?\d")
"""What follows the first of several versions: ``3.3/3.4``, ``18, 20``."""
_SUPPORTED = lazy_compile(r"\b(?:matri(?:x|ces)|supports?|supported|tested)\b")
"""Words by which such versions are those that CI tests, or with which the project also works."""
_TESTED = lazy_compile(r"\btested (?:on|against)\b")
"""Words by which any version is one that CI tests."""
_CODE = lazy_compile(r"\s*\|\s*`")
"""The start of a row whose first cell is code: ``| `name` ``."""
_LINE_MAX = 500
"""Characters of a line that are searched."""
_WIDEST = 2
"""Numbers of a version that are compared: 3.10 of 3.10.4."""


class _StatedVersion(NamedTuple):
    """The version of a ``language`` (in lower case) that a text says is used.

    ``start`` and ``end`` are the columns of the version in the text.
    """

    language: str
    version: str
    start: int
    end: int


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report a version below the one that the nearest manifest requires: it does not work here."""
    if project.folder_from_root(file.path) is None or is_task_prompt(file):
        return  # user memory, or a task, which may be about another package
    examples = file.example_lines
    for number, _ in _claims.found_in(file.lines):  # the lines that claim a version
        if number not in examples and file.markdown.is_prose(number):
            text = without_newline(file.lines[number])[:_LINE_MAX]
            yield from _hits(Placed(number, start=0, text=text, folder=""), file, project)
    for note in tree_notes(file, project):
        yield from _hits(note, file, project)


def _hits(placed: Placed, file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report the versions in ``placed`` that are older than the manifest of its folder requires.

    The fix writes the oldest version that the manifest accepts, with as many numbers as the stated
    version has.
    """
    claims = _claims(placed.text)
    if not claims:
        return
    folder = placed.folder or folder_of_line(placed.text, file, project)
    if not folder and _CODE.match(placed.text):
        return  # a row of a table about a tool, or about a package of others
    for stated in claims:
        if stated.language in _PLATFORM:
            from agent_memory.lint.shared.apple_platforms import oldest_platform  # noqa: PLC0415

            needed = oldest_platform(stated.language, file, project)
        else:
            needed = required(stated.language, file, project, folder)
        length = stated.version.count(".") + 1  # of 3.11: 2 numbers
        compared = min(_WIDEST, length)
        if needed is None or numbers(stated.version)[:compared] >= needed.least[:compared]:
            continue  # nothing is required, or the version fits
        start, end = placed.start + stated.start, placed.start + stated.end
        span = Span.on_line(placed.line, start, end)
        new = ".".join(map(str, needed.least[:length]))
        edit = Edit(file.path, span, new)
        yield Hit(
            span,
            t(
                "{0} requires {1}: version {2} does not work here\nCorrect the version.",
                needed.file,
                needed.text,
                stated.version,
            ),
            (Fix(t("Replace with {0}", new), (edit,), safe=False),),
        )


def _may_claim(text: str) -> bool:
    """Return whether ``text`` may have a version of a language: the prefilter.

    Only False is certain.
    """
    return any(map(text.__contains__, _NAMES))


@text_cache(_may_claim)
def _claims(line: str) -> tuple[_StatedVersion, ...]:
    """Return each version that ``line`` says is used.

    A word such as *requires* makes any version of the line count; without one, the line must be
    about the version. A version that another one replaces (``3.9 → 3.11``) is left out, as is one
    in a URL, or one of those that CI tests. Empty if the line says that it is not about the version
    in use.
    """
    line = without_newline(line)[:_LINE_MAX]
    if not _may_claim(line) or _HEDGED.search(line.lower()):
        return ()
    if _STYLE.match(line):
        return ()  # the version is that of a feature to use
    is_requirement = _NEEDED.search(line.lower()) is not None
    claims = []
    for found in _CLAIM.finditer(line):
        if _REPLACED.match(line, found.end()) or _URL.search(line[: found.start()]):
            continue
        if _is_of_tests(line, found.end()):
            continue
        if _is_of_project(line, found, is_requirement=is_requirement):
            language = found["language"].lower().removesuffix(".js")
            claims.append(_StatedVersion(language, found["version"], *found.span("version")))
    return tuple(claims)


def _is_of_project(line: str, found: re.Match[str], *, is_requirement: bool) -> bool:
    """Return whether the version ``found`` is one that the project runs on.

    ``is_requirement``: the line says that versions are required. Platforms need a label before
    them.
    """
    is_subject = _is_subject(line, *found.span()) and not _is_since(line, found)
    if found["language"].lower() in _PLATFORM:
        return is_subject and bool(_PLATFORM_LABEL.search(line[: found.start()]))
    return is_requirement or is_subject


def _is_of_tests(line: str, end: int) -> bool:
    """Return whether the version that ends at column ``end`` is one of those that CI tests.

    The project works with several versions, of which the manifest may have only the one for its
    development. One of several versions is one that CI tests if the line has a word such as
    *matrix* or *supports*. A single one is, if the line has *tested on*.
    """
    low = line.lower()
    is_one_of_several = _LISTED.match(line, end) and _SUPPORTED.search(low)
    return bool(is_one_of_several or _TESTED.search(low))


def _is_since(line: str, found: re.Match[str]) -> bool:
    """Return whether an aside says since which version a feature exists.

    ``found`` is a match of :data:`_CLAIM`. Such a version has a minor number. With a plus or "or
    later" (``imports (Node 22.6+)``), it is one of a feature, except of Python, whose minor
    versions are those that projects require. Otherwise, the aside must be at the end of an item in
    words, or before its purpose, as in ``- Faster sorting of slices (Go 1.21)``, and not after the
    name of a program, such as *server*.
    """
    before = line[: found.start()]
    has_minor = "." in found["version"]
    is_aside = before.rstrip(" *_`").endswith("(")
    if not has_minor or not is_aside:
        return False
    if found["or_later"]:
        return found["language"] != "Python"
    if _PROGRAM.search(before):
        return False
    return bool(_IN_WORDS.match(before) and _LAST.match(line, found.end()))


def _is_subject(line: str, start: int, end: int) -> bool:
    """Return whether the item or table cell is about the version, and not about a feature of it.

    ``start`` and ``end`` are the columns of the language with its version. The item begins with
    them, or they are after a colon, a comma, a bracket or *The app uses*; a separator follows. An
    aside in brackets after a call, a feature or a word such as *modern* is about that.
    """
    if not _BEFORE.search(line[:start]):
        return False
    is_aside = line[:start].rstrip(" *_`").endswith("(")
    if is_aside and any(about.search(line[:start]) for about in (_CALL, _FEATURE, _MODERN)):
        return False
    return bool((_CLOSED if is_aside else _AFTER).match(line, end))


RULE = FileRule(
    "AM505",
    "version-mismatch",
    Severity.INFO,
    "A version that the manifest does not accept",
    check=check,
    roles=MEMORY_ROLES,
    varies=True,
)
