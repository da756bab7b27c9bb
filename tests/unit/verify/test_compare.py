"""``verify``: an agent is started once, and its request is compared with the preview."""

from __future__ import annotations

import json
import os
import select
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from agent_memory.base.errors import UsageError
from agent_memory.base.model import Exactness
from agent_memory.prompt.compose import compose
from agent_memory.runtimes.agents import claude_code
from agent_memory.verify.compare import verify
from agent_memory.verify.process import Limit
from kit import cli, github_token, project, write
from verify_kit import PROGRAM, SEND, install_agent

if TYPE_CHECKING:
    from pathlib import Path

FILES = {"CLAUDE.md": "Use tabs.\n", "src/a.py": "pass\n"}
HOME = {".claude/CLAUDE.md": "Answer briefly.\n", ".claude.json": "{}"}


@pytest.fixture
def ctx(tmp_path):
    return install_agent(tmp_path, project(tmp_path, FILES, HOME))


def content(folder: Path) -> dict[str, object]:
    """Return each path below ``folder`` with its bytes and its modification time."""
    return {
        str(path): (path.is_file() and path.read_bytes(), path.lstat().st_mtime_ns)
        for path in folder.rglob("*")
    }


def test_equal_makes_the_version_exact(ctx):
    assert compose(ctx, "claude-code").exactness is Exactness.UNVERIFIED
    result = verify(ctx, "claude-code")
    assert result.difference is None
    assert result.is_recorded
    assert result.same_copy
    assert result.blocks[0].text == compose(ctx, "claude-code").text
    after = compose(ctx, "claude-code")
    assert after.exactness is Exactness.EXACT
    assert "compared on this machine" in after.origin


def test_nothing_is_written_to_the_project_and_the_home(ctx):
    before = content(ctx.cwd), content(ctx.home)
    assert verify(ctx, "claude-code").difference is None
    assert (content(ctx.cwd), content(ctx.home)) == before


@pytest.mark.parametrize("changed", ["program", "texts", "version"])
def test_a_changed_program_is_unverified_again(changed, ctx, tmp_path):
    verify(ctx, "claude-code")
    package = tmp_path / "lib/node_modules/@anthropic-ai/claude-code"
    command = package / "bin/claude.exe"
    if changed == "version":
        write(
            package, {"package.json": '{"name": "@anthropic-ai/claude-code", "version": "2.2.0"}'}
        )
    else:
        raw = command.read_bytes()
        command.write_bytes(raw + b"\n" if changed == "program" else raw.replace(b"Head", b"Tete"))
    assert (
        compose(ctx.with_(programs=type(ctx.programs)()), "claude-code").exactness == "unverified"
    )


def test_a_composer_that_was_changed_is_caught(ctx, monkeypatch):
    verify(ctx, "claude-code")
    monkeypatch.setattr(claude_code, "_CLOSE", "\n\n</system-reminder>")
    difference = verify(ctx, "claude-code").difference
    assert difference is not None
    assert difference.ours[difference.character :] == "\n</system-reminder>"
    assert difference.sent[difference.character :] == "</system-reminder>"
    monkeypatch.undo()
    assert compose(ctx, "claude-code").exactness is Exactness.UNVERIFIED


def test_a_damaged_record_is_treated_as_missing(ctx, tmp_path):
    verify(ctx, "claude-code")
    record = tmp_path / "cache/agent-memory/verified/claude-code.json"
    for text in ("", "[]", "{", '{"files": 1}', "\0"):
        record.write_text(text)
        assert compose(ctx, "claude-code").exactness is Exactness.UNVERIFIED


def test_a_file_that_the_agent_does_not_read_is_a_difference(ctx, tmp_path):
    install = install_agent(tmp_path / "other", ctx, PROGRAM.replace("cwd /", "home /") + SEND)
    difference = verify(install, "claude-code").difference
    assert "Use tabs." in difference.ours[difference.character :]
    assert difference.byte > 0


def test_without_memory_nothing_is_recorded(tmp_path):
    ctx = install_agent(tmp_path, project(tmp_path, {}, {}))
    result = verify(ctx, "claude-code")
    assert result.difference is None
    assert not result.is_recorded
    assert "Nothing was compared" in cli_verify(ctx).out


def cli_verify(ctx, *options):
    """Run the command with the environment of ``ctx``."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in ctx.env.items():
            patch.setenv(name, value)
        return cli(ctx, "verify", "--runtime", "claude-code", *options)


def test_the_command_prints_the_result(ctx, monkeypatch):
    done = cli_verify(ctx)
    assert done.code == 0
    size = len(compose(ctx, "claude-code").text)
    assert done.out == (
        f"Claude Code 2.1.330 sends exactly what the preview shows ({size} bytes). This version "
        "is now exact on this machine.\n"
    )
    value = json.loads(cli_verify(ctx, "--format", "json").out)
    assert value["equal"] is True
    assert value["blocks"] == [{"role": "user", "bytes": size}]
    monkeypatch.setattr(claude_code, "_CLOSE", "</system-reminder>")
    done = cli_verify(ctx)
    assert done.code == 1
    assert "sends something else than the preview shows, from byte " in done.out
    value = json.loads(cli_verify(ctx, "--format", "json").out)
    assert value["difference"]["sent"].endswith("\n</system-reminder>")


def test_hooks_and_variables_of_the_user_are_not_passed(ctx, tmp_path):
    write(ctx.cwd, {".claude/settings.json": "{}", ".mcp.json": "{}"})
    write(ctx.home, {".claude/settings.json": "{}", ".claude/.credentials.json": "{}"})
    program = (
        PROGRAM
        + r"""
