"""AM132: a personal file switches off the file that the team shares.

Claude Code reads AGENTS.md only if no CLAUDE.md and no CLAUDE.local.md has text (measured in
2.1.330), so a note that one person keeps hides the instructions of all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Edit, Fix, Related, Severity, Status
from agent_memory.base.text import Span
from agent_memory.l10n import t
from agent_memory.lint.rule import Hit, ProjectRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.project import Project

_PERSONAL = ".local.md"
"""The end of the names of files that are not shared."""
_START = Span(0, 0, 0, 0)


def check(project: Project) -> Iterator[Hit]:
    """Report each file that a personal file of the project hides."""
    for source in project.sources:
        by = source.by  # the file that the runtime reads instead
        if source.status is not Status.SHADOWED or by is None or not by.name.endswith(_PERSONAL):
            continue
        if project.folder_from_root(source.path) is None:
            continue  # a file of the user, which no team shares
        is_beside = source.path.parent == by.parent  # then its name is its path in an import
        line = f"@{source.path.name}"
        fix = Fix(
            t("Add the line `{0}` to {1}", line, by.name),
            (Edit(by, _START, f"{line}\n\n"),),
            safe=False,
        )
        yield Hit(
            project.head(source.path),
            t(
                "{0} reads your personal {1} instead of this file\n"
                "This holds on your machine, because {1} has text. Import this file there, or in "
                "a shared file.",
                t(project.choice.runtime.title),
                by.name,
            ),
            (fix,) if is_beside else (),
            (Related(by, _START, t("the personal file")),),
            path=source.path,
        )


RULE = ProjectRule(
    "AM132",
    "personal-file-hides",
    Severity.WARNING,
    "A shared file that a personal one switches off",
    check=check,
    per_runtime=True,
    replaces=("AM111",),
    varies=True,
)
