"""Entries that are in no file of the store are searched and ranked like the others."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import pytest

from agent_memory.entries.store import Filter
from agent_memory.recall.engine import RANKINGS, Recall
from entry_kit import VOCABULARY, indexed, on_disk, random_entries


@dataclass(frozen=True)
class Extra:
    """Entries to add, and the ids of those that they replace."""

    entries: tuple
    replaced: frozenset = frozenset()

    def hides(self, entry):
        return entry.id in self.replaced


def found(recall, query, *args, **options):
    return [
        (hit.entry.id, pytest.approx(hit.score), pytest.approx(hit.relevance), hit.relevant)
        for hit in recall.search(query, *args, **options)
    ]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("by", RANKINGS)
def test_results_are_those_of_a_store_with_the_entries(tmp_path, seed, by):
    rng = random.Random(seed)
    entries = [replace(entry, updated=None) for entry in random_entries(rng, 60)]
    old = [replace(entry, tags=("instructions",)) for entry in entries[:3]]
    hidden = frozenset(entry.id for entry in old)
    extra = Extra(tuple(entries[50:]), hidden)
    root = on_disk(tmp_path / "store", [*old, *entries[3:50]])
    whole = Recall(on_disk(tmp_path / "whole", entries[3:]))
    for recall in (Recall(root), indexed(root, tmp_path / "index.sqlite3")):
        for _ in range(10):
            query = " ".join(rng.choices(VOCABULARY, k=rng.randint(1, 4)))
            for wanted in (Filter(), Filter(kinds=("user",)), Filter(tags=("deploy",))):
                expected = found(whole, query, wanted, by=by)
                assert found(recall, query, wanted, 10, extra, by=by) == expected
        latest = [hit.entry.id for hit in recall.search("", None, 50, extra)]
        assert latest == [hit.entry.id for hit in whole.search("", None, 50)]


def test_without_extra_entries_the_stored_ones_are_found(tmp_path):
    recall = Recall(on_disk(tmp_path / "store", random_entries(random.Random(1), 9)))
    assert found(recall, "deploy", None, 10, Extra(())) == found(recall, "deploy")
