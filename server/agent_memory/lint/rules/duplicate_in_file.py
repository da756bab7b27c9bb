"""AM403: the same item twice in one file."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import (
    Edit,
    Fix,
    Related,
    Severity,
)
from agent_memory.base.text import Span
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.lint.shared.items import NormalizedItem, has_equal_items, items_of
from agent_memory.lint.shared.word_lists import says

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_BESIDE = 2
"""Minimum words of a duplicate in the same list; single words may be a sequence."""
_SECTION = 4
"""Minimum words in another list of the section; short items ("Yes") repeat on purpose."""
_ELSEWHERE = 8
"""Minimum words in another section, on whose heading shorter items depend."""
_SEPARATOR = 3
"""Minimum occurrences in one list of an item that separates others."""
_PROPERTY_MAX = 200
"""Characters of an item that are searched for a property."""
_PROPERTY = lazy_compile(r"[^\w]*\w[\w-]*(?: [\w-]+){0,2}[^\w\s]*:[^\w\s]* \S")
"""A property, of one to three words, at the start of an item: ``radius: 8px``."""
_NOTHING = lazy_compile(r"\W*(?:n/?a\b|not applicable\b|none\s*[-–—:,(])")  # noqa: RUF001
"""The start of an item that says that its heading does not apply: ``n/a - …``."""
_BLANKS = lazy_compile(r"\{[^{}`]+\}|\[[^\[\]`]+\](?!\()|<[^<>`]+>")
"""What is to be filled in: ``{name}``, ``<name>`` or ``[name]``, but not the text of a link."""
_FILE = lazy_compile(r"`[\w./@+-]+\.[A-Za-z]\w{0,9}`|\[[^\[\]]*\]\([^()\s]+\)")
"""A file at the start of an item: a path in a code span, or a link."""
_SUBJECT = lazy_compile(
    r"this (?:component|crate|layer|library|module|package|plugin|project|service)\b"
)
"""The start of an item about the part of the project that its heading, or one above, may name."""
_OWN_SECTION = "this section "
"""The start of an item about its section."""


class _Container(NamedTuple):
    """A list, section or part of the file, and the fewest words of a duplicate in it.

    ``kind`` is "list", "section" or "part"; ``number`` identifies one of them.
    """

    kind: str
    number: int
    least_words: int


_Firsts = dict[tuple[str, int, str, int], NormalizedItem]
"""The first item by (its text, the line of its parent, the kind and number of its container)."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:  # noqa: ARG001 -- one signature
    """Report each item that repeats an item above it in the same words.

    How many words it must have depends on what contains both: a list, a section or only a part of
    the file (:func:`_parts`). Items that repeat on purpose are skipped.
    """
    if not has_equal_items(file):
        return
    firsts: _Firsts = {}
    parts = _parts(file, "part_headings")
    subjects = _parts(file, "subject_headings")
    counts = Counter(candidate.key for candidate in items_of(file))
    in_lists = Counter((candidate.key, candidate.siblings) for candidate in items_of(file))
    for candidate in items_of(file):
        if counts[candidate.key] == 1:
            continue  # nothing to compare
        if in_lists[candidate.key, candidate.siblings] >= _SEPARATOR:
            continue  # "Blank line" between the parts of a format
        if _may_repeat(candidate):
            continue
        part = parts[candidate.section]
        if _SUBJECT.match(candidate.key):
            part = max(part, subjects[candidate.section])  # the inner one is lower in the file
        first = _first_equal(candidate, part, firsts)
        if first is not None and not _are_parallel(first, candidate):
            yield _hit(file, candidate, first)


def _may_repeat(candidate: NormalizedItem) -> bool:
    """Return whether the item is one of a kind that repeats on purpose."""
    if len(_BLANKS.findall(candidate.item.text)) > 1:
        return True  # a line of a form, which is filled in several times
    if candidate.item.marker[0].isdigit():
        return True  # a step belongs to its procedure, which may share steps with another
    return bool(_NOTHING.match(candidate.key))  # each heading needs its own answer


