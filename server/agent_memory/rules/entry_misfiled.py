"""AM802: an entry whose file says something else than its front matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.model import Role, Severity
from agent_memory.rules.base import Hit, MemoryFile, Project, Rule
from agent_memory.rules.entry_skipped import key_line, place_of, read

if TYPE_CHECKING:
    from collections.abc import Iterator


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:  # noqa: ARG001 -- one signature
    """Report an id that is not the file's name, and a scope that is not the folder's."""
    entry = read(file)
    if isinstance(entry, str):
        return
    if entry.id != file.path.stem:
        yield Hit(
            file.line_span(key_line(file, "id")),
            f"The id is not the name of the file. drover writes and forgets {entry.id}.md, so "
            "this file stays and comes back at the next start. Give both one name",
        )
    place = place_of(file)
    if entry.scope != place.scope:
        yield Hit(
            file.line_span(key_line(file, "scope")),
            f"The scope is '{entry.scope}', but the folder is for '{place.scope}': drover goes by "
            f"the front matter, so {_whose(entry.scope)} sees it. Move the file, or correct it",
        )
    elif place.agent and entry.agent != place.agent:
        yield Hit(
            file.line_span(key_line(file, "agentId")),
            f"The entry is in the folder of agent '{place.agent}' and belongs to "
            f"'{entry.agent}', who alone sees it. Move the file, or correct it",
        )


def _whose(scope: str) -> str:
    return {"global": "every agent", "agent": "one agent only", "run": "one run only"}[scope]


RULE = Rule(
    "AM802",
    "entry-misfiled",
    Severity.WARNING,
    "An entry in another place than it says",
    file=check,
    roles=frozenset({Role.ENTRY}),
)
