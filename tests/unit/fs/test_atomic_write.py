"""Writes are atomic, keep mode and owner, and fail with file, reason and next step."""

from __future__ import annotations

import errno
import os
import re
import sys

import pytest

from agent_memory.base.errors import UsageError
from agent_memory.fs import atomic_replace, atomic_write
from agent_memory.fs.folder import Folder
from agent_memory.fs.lock import LOCK_NAME, locked
from agent_memory.fs.rename import remove
from agent_memory.fs.write_roots import inside
from kit import NOBODY, unprivileged

posix = pytest.mark.skipif(os.name == "nt", reason="POSIX modes and links")


def appended(word):
    def change(content):
        return content.text if word in content.text else content.text + word + "\n"

    return change


def updated(path, roots):
    return atomic_write.update(path, appended("b"), roots)


def test_a_missing_file_and_its_folders_are_created(tmp_path):
    path = tmp_path / "a" / "b" / "agent.md"
    assert atomic_write.update(path, appended("x"), inside(tmp_path)) == "x\n"
    assert path.read_bytes() == b"x\n"
    assert [item.name for item in path.parent.iterdir()] == ["agent.md"]


@posix
def test_mode_bom_and_newlines_stay(tmp_path):
    path = tmp_path / "agent.md"
    path.write_bytes(b"\xef\xbb\xbfa\r\n")
    path.chmod(0o640)
    atomic_write.update(path, appended("b\r"), inside(tmp_path))
    assert path.read_bytes() == b"\xef\xbb\xbfa\r\nb\r\n"
    assert path.stat().st_mode & 0o777 == 0o640


@posix
def test_the_target_of_a_symlink_is_written_and_the_link_stays(tmp_path):
    real = tmp_path / "real" / "memory.md"
    real.parent.mkdir()
    real.write_text("a\n")
    link = tmp_path / "agent.md"
    link.symlink_to(real)
    atomic_write.update(link, appended("b"), inside(tmp_path))
    assert link.is_symlink()
    assert real.read_text() == "a\nb\n"


def test_an_unchanged_text_is_not_written(tmp_path):
    path = tmp_path / "agent.md"
    path.write_text("a\n")
    before = path.stat()
    atomic_write.update(path, appended("a"), inside(tmp_path))
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
        monkeypatch.setattr(atomic_replace, "exchange", lambda *_: False)
    others = ["from another program\n"]

    def meanwhile(name):
        if name == step and others:
            other = tmp_path / "other"
            other.write_text(path.read_text() + others.pop())
            other.replace(path)

    monkeypatch.setattr(atomic_write, "_step", meanwhile)
    atomic_write.update(path, appended("b"), inside(tmp_path))
    assert path.read_text() == "a\nfrom another program\nb\n"
    assert [item.name for item in tmp_path.iterdir()] == ["agent.md"]


def test_a_file_that_another_program_creates_first_is_kept(tmp_path, monkeypatch):
    path = tmp_path / "agent.md"

    def meanwhile(name):
        if name == "rename" and not path.exists():
            path.write_text("theirs\n")

    monkeypatch.setattr(atomic_write, "_step", meanwhile)
    atomic_write.update(path, appended("mine"), inside(tmp_path))
    assert path.read_text() == "theirs\nmine\n"


def test_an_overwrite_with_an_older_copy_is_detected(tmp_path, monkeypatch):
    path = tmp_path / "agent.md"
    path.write_text("a\n")
    stale = [path.read_text() + "late\n"]
    monkeypatch.setattr(
        atomic_write.time, "sleep", lambda _: stale and path.write_text(stale.pop())
    )
    atomic_write.update_and_settle(path, appended("b"), inside(tmp_path))
    assert path.read_text() == "a\nlate\nb\n"


def test_without_other_writers_a_file_is_written_once(tmp_path, monkeypatch):
    path = tmp_path / "agent.md"
    path.write_text("a\n")
    monkeypatch.setattr(atomic_write, "_ATTEMPTS", 20)
    text = atomic_write.update_and_settle(
        path, lambda content: content.text + "b\n", inside(tmp_path)
    )
    assert path.read_text() == text == "a\nb\n"


