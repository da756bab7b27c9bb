"""Writes are whole, keep what the file was, and refuse with file, reason and next step."""

from __future__ import annotations

import contextlib
import errno
import os
import sys

import pytest

from agent_memory import swap, writing
from agent_memory.context import UsageError
from agent_memory.locks import LOCK_NAME, locked

posix = pytest.mark.skipif(os.name == "nt", reason="POSIX modes and links")


def appended(word):
    def change(content):
        return content.text if word in content.text else content.text + word + "\n"

    return change


def test_a_missing_file_and_its_folders_are_made(tmp_path):
    path = tmp_path / "a" / "b" / "agent.md"
    assert writing.update(path, appended("x")) == "x\n"
    assert path.read_bytes() == b"x\n"
    assert [item.name for item in path.parent.iterdir()] == ["agent.md"]


@posix
def test_mode_bom_and_newlines_stay(tmp_path):
    path = tmp_path / "agent.md"
    path.write_bytes(b"\xef\xbb\xbfa\r\n")
    path.chmod(0o640)
    writing.update(path, appended("b\r"))
    assert path.read_bytes() == b"\xef\xbb\xbfa\r\nb\r\n"
    assert path.stat().st_mode & 0o777 == 0o640


@posix
def test_the_target_of_a_symlink_is_written_and_the_link_stays(tmp_path):
    real = tmp_path / "real" / "memory.md"
    real.parent.mkdir()
    real.write_text("a\n")
    link = tmp_path / "agent.md"
    link.symlink_to(real)
    writing.update(link, appended("b"))
    assert link.is_symlink()
    assert real.read_text() == "a\nb\n"


def test_an_unchanged_text_is_not_written(tmp_path):
    path = tmp_path / "agent.md"
    path.write_text("a\n")
    before = path.stat()
    writing.update(path, appended("a"))
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize(
    ("step", "exchange"),
    [
        ("compare", True),
        ("compare", False),
        pytest.param(
            "rename", True, marks=pytest.mark.skipif(sys.platform != "linux", reason="renameat2")
        ),
    ],
)
def test_a_write_of_another_program_in_between_is_kept(tmp_path, monkeypatch, step, exchange):
    path = tmp_path / "agent.md"
    path.write_text("a\n")
    if not exchange:
        monkeypatch.setattr(swap, "exchange", lambda new, path: False)
    others = ["from another program\n"]

    def meanwhile(name):
        if name == step and others:
            other = tmp_path / "other"
            other.write_text(path.read_text() + others.pop())
            other.replace(path)

    monkeypatch.setattr(writing, "_step", meanwhile)
    writing.update(path, appended("b"))
    assert path.read_text() == "a\nfrom another program\nb\n"
    assert [item.name for item in tmp_path.iterdir()] == ["agent.md"]


def test_a_file_that_appears_while_it_is_made_is_kept(tmp_path, monkeypatch):
    path = tmp_path / "agent.md"

    def meanwhile(name):
        if name == "rename" and not path.exists():
            path.write_text("theirs\n")

    monkeypatch.setattr(writing, "_step", meanwhile)
    writing.update(path, appended("mine"))
    assert path.read_text() == "theirs\nmine\n"


def test_a_program_with_an_older_copy_is_noticed_afterwards(tmp_path, monkeypatch):
    path = tmp_path / "agent.md"
    path.write_text("a\n")
    stale = [path.read_text() + "late\n"]
    monkeypatch.setattr(writing.time, "sleep", lambda _: stale and path.write_text(stale.pop()))
    writing.update_and_settle(path, appended("b"))
    assert path.read_text() == "a\nlate\nb\n"


def test_an_unreadable_file_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "agent.md"
    path.write_bytes(b"ok \xff")
    with pytest.raises(UsageError, match=r"agent\.md: not UTF-8 from byte 3 on.*Save it as UTF-8"):
        writing.update(path, appended("b"))
    assert path.read_bytes() == b"ok \xff"


def test_a_folder_in_the_files_place_is_refused(tmp_path):
    (tmp_path / "agent.md").mkdir()
    with pytest.raises(UsageError, match="cannot be read"):
        writing.update(tmp_path / "agent.md", appended("b"))


def test_a_file_in_the_folders_place_is_refused(tmp_path):
    (tmp_path / ".deepagents").write_text("")
    with pytest.raises(UsageError, match="a file stands where a folder is needed"):
        writing.update(tmp_path / ".deepagents" / "agent.md", appended("b"))


@posix
def test_a_file_marked_as_read_only_is_refused(tmp_path):
    path = tmp_path / "agent.md"
    path.write_text("a\n")
    path.chmod(0o444)
    with pytest.raises(UsageError, match="marked as read-only"):
        writing.update(path, appended("b"))
    assert path.read_text() == "a\n"


@contextlib.contextmanager
def as_somebody(folder):
    """Drop the superuser's rights, if we have them, and let the folders above be entered."""
    superuser = os.geteuid() == 0
    for above in folder.parents if superuser else ():
        if above.stat().st_uid == 0 and not above.stat().st_mode & 0o001:
            above.chmod(0o755)
    if superuser:
        os.seteuid(65534)
    try:
        yield
    finally:
        if superuser:
            os.seteuid(0)


@posix
def test_a_read_only_folder_is_refused(tmp_path):
    path = tmp_path / "agent.md"
    path.write_text("a\n")
    tmp_path.chmod(0o555)
    with as_somebody(tmp_path), pytest.raises(UsageError, match="no permission to write in"):
        writing.update(path, appended("b"))
    tmp_path.chmod(0o755)
    assert path.read_text() == "a\n"


@pytest.mark.parametrize("step", ["temp-made", "temp-written", "temp-synced", "rename"])
def test_a_full_disk_leaves_the_file_as_it_was(tmp_path, monkeypatch, step):
    path = tmp_path / "agent.md"
    path.write_text("a\n")

    def full(name):
        if name == step:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(writing, "_step", full)
    with pytest.raises(UsageError, match=r"agent\.md: not written.*the disk is full"):
        writing.update(path, appended("b"))
    assert [item.name for item in tmp_path.iterdir()] == ["agent.md"]
    assert path.read_text() == "a\n"


def test_a_lock_that_is_held_is_waited_for_and_then_named(tmp_path):
    path = tmp_path / "agent.md"
    with (
        locked(tmp_path),
        pytest.raises(UsageError, match=r"another program has been writing here for 0\.05 seconds"),
    ):
        writing.update(path, appended("b"), wait=0.05)
    assert not path.exists()


def test_a_lock_file_left_by_a_killed_process_does_not_block(tmp_path):
    (tmp_path / LOCK_NAME).write_text("")
    writing.update(tmp_path / "agent.md", appended("b"), wait=0.05)
    assert [item.name for item in tmp_path.iterdir()] == ["agent.md"]


def test_remove_says_whether_the_file_was_there(tmp_path):
    path = tmp_path / "entry.md"
    path.write_text("")
    assert writing.remove(path) is True
    assert writing.remove(path) is False
