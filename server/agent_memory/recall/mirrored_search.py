"""Mirrors of instruction files in an indexed search: they are ranked with the indexed entries.

A mirror has a number after those of the table. Its words count like those of any other entry, so
the answer is that of a search without an index.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.entries.validation import INSTRUCTIONS_TAG
from agent_memory.recall import bm25
from agent_memory.recall.plain_search import SearchHit, document

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from agent_memory.entries.entry_file import Entry
    from agent_memory.entries.instruction_mirror import Mirrors
    from agent_memory.entries.store import Filter
    from agent_memory.recall.doc_table import DocTable, Selection

_AFTER_ALL = 99
"""A position in load order after all folders."""


class Mirrored:
    """The mirrors that ``wanted`` matches, for one search.

    ``hidden`` are the numbers of the entries that they replace. ``read`` returns the entry of a
    number of ``table``.
    """

    def __init__(
        self,
        mirrors: Mirrors,
        table: DocTable,
        read: Callable[[int], Entry | None],
        selection: Selection,
        wanted: Filter,
    ) -> None:
        self._table = table
        self._read = read
        self._wanted = wanted
        self._selection = selection
        self._first = len(table.lengths)
        self._documents = [document(item) for item in mirrors.entries if wanted.takes(item)]
        tagged = sorted(table.tagged.get(INSTRUCTIONS_TAG, ()))
        entries = ((number, read(number)) for number in selection.only(tagged))
        self.hidden = {number for number, entry in entries if entry and mirrors.hides(entry)}

    def best(
        self, asked: Sequence[str], indexed: Callable[[str], Mapping[int, int]], limit: int
    ) -> list[tuple[int, float]]:
        """Return the best numbers; ``indexed`` returns the selected entries with a word."""
        added = [item.length for item in self._documents]
        lengths = [*self._table.lengths, *added]
        removed = sum(lengths[number] for number in self.hidden)

        def postings(word: str) -> dict[int, int]:
            found = {at: times for at, times in indexed(word).items() if at not in self.hidden}
            for at, item in enumerate(self._documents, self._first):
                if word in item.counts:
                    found[at] = item.counts[word]
            return found

        count = self._selection.count - len(self.hidden) + len(added)
        total = self._selection.total - removed + sum(added)
        scores = bm25.score(asked, postings, lengths, count, total)
        bm25.boost(scores, asked, self._tagged)
        return bm25.best(scores, limit, self._order)

    def hits(
        self, found: Sequence[tuple[int, float]], limit: int, *, by_time: bool
    ) -> list[SearchHit]:
        """Return the entries of ``found``; by time, with the mirrors among them."""
        hits = []
        if by_time:
            hits = [SearchHit(item.entry, 0.0) for item in self._documents]
            found = [(number, score) for number, score in found if number not in self.hidden]
        read = [(self._entry(number), score) for number, score in found]
        takes = self._wanted.takes
        taken = [SearchHit(entry, score) for entry, score in read if entry and takes(entry)]
        if by_time:
            taken = sorted([*taken, *hits], key=lambda hit: -hit.entry.changed)
        return taken[:limit]

    def _entry(self, number: int) -> Entry | None:
        at = number - self._first
        return self._read(number) if at < 0 else self._documents[at].entry

    def _tagged(self, word: str) -> set[int]:
        numbers = set(self._table.tagged.get(word, ()))
        if word == INSTRUCTIONS_TAG:
            numbers |= set(range(self._first, self._first + len(self._documents)))
        return numbers

    def _order(self, number: int) -> tuple[int, str]:
        at = number - self._first
        return self._table.order(number) if at < 0 else (_AFTER_ALL, f"{at:06d}")
