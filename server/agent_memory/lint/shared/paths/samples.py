"""Whether the place of a path in the text says that it is a sample or a plan.

The place is its section, its list with the text above, its column of a table, or a fence below.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text_cache import TextCache
from agent_memory.lint.shared.paths.claims import HEDGES, without_spans
from agent_memory.lint.shared.surroundings import introduction, introductions, precedes_fence
from agent_memory.lint.shared.word_lists import PLANS, PRESCRIBED, says, word_list
from agent_memory.markdown.code_spans import code_spans
from agent_memory.markdown.model import LineKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.markdown.references import Reference

_REAL = lazy_compile(r"\W*examples?\W*\Z")
"""The text above a list of examples, which may be files of the project: ``Examples:``."""
_ALONE = lazy_compile(r"[\W_]*\Z")
"""The sentence of a path that has no other word."""
_BRANCHES = lazy_compile(r"\b(?:branch(?:es)?|naming|prefix(?:es)?)\b")
"""Words of a text about the names of branches."""
_REPORT = lazy_compile(r"(?:.*[-_ .])?report(?:[-_ .].*)?\.md\Z", re.IGNORECASE)
"""The name of a report: ``LOAD_REPORT_2.md``."""
_DATE_LINE = lazy_compile(
    r"[\W_]*date[\W_]+(?:20\d\d-\d\d-\d\d|[a-z]{3,9} \d{1,2}, 20\d\d)\b", re.IGNORECASE
)
"""The line of a report that says on what day it was written: ``**Date**: 2025-01-17``."""
_TOP = 10
"""First lines of a file that are searched for its date."""
_ROWS = 200
"""Rows above a row that are searched for the head of the table."""
_EXAMPLES = 50
"""Paths of a list that are looked up to tell whether its examples are real."""


class _Lists(NamedTuple):
    """The lists of a file. A list is here a run of lines of which each begins an item.

    A blank or wrapped line ends a list. Any line that begins no item is a list of its own.
    """

    first_lines: list[int]
    """For each line of the file, the first line of its list."""
    paths: dict[int, list[tuple[int, str]]]
    """The (line, path) of each path of a list, by the first line of the list."""


def is_sample(
    file: MemoryFile, reference: Reference, path: str, exists: Callable[[str], bool]
) -> bool:
    """Return whether the place of the path says that it is a sample, so that it need not exist.

    The section, the column or the list is about names, branches, examples or plans, or the line has
    nothing but the path and a fence with the sample follows. ``path`` is that of ``reference`` in
    normal form. ``exists`` returns whether the project has a path (:func:`is_of_plan`).
    """
    line = reference.span.line
    if says(("naming_headings", _heading_above(file, line))):
        return True
    head = head_of_column(file, reference)
    if head and says(("naming_hedges", head)):
        return True
    if _is_branch(file, reference, path) or is_of_plan(file, reference, path, exists):
        return True
    is_alone = bool(_ALONE.match(reference.text))
    return is_alone and precedes_fence(file, line)


def is_of_plan(
    file: MemoryFile, reference: Reference, path: str, exists: Callable[[str], bool]
) -> bool:
    """Return whether the text says that the path is planned, prescribed or past: one is enough.

    - A heading of its section or of its table column says so.
    - The file is about the past as a whole: a dated report, or one with such a title.
    - A section about what each part must have names the path.
    - The path is in a list of places that a program searches, one of which ``exists``.
    - The text above its list says so. Not below a mere ``Examples:`` if another path of the list
      ``exists``: then the examples are real.

    Unlike in :func:`is_sample`, texts about names or branches and a fence below do not count.
    """
    line = reference.span.line
    titles = (*headings_of(file, line), head_of_column(file, reference))
    if any(says((name, title)) for title in titles for name in PLANS):
        return True
    if says(("past_titles", _title(file))) or _is_dated_report(file):
        return True
    if reference.path in file.content.once(_prescribed_paths, file):
        return True
    if _is_searched(file, line, exists):
        return True
    text = introduction(file, line)
    if not text or _introduces_existing((text, "/" in path)):
        return False
    if not _REAL.match(text):
        return True
    others = islice(_other_paths_of_list(file, line), _EXAMPLES)
    return not any(map(exists, others))


def _prescribed_paths(file: MemoryFile) -> frozenset[str]:
    """Return the paths in sections whose heading says what each part must have."""
    return frozenset(
        reference.path
        for reference in file.path_references
        if says((PRESCRIBED, _heading_above(file, reference.span.line)))
    )


def _heading_above(file: MemoryFile, line: int) -> str:
    """Return the text of the nearest heading above ``line``, '' without one."""
    headings = file.markdown.headings
    above = bisect_left(headings, line, key=lambda heading: heading.line)  # how many are above
    return headings[above - 1].text if above else ""


def _title(file: MemoryFile) -> str:
    """Return the text of the first heading, if it is one of level 1; else ''."""
    first = next(iter(file.markdown.headings), None)
    return first.text if first and first.level == 1 else ""


def _is_dated_report(file: MemoryFile) -> bool:
    """Return whether the file is called a report, and one of its first lines is a date."""
    return bool(_REPORT.match(file.path.name)) and any(map(_DATE_LINE.match, file.lines[:_TOP]))


def headings_of(file: MemoryFile, line: int) -> Iterator[str]:
    """Yield the text of the nearest heading above ``line``, then of those its section is nested in.

    The title of the file (its first heading, of level 1) is left out, unless it is the nearest one.
    """
    headings = file.markdown.headings
    outer = file.content.once(_outer_headings, file)
    nearest = bisect_left(headings, line, key=lambda heading: heading.line) - 1
    number = nearest  # -1 without a heading
    while number >= 0:
        is_title = number == 0 and headings[0].level == 1
        if number == nearest or not is_title:
            yield headings[number].text
        number = outer[number]


def _outer_headings(file: MemoryFile) -> list[int]:
    """Return for each heading the number of the heading that it is nested in, -1 for none."""
    outer: list[int] = []
    open_headings: list[int] = []  # the numbers of those that the next one may be nested in
    headings = file.markdown.headings
    for number, heading in enumerate(headings):
        while open_headings and headings[open_headings[-1]].level >= heading.level:
            open_headings.pop()
        outer.append(open_headings[-1] if open_headings else -1)
        open_headings.append(number)
    return outer


def _is_branch(file: MemoryFile, reference: Reference, path: str) -> bool:
    """Return whether ``path`` is the start of a branch: ``feature/``, below text about branches.

    ``path`` is that of ``reference`` without the slash at its end.
    """
    is_prefix = "/" not in path and reference.path.endswith("/")
    return is_prefix and _is_below_text_about_branches(file, reference.span.line)


def _is_below_text_about_branches(file: MemoryFile, line: int) -> bool:
    """Return whether the line above the list of ``line`` is about names of branches.

    For a line outside of lists, return whether it is about them itself.
    """
    above = file.content.once(introductions, file.lines, file.markdown)[line]
    return bool(_BRANCHES.search(file.lines[above].lower()))


def _is_searched(file: MemoryFile, line: int, exists: Callable[[str], bool]) -> bool:
    """Return whether a program searches the places in the list of ``line``, one of which exists."""
    first_line = file.content.once(_lists, file).first_lines[line]
    places = file.content.once(_places_searched, file).get(first_line, [])
    return any(map(exists, places[:_EXAMPLES]))


def _places_searched(file: MemoryFile) -> dict[int, list[str]]:
    """Return the code spans of each list below a text about the order of a search.

    The keys are the first lines of the lists.
    """
    places: dict[int, list[str]] = defaultdict(list)
    for line, first_line in enumerate(file.content.once(_lists, file).first_lines):
        if says(("search_orders", introduction(file, line))):
            places[first_line] += (span.text for span in code_spans(file.lines[line]))
    return places


def _other_paths_of_list(file: MemoryFile, line: int) -> Iterator[str]:
    """Yield the paths in the list of ``line``, except those on that line."""
    lists = file.content.once(_lists, file)
    return (path for at, path in lists.paths[lists.first_lines[line]] if at != line)


def _lists(file: MemoryFile) -> _Lists:
    """Return the lists of ``file`` and the paths in them."""
    first_lines: list[int] = []
    kinds = file.markdown.kinds
    for number, kind in enumerate(kinds):
        is_next = kind is LineKind.ITEM and number > 0 and kinds[number - 1] is LineKind.ITEM
        first_lines.append(first_lines[-1] if is_next else number)
    paths: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for reference in file.path_references:
        line = reference.span.line
        paths[first_lines[line]].append((line, reference.path))
    return _Lists(first_lines, paths)


def head_of_column(file: MemoryFile, reference: Reference) -> str:
    """Return the heading of the table column that the path is in, in lower case; '' for none."""
    line, lines = reference.span.line, file.lines
    if not lines[line].lstrip().startswith("|"):
        return ""
    column = lines[line].count("|", 0, reference.span.start)  # from 1: a row begins with a bar
    first_row = line
    while first_row > max(0, line - _ROWS) and lines[first_row - 1].lstrip().startswith("|"):
        first_row -= 1
    cells = lines[first_row].split("|")
    if first_row == line or column >= len(cells):
        return ""
    return cells[column].strip().lower()


@TextCache
def _introduces_existing(question: tuple[str, bool]) -> bool:
    """Return whether no word of the text above a list says that its files need not exist.

    ``question`` is (text, whether the path has a folder). Words about names count for a name
    without a folder only.
    """
    text, in_folder = question
    names = HEDGES if in_folder else (*HEDGES, "naming_hedges")
    prose = without_spans(text)
    return not any(word_list(name).search(prose) for name in names)
