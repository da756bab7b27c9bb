"""AM802: an entry whose file says something else than its front matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import FileRule, Hit
from agent_memory.lint.rules.entry_skipped import key_line, place_of, read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:  # noqa: ARG001 -- one signature
    """Report an id that is not the file's name, and a scope that is not the folder's."""
    entry = read(file)
    if isinstance(entry, str):
        return
    if entry.id != file.path.stem:
        yield Hit(
            file.line_span(key_line(file, "id")),
            t(
                "The id is not the name of the file. drover writes and forgets {0}.md, so "
                "this file stays and comes back at the next start. Give both one name",
                entry.id,
            ),
        )
    place = place_of(file)
    if entry.scope != place.scope:
        yield Hit(
            file.line_span(key_line(file, "scope")),
            t(
                "The scope is '{0}', but the folder is for '{1}': drover goes by the front "
                "matter, so {2} sees it. Move the file, or correct it",
                entry.scope,
                place.scope,
                _whose(entry.scope),
            ),
        )
    elif place.agent and entry.agent != place.agent:
        yield Hit(
            file.line_span(key_line(file, "agentId")),
            t(
                "The entry is in the folder of agent '{0}' and belongs to '{1}', who alone "
                "sees it. Move the file, or correct it",
                place.agent,
                entry.agent,
            ),
        )


def _whose(scope: str) -> str:
    return {"global": t("every agent"), "agent": t("one agent only"), "run": t("one run only")}[
        scope
    ]


RULE = FileRule(
    "AM802",
    "entry-misfiled",
    Severity.WARNING,
    "An entry in another place than it says",
    check=check,
    roles=frozenset({Role.ENTRY}),
)
