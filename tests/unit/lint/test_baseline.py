from __future__ import annotations

import os
import sys
import tomllib

import pytest

from agent_memory.lint import baseline
from agent_memory.lint.engine import check
from agent_memory.lint.open_project import open_project
from kit import project, write

HIDDEN = "a\u200bb"
MEMORY = ".deepagents/agent.md"


def accept(ctx, text=None):
    """Accept all findings, as `check --write-baseline` does."""
    known = open_project(ctx).baseline
    keys = known.keys(
        check(ctx, known=baseline.NOTHING).findings, lambda path: ctx.store.read(path).lines
    )
    known.path.write_text(text or baseline.render(keys), encoding="utf-8")


def found(ctx):
    return [item.span.line for item in check(ctx).findings if item.code == "AM107"]


def test_accepted_findings_stay_accepted_when_lines_move(tmp_path):
    ctx = project(tmp_path, {MEMORY: f"- one\n- {HIDDEN}\n"}, {})
    assert found(ctx) == [1]
    accept(ctx)
    assert found(ctx) == []
    write(ctx.cwd, {MEMORY: f"- one\n- two\n- three\n  - {HIDDEN}\r\n"})
    assert found(ctx) == []
    assert [item.code for item in check(ctx, known=baseline.NOTHING).findings] == ["AM107"]


def test_changed_line_is_reported_again(tmp_path):
    ctx = project(tmp_path, {MEMORY: f"- {HIDDEN}\n"}, {})
    accept(ctx)
    write(ctx.cwd, {MEMORY: f"- {HIDDEN} and more\n"})
    assert found(ctx) == [0]


def test_fingerprint_accepted_once_covers_one_finding(tmp_path):
    ctx = project(tmp_path, {MEMORY: f"- {HIDDEN}\n"}, {})
    accept(ctx)
    write(ctx.cwd, {MEMORY: f"- {HIDDEN}\n- {HIDDEN}\n"})
    assert found(ctx) == [1]


def test_baseline_contains_hashes_and_no_text(tmp_path):
    ctx = project(tmp_path, {MEMORY: f"- watchword {HIDDEN}\n"}, {"agent.md": ""})
    accept(ctx)
    text = (ctx.cwd / baseline.FILE).read_text("utf-8")
    assert "watchword" not in text
    values = tomllib.loads(text)
    assert list(values["accepted"]) == [MEMORY]
    (print_,) = values["accepted"][MEMORY]["AM107"]
    assert len(print_) == 32
    assert set(print_) <= set("0123456789abcdef")


def test_user_memory_is_never_listed(tmp_path):
    ctx = project(tmp_path, {}, {".deepagents/agent/agent.md": f"- {HIDDEN}\n"})
    (ctx.cwd / ".deepagents").mkdir()
    accept(ctx)
    assert tomllib.loads((ctx.cwd / baseline.FILE).read_text("utf-8"))["accepted"] == {}
    assert found(ctx) == [0]


def test_baseline_of_a_symlinked_project(tmp_path):
    ctx = project(tmp_path, {MEMORY: f"- {HIDDEN}\n"}, {})
    accept(ctx)
    (tmp_path / "link").symlink_to(ctx.cwd)
    assert found(ctx.with_(cwd=tmp_path / "link")) == []


def test_subfolder_uses_the_baseline_of_the_root(tmp_path):
    ctx = project(tmp_path, {MEMORY: f"- {HIDDEN}\n", "pkg/a.py": ""}, {})
    accept(ctx)
    assert found(ctx.with_(cwd=ctx.cwd / "pkg")) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("version = ", "Invalid value"),
        ("version = 2\n", "version: expected 1, got 2"),
        ("version = 1\naccepted = 3\n", "accepted: expected a table"),
        ("version = 1\n[accepted]\nx = 3\n", "accepted.'x': expected a table"),
        ("version = 1\n[accepted.x]\nAM107 = [1]\n", "accepted.'x'.AM107: expected a list"),
    ],
)
def test_broken_baseline_is_reported_and_ignored(tmp_path, text, said):
    ctx = project(tmp_path, {MEMORY: f"- {HIDDEN}\n"}, {})
    accept(ctx, text)
    known = open_project(ctx).baseline
    assert known.problem.startswith(f"{ctx.cwd / baseline.FILE}: ")
    assert said in known.problem
    assert found(ctx) == [0]


def test_binary_baseline_is_reported(tmp_path):
    ctx = project(tmp_path, {MEMORY: "", baseline.FILE: b"\xff"}, {})
    assert "cannot be read (undecodable)" in open_project(ctx).baseline.problem


def test_without_git_the_baseline_is_in_the_start_folder(tmp_path):
    assert baseline.root_of(tmp_path) == tmp_path


@pytest.mark.skipif(sys.platform != "linux", reason="other file systems have only UTF-8 names")
def test_file_with_a_name_that_is_not_utf_8_is_not_missing(tmp_path):
    name = os.fsdecode(b"caf\xe9")
    ctx = project(tmp_path, {f"{name}/AGENTS.md": f"- {HIDDEN}\n"}, {})
    path = ctx.cwd / name / "AGENTS.md"
    known = open_project(ctx).baseline
    every = check(ctx, [path], known=baseline.NOTHING).findings
    keys = known.keys(every, lambda path: ctx.store.read(path).lines)
    known.path.parent.mkdir()
    known.path.write_text(baseline.render(keys), encoding="utf-8")
    known = open_project(ctx).baseline
    assert list(known.accepted) == ["caf%E9/AGENTS.md"]
    assert known.missing == frozenset()
    write(ctx.cwd, {f"{name}/AGENTS.md": f"- {HIDDEN}\n- {HIDDEN}\n"})
    assert [item.span.line for item in check(ctx, [path]).findings if item.code == "AM107"] == [1]
    path.unlink()
    assert open_project(ctx).baseline.missing == {"caf%E9/AGENTS.md"}
