"""AM802: an entry whose file or folder contradicts its front matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Severity
from agent_memory.l10n import t, untranslated
from agent_memory.lint.rule import FileRule, Hit
from agent_memory.lint.rules.entry_skipped import key_line, place_of, read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.entries.entry_file import Entry
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_MISFILED = {
    "global": untranslated(
        "The scope is 'global', but the folder is for '{0}'\n"
        "drover uses the front matter, so every agent sees the entry. Move the file, or correct "
        "the scope."
    ),
    "agent": untranslated(
        "The scope is 'agent', but the folder is for '{0}'\n"
        "drover uses the front matter, so only one agent sees the entry. Move the file, or "
        "correct the scope."
    ),
    "run": untranslated(
        "The scope is 'run', but the folder is for '{0}'\n"
        "drover uses the front matter, so only one run sees the entry. Move the file, or correct "
        "the scope."
    ),
}
"""By the scope in the front matter: the message if the folder is for another scope."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:  # noqa: ARG001 -- one signature
    """Report an id other than the file name, and a scope or owner other than the folder's."""
    entry = read(file)
    if isinstance(entry, str):
        return  # drover skips the file: another rule says why
    if entry.id != file.path.stem:
        yield Hit(
            file.line_span(key_line(file, "id")),
            t(
                "The id differs from the file name\n"
                "drover writes and deletes {0}.md, so this file stays and is loaded again at the "
                "next start. Use the same name for both.",
                entry.id,
            ),
        )
    yield from _owner_hits(file, entry)


def _owner_hits(file: MemoryFile, entry: Entry) -> Iterator[Hit]:
    """Report a scope other than that of the folder; if they are equal, another agent or run."""
    place = place_of(file)
    if entry.scope != place.scope:
        yield Hit(
            file.line_span(key_line(file, "scope")),
            t(_MISFILED[entry.scope], place.scope),
        )
    elif place.agent and entry.agent != place.agent:
        yield Hit(
            file.line_span(key_line(file, "agentId")),
            t(
                "The entry belongs to '{1}' but is in the folder of '{0}'\n"
                "Only agent '{1}' sees it. Move the file, or correct the agentId.",
                place.agent,
                entry.agent,
            ),
        )
    elif place.run and entry.run != place.run:
        yield Hit(
            file.line_span(key_line(file, "runId")),
            t(
                "The entry of run '{1}' is in the folder of run '{0}'\n"
                "Only run '{1}' sees it. Move the file, or correct the runId.",
                place.run,
                entry.run,
            ),
        )


RULE = FileRule(
    "AM802",
    "entry-misfiled",
    Severity.WARNING,
    "An entry whose file contradicts its front matter",
    check=check,
    roles=frozenset({Role.ENTRY}),
)
