"""AM505: a version of a language that is too old for the manifest of the project."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Edit, Fix, Severity
from agent_memory.base.text import Span, without_newline
from agent_memory.base.text_cache import text_cache
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.lint.shared.manifest_versions import numbers, required
from agent_memory.lint.shared.placed_text import Placed, folder_of_line, tree_notes
from agent_memory.lint.shared.task_prompts import is_task_prompt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_CLAIM = lazy_compile(
    r"\b(Python|Node(?:\.js)?|Go|PHP|Elixir|Rust|Ruby|p?npm|Yarn|yarn|Bun|bun)\b"
    r"(?: (?:compatibility|version)\b)?[^\w>≥]{0,4}"
    r"(>=?|≥|(?:[Mm]inimum )?version |v)?"
    r"\s?v?(\d+(?:\.\d+){0,2})"
    r"(?![\d.]*\d)"
    r"(\+| ?(?:or|and) (?:newer|later|higher|above|up))?"
)
"""A language or program with its version: ``Node.js >= 18``, ``Python version: 3.11+``.

Its groups are the name, an operator or "version", the version, and "or later".
"""
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
)
_REPLACED = lazy_compile(r"[\s*_`]*(?:→|->|=>)[^\w]{0,4}(?:[A-Za-z.]+ )?v?\d")
"""What follows a version that another one replaces: an arrow and that version."""
_CODE = lazy_compile(r"\s*\|\s*`")
"""The start of a row whose first cell is code: ``| `name` ``."""
_LINE_MAX = 500
"""Characters of a line that are searched."""
_WIDEST = 2
"""Numbers of a version that are compared: 3.10 of 3.10.4."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report a version below the one that the nearest manifest requires: it does not work here."""
    if project.below_root(file.path) is None or is_task_prompt(file):
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

    The fix writes the oldest version that the manifest accepts, with as many numbers as the text
    has.
    """
    for language, stated, start, end in _claims(placed.text):
        folder = placed.folder or folder_of_line(placed.text, file, project)
        if not folder and _CODE.match(placed.text):
            return  # a row about a tool, or a package of others
        needed = required(language, file, project, folder)
        parts = stated.count(".") + 1
        compared = min(_WIDEST, parts)
        if needed is None or numbers(stated)[:compared] >= needed.least[:compared]:
            continue  # nothing is required, or the version fits
        span = Span.on_line(placed.line, placed.start + start, placed.start + end)
        new = ".".join(map(str, needed.least[:parts]))
        edit = Edit(file.path, span, new)
        yield Hit(
            span,
            t(
                "{0} requires {1}: version {2} does not work here\nCorrect the version.",
                needed.file,
                needed.text,
                stated,
            ),
            (Fix(t("Replace with {0}", new), (edit,), safe=False),),
        )


def _may_claim(text: str) -> bool:
    """Return whether ``text`` may have a version of a language: the prefilter.

    Only False is certain.
    """
    return any(map(text.__contains__, _NAMES))


@text_cache(_may_claim)
def _claims(line: str) -> tuple[tuple[str, str, int, int], ...]:
    """Return (language, version, start, end) for each version that ``line`` says is used.

    The language is in lower case; start and end are columns of the version. A word such as
    *requires* makes any version of the line count; without one, the line must be about the version.
    A version that another one replaces (``3.9 → 3.11``) is left out, as is one in a URL.
    """
    line = without_newline(line)[:_LINE_MAX]
    if not _may_claim(line) or _HEDGED.search(line.lower()):
        return ()
    if _STYLE.match(line):
        return ()  # the version is that of a feature to use
    is_requirement = _NEEDED.search(line.lower()) is not None
    return tuple(
        (found[1].lower().removesuffix(".js"), found[3], *found.span(3))
        for found in _CLAIM.finditer(line)
        if not _REPLACED.match(line, found.end()) and not _URL.search(line[: found.start()])
        if is_requirement or (_is_subject(line, *found.span()) and not _is_since(line, found))
    )


def _is_since(line: str, found: re.Match[str]) -> bool:
    """Return whether an aside says since when a feature exists: ``imports (Node 22.6+)``.

    ``found`` is a match of :data:`_CLAIM`. A minor version with a plus means a feature, except of
    Python, whose minor versions are those that projects require. One without a plus does so at the
    end, or before the purpose, of an item in words: ``- Faster sorting of slices (Go 1.21)``.
    """
    before = line[: found.start()]
    if "." not in found[3] or not before.rstrip(" *_`").endswith("("):
        return False
    if found[4]:
        return found[1] != "Python"
    if _PROGRAM.search(before):
        return False
    return bool(_IN_WORDS.match(before) and _LAST.match(line, found.end()))


def _is_subject(line: str, start: int, end: int) -> bool:
    """Return whether the item or table cell is about the version, and not about a feature of it.

    ``start`` and ``end`` are the columns of the language with its version. The item begins with it,
    or it is after a colon, a comma, a bracket or *The app uses*, and only a separator follows.
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
