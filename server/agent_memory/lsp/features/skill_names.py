"""Skill names in memory: the definition in SKILL.md and the mentions in other files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Source
from agent_memory.base.text import Span

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lsp.workspace.cursor import Cursor
    from agent_memory.lsp.workspace.project_view import ProjectView

# The line of `name` in front matter: "name: 'review'  # a comment". Group 1 is the quote, or empty,
# group 2 is the value without quotes and comment: "review". `*+` does not give spaces to the next
# `[ \t]*`: without a quote, trying each division of many spaces would be slow.
_NAME_LINE = re.compile(
    r"name:[ \t]*(['\"]?)([^'\"#\r\n]*[^'\"#\s])[ \t]*+\1[ \t]*(?:#.*)?[\r\n]*\Z"
)


def skills_of(view: ProjectView) -> dict[str, Source]:
    """Return the skills of a project by name; of equal names the one that the runtime uses.

    Among the sources of a runtime, that skill comes before those that it shadows.
    """
    out: dict[str, Source] = {}
    for source in view.project.sources:
        if source.role is Role.SKILL and source.name:
            out.setdefault(source.name, source)
    return out


def own_name(file: MemoryFile) -> Span | None:
    """Return the span of the value of ``name`` in front matter, None if it is missing."""
    front_matter = file.markdown.front_matter
    if front_matter is None:
        return None
    first, last = front_matter  # the lines of both "---"
    for number in range(first + 1, last):
        match = _NAME_LINE.match(file.lines[number])
        if match:
            return Span.on_line(number, *match.span(2))
    return None


def skill_at(cursor: Cursor) -> Source | None:
    """Return the skill whose name is under the cursor, None elsewhere.

    The name is the one in the front matter of its SKILL.md, or in a code span of any file.
    """
    if cursor.file.source.role is Role.SKILL:
        name_span = own_name(cursor.file)
        if name_span and cursor.is_in(name_span):
            return cursor.file.source
    for name, source in skills_of(cursor.view).items():
        if any(map(cursor.is_in, _mentions_in_line(cursor.text, cursor.line, name))):
            return source
    return None


def mentions(view: ProjectView, name: str) -> Iterator[tuple[Path, Span]]:
    """Yield (file, span) of each mention of the skill ``name`` in the project, file by file.

    Mentions are the ``name`` in its front matter, and code spans with only the name.
    """
    for path, file in view.project.files.items():
        name_span = own_name(file) if file.source.role is Role.SKILL else None
        if name_span and file.source.name == name:
            yield path, name_span
        for number, line in enumerate(file.lines):
            if "`" in line:
                for span in _mentions_in_line(line, number, name):
                    yield path, span


def _mentions_in_line(text: str, line: int, name: str) -> Iterator[Span]:
    """Yield the spans of the skill ``name`` in the code spans "`name`" and "`/name`" of a line.

    ``text`` is the line, ``line`` its number. Outside of code the word may mean anything.
    """
    for match in re.finditer(rf"(?<!`)`(/?)({re.escape(name)})`(?!`)", text):
        yield Span.on_line(line, *match.span(2))
