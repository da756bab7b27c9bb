"""``agent-memory loaded``: the hook of Claude Code, and the files of its last run."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys

import pytest

from agent_memory.fs import atomic_write
from agents_kit import install_claude
from kit import cli, project

FILES = {"CLAUDE.md": "root @x.md\n", "x.md": "imported\n", "sub/CLAUDE.md": "below\n"}


@pytest.fixture
def ctx(tmp_path, monkeypatch):
    ctx = install_claude(tmp_path, project(tmp_path, FILES, {".claude/CLAUDE.md": "mine\n"}))
    for name, value in ctx.env.items():
        monkeypatch.setenv(name, value)
    return ctx


def said(ctx, path, reason="session_start", session="one", **more):
    """Return what Claude Code passes to the hook."""
    return json.dumps(
        {
            "session_id": session,
            "transcript_path": "/t.jsonl",
            "cwd": str(ctx.cwd),
            "hook_event_name": "InstructionsLoaded",
            "file_path": str(path),
            "memory_type": "Project",
            "load_reason": reason,
            **more,
        }
    )


def hook(ctx, text):
    """Run the hook with the standard input ``text``."""
    done = cli(ctx, "loaded", "--hook", stdin=text.encode())
    assert (done.code, done.out, done.err) == (0, "", "")


@pytest.fixture
def start(ctx):
    """Return a function that reports the files of a whole run, in another order."""

    def run(session="one", leave_out=()):
        names = [("x.md", "include"), ("CLAUDE.md", "session_start")]
        for name, reason in names:
            if name not in leave_out:
                more = {"parent_file_path": str(ctx.cwd / "CLAUDE.md")} if name == "x.md" else {}
                hook(ctx, said(ctx, ctx.cwd / name, reason, session, **more))
        user = said(ctx, ctx.home / ".claude/CLAUDE.md", session=session, memory_type="User")
        hook(ctx, user)

    return run


def test_the_last_run_in_the_order_of_the_preview(ctx, start):
    start("before", leave_out=["x.md"])
    start()
    done = cli(ctx, "loaded")
    first, *files, last = done.out.splitlines()
    assert done.code == 0
    assert first.startswith(f"Claude Code started in {ctx.cwd} at ")
    assert first.endswith("and loaded 3 files:")
    assert files == [
        "  ~/.claude/CLAUDE.md  user, at the start",
        "  CLAUDE.md            project, at the start",
        "  x.md                 project, imported by CLAUDE.md",
    ]
    assert last == "The preview shows the same files."


def test_differences_are_named(ctx, start):
    start(leave_out=["x.md"])
    hook(ctx, said(ctx, ctx.cwd / "other.md"))
    hook(ctx, said(ctx, ctx.cwd / "sub/CLAUDE.md", "nested_traversal"))
    done = cli(ctx, "loaded")
    assert done.code == 1
    assert "  sub/CLAUDE.md        project, nested traversal\n" in done.out
    assert done.out.endswith(
        "x.md was not loaded, but the preview shows it.\n"
        "other.md was loaded, but the preview does not show it.\n"
    )
    value = json.loads(cli(ctx, "loaded", "--format", "json").out)
    assert value["notLoaded"] == [str(ctx.cwd / "x.md")]
    assert value["notShown"] == [str(ctx.cwd / "other.md")]
    assert len(value["files"]) == 4


def test_without_a_run_the_next_step_is_named(ctx, start, tmp_path):
    start()
    (ctx.cwd / "sub").mkdir(exist_ok=True)
    done = cli(ctx.with_(cwd=ctx.cwd / "sub"), "loaded")
    assert done.code == 2
    assert "agent-memory loaded --setup" in done.err


@pytest.mark.skipif(sys.platform != "linux", reason="renameat2")
def test_a_write_that_is_tried_again_records_a_line_once(ctx, tmp_path, monkeypatch):
    hook(ctx, said(ctx, ctx.cwd / "CLAUDE.md"))
    record = tmp_path / "cache/agent-memory/loaded/claude-code.jsonl"

    def meanwhile(name):
        if name == "rename" and record.read_text().count("\n") == 1:
            record.write_text(record.read_text() + "{}\n")
        elif name == "exchanged" and record.read_text().count("\n") == 2:
            record.write_text(record.read_text() + "[]\n")  # of a program that read the new line

    monkeypatch.setattr(atomic_write, "_step", meanwhile)
    hook(ctx, said(ctx, ctx.cwd / "x.md"))
    assert record.read_text().count("x.md") == 1


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"cwd": 1}', "\0", "[" * 9_999, "x" * 70_000]
)
def test_other_input_is_not_recorded(text, ctx, tmp_path):
    hook(ctx, text)
    assert not (tmp_path / "cache/agent-memory/loaded").exists()


def test_a_damaged_record_is_skipped(ctx, start, tmp_path):
    start()
    record = tmp_path / "cache/agent-memory/loaded/claude-code.jsonl"
    good = record.read_text()
    record.write_text('{\n[]\n{"at": "x"}\n\n' + good + '{"at": 1, "cwd": 2}\n')
    assert cli(ctx, "loaded").out.endswith("The preview shows the same files.\n")


@pytest.mark.parametrize("at", ["9" * 400, "1e999", "NaN", '"5"', "true", "-1e300"])
def test_a_record_with_an_impossible_time_is_skipped(at, ctx, start, tmp_path):
    start()
    record = tmp_path / "cache/agent-memory/loaded/claude-code.jsonl"
    first = record.read_text().splitlines()[0]
    damaged = re.sub(r'"at": [0-9.]+', f'"at": {at}', first)
    assert damaged != first
    record.write_text(record.read_text() + damaged + "\n")
    assert cli(ctx, "loaded").out.endswith("The preview shows the same files.\n")


def test_the_setup_is_what_claude_code_runs(ctx):
    value = json.loads(cli(ctx, "loaded", "--setup").out)
    ((entry,),) = [item["hooks"] for item in value["hooks"]["InstructionsLoaded"]]
    assert entry["type"] == "command"
    done = subprocess.run(
        shlex.split(entry["command"]),
        input=said(ctx, ctx.cwd / "CLAUDE.md"),
        text=True,
        capture_output=True,
        check=False,
        env={**os.environ, **ctx.env, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "loaded 1 file:" in cli(ctx, "loaded").out


@pytest.mark.parametrize("more", [{"cwd": "/a\0b"}, {"cwd": "\ud800"}, {"file_path": "a\0b"}])
def test_record_with_an_impossible_path_is_ignored(ctx, start, more):
    start()
    before = cli(ctx, "loaded").out
    hook(ctx, json.dumps({**json.loads(said(ctx, "x")), **more}))
    assert cli(ctx, "loaded").out == before
