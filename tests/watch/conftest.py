"""Watching with events of the system and by polling."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agent_memory.watch.snapshot import Targets
from watch_kit import Seen

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(params=[False, True], ids=["events", "polling"])
def polling(request):
    return request.param


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home" / ".deepagents"
    (folder / "agent").mkdir(parents=True)
    (folder / "agent" / "agent.md").write_text("before\n")
    return folder


@pytest.fixture
def watching(polling):
    started = []

    def start(*folders: Path, files: tuple[Path, ...] = ()):
        seen = Seen(Targets(frozenset(folders), frozenset(files)), polling=polling)
        started.append(seen)
        return seen

    yield start
    for seen in started:
        seen.watcher.stop()
