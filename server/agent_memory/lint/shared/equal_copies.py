"""Whether a script of the project keeps CLAUDE.md and AGENTS.md equal: compares or copies them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.project import Project

_FOLDERS = (
    *(".github/workflows", ".github/scripts", ".githooks", ".husky"),
    *("scripts", "script", "tools", "hack", "ci", "bin"),
)
"""Folders of scripts, git hooks and CI workflows."""
_FILES = (
    *("Makefile", "justfile", "Taskfile.yml", "package.json", ".gitlab-ci.yml"),
    *(".pre-commit-config.yaml", "lefthook.yml"),
)
"""Files of the root that have commands."""
_OF_SCRIPTS = (".sh", ".py", ".js", ".mjs", ".ts")
"""Endings of scripts, which may be at the root too."""
_SCRIPTS = 100
"""Maximum number of scripts that are read."""
_LENGTH = 100_000
"""Characters of a script; a longer one is not searched."""
_KEEPS_EQUAL = lazy_compile(
    r"^(?:(?=.*(?:\b(?:cmp|cp|rsync) |(?<!git )\bdiff |\bcopy\w*\())(?=.*claude)(?=.*agents)"
    r"|(?=.*\bsync(?:s|ed|ing|hroni[sz]\w+)?\b)(?=.*claude\.md)(?=.*agents\.md))",
    re.IGNORECASE | re.MULTILINE,
)
"""A line with a command that compares or copies, and both names: ``cmp CLAUDE.md AGENTS.md``.

Or a line with the word *sync* and both file names, such as the comment above a command that has
variables in place of the names: ``# sync AGENTS.md with CLAUDE.md``.
"""


def are_kept_equal(project: Project) -> bool:
    """Return whether a script of the project compares, copies or syncs CLAUDE.md and AGENTS.md."""
    root, store = project.tree.root, project.ctx.store
    contents = (store.read(root / path) for path in _scripts(project))
    return any(content.ok and content.once(_keeps_equal, content.text) for content in contents)


def _scripts(project: Project) -> Iterator[str]:
    """Yield the existing scripts and :data:`_FILES`, as paths from the root.

    Scripts are all files directly in :data:`_FOLDERS`, and those at the root with an ending of
    :data:`_OF_SCRIPTS`. Only the first :data:`_SCRIPTS` are yielded. Nothing is yielded if the
    project has too many files to list.
    """
    listing = project.tree.listing
    if listing is None:
        return
    scripts = [path for folder in _FOLDERS for path in listing.files_of(folder)]
    scripts += (path for path in listing.files_of("") if path.endswith(_OF_SCRIPTS))
    yield from scripts[:_SCRIPTS]
    yield from (path for path in _FILES if path in listing.files)


def _keeps_equal(text: str) -> bool:
    """Return whether a script with ``text`` keeps both files equal; False if it is too long."""
    return len(text) <= _LENGTH and _KEEPS_EQUAL.search(text) is not None