@pytest.mark.skipif(sys.platform != "linux", reason="renameat2")
def test_the_newest_of_two_writes_of_another_program_is_kept(tmp_path, monkeypatch):
    path = tmp_path / "agent.md"
    path.write_text("a\n")
    others = {"rename": "first\n", "exchanged": "second\n"}

    def meanwhile(name):
        if name in others:
            other = tmp_path / "other"
            other.write_text(others.pop(name))
            other.replace(path)

    monkeypatch.setattr(atomic_write, "_step", meanwhile)
    atomic_write.update(path, appended("b"), inside(tmp_path))
    assert path.read_text() == "second\nb\n"
    assert [item.name for item in tmp_path.iterdir()] == ["agent.md"]


def test_a_program_that_never_stops_writing_is_reported_and_loses_nothing(tmp_path, monkeypatch):
    path = tmp_path / "agent.md"
    path.write_text("0\n")
    writes = iter(range(1, 10_000))

    def meanwhile(name):
        if name == "compare":
            path.write_text(f"{next(writes)}\n")

    monkeypatch.setattr(atomic_write, "_step", meanwhile)
    monkeypatch.setattr(atomic_write, "_ATTEMPTS", 20)
    with pytest.raises(UsageError, match=r"rewrote the file 20 times in a row.*Stop that program"):
        atomic_write.update(path, appended("b"), inside(tmp_path))
    assert path.read_text() == "20\n"
    assert [item.name for item in tmp_path.iterdir()] == ["agent.md"]


def test_a_file_that_is_removed_right_before_the_exchange_is_written_again(tmp_path, monkeypatch):
    path = tmp_path / "agent.md"
    path.write_text("a\n")
    steps = []

    def meanwhile(name):
        steps.append(name)
        if steps.count("rename") == 1 and name == "rename":
            path.unlink()

    monkeypatch.setattr(atomic_write, "_step", meanwhile)
    atomic_write.update(path, appended("b"), inside(tmp_path))
    assert path.read_text() == "b\n"


def test_a_file_that_is_deleted_after_a_write_is_not_recreated(tmp_path, monkeypatch):
    path = tmp_path / "agent.md"
    path.write_text("a\n")
    monkeypatch.setattr(atomic_write.time, "sleep", lambda _: path.unlink(missing_ok=True))
    assert atomic_write.update_and_settle(path, appended("b"), inside(tmp_path)) == "a\nb\n"
    assert not path.exists()


def test_an_unreadable_file_is_refused_and_unchanged(tmp_path):
    path = tmp_path / "agent.md"
    path.write_bytes(b"ok \xff")
    with pytest.raises(UsageError, match=r"agent\.md: not UTF-8 from byte 3 on.*Save it as UTF-8"):
        atomic_write.update(path, appended("b"), inside(tmp_path))
    assert path.read_bytes() == b"ok \xff"


def test_a_folder_with_the_name_of_the_file_is_refused(tmp_path):
    (tmp_path / "agent.md").mkdir()
    with pytest.raises(UsageError, match="cannot be read"):
        atomic_write.update(tmp_path / "agent.md", appended("b"), inside(tmp_path))


def test_a_folder_of_that_name_in_the_working_folder_makes_no_difference(tmp_path, monkeypatch):
    (tmp_path / "cwd" / "agent.md").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "cwd")
    path = tmp_path / "other" / "agent.md"
    atomic_write.update(path, lambda _: "a\n", inside(tmp_path))
    assert path.read_text() == "a\n"


def test_a_file_with_the_name_of_the_folder_is_refused(tmp_path):
    (tmp_path / ".deepagents").write_text("")
    with pytest.raises(UsageError, match="is a file and a folder is needed"):
        atomic_write.update(tmp_path / ".deepagents" / "agent.md", appended("b"), inside(tmp_path))