found = [str(path) for base in (home, cwd) for path in base.rglob("*") if path.suffix == ".json"]
block += json.dumps([found, sorted(os.environ)])
"""
        + SEND
    )
    ctx = install_agent(tmp_path / "other", ctx, program)
    os.environ["SECRET_OF_THE_USER"] = "x"
    try:
        sent = verify(ctx, "claude-code").difference.sent
    finally:
        del os.environ["SECRET_OF_THE_USER"]
    files, names = json.loads(sent.partition("</system-reminder>")[2])
    assert [name for name in files if ".claude" in name or "mcp" in name] == []
    assert "SECRET_OF_THE_USER" not in names
    assert "ANTHROPIC_API_KEY" in names


def test_other_hosts_are_refused_and_named(ctx, tmp_path):
    program = (
        PROGRAM
        + r"""
try:
    urllib.request.urlopen("http://example.invalid/x", timeout=20)
except OSError as error:
    assert error.code == 403
"""
        + SEND
    )
    result = verify(install_agent(tmp_path / "other", ctx, program), "claude-code")
    assert result.refused == ("http://example.invalid/x",)
    assert result.difference is None


@pytest.mark.parametrize(
    ("program", "seconds", "message"),
    [
        ("print('no account')", 60, "ended without a request. Its output ends with: no account"),
        ("import time; time.sleep(600)", 0.5, "sent no request within 0.5 seconds"),
        ("", 60, "ended without a request. Its output ends with: -"),
    ],
)
def test_an_agent_that_sends_nothing_is_an_error(program, seconds, message, ctx, tmp_path):
    ctx = install_agent(tmp_path / "other", ctx, program)
    with pytest.raises(UsageError, match=message):
        verify(ctx, "claude-code", Limit(seconds))


def test_child_processes_are_ended(ctx, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    program = f"""
with open({str(pipe)!r}, "w") as opened:
    opened.write("x")
    opened.flush()
    code = "import time; time.sleep(600)"
    quiet = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    subprocess.Popen([sys.executable, "-c", code], pass_fds=[opened.fileno()], **quiet)
"""
    verify(install_agent(tmp_path / "other", ctx, PROGRAM + program + SEND), "claude-code")
    assert os.read(reader, 1) == b"x"
    assert select.select([reader], [], [], 60)[0]
    assert os.read(reader, 1) == b""  # its end: no process holds the pipe
    os.close(reader)


def test_what_cannot_be_started_is_said(ctx, tmp_path):
    with pytest.raises(UsageError, match="drover cannot be started; possible are: claude-code, "):
        verify(ctx, "drover")
    with pytest.raises(
        UsageError, match=r"Codex is not installed\. Install it, or set `agents\.codex"
    ):
        verify(ctx.with_(env={}), "codex")
    command = tmp_path / "lib/node_modules/@anthropic-ai/claude-code/bin/claude.exe"
    command.chmod(0o644)
    with pytest.raises(UsageError, match="cannot be started: Permission denied"):
        verify(ctx, "claude-code")


def test_a_program_of_the_project_is_not_run(ctx, tmp_path):
    package = "node_modules/@anthropic-ai/claude-code"
    manifest = '{"name": "@anthropic-ai/claude-code", "version": "2.1.330"}'
    write(ctx.cwd, {f"{package}/package.json": manifest})
    with pytest.raises(UsageError, match="is part of the project, so it is not run"):
        verify(ctx.with_(env={}), "claude-code")
    outdated = replace(ctx.settings, claude_code_path=str(tmp_path / "gone/claude"))
    with pytest.raises(UsageError, match="is part of the project, so it is not run"):
        verify(ctx.with_(env={}, settings=outdated), "claude-code")
    marker = tmp_path / "ran"
    program = write(tmp_path / "bad", {"claude": f"#!/bin/sh\ntouch {marker}\n"}) / "claude"
    program.chmod(0o755)
    settings = f'[agents.claude-code]\npath = "{program}"\n'
    write(ctx.cwd, {".deepagents/agent-memory.toml": settings})
    assert cli_verify(ctx).code == 0  # the one on PATH
    assert not marker.exists()


def test_the_folder_of_a_package_outside_of_node_modules_is_refused(ctx, tmp_path):
    manifest = '{"name": "@anthropic-ai/claude-code", "version": "2.1.330"}'
    checkout = write(tmp_path / "checkout", {"package.json": manifest})
    linked = replace(ctx.settings, claude_code_path=str(checkout))
    with pytest.raises(UsageError, match=r"checkout is a folder\. Set `agents\.claude-code\.path"):
        verify(ctx.with_(settings=linked), "claude-code")


def test_a_program_without_known_texts_shows_what_it_sends(ctx, tmp_path):
    ctx = install_agent(tmp_path / "other", ctx, PROGRAM.replace("Head", "Other head") + SEND)
    command = tmp_path / "other/lib/node_modules/@anthropic-ai/claude-code/bin/claude.exe"
    command.write_bytes(command.read_bytes().replace(b"switch", b"SWITCH"))
    result = verify(ctx, "claude-code")
    assert not result.is_recorded
    assert result.difference.ours[result.difference.character :].startswith("These are the")
    assert result.difference.sent[result.difference.character :].startswith("Other head")


def test_a_secret_at_the_difference_is_masked(ctx, monkeypatch):
    token = github_token()
    write(ctx.cwd, {"CLAUDE.md": f"{token}\n"})
    monkeypatch.setattr(claude_code, "_CLOSE", "x</system-reminder>")
    for options in ((), ("--format", "json")):
        out = cli_verify(ctx, *options).out
        assert "x</system-reminder>" in out
        assert not any(token[at : at + 8] in out for at in range(4, len(token) - 8))
