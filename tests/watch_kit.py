"""A real watcher with its reports, and the ways in which programs save a file."""

from __future__ import annotations

import os
import queue
import time

import pytest

from agent_memory.watch.watcher import Watcher

QUIET = 0.4
"""Seconds in which a second report of the same save would arrive."""
LONG = 10.0
"""Seconds; a longer wait is a failure."""


class Seen:
    """The reports of a watcher, without the first one, which says that watching has begun."""

    def __init__(self, targets, *, polling):
        self.reports = queue.Queue()
        self.reasons = []
        self.watcher = Watcher(self.reports.put, self.reasons.append, polling=polling, poll=0.05)
        self.watcher.watch(targets)
        assert self.reports.get(timeout=LONG) == frozenset()

    def one(self):
        """Return the only report."""
        first = self.reports.get(timeout=LONG)
        with pytest.raises(queue.Empty):
            self.reports.get(timeout=QUIET)
        return first

    def until(self, path):
        """Wait until ``path`` is reported."""
        deadline = time.monotonic() + LONG
        while time.monotonic() < deadline:
            if path in self.reports.get(timeout=LONG):
                return
        raise AssertionError(f"{path} was not reported")

    def nothing(self):
        with pytest.raises(queue.Empty):
            self.reports.get(timeout=QUIET)


def plain(path):
    path.write_text("plain\n")


def atomic(path):
    temporary = path.with_name("tmp8f3a2c")
    temporary.write_text("atomic\n")
    temporary.replace(path)


def like_vim(path):
    probe = path.with_name("4913")
    probe.write_text("")
    probe.unlink()
    backup = path.with_name(path.name + "~")
    path.rename(backup)
    path.write_text("vim\n")
    path.chmod(0o644)
    backup.unlink()


def like_emacs(path):
    lock = path.with_name(f".#{path.name}")
    lock.symlink_to("someone@host.1:2")
    autosave = path.with_name(f"#{path.name}#")
    autosave.write_text("half\n")
    backup = path.with_name(path.name + "~")
    backup.write_bytes(path.read_bytes())
    with path.open("w") as stream:
        stream.write("emacs\n")
        stream.flush()
        os.fsync(stream.fileno())
    autosave.unlink()
    backup.unlink()
    lock.unlink()


def like_git(path):
    lock = path.with_name(path.name + ".lock")
    lock.write_text("git\n")
    path.unlink()
    lock.rename(path)


SAVES = [plain, atomic, like_vim, like_emacs, like_git]
