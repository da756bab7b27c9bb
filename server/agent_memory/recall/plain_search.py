"""Search without an index: entries and their word counts are in memory. The default."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.entries.instruction_mirror import NO_MIRRORS
from agent_memory.language.tokenize import words
from agent_memory.recall import bm25
from agent_memory.recall.file_scan import changes, folder_of, load_order, read_files
from agent_memory.secrets import without_secrets

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from agent_memory.entries.entry_file import Entry
    from agent_memory.entries.instruction_mirror import Mirrors
    from agent_memory.entries.markdown_store import MarkdownEntries
    from agent_memory.entries.store import Filter
    from agent_memory.recall.file_scan import Folder


@dataclass(frozen=True, slots=True)
class SearchHit:
    """An entry and its score; the score is 0 if there was no query."""

    entry: Entry
    score: float


class Document(NamedTuple):
    """An entry with the number of times each word occurs, and of all words."""

    entry: Entry
    counts: Counter[str]
    length: int


def document(entry: Entry) -> Document:
    """Return ``entry`` with its words counted."""
    counts = Counter(entry_words(entry))
    return Document(entry, counts, counts.total())


def entry_words(entry: Entry) -> list[str]:
    """Return the words by which ``entry`` is found, none of a secret: an index stores them."""
    return words(without_secrets(f"{entry.summary}\n{entry.body}\n{' '.join(entry.tags)}"))


def rank(documents: Iterable[Document], query: str, wanted: Filter, limit: int) -> list[SearchHit]:
    """Return the best of ``documents`` that ``wanted`` matches; without a query, the latest."""
    taken = [item for item in documents if wanted.takes(item.entry)]
    if not query.strip():
        taken.sort(key=lambda item: -item.entry.changed)
        return [SearchHit(item.entry, 0.0) for item in taken[:limit]]

    def postings(word: str) -> dict[int, int]:
        return {at: item.counts[word] for at, item in enumerate(taken) if word in item.counts}

    def tagged(word: str) -> list[int]:
        return [at for at, item in enumerate(taken) if word in map(str.lower, item.entry.tags)]

    asked = words(query, query=True)
    lengths = [item.length for item in taken]
    scores = bm25.score(asked, postings, lengths, len(taken), sum(lengths))
    bm25.boost(scores, asked, tagged)
    return [SearchHit(taken[at].entry, value) for at, value in bm25.best(scores, limit)]


class PlainSearch:
    """The entries of ``store`` in memory; :meth:`refresh` reads only new and changed files."""

    def __init__(self, store: MarkdownEntries) -> None:
        self.store = store
        self._stamps: dict[str, str] = {}
        self._documents: dict[str, Document] = {}  # by name
        self._current: Sequence[Document] | None = None  # one per id, in load order
        self.refresh()

    def __len__(self) -> int:
        """Return the number of files."""
        return len(self._stamps)

    def close(self) -> None:
        """Do nothing: no file is open."""

    def refresh(self) -> None:
        """Read what changed on disk."""
        self._replace(*changes(self.store, self._stamps))

    def update(self, path: Path) -> None:
        """Read the one file ``path``, which may be new, changed or gone."""
        folder = folder_of(self.store, path)
        if folder is not None:
            self._replace([folder], [folder.below + path.name])

    def search(
        self, query: str, wanted: Filter, limit: int, mirrors: Mirrors = NO_MIRRORS
    ) -> list[SearchHit]:
        """Return the best entries for ``query``; without one, the latest."""
        if self._current is None:
            names = sorted(self._documents, key=load_order)
            latest = {self._documents[name].entry.id: name for name in names}
            self._current = [self._documents[name] for name in latest.values()]
        found = self._current
        if mirrors is not NO_MIRRORS:
            kept = [item for item in found if not mirrors.hides(item.entry)]
            found = [*kept, *map(document, mirrors.entries)]
        return rank(found, query, wanted, limit)

    def _replace(self, fresh: Sequence[Folder], outdated: Sequence[str]) -> None:
        for name in outdated:
            self._stamps.pop(name, None)
            self._documents.pop(name, None)
        for name, stamp, entry in read_files(fresh):
            self._stamps[name] = stamp
            if entry is not None:
                path = self.store.root / name
                self._documents[name] = document(replace(entry, path=path))
        if fresh or outdated:
            self._current = None
