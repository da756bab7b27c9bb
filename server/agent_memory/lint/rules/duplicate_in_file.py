"""AM403: the same item twice in one file."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

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
_PROPERTY_MAX = 200
"""Characters of an item that are searched for a property."""
_PROPERTY = lazy_compile(r"[^\w]*\w[\w-]*(?: [\w-]+){0,2}[^\w\s]*:[^\w\s]* \S")

_BLANKS = lazy_compile(r"\{[^{}`]+\}|\[[^\[\]`]+\](?!\()|<[^<>`]+>")
"""What is to be filled in."""
_FILE = lazy_compile(r"`[\w./@+-]+\.[A-Za-z]\w{0,9}`|\[[^\[\]]*\]\([^()\s]+\)")
"""A file at the start of an item: a path in a code span, or a link."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:  # noqa: ARG001 -- one signature
    """Report each item that repeats an item above it in the same words.

    How many words it must have depends on what contains both: a list, a section or only the file.
    Skipped are lines of a form, numbered steps, items of different parents and of parallel lists.
    """
    if not has_equal_items(file):
        return
    # {(text, parent, what contains the item, its number): the first such item in it}
    seen: dict[tuple[str, int, str, int], NormalizedItem] = {}
    counts = Counter(found.key for found in items_of(file))
    for found in items_of(file):
        if counts[found.key] == 1:
            continue
        if len(_BLANKS.findall(found.item.text)) > 1:
            continue  # a line of a form, which is filled in several times
        if found.item.marker[0].isdigit():
            continue  # a step belongs to its procedure, which may share steps with another
        # A property ("Radius: 8px") describes the subject of its list, or of its section.
        is_property = _PROPERTY.match(found.key[:_PROPERTY_MAX])
        # What may contain both items, the widest first, with the least words of a duplicate there.
        places = (
            *(() if is_property else ((("file", 0), _ELSEWHERE),)),
            (("section", found.section), _ELSEWHERE if is_property else _SECTION),
            (("list", found.siblings), _BESIDE),
        )
        # A nested item describes its parent, such as one option of two commands.
        key = (found.key, found.parent)
        # The first item of each place with this text is an earlier one, or else ``found``.
        firsts = [(seen.setdefault((*key, *place), found), minimum) for place, minimum in places]
        first = next(
            (one for one, minimum in firsts if one is not found and found.words >= minimum), None
        )
        if first is not None and not _are_parallel(first, found):
            yield _hit(file, found, first)


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
        # The items of a section that was copied are all as far from the first one.
        data={"cause": f"{file.path}: {item.line - first.item.line} lines"},
    )


def _are_parallel(one: NormalizedItem, other: NormalizedItem) -> bool:
    """Return whether the items are in lists for several cases, each of which must be complete.

    Such lists have labels (``Web:``, ``App:``) or list files.
    """
    if one.siblings == other.siblings:
        return False
    labels = {one.label, other.label}
    return (-1 not in labels and len(labels) > 1) or bool(_FILE.match(other.item.text))


RULE = FileRule(
    "AM403",
    "duplicate-in-file",
    Severity.INFO,
    "The same item twice in a file",
    check=check,
    roles=MEMORY_ROLES,
)
