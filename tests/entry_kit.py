"""Random entries in memory and on disk, and a second implementation of drover's ranking."""

from __future__ import annotations

import math
import re

from agent_memory.entries.entry_file import Entry, render
from agent_memory.entries.markdown_store import MarkdownEntries
from agent_memory.entries.store import EntryStore
from agent_memory.recall.engine import Recall
from kit import write

TEXT = "deploy the staging tests cache pnpm build api token pages of run cafe v2 hot-reload Tags"
VOCABULARY = TEXT.split()


def random_entries(rng, count):
    def text(most):
        return " ".join(rng.choices(VOCABULARY, k=rng.randint(1, most)))

    return [
        Entry(
            f"{number:026d}",
            "global",
            rng.choice(("user", "project")),
            text(6),
            text(25),
            number,
            tags=tuple(dict.fromkeys(rng.choices(VOCABULARY, k=rng.randint(0, 3)))),
        )
        for number in range(count)
    ]


def on_disk(root, entries):
    store = MarkdownEntries(root)
    write(root, {str(store.path_of(e).relative_to(root)): render(e) for e in entries})
    return root


def indexed(root, path):
    """Return the search of ``root`` with its index at ``path``, however few entries there are."""
    return Recall(root, path, index_from=0)


STOP_TEXT = (
    "a an and are as at be by for from has have i in is it of on or that the this to was were "
    "with you your we our"
)
DROVER_STOP = set(STOP_TEXT.split())


def drover_words(text):
    found = [word for word in re.split("[^a-z0-9]+", text.lower()) if len(word) >= 2]
    return [word for word in found if word not in DROVER_STOP]


def drover_search(entries, query):
    """Return (id, score) by the documented formula, implemented again without optimizations."""
    docs = [drover_words(f"{e.summary} {e.body} {' '.join(e.tags)}") for e in entries]
    average = sum(map(len, docs)) / len(docs)
    out = []
    for entry, doc in zip(entries, docs, strict=True):
        score = 0.0
        for word in drover_words(query):
            df = sum(word in other for other in docs)
            idf = math.log(1 + (len(docs) - df + 0.5) / (df + 0.5))
            tf = doc.count(word)
            score += idf * tf * 2.5 / (tf + 1.5 * (1 - 0.75 + 0.75 * len(doc) / average))
            if tf:
                score += sum(word == tag.lower() for tag in set(entry.tags))
        if score > 0:
            out.append((entry.id, score))
    return sorted(out, key=lambda pair: -pair[1])


class Shelf(EntryStore):
    """A storage engine of three lines: entries by their id."""

    def __init__(self):
        super().__init__()
        self.held = {}

    def load(self):
        return list(self.held.values())

    def save(self, entry, old):
        self.held[entry.id] = entry
        return entry

    def drop(self, entries):
        for entry in entries:
            del self.held[entry.id]
