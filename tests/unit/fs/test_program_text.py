"""Pieces of text in programs: found once, cached by offset, never shipped."""

from __future__ import annotations

import os
import re
import threading

import pytest

from agent_memory.fs.program_text import Anchor, Pieces, ProgramTexts, search

ANCHORS = (Anchor(b"case one:", re.compile(rb"=(?P<head>\w+);case one:(?P<label>\w+);")),)


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "program"
    path.write_bytes(b"\0" * 5000 + b"case one:no match;" + b"\0" * 9000 + b"=HEAD;case one:L;")
    return path


def test_all_pieces_are_found_or_none(program):
    found = search(program, ANCHORS)
    assert {name: text for name, (_, text) in found.items()} == {"head": b"HEAD", "label": b"L"}
    assert search(program, (*ANCHORS, Anchor(b"absent", re.compile(rb"(?P<x>absent)")))) is None


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("/dev/zero")])
def test_only_regular_files_are_opened(make, tmp_path):
    make(tmp_path / "odd")
    assert search(tmp_path / "odd", ANCHORS) is None
    assert search(tmp_path / "missing", ANCHORS) is None
    assert search(tmp_path / "nul\0", ANCHORS) is None


def test_the_cache_holds_offsets_and_no_text(program, tmp_path, monkeypatch):
    cache = tmp_path / "cache"
    first = ProgramTexts().read([program], ANCHORS, cache)
    assert first == Pieces({"head": b"HEAD", "label": b"L"})
    (record,) = (cache / "programs").glob("*.json")
    assert "HEAD" not in record.read_text()
    monkeypatch.setattr("agent_memory.fs.program_text.search", lambda *_: pytest.fail("searched"))
    assert ProgramTexts().read([program], ANCHORS, cache) == first


@pytest.mark.parametrize(
    "record", ["", "[", "[]", '{"stamp": 1}', "[" * 100_000, '{"stamp": [[1, 2]], "file": 9}']
)
def test_a_damaged_record_is_searched_again(record, program, tmp_path):
    first = ProgramTexts().read([program], ANCHORS, tmp_path)
    (path,) = (tmp_path / "programs").glob("*.json")
    path.write_text(record)
    assert ProgramTexts().read([program], ANCHORS, tmp_path) == first


def test_a_changed_program_is_searched_again(program, tmp_path):
    texts = ProgramTexts()
    texts.read([program], ANCHORS, tmp_path)
    program.write_bytes(b"=NEW;case one:M;")
    assert texts.read([program], ANCHORS, tmp_path).texts == {"head": b"NEW", "label": b"M"}
    program.write_bytes(b"nothing")
    assert texts.read([program], ANCHORS, tmp_path) == Pieces()


def test_a_cache_folder_that_cannot_be_written_costs_only_time(program, tmp_path):
    (tmp_path / "cache").write_text("a file")
    assert ProgramTexts().read([program], ANCHORS, tmp_path / "cache").texts


def test_a_search_in_the_background_answers_at_once(program, tmp_path):
    waiting, done = [], threading.Event()
    texts = ProgramTexts(waiting.append, done.set)
    assert texts.read([program], ANCHORS, tmp_path) == Pieces(pending=True)
    assert texts.read([program], ANCHORS, tmp_path) == Pieces(pending=True)
    assert len(waiting) == 1
    waiting[0]()
    assert done.is_set()
    assert texts.read([program], ANCHORS, tmp_path).texts == {"head": b"HEAD", "label": b"L"}


def test_the_first_file_with_all_pieces_counts(program, tmp_path):
    other = tmp_path / "other"
    other.write_bytes(b"nothing")
    paths = [tmp_path / "missing", other, program]
    for _ in range(2):
        found = ProgramTexts().read(paths, ANCHORS, tmp_path)
        assert found.texts == {"head": b"HEAD", "label": b"L"}


def test_a_recent_result_is_used_until_it_is_forgotten():
    calls = []

    def compute():
        calls.append(None)
        return len(calls)

    kept, plain = ProgramTexts(fresh_seconds=60), ProgramTexts()
    assert [kept.recent("a", compute), kept.recent("a", compute)] == [1, 1]
    kept.forget_recent()
    assert kept.recent("a", compute) == 2
    assert [plain.recent("a", compute), plain.recent("a", compute)] == [3, 4]
