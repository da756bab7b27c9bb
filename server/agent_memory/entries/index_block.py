"""Drover's rules for a run: the index block and the write limit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.entries.store import Filter
from agent_memory.entries.validation import EntryError

if TYPE_CHECKING:
    from agent_memory.entries.entry_file import Entry
    from agent_memory.entries.store import EntryStore

INDEX_MAX = 30
"""Entries of a block, unless the caller sets another limit."""
_TITLE = "\n## Recalled memory\n\n"
_HINT = "Scoped summaries — call `recall(query=..., scopes=...)` for the full body of any of these."


class IndexPart(NamedTuple):
    """A text of the index block, and the entry that it lists; None for a title."""

    text: str
    entry: Entry | None


@dataclass(frozen=True, slots=True)
class IndexBlock:
    """The index block: ``parts`` make up its text.

    ``left_out`` are the entries that did not fit: the global ones, then those of the agent, each
    with the last changed first.
    """

    parts: tuple[IndexPart, ...]
    left_out: tuple[Entry, ...]

    @property
    def text(self) -> str:
        """The whole block; '' if it lists no entries."""
        return "".join(part.text for part in self.parts)


def index_block(store: EntryStore, agent: str | None = None, most: int = INDEX_MAX) -> IndexBlock:
    """Return the block that lists global entries and those of ``agent``, one line each.

    Without ``agent`` only the global ones are listed. The block has at most ``most`` entries: the
    global ones, then those of ``agent`` if there is room. In each group the last changed comes
    first. Entries of runs are never listed.
    """
    shared = store.find(Filter(scopes=("global",)))
    own = store.find(Filter(agent=agent, scopes=("agent",))) if agent else []
    shown_own = own[: max(0, most - len(shared))]
    groups = (("### Global", shared[:most]), (f"### Agent ({agent})", shown_own))
    parts: list[IndexPart] = []
    for title, entries in groups:
        if not entries:
            continue
        text_above = "\n\n" if parts else _TITLE + _HINT + "\n\n"
        parts.append(IndexPart(text_above + title, None))
        parts += [IndexPart(f"\n- [{entry.kind}] {entry.summary}", entry) for entry in entries]
    if parts:  # the block ends without a space, even if the last summary has one
        last = parts[-1]
        parts[-1] = IndexPart(last.text.rstrip(), last.entry)
    return IndexBlock(tuple(parts), (*shared[most:], *own[len(shown_own) :]))


class WriteLimit:
    """Allows ``per_turn`` attempts to write in each turn (0: any number); failed ones count.

    A turn lasts from one call of :meth:`start_turn` to the next.
    """

    def __init__(self, per_turn: int = 1) -> None:
        self.per_turn = per_turn
        self._used = 0

    def start_turn(self) -> None:
        """Reset the count."""
        self._used = 0

    def attempt(self) -> None:
        """Count one attempt.

        Raises:
            EntryError: the limit of this turn is reached.

        """
        if not self.per_turn:
            return
        self._used += 1
        if self._used > max(1, self.per_turn):  # a negative limit counts as 1
            raise EntryError("denied", self._message())

    def _message(self) -> str:
        """Return the message of the error: the limit, and how the next turn starts."""
        entries = "1 entry" if self.per_turn == 1 else f"{self.per_turn} entries"
        return f"limit of {entries} per turn reached; call `prompt` to start the next turn"
