"""Files that Claude MPM 3.2.1 wrote in random sequences: nothing is lost, both read the same."""

from __future__ import annotations

import contextlib
import io
import json
import random
import subprocess
from typing import TYPE_CHECKING

import pytest

from agent_memory.cli import main
from agent_memory.learnings.sections import items_of
from conformance import install

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.conformance, pytest.mark.slow]

NAME = "claude-mpm-3.2.1"
OPERATIONS = 40
AGENTS = ("qa", "data-engineer", "research")
TYPES = (
    "pattern", "architecture", "guideline", "mistake", "strategy", "integration", "performance",
    "context",
)  # fmt: skip
REAL = """
import contextlib, io, json, os, sys
with contextlib.redirect_stdout(io.StringIO()):
    from claude_mpm.services.agent_memory_manager import AgentMemoryManager
    manager = None
for line in sys.stdin:
    task = json.loads(line)
    with contextlib.redirect_stdout(io.StringIO()):
        if manager is None:
            os.chdir(task["cwd"])
            manager = AgentMemoryManager()
        if "add" in task:
            out = manager.add_learning(*task["add"])
        else:
            out = manager.load_agent_memory(task["load"])
    print(json.dumps(out), flush=True)
"""


@pytest.fixture
def real(tmp_path, drivers):
    drivers(NAME)
    (tmp_path / ".git").mkdir()
    process = subprocess.Popen(
        [install.python(NAME), "-W", "ignore", "-c", REAL],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "LANG": "C.UTF-8"},
    )

    def ask(**task):
        process.stdin.write(json.dumps({"cwd": str(tmp_path), **task}) + "\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())

    yield ask
    process.stdin.close()
    process.wait(timeout=30)


def path_of(root, agent):
    return root / ".claude-mpm" / "memories" / f"{agent}_agent.md"


def ours(root, *args):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        code = main(["learn", *args, "--cwd", str(root)])
    return code, out.getvalue()


def lines_of(path: Path) -> list[str]:
    """Return the lines of a file and of its archive, without the time of the last change."""
    archive = path.parent / "archive" / path.name.replace("_agent", "")
    texts = [item.read_text("utf-8") for item in (path, archive) if item.exists()]
    lines = "\n".join(texts).split("\n")
    return [line.partition(" <!-- ")[0] for line in lines if "Last Updated" not in line]


@pytest.mark.parametrize("seed", range(5))
def test_nothing_is_lost_from_files_of_the_real_program(seed, real, tmp_path):
    rng = random.Random(seed)
    added: dict[str, list[str]] = {agent: [] for agent in AGENTS}
    for number in range(OPERATIONS):
        agent, kind = rng.choice(AGENTS), rng.choice(TYPES)
        text = f"fact {number} " + "words " * rng.randint(1, 12)
        if rng.random() < 0.6:
            assert real(add=[agent, kind, text.strip()])
        else:
            before = lines_of(path_of(tmp_path, agent)) if path_of(tmp_path, agent).exists() else []
            assert ours(tmp_path, "add", agent, kind, text.strip())[0] == 0
            added[agent].append(f"- {text.strip()}")
            after = lines_of(path_of(tmp_path, agent))
            assert [line for line in before if line.strip() and line not in after] == []
            assert added[agent][-1] in after
    files = [path for path in (path_of(tmp_path, agent) for agent in AGENTS) if path.exists()]
    assert {path.name for path in (tmp_path / ".claude-mpm" / "memories").glob("*_agent.md")} == {
        path.name for path in files
    }
    for path in files:
        agent = path.name.removesuffix("_agent.md")
        before = path.read_text("utf-8")
        assert items_of(real(load=agent)) == items_of(before)
        exported = json.loads(ours(tmp_path, "export")[1])["agents"][agent]
        assert exported == items_of(before)
        kept = lines_of(path)
        assert ours(tmp_path, "clean", agent)[0] == 0
        missing = [line for line in kept if line.strip() and line not in lines_of(path)]
        assert missing == []
        assert items_of(real(load=agent)) == items_of(path.read_text("utf-8"))
