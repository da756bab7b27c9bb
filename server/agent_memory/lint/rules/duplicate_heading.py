"""AM402: the same heading twice under the same parent."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Related, Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project
    from agent_memory.markdown.model import Heading


_MANY = 3
"""Equal headings with different texts below that are a pattern."""
_COMMON = lazy_compile(
    r"(?:after|bad|before|correct|do|don't|examples?|good|important|incorrect|notes?|output|tips?"
    r"|usage|warning|wrong)\b\W*\Z"
    r"|\W*(?:in)?correct\b|[\W_]*[✅❌✓✗]"
)
"""Headings that repeat on purpose: they belong to the text around them.

``Example:``, ``Correct way`` or ``❌ Do not``.
"""
_PLACEHOLDER = lazy_compile(r"<[^<>]+>|\{[^{}]+\}|\[[^\[\]]+\]\Z")
"""Part of a heading that is filled in later: ``<name>``, ``{name}`` or, at its end, ``[name]``."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:  # noqa: ARG001 -- one signature
    """Report headings that repeat one of the same level under the same parents.

    Headings are the same without regard to letter case and spaces. Parts that repeat on purpose,
    such as the same steps of several things, are skipped.
    """
    seen: dict[tuple[str, ...], Heading] = {}
    path: list[tuple[int, str]] = []  # level and name of the heading and of those around it
    examples = file.example_lines
    for heading in file.markdown.headings:
        if heading.line in examples:
            continue
        text = " ".join(heading.text.split()).casefold()
        while path and path[-1][0] >= heading.level:
            path.pop()
        path.append((heading.level, f"{heading.level} {text}"))
        first = seen.setdefault(tuple(name for _, name in path), heading)
        if first is heading:
            continue  # the first of its name below these parents
        titles = file.content.once(_titles_below, file)
        if titles[heading.line] and titles[heading.line] == titles[first.line]:
            # The same sections for several things repeat on purpose. In `path`, the line of this
            # heading stands for its name, so the sections below it repeat none of the first.
            path[-1] = (heading.level, str(heading.line))
        elif not _may_repeat(file, heading, text):
            yield _hit(file, heading, first)


def _may_repeat(file: MemoryFile, heading: Heading, text: str) -> bool:
    """Return whether ``heading`` repeats on purpose; ``text`` is its text in lower case.

    It does if it is a drawing, a label of what follows, a common word or a placeholder.
    """
    is_drawing = not any(map(str.isalnum, text))  # such as a line of dashes
    if is_drawing or heading.line in file.content.once(_labels, file):
        return True
    return bool(_COMMON.match(text) or _PLACEHOLDER.search(text))


def _hit(file: MemoryFile, heading: Heading, first: Heading) -> Hit:
    """Return the report of ``heading``, which repeats ``first``."""
    return Hit(
        file.line_span(heading.line),
        t(
            "Section '{0}' already exists on line {1}\n"
            "What one section says is easily missed or contradicted in the other. Merge the "
            "sections.",
            heading.text,
            first.line + 1,
        ),
        related=(Related(file.path, file.line_span(first.line), t("First occurrence")),),
        # In a part that was copied, all sections are this far below the first ones: reports show
        # the findings of one cause as one.
        data={"cause": f"{file.path}: {heading.line - first.line} lines"},
    )


def _labels(file: MemoryFile) -> set[int]:
    """Return the lines of headings that are labels of what follows, such as ``Prompt``.

    They are three or more equal headings that follow each other directly, or that have three
    different lines of text below them, as in the same part of several things.
    """
    headings = file.markdown.headings
    labels: set[int] = set()
    for three in zip(headings, headings[1:], headings[2:], strict=False):
        if len({(heading.level, heading.text) for heading in three}) == 1:
            labels.update(heading.line for heading in three)
    equal: dict[tuple[int, str], list[int]] = defaultdict(list)
    for heading in headings:
        equal[heading.level, heading.text].append(heading.line)
    for lines in equal.values():
        if len(lines) >= _MANY and len({_text_below(file, line) for line in lines}) >= _MANY:
            labels.update(lines)
    return labels


def _text_below(file: MemoryFile, line: int) -> str:
    """Return the first line with text below ``line``, '' without any."""
    texts = (file.lines[number].strip() for number in range(line + 1, len(file.lines)))
    return next(filter(None, texts), "")


def _titles_below(file: MemoryFile) -> dict[int, list[str]]:
    """Return the titles of the sections directly below each heading, by the line of the heading.

    They are in lower case. Two sections with the same titles below them follow a pattern, such as
    an example of each thing.
    """
    titles: dict[int, list[str]] = {}
    path: list[Heading] = []  # the heading and those around it
    for heading in file.markdown.headings:
        while path and path[-1].level >= heading.level:
            path.pop()
        if path:
            titles[path[-1].line].append(heading.text.casefold())
        path.append(heading)
        titles[heading.line] = []
    return titles


RULE = FileRule(
    "AM402",
    "duplicate-heading",
    Severity.INFO,
    "The same section twice",
    check=check,
    roles=MEMORY_ROLES,
)
