"""Imports of a memory file (``@path``) whose file does not exist.

Claude Code skips such an import without a message; Gemini CLI puts an error into the prompt.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.markdown.links import Link
from agent_memory.markdown.references import sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_READERS = {"CLAUDE.md": "Claude Code", "CLAUDE.local.md": "Claude Code", "GEMINI.md": "Gemini CLI"}
"""By the name of a memory file: the title of the agent that follows its imports."""
_TEXT = (".md", ".mdc", ".mdx", ".txt", ".rst", ".adoc", ".json", ".yaml", ".yml", ".toml")
"""Suffixes of what people import; `@user.name` is something else."""
_WITHOUT_SUFFIX = lazy_compile(r"\s*(?:[-*+] )?@((?:\.{1,2}/)*[\w-]+(?:/[\w-]+)+)\s*\Z")
"""A line with nothing but an import without a suffix: ``@docs/guide``."""


class MissingImport(NamedTuple):
    """An import whose file does not exist."""

    link: Link
    path: str
    """The path of the missing file from the root."""
    text: str
    """The sentence of the import."""
    agent: str
    """The title of the agent that follows the import."""


def missing_imports(file: MemoryFile, project: Project, base: str) -> Iterator[MissingImport]:
    """Yield the imports of ``file`` whose file does not exist.

    ``base`` is the folder of ``file`` below the root. Nothing is yielded if no agent follows
    imports of ``file``. Missing files outside of the project and those that git ignores are left
    out: they can exist on another machine.
    """
    agent = _READERS.get(file.path.name)
    if agent is None:
        return
    for link in (*_with_suffix(file), *_without_suffix(file, project, base)):
        path = posixpath.normpath(posixpath.join(base, link.path))
        if link.path.startswith(("~", "/")) or path.startswith(".."):
            continue
        if project.tree.has(path) or project.tree.ignored.covers(path):
            continue
        columns = (link.start - 1, link.end)  # with the "@"
        text = sentence(file.lines, file.markdown, link.line, columns)
        yield MissingImport(link, path, text, agent)


def _with_suffix(file: MemoryFile) -> Iterator[Link]:
    """Yield the imports outside of examples whose path has the suffix of a text file."""
    for link in file.links:  # the inline links and the imports
        if link.is_import and link.line not in file.example_lines and link.path.endswith(_TEXT):
            yield link


def _without_suffix(file: MemoryFile, project: Project, base: str) -> Iterator[Link]:
    """Yield the imports without a suffix that are alone on their line and mean a Markdown file.

    An import means a Markdown file if its path with ``.md`` exists, from ``base`` or from the root.
    No agent adds this suffix, so the import fails. Any other ``@scope/name`` may be a package.
    """
    for number, line in enumerate(file.lines):
        # A cheap test first: few lines have an "@".
        match = _WITHOUT_SUFFIX.match(line) if "@" in line else None
        if match is None or not file.markdown.is_prose(number) or number in file.example_lines:
            continue
        places = (posixpath.join(folder, f"{match[1]}.md") for folder in (base, "."))
        if any(project.tree.has(posixpath.normpath(place)) for place in places):
            yield Link(number, match.start(1), match.end(1), match[1], "", is_import=True)
