"""The open search indexes of a session, and the number that tells a client to search again."""

import os

from agent_memory.entries.instruction_mirror import Mirrors
from agent_memory.entries.markdown_store import MarkdownEntries
from agent_memory.entries.validation import Draft
from agent_memory.lsp.workspace.recall_indexes import RecallIndexes
from agent_memory.recall import engine

NO_MIRRORS = Mirrors()


def summaries(indexes, folder):
    return [hit.entry.summary for hit in indexes.get(folder, os.environ).search("")]


def test_entry_created_before_watching_began_is_found_after_a_slow_scan(tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "_SLOW_SCAN_SECONDS", -1)
    monkeypatch.setattr(engine, "_SCAN_BACKOFF_MAX", 60)
    monkeypatch.setattr(engine, "_SCAN_BACKOFF_FACTOR", 1e9)
    indexes = RecallIndexes()
    assert not indexes.invalidate()
    assert summaries(indexes, tmp_path) == summaries(indexes, tmp_path) == []
    MarkdownEntries(tmp_path).put(Draft("global", "user", "alpha", "b"))
    assert summaries(indexes, tmp_path) == []  # the next scan is a minute later
    before = indexes.generation(tmp_path, NO_MIRRORS)
    assert indexes.invalidate()
    assert indexes.generation(tmp_path, NO_MIRRORS) > before
    assert summaries(indexes, tmp_path) == ["alpha"]


def test_no_folder_counts_as_a_change_once(tmp_path):
    indexes = RecallIndexes()
    assert indexes.generation(None, NO_MIRRORS) == 0
    first = indexes.generation(tmp_path, NO_MIRRORS)
    none = indexes.generation(None, NO_MIRRORS)
    assert none == indexes.generation(None, NO_MIRRORS)
    assert 0 < first < none < indexes.generation(tmp_path, NO_MIRRORS)
