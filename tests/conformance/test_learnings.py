"""We and Claude MPM 3.2.1 extract the same learnings and take turns on the same file."""

from __future__ import annotations

import json
import random
import subprocess

import pytest

from agent_memory.cli import main
from agent_memory.learnings.extract import extract
from agent_memory.learnings.sections import items_of
from conformance import install

pytestmark = [pytest.mark.conformance, pytest.mark.slow]

NAME = "claude-mpm-3.2.1"
REAL = """
import contextlib, io, json, os, sys
task = json.load(sys.stdin)
os.chdir(task["cwd"])
with contextlib.redirect_stdout(io.StringIO()):
    from claude_mpm.hooks.memory_integration_hook import MemoryPostDelegationHook
    hook = MemoryPostDelegationHook()
    out = [hook._extract_learnings(text) for text in task.get("texts", [])]
    for agent, kind, text in task.get("adds", []):
        assert hook.memory_manager.add_learning(agent, kind, text)
    if "load" in task:
        out = hook.memory_manager.load_agent_memory(task["load"])
print(json.dumps(out))
"""
PIECES = (
    "# Add To Memory:", "# add to memory:", "## Remember:", "  # Memorize:", "Type: pattern",
    "type: MISTAKE", "Type: domain", "Content: keep functions short", "Content: keep it!!",
    "content: one two three\n  and four", "Content: " + "y" * 101, "#", " # ", "text", "", "```",
    "# Heading", "Content:", "Type:",
)  # fmt: skip


@pytest.fixture
def real(tmp_path):
    (tmp_path / ".git").mkdir()

    def ask(**task):
        run = subprocess.run(
            [install.python(NAME), "-W", "ignore", "-c", REAL],
            input=json.dumps({"cwd": str(tmp_path), **task}),
            capture_output=True,
            text=True,
            check=False,
            env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "LANG": "C.UTF-8"},
        )
        assert run.returncode == 0, run.stderr
        return json.loads(run.stdout)

    return ask


def test_the_same_learnings_are_extracted_from_any_output(real, drivers):
    drivers(NAME)
    rng = random.Random(11)
    texts = ["\n".join(rng.choices(PIECES, k=rng.randint(3, 14))) for _ in range(3000)]
    for text, theirs in zip(texts, real(texts=texts), strict=True):
        ours = {kind: [] for kind in theirs}
        for item in extract(text):
            ours[item.type].append(item.content)
        assert ours == theirs, text


def test_both_continue_a_file_created_by_the_other(real, drivers, tmp_path, capsys):
    drivers(NAME)
    real(adds=[("qa", "pattern", "added by Claude MPM"), ("qa", "mistake", "second of theirs")])
    path = tmp_path / ".claude-mpm" / "memories" / "qa_agent.md"
    before = path.read_text()
    args = ["--cwd", str(tmp_path)]
    assert main(["learn", "add", "qa", "pattern", "added by us", *args]) == 0
    assert main(["learn", "add", "qa", "context", "also by us", *args]) == 0
    after = path.read_text()
    kept = [line for line in before.split("\n") if not line.startswith("<!-- Last Updated")]
    assert [line for line in kept if line not in after.split("\n")] == []
    real(adds=[("qa", "pattern", "third of theirs")])
    patterns = items_of(real(load="qa"))["Coding Patterns Learned"]
    assert {"added by us", "added by Claude MPM", "third of theirs"} <= set(patterns)
    assert "also by us" in items_of(path.read_text())["Current Technical Context"]
    capsys.readouterr()
    assert main(["learn", "view", "qa", *args]) == 0
    assert capsys.readouterr().out == path.read_text()


def test_a_file_created_by_us_needs_no_repair(real, drivers, tmp_path):
    drivers(NAME)
    assert main(["learn", "add", "ops", "integration", "one queue", "--cwd", str(tmp_path)]) == 0
    path = tmp_path / ".claude-mpm" / "memories" / "ops_agent.md"
    assert real(load="ops") == path.read_text()
