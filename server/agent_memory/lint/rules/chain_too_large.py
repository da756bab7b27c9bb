"""AM304: the AGENTS.md files from the root down exceed what tools read of them together.

Codex joins them, root first, and stops at ``project_doc_max_bytes``, 32 KiB by default (its guide
"Custom instructions with AGENTS.md"; openai/codex, issue 7138).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.lint.rules.file_too_large import is_read_elsewhere, line_over_limit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report a file that begins or ends after the limit because of the files above it."""
    limit = project.ctx.settings.chain_bytes
    if not limit or not _is_below_others(file.path, project):  # 0 switches the rule off
        return
    above = _bytes_above(file.path, project)
    size = file.content.size
    if not above or above + size <= limit:
        return  # with no file above, only its own size counts, which AM301 reports
    if above >= limit:
        yield Hit(
            file.head,
            t(
                "Some tools do not read this file: they stop after {0:,} bytes\n"
                "They read AGENTS.md files from the root down, and the files above this one have "
                "{1:,} bytes. Shorten them.",
                limit,
                above,
            ),
            # All files below the one that reaches the limit are one finding of a report.
            data={"cause": _first_cut(project, file.path.parent, limit)},
        )
        return
    line = line_over_limit(file.lines, limit - above)
    yield Hit(
        file.line_span(line),
        t(
            "Some tools stop reading here, after {1:,} bytes of AGENTS.md files\n"
            "They read AGENTS.md files from the root down. With the files above it, this file "
            "reaches {0:,} bytes. Shorten the files, or move important text up.",
            above + size,
            limit,
        ),
        severity=Severity.INFO,  # tools read the start of the file
    )


def _is_below_others(path: Path, project: Project) -> bool:
    """Return whether ``path`` is an AGENTS.md that tools read after those of the folders above.

    False for that of the root, one outside of the project, in a hidden folder, or for which
    :func:`is_read_elsewhere` is true, such as a page of a skill.
    """
    base = project.folder_from_root(path)
    if path.name != "AGENTS.md" or base in (None, "."):
        return False
    is_hidden = "/." in f"/{base}"  # "/" before: `.x` is hidden like `web/.x`
    return not is_hidden and not is_read_elsewhere(path, project)


def _bytes_above(path: Path, project: Project) -> int:
    """Return the bytes of the AGENTS.md files above the folder of ``path``, up to the root."""
    size, root = 0, project.tree.root
    for folder in path.parent.parents:
        above = folder / "AGENTS.md"
        checked = project.files.get(above)  # None if it is not checked, so not read yet
        content = checked.content if checked else project.ctx.store.read(above)
        size += content.size  # 0 for a missing file
        if folder == root:
            break
    return size


def _first_cut(project: Project, folder: Path, limit: int) -> str:
    """Return the first folder, from the root down to ``folder``, at which the limit is reached.

    ``limit`` is in bytes of the AGENTS.md files of all these folders; '' if it is not reached.
    """
    root, size = project.tree.root, 0
    chain = [folder, *folder.parents]
    for outer in reversed(chain[: chain.index(root) + 1]):  # from the root down
        size += project.ctx.store.read(outer / "AGENTS.md").size
        if size >= limit:
            return outer.as_posix()
    return ""


RULE = FileRule(
    "AM304",
    "chain-too-large",
    Severity.WARNING,
    "A chain of AGENTS.md files that is cut off",
    check=check,
    roles=MEMORY_ROLES,
    varies=True,
)
