"""No output of the product contains a secret value."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from unit.secrets.generate import Maker, private_key

pytestmark = pytest.mark.slow

SERVER = Path(__file__).parents[3] / "server"
MAKER = Maker("leaks")
PLANTED = {
    "token": MAKER.make("ghp_{crc:30}"),
    "named": MAKER.make("{an:32}"),
    "url": MAKER.make("{an:16}"),
    "key": private_key(7),
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    memory = root / ".deepagents" / "agent.md"
    memory.parent.mkdir()
    memory.write_text(
        f"# Notes\n\n- token\u200b {PLANTED['token']}, twice: {PLANTED['token']}\n"
        f"- API_KEY={PLANTED['named']}\u202e\n"
        f"- postgres://app:{PLANTED['url']}@db.acme-corp.io/main\n\n{PLANTED['key']}\n",
        "utf-8",
    )
    return root


def run(tree: Path, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "agent_memory",
            *args,
            "--cwd",
            tree,
            "--home",
            tree.parent / "home",
        ],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(SERVER), "PYTHONUTF8": "1"},
        check=False,
    )


@pytest.mark.parametrize(
    "args",
    [
        ("check",),
        ("check", "--format", "json"),
        ("sources", "--format", "json"),
        ("prompt", "--format", "json"),
    ],
    ids=" ".join,
)
def test_no_output_contains_a_secret_value(tree: Path, args: tuple[str, ...]):
    done = run(tree, *args)
    said = done.stdout + done.stderr
    assert "agent.md" in said
    for value in (*PLANTED.values(), *PLANTED["key"].splitlines()[1:-1]):
        assert value not in said
        assert value[8:24] not in said


def test_check_finds_each_secret(tree: Path):
    found = json.loads(run(tree, "check", "--format", "json").stdout)["findings"]
    codes = [item["code"] for item in found if item["code"].startswith("AM20")]
    assert codes == ["AM201", "AM201", "AM202", "AM204", "AM203"]


def test_the_prompt_shows_values_on_request(tree: Path):
    shown = json.loads(run(tree, "prompt", "--format", "json", "--reveal").stdout)
    assert all(value in shown["text"] for value in PLANTED.values())
    assert shown["masked"] is False


def test_a_masked_prompt_has_the_lines_and_hash_of_the_real_one(tree: Path):
    masked = json.loads(run(tree, "prompt", "--format", "json").stdout)
    shown = json.loads(run(tree, "prompt", "--format", "json", "--reveal").stdout)
    assert masked["masked"] is True
    assert masked["hash"] == shown["hash"]
    assert [part["text"].count("\n") for part in masked["segments"]] == [
        part["text"].count("\n") for part in shown["segments"]
    ]


def test_a_frame_marks_the_position_in_the_masked_line(tree: Path):
    lines = run(tree, "check").stdout.splitlines()
    at = next(i for i, line in enumerate(lines) if "AM204" in line)
    shown, carets = lines[at + 1], lines[at + 2]
    marked = shown[carets.index("^") : carets.rindex("^") + 1]
    assert marked == "\u2026(16)"
