"""Similarity in meaning changes the order, never what is marked as relevant."""

from __future__ import annotations

import json

import pytest

from agent_memory.cli import main
from agent_memory.entries.markdown_store import MarkdownEntries
from agent_memory.entries.validation import Draft
from agent_memory.recall import semantic
from agent_memory.recall.engine import Recall
from entry_kit import indexed

MEANINGS = ({"car", "truck", "vehicle"}, {"music", "song", "concert"})


class FakeModel:
    """Compares the meanings that words of a text have."""

    def __init__(self):
        self.embedded = 0

    def embed(self, texts):
        self.embedded += len(texts)
        words = [set(text.lower().split()) for text in texts]
        return [[float(bool(group & found)) for group in MEANINGS] for found in words]

    def stacked(self, vectors):
        return vectors

    def similarities(self, stacked, query):
        [asked] = self.embed([query])
        return [sum(a * b for a, b in zip(asked, row, strict=True)) for row in stacked]


@pytest.fixture
def store(tmp_path):
    store = MarkdownEntries(tmp_path / "store")
    for summary in ("Park the truck outside", "No song at night", "Repair the quartz clock"):
        store.put(Draft("global", "project", summary, "More."))
    return store


@pytest.fixture(params=["in memory", "on disk"])
def recall(request, store, tmp_path):
    if request.param == "in memory":
        return Recall(store.root)
    return indexed(store.root, tmp_path / "index.sqlite3")


def found(recall, query, **options):
    hits = recall.search(query, model=FakeModel(), **options)
    return [(hit.entry.summary, hit.relevant) for hit in hits]


def test_entry_without_a_common_word_is_found_but_not_marked(recall):
    assert recall.search("concert") == []
    assert found(recall, "concert") == [("No song at night", False)]


def test_meaning_decides_between_equal_words(recall, store):
    store.put(Draft("global", "project", "Repair the quartz truck", "More."))
    recall.refresh()
    assert [hit.relevance for hit in recall.search("quartz repair", limit=2)] == [1.0, 1.0]
    assert found(recall, "quartz repair vehicle")[0] == ("Repair the quartz truck", True)


def test_relevance_orders_the_hits(recall):
    hits = recall.search("clock concert", model=FakeModel())
    values = [hit.relevance for hit in hits]
    assert len(values) == 2
    assert values == sorted(values, reverse=True)


def test_ranking_of_drover_ignores_meaning(recall):
    assert found(recall, "concert", by="drover") == []


def test_vectors_follow_changes(recall, store):
    model = FakeModel()
    recall.search("concert", model=model)
    assert model.embedded == 4
    recall.search("concert", model=model)
    assert model.embedded == 5
    entry = store.put(Draft("global", "project", "Book a concert hall", "More."))
    recall.update(entry.path)
    hits = recall.search("music", model=model)
    assert {hit.entry.summary for hit in hits} == {"No song at night", "Book a concert hall"}
    store.put(Draft("global", "project", "Buy a car", "More.", id=entry.id))
    recall.update(entry.path)
    assert [hit.entry.summary for hit in recall.search("music", model=model)] == [
        "No song at night"
    ]


def test_large_store_compares_only_entries_found_by_words(recall, monkeypatch):
    monkeypatch.setattr(semantic, "ENTRIES_MAX", 2)
    assert found(recall, "concert") == []


def test_missing_package_is_named(store, capsys, monkeypatch):
    monkeypatch.setattr(semantic, "PACKAGE", "no_such_package")
    assert semantic.model(wait=True) is None
    assert main(["recall", "x", "--store", str(store.root), "--semantic"]) == 2
    assert "agent-memory-ls[semantic]" in capsys.readouterr().err


def test_command_uses_the_model_on_request(store, capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(semantic, "model", lambda *, wait: FakeModel() if wait else None)
    where = ("--store", str(store.root), "--format", "json")
    assert main(["recall", "concert", *where]) == 1
    capsys.readouterr()
    assert main(["recall", "concert", *where, "--semantic"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [entry["summary"] for entry in answer["entries"]] == ["No song at night"]
    assert answer["advice"]
