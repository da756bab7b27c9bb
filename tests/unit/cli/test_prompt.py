"""The commands prompt, sources and skills, for people and scripts."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from agent_memory.runtimes import RUNTIMES
from kit import write

pytestmark = pytest.mark.slow

SERVER = Path(__file__).parents[3] / "server"
MEASURED = {key: value for key, value in os.environ.items() if key.startswith("COVERAGE")}
FRONT = "---\nname: {0}\ndescription: Does {0}\n---\n"


@pytest.fixture
def place(tmp_path):
    write(tmp_path / "home", {".deepagents/agent/AGENTS.md": "# User\n"})
    return write(tmp_path / "p", {".git/HEAD": "", "AGENTS.md": "# Root\n- one\n"})


def run(place, *args, given=b"", code=0):
    command = [sys.executable, "-m", "agent_memory", *args, "--home", str(place.parent / "home")]
    result = subprocess.run(
        command,
        input=given,
        capture_output=True,
        cwd=place,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(SERVER), **MEASURED},
        check=False,
    )
    assert result.returncode == code, result.stderr.decode()
    return result.stdout.decode() if code == 0 else result.stderr.decode()


def git(place, *args):
    identity = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"]
    subprocess.run(["git", *identity, *args], cwd=place, check=True, capture_output=True)


def test_base_shows_the_block_inside_the_system_prompt(place):
    (place / "base.txt").write_text("You are a test.")
    out = run(place, "prompt", "--base", "base.txt")
    assert out.startswith("You are a test.\n\n<agent_memory>\n")
    assert run(place, "prompt", "--base", "-", given=b"X").startswith("X\n\n<agent_memory>")
    assert "--base: cannot read nothing.txt (missing)" in run(
        place, "prompt", "--base", "nothing.txt", code=2
    )


def test_origins_shows_file_lines_and_tokens_of_each_piece(place):
    out = run(place, "prompt", "--origins")
    head, _, rest = out.partition(f"\n-- root {place}/AGENTS.md:1-2  (")
    assert head
    assert re.match(r"\d tokens\)\n\| # Root\n\| - one\n", rest)
    assert "runtime  deepagents-code  (AGENTS.md exists)\n" in out
    assert "template own-wording: " in out


def test_one_token_is_singular(place):
    (place / "AGENTS.md").write_text("x")
    out = run(place, "prompt", "--runtime", "codex", "--origins")
    assert "  (1 token)\n| x\n" in out


def test_diff_saved_shows_the_changes_by_unsaved_text(place):
    args = ("prompt", "--stdin-filename", "AGENTS.md", "--diff", "saved")
    out = run(place, *args, given=b"# Root\n- one\n- two\n")
    assert "\n+- two\n" in out
    assert "--- prompt of deepagents-code, saved\n+++ prompt of deepagents-code, now\n" in out
    assert out.splitlines()[-1].count("(+") == 2
    same = run(place, *args, given=b"# Root\n- one\n")
    assert "@@" not in same
    assert "tokens (+0)" in same


def test_conflicting_options_are_usage_errors(place):
    assert "requires --stdin-filename PATH" in run(place, "prompt", "--diff", "saved", code=2)
    both = ("prompt", "--base", "-", "--stdin-filename", "AGENTS.md")
    assert "use only one" in run(place, *both, code=2)


def test_diff_shows_changes_since_a_revision(place):
    (place / ".git/HEAD").unlink()
    (place / ".git").rmdir()
    git(place, "init", "-q")
    (place / "docs").mkdir()
    (place / "docs/m.md").write_text("linked\n")
    (place / ".deepagents").mkdir()
    (place / ".deepagents/AGENTS.md").symlink_to("../AGENTS.md")
    write(place, {".deepagents/skills/old/SKILL.md": FRONT.format("old")})
    git(place, "add", "-A")
    git(place, "commit", "-qm", "x")
    assert "tokens (+0)" in run(place, "prompt", "--diff", "HEAD")
    (place / "AGENTS.md").write_text("# Root\n- two\n")
    (place / ".deepagents/skills/old/SKILL.md").write_text(FRONT.format("new"))
    out = run(place, "prompt", "--diff", "HEAD")
    changed = [
        line for line in out.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")
    ]
    assert changed == [
        "-- one",
        "+- two",
        "-- one",
        "+- two",
        "-- **old**: Does old",
        "+- **new**: Does new",
    ]


@pytest.mark.parametrize("revision", ["nonesuch", "--output=x", "HEAD"])
def test_invalid_revision_is_an_error_without_output(revision, place):
    before = sorted(place.rglob("*"))
    error = run(place, "prompt", f"--diff={revision}", code=2)
    assert error.startswith("agent-memory prompt: ")
    assert "Traceback" not in error
    assert sorted(place.rglob("*")) == before


def test_store_and_run_options_for_drover(place):
    name = "01HZX3KQ7M8N9P0R1S2T3V4W5X"
    text = (
        f"---\nid: {name}\nscope: global\nkind: user\nsummary: likes tea\ncreatedAt: 1\n---\n\nb\n"
    )
    write(place, {f"kept/global/{name}.md": text})
    args = ("prompt", "--runtime", "drover", "--store", "kept", "--run", "r1")
    index = run(place, *args).partition("### Global\n")[2].split("\n")
    assert index == [
        "- [reference] Project instructions — (repo root) (AGENTS.md)",
        "- [user] likes tea",
    ]
    write(place, {"deep/README": ""})
    assert "likes tea" in run(place, *args, "--cwd", "deep"), "--store is not relative to --cwd"
    args = ("prompt", "--runtime", "drover", "--store", "lost")
    assert "--store lost: the folder does not exist" in run(place, *args, code=2)


def test_secrets_are_masked_except_in_the_prompt(place):
    secret = "ghp" + "_" + "x7Kq2mZr9LwT4vBn8sYd1HfJ6cPa3Ge5RuMo"
    (place / "AGENTS.md").write_text(f"token {secret}\n")
    assert secret not in run(place, "prompt", "--origins")
    diff = run(
        place, "prompt", "--stdin-filename", "AGENTS.md", "--diff", "saved", given=b"# gone\n"
    )
    assert secret not in diff
    assert secret in run(place, "prompt", "--origins", "--reveal")


def test_skills_are_listed_in_order_with_reasons(place):
    write(
        place,
        {
            ".deepagents/skills/a/SKILL.md": FRONT.format("a"),
            ".agents/skills/a/SKILL.md": FRONT.format("a"),
            ".agents/skills/b/SKILL.md": "no front\n",
        },
    )
    out = run(place, "skills")
    assert f"  1. a  (Project Agents)\n     {place}/.agents/skills/a/SKILL.md" in out
    assert "a  shadowed" in out
    assert "not loaded: it does not begin with front matter" in out
    assert out.endswith("1 listed, 2 not\n")
    rows = json.loads(run(place, "skills", "--format", "json"))["skills"]
    assert [row["status"] for row in rows] == ["listed", "shadowed", "unreadable"]


def test_sources_lists_runtimes_for_a_question_mark(place):
    out = run(place, "sources", "--runtime", "?")
    names = [line.split()[0] for line in out.splitlines()]
    assert names[:2] == ["deepagents-code", "deepagents-cli"]
    assert names == [runtime.id for runtime in RUNTIMES]


def test_unknown_runtime_is_a_usage_error_that_lists_runtimes(place):
    assert "Known: deepagents-code, deepagents-cli" in run(
        place, "prompt", "--runtime", "nope", code=2
    )


def test_problems_go_to_standard_error(place, tmp_path):
    write(place, {".deepagents/agent-memory.toml": "nonsense = 1\n"})
    (place / ".deepagents/AGENTS.md").write_bytes(b"\xff")
    command = [sys.executable, "-m", "agent_memory", "prompt", "--runtime", "deepagents-code"]
    path = os.pathsep.join(item for item in sys.path if item)
    done = subprocess.run(
        [*command, "--cwd", place, "--home", tmp_path],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "# Root" in done.stdout
    assert "nonsense" in done.stderr
    assert "agent-memory prompt: " in done.stderr
    assert "AGENTS.md" in done.stderr
