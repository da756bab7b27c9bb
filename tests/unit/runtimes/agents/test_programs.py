"""Installed agents: how they are found, and how exact their texts make a prompt."""

from __future__ import annotations

import os

import pytest

from agent_memory.base.model import Exactness
from agent_memory.config.settings import Settings
from agent_memory.config.trust import without_trust
from agent_memory.prompt.compose import compose
from agent_memory.runtimes import RUNTIMES
from agent_memory.runtimes.agents import claude_code, codex, program_pieces
from agent_memory.runtimes.agents.programs import find_program
from agent_memory.runtimes.selection import choose
from agents_kit import CLAUDE, install_claude, install_codex
from kit import project, with_settings, write


@pytest.fixture
def ctx(tmp_path):
    return project(tmp_path, {"CLAUDE.md": "c\n", "AGENTS.md": "a\n"}, {})


def test_a_program_on_path_is_followed_to_its_package(ctx, tmp_path):
    found = find_program(install_claude(tmp_path, ctx), None, claude_code.PROGRAM)
    assert str(found) == "claude 2.1.330 in PATH"
    assert found.path == tmp_path / "lib/node_modules/@anthropic-ai/claude-code/bin/claude.exe"


def test_a_program_in_the_project_is_found(ctx):
    manifest = '{"name": "@openai/codex", "version": "0.169.0"}'
    write(ctx.cwd, {"node_modules/@openai/codex/package.json": manifest})
    found = find_program(ctx, ctx.cwd, codex.PROGRAM)
    assert str(found) == "codex 0.169.0 in project/node_modules"


def test_the_setting_has_priority_and_may_name_a_file_or_a_folder(ctx, tmp_path):
    ctx = install_claude(tmp_path, ctx)
    own = write(tmp_path / "own", {"versions/2.1.999": CLAUDE})
    named = with_settings(ctx, claude_code_path=str(own / "versions/2.1.999"))
    found = find_program(named, None, claude_code.PROGRAM)
    assert str(found) == "claude 2.1.999 in the setting `agents.claude-code.path`"
    folder = tmp_path / "lib/node_modules/@anthropic-ai/claude-code"
    named = with_settings(ctx, claude_code_path=str(folder))
    assert find_program(named, None, claude_code.PROGRAM).version == "2.1.330"


def test_an_untrusted_project_cannot_name_a_program():
    fields = [runtime.program.field for runtime in RUNTIMES if runtime.program]
    assert fields
    settings = Settings(**dict.fromkeys(fields, "/x"))
    assert without_trust(settings, Settings()) == Settings()


@pytest.mark.parametrize(
    "odd", ["\0", "~nobody-has-this-name/x", "a" * 5000, "\udcff", ".", "loop"]
)
def test_odd_places_are_skipped(odd, ctx):
    (ctx.cwd / "loop").symlink_to("loop")
    named = with_settings(ctx, codex_path=odd).with_(env={"PATH": f"{odd}{os.pathsep}"})
    assert find_program(named, None, codex.PROGRAM) is None
    assert compose(named, "codex").exactness is Exactness.OWN_WORDING


def test_without_a_program_the_wording_is_ours_and_says_so(ctx):
    prompt = compose(ctx, "claude-code")
    assert prompt.exactness is Exactness.OWN_WORDING
    assert prompt.origin == "wording of Agent Memory: claude is not installed"


def test_a_known_text_is_exact_only_in_the_compared_versions(ctx, tmp_path, monkeypatch):
    installed = install_claude(tmp_path, ctx)
    first = compose(installed, "claude-code")
    assert first.exactness is Exactness.UNVERIFIED
    assert "this text was not compared" in first.origin
    digest = "1" * 16
    monkeypatch.setattr(program_pieces, "digest", lambda _: digest)
    for versions, expected in (
        (("2.1.330", "2.1.330"), Exactness.EXACT),
        (("2.1.0", "2.1.1"), Exactness.UNVERIFIED),
    ):
        monkeypatch.setitem(claude_code.PIECES.known, digest, versions)
        assert compose(installed, "claude-code").exactness is expected


def test_a_program_without_the_texts_is_named(ctx, tmp_path):
    installed = install_claude(tmp_path, ctx)
    find_program(installed, None, claude_code.PROGRAM).path.write_bytes(b"other")
    prompt = compose(installed, "claude-code")
    assert prompt.exactness is Exactness.OWN_WORDING
    assert "claude 2.1.330 in PATH is installed, but its texts were not found" in prompt.origin
    assert "c\n" in prompt.text


def test_the_preview_does_not_wait_for_a_search(ctx, tmp_path):
    installed = install_claude(tmp_path, ctx)
    waiting = []
    installed.programs.start = waiting.append
    assert "still being read" in compose(installed, "claude-code").origin
    waiting[0]()
    assert "Head" in compose(installed, "claude-code").text


@pytest.mark.parametrize(
    ("files", "home", "expected"),
    [
        ({"CLAUDE.md": "", "AGENTS.md": ""}, {}, ("claude-code", "CLAUDE.md exists")),
        ({"AGENTS.md": ""}, {}, ("codex", "AGENTS.md exists")),
        ({"CLAUDE.md": "", ".deepagents/agent.md": ""}, {}, ("deepagentsdk", "")),
        ({"CLAUDE.md": "", "agent.md": ""}, {}, ("deepagentsdk", "")),
        ({"AGENTS.md": "", ".deepagents/AGENTS.md": ""}, {}, ("deepagents-code", "")),
        ({}, {".claude/CLAUDE.md": ""}, ("claude-code", "~/.claude/CLAUDE.md exists")),
        ({}, {".codex/AGENTS.md": ""}, ("codex", "~/.codex/AGENTS.md exists")),
        ({}, {}, ("claude-code", "claude 2.1.330 in PATH is installed")),
    ],
)
def test_an_installed_agent_is_chosen_if_its_files_are_there(files, home, expected, tmp_path):
    ctx = project(tmp_path, files, home)
    installed = install_codex(tmp_path, install_claude(tmp_path, ctx))
    choice = choose(installed)[1]
    assert choice.runtime.id == expected[0]
    assert choice.runtime_reason.startswith(expected[1])
    assert choose(ctx)[1].runtime.program is None
