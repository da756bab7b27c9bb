"""Mistral Vibe: AGENTS.md, and what its trust in folders means."""

from __future__ import annotations

import pytest

from agent_memory.base.model import Exactness, Scope, Status
from agent_memory.prompt.compose import compose
from agent_memory.runtimes import BY_ID
from agents_more import install_vibe
from kit import project, write


@pytest.fixture
def make(tmp_path):
    """Return a function that builds a project with Mistral Vibe and returns its context."""

    def build(files, home=None, cwd="."):
        ctx = install_vibe(tmp_path, project(tmp_path, files, home or {}))
        (ctx.cwd / cwd).mkdir(parents=True, exist_ok=True)
        return ctx.with_(cwd=(ctx.cwd / cwd).resolve())

    return build


def test_user_and_project_are_one_system_block(make):
    ctx = make({"AGENTS.md": "\n a\r\nb \n"}, {".vibe/AGENTS.md": "\ufeffme\n"})
    prompt = compose(ctx, "mistral-vibe")
    (block,) = prompt.blocks()
    assert block.role == "system"
    assert block.text == (
        f"Head.\n\n# User\n\nFrom {ctx.home}/.vibe/AGENTS.md (user):\n\nme\n\n"
        f"# Project\n\nFrom {ctx.cwd}/AGENTS.md:\n\na\nb\n\nTail."
    )
    (segment,) = (part for part in prompt.segments if part.text == "a\nb")
    assert segment.line == 1
    assert prompt.version == "3.0.2"
    assert str(prompt.origin).startswith("vibe 3.0.2 in PATH")


def test_files_above_the_working_folder_need_trust_in_their_folder(make, tmp_path):
    files = {"AGENTS.md": "root", "sub/AGENTS.md": "sub"}
    ctx = make(files, cwd="sub")
    states = {item.path: item for item in compose(ctx, "mistral-vibe").sources}
    assert states[ctx.cwd.parent / "AGENTS.md"].status is Status.IGNORED
    assert "trust this folder" in states[ctx.cwd.parent / "AGENTS.md"].reason
    write(ctx.home, {".vibe/trusted_folders.toml": f"trusted = ['{ctx.cwd.parent}', 3]"})
    text = compose(ctx, "mistral-vibe").text
    assert text.index("root") < text.index("sub/AGENTS.md")
    assert text.count("# Project") == 1


def test_a_folder_that_is_not_trusted_has_no_files(make):
    ctx = make({"AGENTS.md": "a"})
    write(ctx.home, {".vibe/trusted_folders.toml": f"untrusted = ['{ctx.cwd}']"})
    prompt = compose(ctx, "mistral-vibe")
    assert prompt.blocks() == []
    assert "do not trust" in next(item.reason for item in prompt.sources if item.path.exists())


def test_in_the_home_only_the_file_of_the_user_is_read(make):
    ctx = make({}, {"AGENTS.md": "home", ".vibe/AGENTS.md": "mine"})
    ctx = ctx.with_(cwd=ctx.home.resolve())
    states = {item.path: item for item in compose(ctx, "mistral-vibe").sources}
    ignored = states[ctx.cwd / "AGENTS.md"]
    assert ignored.status is Status.IGNORED
    reason = f"Mistral Vibe reads only {ctx.home}/.vibe/AGENTS.md if it starts in {ctx.cwd}"
    assert ignored.reason == reason


@pytest.mark.parametrize("text", ["[", "trusted = 3", ""])
def test_invalid_trust_is_treated_as_missing(text, make):
    ctx = make({"AGENTS.md": "a"}, {".vibe/trusted_folders.toml": text})
    assert "\na\n" in compose(ctx, "mistral-vibe").text


def test_a_guessed_encoding_is_not_exact(make):
    prompt = compose(make({"AGENTS.md": b"caf\xe9"}), "mistral-vibe")
    assert prompt.exactness is Exactness.UNVERIFIED
    assert "guesses its encoding" in prompt.problems[0].message


def test_the_folder_of_the_user_can_be_elsewhere(make, tmp_path):
    ctx = make({})
    write(tmp_path / "v", {"AGENTS.md": "mine"})
    ctx = ctx.with_(env={**ctx.env, "VIBE_HOME": str(tmp_path / "v")})
    assert f"From {tmp_path}/v/AGENTS.md (user):\n\nmine" in compose(ctx, "mistral-vibe").text


def test_files_to_write_to(make):
    ctx = make({})
    runtime = BY_ID["mistral-vibe"]
    assert runtime.memory_path(ctx, Scope.PROJECT) == ctx.cwd / "AGENTS.md"
    assert runtime.memory_path(ctx, Scope.USER) == ctx.home / ".vibe/AGENTS.md"