def _parts(file: MemoryFile, words: str) -> list[int]:
    """Return the part of the file that a line is in, by the number of headings above the line.

    A part is a section, with its sub-sections, whose heading has a word of the list ``words``. The
    line of that heading stands for the part, -1 for the rest of the file. With ``part_headings``, a
    part is a step, a command, a function or one of several ways, which is read alone and must be
    complete; with ``subject_headings``, it is about a layer or package.
    """
    parts = [-1]
    outer: list[tuple[int, int]] = []  # (level, part) of the heading and of those around it
    for heading in file.markdown.headings:
        while outer and outer[-1][0] >= heading.level:
            outer.pop()
        part = outer[-1][1] if outer else -1
        if says((words, heading.text)):
            part = heading.line
        outer.append((heading.level, part))
        parts.append(part)
    return parts


def _first_equal(candidate: NormalizedItem, part: int, firsts: _Firsts) -> NormalizedItem | None:
    """Return the item above that ``candidate``, which is in ``part`` (:func:`_parts`), repeats.

    None if its text is new, or has too few words. ``candidate`` is added to ``firsts`` for each
    container in which it is the first of its text.
    """
    # A nested item describes its parent, such as one option of two commands.
    key = (candidate.key, candidate.parent)
    repeated = None
    for container in _containers(candidate, part):
        first = firsts.setdefault((*key, container.kind, container.number), candidate)
        is_repeated = first is not candidate and candidate.words >= container.least_words
        if repeated is None and is_repeated:
            repeated = first
    return repeated


def _containers(candidate: NormalizedItem, part: int) -> list[_Container]:
    """Return where an equal item above makes ``candidate`` a duplicate, the widest first.

    A property ("Radius: 8px") describes the subject of its section or list, so that an equal one in
    another section is no duplicate, and one in another list needs many words. An item "This section
    …" of another section is no duplicate either.
    """
    in_list = _Container("list", candidate.siblings, _BESIDE)
    if _PROPERTY.match(candidate.key[:_PROPERTY_MAX]):
        return [_Container("section", candidate.section, _ELSEWHERE), in_list]
    in_section = _Container("section", candidate.section, _SECTION)
    if candidate.key.startswith(_OWN_SECTION):
        return [in_section, in_list]
    return [_Container("part", part, _ELSEWHERE), in_section, in_list]


def _hit(file: MemoryFile, duplicate: NormalizedItem, first: NormalizedItem) -> Hit:
    """Return the report of ``duplicate``, which repeats ``first`` of the same file."""
    item = duplicate.item
    removal = Edit(file.path, Span(item.line, 0, item.end_line, 0), "")
    return Hit(
        file.item_span(item),
        t(
            "Line {0} already says the same\n"
            "It costs tokens twice, and the copies can drift apart. Remove one.",
            first.item.line + 1,
        ),
        (Fix(t("Remove this item"), (removal,), safe=False),),
        (Related(file.path, file.line_span(first.item.line), t("First occurrence")),),
        unnecessary=True,
        # In a section that was copied, all items are this far below the first ones: reports show
        # the findings of one cause as one.
        data={"cause": f"{file.path}: {item.line - first.item.line} lines"},
    )


def _are_parallel(one: NormalizedItem, other: NormalizedItem) -> bool:
    """Return whether the equal items are in two lists for several cases, each complete by itself.

    Such lists have different labels (``Web:``, ``App:``), or the equal items begin with a file.
    """
    if one.siblings == other.siblings:
        return False
    labels = {one.label, other.label}  # lines; -1: a list has no label
    return (-1 not in labels and len(labels) > 1) or bool(_FILE.match(other.item.text))


RULE = FileRule(
    "AM403",
    "duplicate-in-file",
    Severity.INFO,
    "The same item twice in a file",
    check=check,
    roles=MEMORY_ROLES,
)