def test_a_temporary_file_of_another_program_is_named(tmp_path, monkeypatch):
    path = tmp_path / "agent.md"
    path.write_text("a\n")
    temp = tmp_path / f".agent.md{atomic_write.TEMP_SUFFIX}"
    real_open = Folder.open

    def taken(folder, name, flags, mode=0o666):
        if flags & os.O_EXCL:  # after the last look at the folder
            temp.write_text("theirs\n")
        return real_open(folder, name, flags, mode)

    monkeypatch.setattr(Folder, "open", taken)
    said = rf"another program has created the temporary file {re.escape(str(temp))}\. Try again"
    with pytest.raises(UsageError, match=said):
        atomic_write.update(path, appended("b"), inside(tmp_path))
    assert path.read_text() == "a\n"


@posix
def test_a_file_marked_as_read_only_is_refused(tmp_path):
    path = tmp_path / "agent.md"
    path.write_text("a\n")
    path.chmod(0o444)
    with pytest.raises(UsageError, match="marked as read-only"):
        atomic_write.update(path, appended("b"), inside(tmp_path))
    assert path.read_text() == "a\n"


@posix
@pytest.mark.parametrize("name", ["a/b/agent.md", "linked.md"])
def test_the_message_names_the_folder_without_permission(name, tmp_path):
    """That is not always the one in the path: missing folders and links are in between."""
    closed = tmp_path / "closed"
    closed.mkdir()
    (closed / "real.md").write_text("a\n")
    path = closed / name if "/" in name else tmp_path / name
    (tmp_path / "linked.md").symlink_to(closed / "real.md")
    closed.chmod(0o555)
    with (
        unprivileged(tmp_path),
        pytest.raises(UsageError, match=rf"no permission to write in {re.escape(str(closed))}\."),
    ):
        atomic_write.update(path, appended("b"), inside(tmp_path))
    closed.chmod(0o755)


@posix
def test_the_folder_of_a_link_is_named_if_the_link_is_removed(tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir()
    (tmp_path / "real.md").write_text("a\n")
    (closed / "linked.md").symlink_to(tmp_path / "real.md")
    closed.chmod(0o555)
    with (
        unprivileged(tmp_path),
        pytest.raises(UsageError, match=rf"no permission to write in {re.escape(str(closed))}\."),
    ):
        remove(closed / "linked.md", inside(tmp_path))
    closed.chmod(0o755)


@posix
@pytest.mark.parametrize("write", [updated, remove])
def test_a_lock_file_without_permission_is_named(tmp_path, write):
    path = tmp_path / "agent.md"
    path.write_text("a\n")
    (tmp_path / LOCK_NAME).touch()
    (tmp_path / LOCK_NAME).chmod(0)  # as one with the mode 0600 of another user
    tmp_path.chmod(0o777)
    said = rf"{re.escape(LOCK_NAME)}: no permission to open this lock file, so nothing was written"
    with unprivileged(tmp_path), pytest.raises(UsageError, match=said):
        write(path, inside(tmp_path))
    assert path.read_text() == "a\n"


@posix
def test_a_read_only_folder_is_refused(tmp_path):
    path = tmp_path / "agent.md"
    path.write_text("a\n")
    tmp_path.chmod(0o555)
    with unprivileged(tmp_path), pytest.raises(UsageError, match="no permission to write in"):
        atomic_write.update(path, appended("b"), inside(tmp_path))
    tmp_path.chmod(0o755)
    assert path.read_text() == "a\n"


@posix
def test_a_folder_that_loses_write_permission_keeps_its_file(tmp_path, monkeypatch):
    path = tmp_path / "agent.md"
    path.write_text("a\n")
    tmp_path.chmod(0o777)
    monkeypatch.setattr(atomic_replace, "exchange", lambda *_: False)

    def close(name):
        if name == "rename":
            os.seteuid(os.getuid())
            tmp_path.chmod(0o555)
            os.seteuid(NOBODY if os.getuid() == 0 else os.getuid())

    monkeypatch.setattr(atomic_write, "_step", close)
    with unprivileged(tmp_path), pytest.raises(UsageError, match="Make the folder writable"):
        atomic_write.update(path, appended("b"), inside(tmp_path))
    assert path.read_text() == "a\n"
    tmp_path.chmod(0o755)
    monkeypatch.undo()
    atomic_write.update(path, appended("b"), inside(tmp_path))
    assert path.read_text() == "a\nb\n"
    assert not list(tmp_path.glob(f"*{atomic_write.TEMP_SUFFIX}"))


@pytest.mark.parametrize("step", ["temp-created", "temp-written", "temp-synced", "rename"])
def test_a_full_disk_leaves_the_file_as_it_was(tmp_path, monkeypatch, step):
    path = tmp_path / "agent.md"
    path.write_text("a\n")

    def full(name):
        if name == step:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(atomic_write, "_step", full)
    with pytest.raises(UsageError, match=r"agent\.md: not written.*the disk is full"):
        atomic_write.update(path, appended("b"), inside(tmp_path))
    assert [item.name for item in tmp_path.iterdir()] == ["agent.md"]
    assert path.read_text() == "a\n"


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.EROFS, ", because the file system is read-only. Choose another scope or location"),
        (errno.EIO, rf" \({os.strerror(errno.EIO)}\)"),
    ],
)
def test_a_failing_disk_is_reported_with_the_next_step(tmp_path, monkeypatch, number, said):
    def failing(name):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(atomic_write, "_step", failing)
    with pytest.raises(UsageError, match=f"agent.md: not written{said}"):
        atomic_write.update(tmp_path / "agent.md", appended("b"), inside(tmp_path))
    assert list(tmp_path.iterdir()) == []


