"""Imports of a memory file (``@path``) whose file does not exist.

Claude Code skips such an import without a message; Gemini CLI puts an error into the prompt.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from agent_memory.markdown.references import sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project
    from agent_memory.markdown.links import Link

_READERS = {"CLAUDE.md": "Claude Code", "CLAUDE.local.md": "Claude Code", "GEMINI.md": "Gemini CLI"}
_TEXT = (".md", ".mdc", ".mdx", ".txt", ".rst", ".adoc", ".json", ".yaml", ".yml", ".toml")
"""Suffixes of what people import; `@user.name` is something else."""


def missing_imports(
    file: MemoryFile, project: Project, base: str
) -> Iterator[tuple[Link, str, str, str]]:
    """Yield (import, its path from the root, its sentence, agent) for each missing file.

    ``base`` is the folder of ``file`` below the root, ``agent`` the title of the agent that follows
    the imports. Nothing is yielded for a file that no such agent reads. Missing files outside of
    the project and those that git ignores are left out: they can exist on another machine.
    """
    agent = _READERS.get(file.path.name)
    if agent is None:
        return
    inline_links = {(item.span.line, item.span.start) for item in file.link_references}
    for link in file.links:  # the inline links and the imports
        if (link.line, link.start) in inline_links or link.line in file.example_lines:
            continue
        path = posixpath.normpath(posixpath.join(base, link.path))
        if link.path.startswith(("~", "/")) or path.startswith("..") or not path.endswith(_TEXT):
            continue
        if project.tree.has(path) or project.tree.ignored.covers(path):
            continue
        columns = (link.start - 1, link.end)  # with the "@"
        yield link, path, sentence(file.lines, file.markdown, link.line, columns), agent
