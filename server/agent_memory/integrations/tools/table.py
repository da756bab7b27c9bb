"""All tools: what each does to memory, and what a person is asked before."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from agent_memory.integrations.tools.entry_changes import EntryChangeTools
from agent_memory.integrations.tools.memory_files import MemoryFileTools
from agent_memory.integrations.tools.stored_entries import StoredEntryTools

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_memory.integrations.tools.toolbox import Toolbox


class Effect(Enum):
    """What a call does; a second one with the same arguments changes nothing more."""

    READS = "reads"
    ADDS = "adds"
    CHANGES = "changes"


class Tool(NamedTuple):
    """A tool: ``run`` has the name, the parameters and, as docstring, the description.

    ``missing_powers`` has the parameters of ``run`` and returns the powers that the call needs and
    no person has given, with what each would do. None: a person is never asked.
    """

    run: Callable[..., Any]
    title: str
    effect: Effect
    missing_powers: Callable[..., dict[str, str]] | None = None


def tools_of(box: Toolbox) -> tuple[Tool, ...]:
    """Return all tools for ``box``, in the order in which clients list them."""
    files, stored, changes = MemoryFileTools(box), StoredEntryTools(box), EntryChangeTools(box)
    return (
        Tool(files.prompt, "Show the memory in the prompt", Effect.READS),
        Tool(
            files.remember, "Save to a memory file", Effect.ADDS, files.missing_powers_to_remember
        ),
        Tool(stored.recall, "Search learned entries", Effect.READS),
        Tool(stored.list_entries, "List learned entries", Effect.READS),
        Tool(stored.get_entry, "Read a learned entry", Effect.READS),
        Tool(
            changes.remember_entry,
            "Save a learned entry",
            Effect.ADDS,
            changes.missing_powers_to_remember_entry,
        ),
        Tool(changes.update_entry, "Change a learned entry", Effect.CHANGES),
        Tool(
            changes.promote_entry,
            "Move an entry to a memory file",
            Effect.CHANGES,
            changes.missing_powers_to_promote,
        ),
        Tool(
            stored.forget, "Remove a learned entry", Effect.CHANGES, stored.missing_powers_to_forget
        ),
    )
