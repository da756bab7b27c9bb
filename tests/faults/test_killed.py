"""A writer that is killed at any step leaves the old or new content and blocks no other."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from agent_memory.fs.atomic_write import update
from agent_memory.fs.write_roots import inside

STEPS = ("temp-created", "temp-written", "temp-synced", "compare", "rename", "exchanged")
OLD = "old line\n" * 2000
NEW = OLD + "new line\n"
WRITER = """
import os, pathlib, signal, sys
from agent_memory.fs import atomic_write as writing
from agent_memory.fs.write_roots import inside
def killed(name):
    if name == sys.argv[2]:
        os.kill(os.getpid(), signal.SIGKILL)
writing._step = killed
path = pathlib.Path(sys.argv[1])
writing.update(path, lambda content: content.text + "new line\\n", inside(path.parent))
"""

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL")


def run(path, step):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.run([sys.executable, "-c", WRITER, path, step], env=env, check=False)


@pytest.mark.parametrize("step", STEPS)
def test_the_content_is_old_or_new_and_the_next_writer_continues(tmp_path, step):
    path = tmp_path / "agent.md"
    path.write_text(OLD)
    if sys.platform != "linux" and step == "exchanged":
        assert run(path, step).returncode == 0  # a plain rename does not have this step
        return
    assert run(path, step).returncode == -signal.SIGKILL
    assert path.read_text() == (NEW if step == "exchanged" else OLD)
    after = update(path, lambda content: content.text + "next\n", inside(tmp_path), wait=1)
    assert after == path.read_text()
    assert after.endswith("next\n")
    assert [item.name for item in tmp_path.iterdir()] == ["agent.md"]


@pytest.mark.parametrize("step", STEPS[:5])
def test_a_new_file_exists_completely_or_not_at_all(tmp_path, step):
    path = tmp_path / "agent.md"
    assert run(path, step).returncode == -signal.SIGKILL
    assert not path.exists()
    assert (
        update(path, lambda content: content.text + "next\n", inside(tmp_path), wait=1) == "next\n"
    )
    assert [item.name for item in tmp_path.iterdir()] == ["agent.md"]


def test_without_a_fault_the_new_content_is_written(tmp_path):
    path = tmp_path / "agent.md"
    path.write_text(OLD)
    assert run(path, "none").returncode == 0
    assert path.read_text() == NEW
