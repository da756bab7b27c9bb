"""Paths of memory files that are not regular or not readable files."""

from __future__ import annotations

import os
import sys

import pytest

from agent_memory.lint.engine import check
from agent_memory.prompt.compose import compose
from kit import project, unprivileged

PLACES = {"deepagents-code": "AGENTS.md", "deepagentsdk": ".deepagents/agent.md"}


def _codes(ctx, runtime):
    return [(item.code, str(item.severity)) for item in check(ctx, runtime_id=runtime).findings]


@pytest.mark.parametrize(("runtime", "name"), PLACES.items())
def test_fifo_is_reported_without_blocking(tmp_path, runtime, name):
    ctx = project(tmp_path, {".deepagents/notes.md": "# Notes\n"}, {})
    os.mkfifo(ctx.cwd / name)
    assert _codes(ctx, runtime) == [("AM102", "error")]


@pytest.mark.parametrize(("runtime", "name"), PLACES.items())
def test_symlink_loop_is_reported(tmp_path, runtime, name):
    ctx = project(tmp_path, {".deepagents/notes.md": "# Notes\n"}, {})
    (ctx.cwd / name).symlink_to(ctx.cwd / name)
    assert ("AM102", "error") in _codes(ctx, runtime)


@pytest.mark.skipif(sys.platform == "win32", reason="permissions are not those of POSIX")
def test_unreadable_file_is_reported(tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": "# Notes\n\n- a\n"}, {})
    assert _codes(ctx, "deepagents-code") == []
    (ctx.cwd / "AGENTS.md").chmod(0)
    with unprivileged(tmp_path):
        assert _codes(ctx, "deepagents-code") == [("AM103", "error")]


def test_unreadable_file_message_names_the_effect(tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": b"\xff\xfe"}, {})
    (finding,) = check(ctx, runtime_id="deepagents-code").findings
    assert "the agent exits with an error" in finding.message
    found = check(ctx, [ctx.cwd / "AGENTS.md"], "deepagentsdk").findings
    assert [item.code for item in found] == ["AM101", "AM109"]
    assert "does not read it" in found[0].message


def test_unreadable_file_does_not_hide_other_findings(tmp_path):
    home = {".deepagents/agent/AGENTS.md": b"\xff"}
    ctx = project(tmp_path, {"AGENTS.md": "# One\n\n- a\u200bb\n"}, home)
    assert [code for code, _ in _codes(ctx, "deepagents-code")] == ["AM101", "AM107"]


@pytest.mark.parametrize(
    ("runtime", "name"),
    [
        *(("claude-code", "CLAUDE.md"), ("gemini-cli", "GEMINI.md"), ("qwen-code", "QWEN.md")),
        *(("codex", "AGENTS.md"), ("opencode", "AGENTS.md"), ("copilot-cli", "AGENTS.md")),
        *(("cline", "AGENTS.md"), ("mistral-vibe", "AGENTS.md")),
    ],
)
def test_invalid_bytes_of_a_file_that_is_loaded(tmp_path, runtime, name):
    ctx = project(tmp_path, {name: b"# A\r\r- caf\xe9\n", ".git/HEAD": "x\n"}, {})
    (finding,) = [item for item in check(ctx, runtime_id=runtime).findings if item.code == "AM101"]
    assert finding.span.line == 2
    assert f"{runtime}: each invalid byte is read as U+FFFD." in finding.message


def test_a_symlink_loop_may_have_the_name_of_an_import(tmp_path):
    files = {"QWEN.md": "@loop.md\n@a/loop.md\n", "a/QWEN.md": "x\n", ".git/HEAD": "x\n"}
    ctx = project(tmp_path, files, {})
    for folder, target in ((ctx.cwd, "loop.md"), (ctx.cwd / "a", "../a/loop.md")):
        (folder / "loop.md").symlink_to(target)
    found = check(ctx, runtime_id="qwen-code").findings
    assert [item.code for item in found if item.code == "AM103" and "internal" in item.fact] == []


READ_BY = {
    "claude-code": "CLAUDE.md",
    "gemini-cli": "GEMINI.md",
    "qwen-code": "QWEN.md",
    "codex": "AGENTS.md",
    "opencode": "AGENTS.md",
    "copilot-cli": "AGENTS.md",
    "cline": "AGENTS.md",
    "mistral-vibe": "AGENTS.md",
    "deepagents-code": "AGENTS.md",
}


def _in_prompt(ctx, text):
    """Return the agents whose prompt has ``text``, each with its file."""
    with_text = set()
    for runtime_id in READ_BY:
        prompt = compose(ctx, runtime_id).text
        with_text |= {runtime_id} if text in prompt else set()
    return with_text


@pytest.mark.parametrize(
    ("code", "content", "sent"),
    [
        ("AM112", "---\nname: x\n---\n\n# A\n\n- Use tabs.\n", "name: x"),
        ("AM114", "\ufeff# A\n\n- Use tabs.\n", "\ufeff"),
    ],
)
def test_only_what_the_agent_sends_is_reported(tmp_path, code, content, sent):
    files = dict.fromkeys(READ_BY.values(), content)
    ctx = project(tmp_path, {**files, ".git/HEAD": "x\n"}, {})
    reported = {
        runtime_id
        for runtime_id, name in READ_BY.items()
        for item in check(ctx, [ctx.cwd / name], runtime_id).findings
        if item.code == code
    }
    assert reported == _in_prompt(ctx, sent)
    assert 0 < len(reported) < len(READ_BY)
