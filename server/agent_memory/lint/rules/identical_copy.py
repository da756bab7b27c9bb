"""AM115: a CLAUDE.md that is a copy of the AGENTS.md next to it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Edit, Fix, Role, Severity
from agent_memory.base.text import full_span
from agent_memory.l10n import t
from agent_memory.lint.rule import FileRule, Hit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_TOP = 5
"""Lines in which a program says that it writes both files."""
_GENERATED = lazy_compile(r"<!-- ?[\w-]+:start|\bgenerated\b|\bdo not edit\b", re.IGNORECASE)
"""What such a program writes there."""
_IMPORT = "@AGENTS.md\n"
"""What Claude Code replaces by the text of that file."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report a CLAUDE.md that is a copy of the AGENTS.md next to it.

    Copies that a program writes or compares are skipped.
    """
    if not _is_copy(file, project):
        return
    if _GENERATED.search("".join(file.lines[:_TOP])) or _is_wholly_generated(file):
        return
    from agent_memory.lint.shared.equal_copies import are_kept_equal  # noqa: PLC0415 -- few projects have a copy

    if are_kept_equal(project):
        return
    whole = Edit(file.path, full_span(file.lines), _IMPORT)
    yield Hit(
        file.head,
        t(
            "CLAUDE.md is a copy of AGENTS.md\n"
            "An edit of one of them leaves the other unchanged. Import AGENTS.md with the line "
            "{0}, or make CLAUDE.md a symlink.",
            _IMPORT.strip(),
        ),
        (Fix(t("Replace the copy with {0}", _IMPORT.strip()), (whole,), safe=False),),
    )


def _is_copy(file: MemoryFile, project: Project) -> bool:
    """Return whether ``file`` is a CLAUDE.md with the text of the AGENTS.md next to it.

    False for blank files, and if one of the two is a symlink.
    """
    path = file.path
    if path.name != "CLAUDE.md" or path.is_symlink() or not file.content.text.strip():
        return False
    other = path.with_name("AGENTS.md")
    if other.name not in project.ctx.store.names(path.parent) or other.is_symlink():
        return False
    return project.ctx.store.read(other).text == file.content.text


def _is_wholly_generated(file: MemoryFile) -> bool:
    """Return whether all text of the file is in blocks that a program writes."""
    from agent_memory.lint.shared.generated_blocks import generated_lines  # noqa: PLC0415 -- few files need it

    generated = generated_lines(file)
    return all(number in generated for number, line in enumerate(file.lines) if line.strip())


RULE = FileRule(
    "AM115",
    "identical-copy",
    Severity.INFO,
    "A copy of another memory file",
    check=check,
    roles=frozenset({Role.MEMORY, Role.INSTRUCTIONS}),
    varies=True,
)