@posix
def test_a_file_that_cannot_be_removed_is_reported(tmp_path):
    (tmp_path / "entry.md").write_text("a\n")
    tmp_path.chmod(0o555)
    with unprivileged(tmp_path), pytest.raises(UsageError, match=r"entry\.md: not written"):
        remove(tmp_path / "entry.md", inside(tmp_path))
    tmp_path.chmod(0o755)
    assert (tmp_path / "entry.md").read_text() == "a\n"


def test_a_held_lock_is_reported_after_the_timeout(tmp_path):
    path = tmp_path / "agent.md"
    with (
        locked(Folder(tmp_path, None)),
        pytest.raises(UsageError, match=r"another program has been writing here for 0\.05 seconds"),
    ):
        atomic_write.update(path, appended("b"), inside(tmp_path), wait=0.05)
    assert not path.exists()


def test_a_lock_file_left_by_a_killed_process_does_not_block(tmp_path):
    (tmp_path / LOCK_NAME).write_text("")
    atomic_write.update(tmp_path / "agent.md", appended("b"), inside(tmp_path), wait=0.05)
    assert [item.name for item in tmp_path.iterdir()] == ["agent.md"]


def test_remove_returns_whether_the_file_existed(tmp_path):
    path = tmp_path / "entry.md"
    path.write_text("")
    assert remove(path, inside(tmp_path)) is True
    assert remove(path, inside(tmp_path)) is False


def test_a_file_that_is_removed_after_it_was_read_is_written(tmp_path, monkeypatch):
    path = tmp_path / "agent.md"
    path.write_text("a\n")
    read = Folder.read

    def read_and_removed(folder, name):
        content = read(folder, name)
        path.unlink(missing_ok=True)
        return content

    monkeypatch.setattr(Folder, "read", read_and_removed)
    assert atomic_write.update(path, appended("b"), inside(tmp_path)) == "b\n"


@posix
def test_a_file_system_without_locks_leaves_no_file_open(tmp_path, monkeypatch):
    opened = []

    def no_locks(fd, _operation):
        opened.append(fd)
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("fcntl.flock", no_locks)
    with pytest.raises(UsageError):
        atomic_write.update(tmp_path / "agent.md", appended("x"), inside(tmp_path))
    [fd] = opened
    with pytest.raises(OSError, match=os.strerror(errno.EBADF)):
        os.fstat(fd)
