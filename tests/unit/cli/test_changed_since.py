from __future__ import annotations

import json
import os
import subprocess

import pytest

from kit import cli, project, write

HIDDEN = "- a\u200b\n"


@pytest.fixture
def ctx(tmp_path, monkeypatch):
    for name in ("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"):
        monkeypatch.setenv(name, "tester")
    for name in ("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"):
        monkeypatch.setenv(name, "tester@localhost")
    ctx = project(tmp_path, {}, {".deepagents/agent/agent.md": HIDDEN})
    (ctx.cwd / ".git" / "HEAD").unlink()
    write(ctx.cwd, {".deepagents/agent.md": HIDDEN, "a/AGENTS.md": HIDDEN, "b/AGENTS.md": HIDDEN})
    for args in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"]):
        subprocess.run(["git", *args], cwd=ctx.cwd, check=True)
    return ctx


def files(ctx, *args: str) -> list[str]:
    done = cli(ctx, "check", *args, "--changed-since", "HEAD", "--format", "json")
    return sorted(
        {os.path.relpath(item["path"], ctx.cwd) for item in json.loads(done.out)["findings"]}
    )


def test_only_changed_and_new_files_are_checked(ctx):
    assert files(ctx, ".") == []
    write(ctx.cwd, {"a/AGENTS.md": HIDDEN * 2, "new é/AGENTS.md": HIDDEN})
    (ctx.cwd / "b" / "AGENTS.md").unlink()
    assert files(ctx, ".") == ["a/AGENTS.md", "new é/AGENTS.md"]
    assert files(ctx) == []
    write(ctx.cwd, {".deepagents/agent.md": HIDDEN * 2})
    assert files(ctx) == [".deepagents/agent.md"]


def test_changed_files_are_found_from_a_subfolder(ctx):
    write(ctx.cwd, {"a/AGENTS.md": HIDDEN * 2, "c/AGENTS.md": HIDDEN})
    below = ctx.with_(cwd=ctx.cwd / "a")
    assert files(below, "..") == ["../c/AGENTS.md", "AGENTS.md"]


@pytest.mark.parametrize("revision", ["no-such", "--output=x", "HEAD~9"])
def test_unknown_revision_is_refused(ctx, revision):
    done = cli(ctx, "check", f"--changed-since={revision}")
    assert done.code == 2
    assert f"unknown git revision '{revision}'" in done.err
    assert not (ctx.cwd / "x").exists()


def test_outside_a_repository_the_message_is_from_git(ctx, tmp_path):
    done = cli(ctx.with_(cwd=tmp_path), "check", "--changed-since", "HEAD")
    assert done.code == 2
    assert "not a git repository" in done.err


def test_missing_git_is_reported(ctx, monkeypatch):
    monkeypatch.setenv("PATH", "")
    done = cli(ctx, "check", "--changed-since", "HEAD")
    assert done.code == 2
    assert "needs git" in done.err


def test_no_program_from_the_git_configuration_is_run(ctx):
    hook = ctx.cwd / "hook"
    hook.write_text("#!/bin/sh\ntouch ran\n")
    hook.chmod(0o755)
    subprocess.run(["git", "config", "core.fsmonitor", str(hook)], cwd=ctx.cwd, check=True)
    assert files(ctx, ".") == []
    assert not (ctx.cwd / "ran").exists()


def test_unchanged_files_are_not_called_unread(ctx):
    write(ctx.cwd, {"AGENTS.md": "- a\n"})
    for args in (["add", "-A"], ["commit", "-qm", "two"]):
        subprocess.run(["git", *args], cwd=ctx.cwd, check=True)
    done = cli(ctx, "check", "--changed-since", "HEAD")
    assert (done.out, done.err) == ("no memory files have changed since HEAD\n", "")
