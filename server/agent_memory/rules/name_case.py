"""AM108: a memory file whose name is written in another letter case."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.model import Fix, Severity
from agent_memory.rules.base import Hit, Project, Rule
from agent_memory.strays import Why

if TYPE_CHECKING:
    from collections.abc import Iterator


def check(project: Project) -> Iterator[Hit]:
    """Report files that only a file system that ignores case would find."""
    for stray in project.strays:
        if stray.why is not Why.CASE:
            continue
        path, wanted = stray.source.path, stray.wanted
        rename = Fix(f"Rename to {wanted.name}", renames=((path, wanted),), safe=False)
        yield Hit(
            project.head(path),
            f"{project.choice.runtime.id} looks for {wanted.name}; it does not find "
            f"{path.name} where letter case counts, as on Linux and in CI",
            () if stray.taken else (rename,),
            path=path,
        )


RULE = Rule(
    "AM108", "name-case", Severity.WARNING, "A name in the wrong letter case", project=check
)
