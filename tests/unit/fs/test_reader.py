from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.fs.reader import (
    SIZE_CAP,
    Failure,
    decode,
    read_file,
)
from kit import unprivileged


def test_text_equals_the_bytes_of_the_file(tmp_path):
    raw = "\ufeffé\r\nb\rc\u2028d\n".encode()
    (tmp_path / "agent.md").write_bytes(raw)
    content = read_file(tmp_path / "agent.md")
    assert content.ok
    assert content.text.encode() == raw
    assert content.size == len(raw)
    assert content.lines == ["\ufeffé\r\n", "b\r", "c\u2028d\n"]


def test_missing(tmp_path):
    assert read_file(tmp_path / "agent.md").failure is Failure.MISSING
    (tmp_path / "file").write_text("x")
    assert read_file(tmp_path / "file" / "agent.md").failure is Failure.MISSING


def test_a_folder_of_that_name(tmp_path):
    (tmp_path / "agent.md").mkdir()
    lowest = os.dup(0)
    os.close(lowest)
    assert read_file(tmp_path / "agent.md").failure is Failure.DIRECTORY
    now = os.dup(0)
    os.close(now)
    assert now == lowest, "the descriptor is closed"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this platform has no FIFOs")
def test_a_fifo_does_not_block(tmp_path):
    os.mkfifo(tmp_path / "agent.md")
    assert read_file(tmp_path / "agent.md").failure is Failure.SPECIAL


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="this platform has no Unix sockets")
def test_a_socket(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("agent.md")
        assert read_file(tmp_path / "agent.md").failure is Failure.SPECIAL


def test_a_device_is_not_read(tmp_path):
    (tmp_path / "agent.md").symlink_to(os.devnull)
    content = read_file(tmp_path / "agent.md")
    assert content.failure is Failure.SPECIAL
    assert content.symlink


def test_a_symlink_loop(tmp_path):
    (tmp_path / "agent.md").symlink_to("agent.md")
    content = read_file(tmp_path / "agent.md")
    assert content.failure is Failure.LOOP
    assert content.symlink


def test_a_dangling_symlink_is_missing_and_marked_as_a_link(tmp_path):
    (tmp_path / "agent.md").symlink_to("gone.md")
    content = read_file(tmp_path / "agent.md")
    assert content.failure is Failure.MISSING
    assert content.symlink


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are not those of POSIX")
def test_permission_denied_for_the_file_and_for_its_folder(tmp_path):
    (tmp_path / "agent.md").write_text("x")
    (tmp_path / "agent.md").chmod(0)
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed" / "agent.md").write_text("x")
    (tmp_path / "closed").chmod(0)
    with unprivileged(tmp_path):
        found = [read_file(tmp_path / name / "agent.md").failure for name in ("", "closed")]
        folder = read_file(tmp_path / "closed").failure
    (tmp_path / "closed").chmod(0o755)
    assert found == [Failure.DENIED] * 2
    assert folder is Failure.DIRECTORY


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such limit")
def test_too_many_open_files_are_an_io_error(tmp_path):
    import resource  # noqa: PLC0415 -- POSIX only

    (tmp_path / "agent.md").write_text("x")
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, limits[1]))
    try:
        failure = read_file(tmp_path / "agent.md").failure
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert failure is Failure.IO


@pytest.mark.parametrize("name", ["a\0b", "x" * 300])
def test_an_invalid_file_name(tmp_path, name):
    assert read_file(tmp_path / name).failure is Failure.MISSING


def test_a_file_over_the_cap_is_not_read(tmp_path):
    with (tmp_path / "agent.md").open("wb") as stream:
        stream.truncate(SIZE_CAP + 1)
    content = read_file(tmp_path / "agent.md")
    assert content.failure is Failure.TOO_LARGE
    assert content.size == SIZE_CAP + 1
    assert content.text == ""


def test_a_file_of_exactly_the_cap_is_read(tmp_path):
    (tmp_path / "agent.md").write_text("12345")
    assert read_file(tmp_path / "agent.md", cap=5).text == "12345"
    assert read_file(tmp_path / "agent.md", cap=4).failure is Failure.TOO_LARGE


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc")
def test_a_file_without_a_reported_size_is_capped(tmp_path):
    (tmp_path / "agent.md").symlink_to("/proc/self/status")
    assert read_file(tmp_path / "agent.md", cap=10).failure is Failure.TOO_LARGE
    assert "Pid:" in read_file(tmp_path / "agent.md").text


def test_an_error_while_reading_has_a_failure(tmp_path):
    if not Path("/proc/self/mem").exists():
        pytest.skip("only Linux has a file whose first byte cannot be read")
    (tmp_path / "agent.md").symlink_to("/proc/self/mem")
    assert read_file(tmp_path / "agent.md").failure is Failure.IO


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", ["# A\n\n- one \u2013 two\n", "gr\u00fcn, gr\u00fcner\n"])
def test_utf_16_is_recognized_with_and_without_a_mark(encoding, text):
    assert decode(Path("a.md"), text.encode(encoding)).is_utf16


@pytest.mark.parametrize(
    "raw", [b"", b"text\n", b"a\0b\0 some text\n", b"\0\0\0\0", b"\xff\0 text"]
)
def test_other_bytes_are_not_taken_for_utf_16(raw):
    assert not decode(Path("a.md"), raw).is_utf16


@given(st.binary(max_size=30))
def test_an_undecodable_file_has_the_offset(tmp_path_factory, raw):
    content = decode(tmp_path_factory.getbasetemp() / "agent.md", raw)
    if content.ok:
        assert content.text.encode() == raw
    else:
        assert content.failure is Failure.UNDECODABLE
        assert raw[: content.bad_offset].decode() is not None
        assert content.raw == raw
        assert content.lines == []
