"""AM824: a Claude MPM memory without one of its required sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Edit, Fix, Severity
from agent_memory.base.text import Span, newline_of, without_newline
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.lint.shared import claude_mpm
from agent_memory.markdown.open_blocks import UnclosedBlockError, ensure_no_open_block
from agent_memory.runtimes.claude_mpm import REQUIRED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report the missing sections in one finding."""
    if not claude_mpm.is_memory(file) or claude_mpm.is_flat(file):
        return  # a flat file is one of version 4 or later, which has no sections
    existing = {section.name for section in claude_mpm.sections(file)}
    missing = [name for name in REQUIRED if name not in existing]
    if not missing or not existing:
        return  # complete, or without any section and so not of version 3
    if len(missing) == 1:
        message = t(
            "Claude MPM requires the section {0}\n"
            "It adds the empty section whenever it reads the file, so the agent sees it anyway. "
            "Add it.",
            missing[0],
        )
    else:
        message = t(
            "Claude MPM requires the sections {0}\n"
            "It adds the empty sections whenever it reads the file, so the agent sees them "
            "anyway. Add them.",
            ", ".join(missing),
        )
    max_items = claude_mpm.config_of(file, project).limits["max_items_per_section"]
    yield Hit(file.head, message, _fixes(file, missing, max_items))


def _fixes(file: MemoryFile, missing: list[str], max_items: int) -> tuple[Fix, ...]:
    """Return the fix, unless the sections would become a part of an open block."""
    edit = _added(file, missing, max_items)
    try:
        # Below the line of the edit, since that line may itself begin a block.
        ensure_no_open_block(file.markdown, edit.span.line + 1)
    except UnclosedBlockError:
        return ()
    return (Fix(t("Add the missing sections"), (edit,)),)


def _added(file: MemoryFile, missing: list[str], max_items: int) -> Edit:
    """Return the edit that adds the sections where Claude MPM does.

    This is before Recent Learnings, otherwise at the end, separated by a blank line.
    """
    newline = newline_of(file.lines)
    text = "".join(f"## {name} (Max: {max_items} items){newline}{newline}" for name in missing)
    for section in claude_mpm.sections(file):
        if section.name == "Recent Learnings":
            line = section.heading.line
            return Edit(file.path, Span(line, 0, line, 0), text)
    last = len(file.lines) - 1
    if without_newline(file.lines[last]) == file.lines[last]:  # no newline at the end of the file
        end = Span.on_line(last, len(file.lines[last]), len(file.lines[last]))
        return Edit(file.path, end, newline * 2 + text.rstrip("\r\n") + newline)
    blank = newline if without_newline(file.lines[last]).strip() else ""
    return Edit(file.path, Span(last + 1, 0, last + 1, 0), blank + text.rstrip("\r\n") + newline)


RULE = FileRule(
    "AM824",
    "mpm-required-section",
    Severity.INFO,
    "A Claude MPM memory without a required section",
    check=check,
    roles=MEMORY_ROLES,
    varies=True,
)
