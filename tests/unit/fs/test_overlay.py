from __future__ import annotations

import os
from typing import TYPE_CHECKING

from agent_memory.fs.overlay import Store
from agent_memory.fs.reader import Failure, FileText
from kit import write

if TYPE_CHECKING:
    from pathlib import Path


def test_an_unchanged_file_is_read_once(tmp_path):
    path = tmp_path / "agent.md"
    path.write_text("a")
    os.utime(path, (1, 1))
    store = Store()
    assert store.read(path) is store.read(path)


def test_a_change_is_detected_immediately(tmp_path):
    path = tmp_path / "agent.md"
    store = Store()
    assert store.read(path).failure == "missing"
    for text in ("a", "b", "longer", "\u00e9", ""):
        path.write_text(text, encoding="utf-8")
        assert store.read(path).text == text
    path.unlink()
    assert store.read(path).failure == "missing"


def test_writes_of_equal_size_within_one_clock_tick_are_detected(tmp_path):
    path = tmp_path / "agent.md"
    path.write_text("0000")
    store = Store()
    wrong = []
    with path.open("r+") as stream:
        for number in range(400):
            stream.seek(0)
            stream.write(f"{number:04}")
            stream.flush()
            if store.read(path).text != f"{number:04}":
                wrong.append(number)
    assert wrong == []


def test_writes_within_a_coarse_clock_tick_are_detected(tmp_path, monkeypatch):
    def coarse(path: Path) -> tuple[int, ...]:
        info = path.stat()
        whole = info.st_mtime_ns // 10**9 * 10**9
        return (info.st_ino, info.st_size, whole, whole, False)

    monkeypatch.setattr("agent_memory.fs.overlay._key", coarse)
    path = tmp_path / "agent.md"
    store = Store()
    for text in ("1", "2", "3"):
        path.write_text(text)
        assert store.read(path).text == text


def test_the_same_content_stays_the_same_object(tmp_path):
    path = tmp_path / "agent.md"
    path.write_text("a")
    store = Store()
    first = store.read(path)
    assert store.read(path) is first, "what hangs on the object is kept, also right after a write"


def test_a_replacement_by_rename_is_detected(tmp_path):
    path, other = tmp_path / "agent.md", tmp_path / "new"
    path.write_text("old")
    store = Store()
    assert store.read(path).text == "old"
    other.write_text("new")
    os.utime(other, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
    other.replace(path)
    assert store.read(path).text == "new"


def test_a_symlink_to_the_renamed_file_is_detected(tmp_path):
    path = tmp_path / "agent.md"
    path.write_text("a")
    store = Store()
    assert not store.read(path).symlink
    path.rename(tmp_path / "real.md")
    path.symlink_to("real.md")
    assert store.read(path).symlink


def test_an_open_buffer_takes_precedence_until_it_closes(tmp_path):
    path = tmp_path / "agent.md"
    path.write_text("disk")
    store = Store()
    store.overlay(path, lambda: FileText(path, "buffer", 6))
    assert store.is_open(path)
    assert store.read(path).text == "buffer"
    assert store.saved(path).text == "disk"
    store.uncover(path)
    store.uncover(path)
    assert not store.is_open(path)
    assert store.read(path).text == "disk"


def test_forget_reads_again(tmp_path):
    path = tmp_path / "agent.md"
    path.write_text("a")
    store = Store()
    first = store.read(path)
    store.forget(path)
    assert store.read(path) is not first


def test_what_is_hidden_is_hidden_for_other_threads_too(tmp_path):
    secret = write(tmp_path, {"outside/agent.md": "secret\n"}) / "outside"
    store = Store(lambda path: path.is_relative_to(secret))
    for copy in (store.snapshot(), store.on_disk()):
        assert copy.read(secret / "agent.md").failure is Failure.OUTSIDE
        assert copy.names(secret) == frozenset()


def test_what_was_read_before_is_hidden_too(tmp_path):
    secret = write(tmp_path, {"outside/agent.md": "secret\n"}) / "outside"
    store = Store()
    assert store.read(secret / "agent.md").ok
    assert store.names(secret)
    store.hide(lambda path: path.is_relative_to(secret))
    assert not store.read(secret / "agent.md").ok
    assert store.names(secret) == frozenset()
