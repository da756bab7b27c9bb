"""AM601: the same item in two files of one prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import (
    Edit,
    Fix,
    Related,
    Severity,
)
from agent_memory.base.text import Span
from agent_memory.l10n import t
from agent_memory.lint.rule import Hit, ProjectRule
from agent_memory.lint.shared.items import NormalizedItem, items_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_WORDS_MIN = 5
"""Words of an item that is reported; shorter ones repeat by chance."""


def check(project: Project) -> Iterator[Hit]:
    """Report items that a file which is loaded earlier also has; short ones are skipped."""
    seen: dict[str, tuple[MemoryFile, NormalizedItem]] = {}
    files = loaded(project)
    if len(files) <= 1:
        return  # duplicates in one file are AM403
    for file in files:
        for duplicate in items_of(file):
            if duplicate.words < _WORDS_MIN:
                continue
            first_file, first = seen.setdefault(duplicate.key, (file, duplicate))
            if first_file is not file:
                yield _hit(project, file, duplicate, first_file, first)


def loaded(project: Project) -> list[MemoryFile]:
    """Return the memory files in the prompt, in load order."""
    # Only a source outside of the prompt has no order: the 0 is never used.
    order = {source.path: source.order or 0 for source in project.sources}
    files = [file for file in project.files.values() if file.in_prompt and file.path in order]
    return sorted(files, key=lambda file: order[file.path])


def _hit(
    project: Project,
    file: MemoryFile,
    duplicate: NormalizedItem,
    first_file: MemoryFile,
    first: NormalizedItem,
) -> Hit:
    """Return the report of ``duplicate`` in ``file``, which repeats ``first`` of ``first_file``."""
    item = duplicate.item
    removal = Edit(file.path, Span(item.line, 0, item.end_line, 0), "")
    return Hit(
        file.item_span(item),
        t(
            "{0} already says the same on line {1}\n"
            "Both are in the prompt. Keep it in user memory if it applies to every project, "
            "otherwise in project memory.",
            project.shown(first_file.path),
            first.item.line + 1,
        ),
        (Fix(t("Remove it here"), (removal,), safe=False),),
        (Related(first_file.path, first_file.line_span(first.item.line), t("Same item")),),
        unnecessary=True,
        path=file.path,
    )


RULE = ProjectRule(
    "AM601",
    "duplicate-across-scopes",
    Severity.INFO,
    "The same item in two files of one prompt",
    check=check,
)
