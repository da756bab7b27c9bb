"""Replacing files on file systems that lack an operation."""

from __future__ import annotations

import ctypes
import errno
import os
import re
import sys
import threading
import time

import pytest

from agent_memory.fs import atomic_replace
from agent_memory.fs.folder import Folder
from agent_memory.fs.lock import LOCK_NAME, locked


def no_links(*_, **__):
    raise OSError(errno.EPERM, "no hard links here")


@pytest.mark.parametrize("links", [True, False])
def test_a_new_file_never_replaces_an_existing_one(tmp_path, monkeypatch, links):
    if not links:
        monkeypatch.setattr(os, "link", no_links)
    new, path = tmp_path / "new", tmp_path / "path"
    new.write_text("mine")
    assert atomic_replace.place_new(Folder(tmp_path, None), "new", "path") is True
    assert path.read_text() == "mine"
    assert not new.exists()
    new.write_text("again")
    assert atomic_replace.place_new(Folder(tmp_path, None), "new", "path") is False
    assert path.read_text() == "mine"


@pytest.mark.skipif(sys.platform != "linux", reason="renameat2 is Linux's")
def test_two_files_are_exchanged(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("1")
    two.write_text("2")
    assert atomic_replace.exchange(one, two) is True
    assert (one.read_text(), two.read_text()) == ("2", "1")
    two.unlink()
    with pytest.raises(FileNotFoundError):
        atomic_replace.exchange(one, two)


def test_without_renameat2_nothing_is_exchanged(tmp_path, monkeypatch):
    monkeypatch.setattr(atomic_replace, "_renameat2", lambda: None)
    assert atomic_replace.exchange(tmp_path / "one", tmp_path / "two") is False


def test_an_unsupported_exchange_differs_from_a_failing_disk(tmp_path, monkeypatch):
    def refuse(number):
        def call(*_):
            ctypes.set_errno(number)
            return -1

        monkeypatch.setattr(atomic_replace, "_renameat2", lambda: call)

    one, two = tmp_path / "one", tmp_path / "two"
    refuse(errno.EINVAL)
    assert atomic_replace.exchange(one, two) is False
    refuse(errno.EIO)
    with pytest.raises(OSError, match=re.escape(str(two))):
        atomic_replace.exchange(one, two)


def test_a_waiter_gets_the_lock_after_its_file_is_removed(tmp_path):
    order = []

    def second():
        with locked(Folder(tmp_path, None)):
            order.append("second")
            assert (tmp_path / LOCK_NAME).exists()

    waiting = threading.Thread(target=second)
    with locked(Folder(tmp_path, None)):
        waiting.start()
        time.sleep(0.1)
        order.append("first")
    waiting.join(timeout=10)
    assert order == ["first", "second"]
    assert list(tmp_path.iterdir()) == []
