"""AM108: a memory file whose name has the wrong letter case."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Fix, Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import Hit, ProjectRule
from agent_memory.prompt.unread_files import Why

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.project import Project


def check(project: Project) -> Iterator[Hit]:
    """Report files that are found only on file systems that ignore letter case."""
    for unread in project.unread_files:
        if unread.why is not Why.CASE:
            continue
        path, wanted = unread.source.path, unread.wanted
        rename = Fix(t("Rename to {0}", wanted.name), renames=((path, wanted),), safe=False)
        yield Hit(
            project.head(path),
            t(
                "{0} looks for {1}, not for {2}\n"
                "Where letter case matters, as on Linux and in CI, it does not find this file. "
                "Rename it.",
                project.choice.runtime.id,
                wanted.name,
                path.name,
            ),
            () if unread.taken else (rename,),  # no fix if a file with the right name exists
            path=path,
        )


RULE = ProjectRule(
    "AM108", "name-case", Severity.WARNING, "A name in the wrong letter case", check=check
)
