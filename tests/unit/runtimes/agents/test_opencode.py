"""opencode: which kind of file is read, their order, and `instructions`."""

from __future__ import annotations

import pytest

from agent_memory.base.model import Exactness, Scope, Status
from agent_memory.prompt.compose import compose
from agent_memory.runtimes import BY_ID
from agents_kit import install_opencode
from kit import project, with_settings, write


@pytest.fixture
def make(tmp_path):
    """Return a function that builds a project with opencode and returns its context."""

    def build(files, home=None, cwd="."):
        ctx = install_opencode(tmp_path, project(tmp_path, files, home or {}))
        (ctx.cwd / cwd).mkdir(parents=True, exist_ok=True)
        return ctx.with_(cwd=(ctx.cwd / cwd).resolve())

    return build


def test_all_files_are_one_system_block_nearest_first(make):
    files = {"AGENTS.md": "root\n", "sub/AGENTS.md": b"\xef\xbb\xbfsub\r\n"}
    ctx = make(files, {".config/opencode/AGENTS.md": "me", ".claude/CLAUDE.md": "no"}, "sub")
    user = ctx.home / ".config/opencode/AGENTS.md"
    prompt = compose(ctx, "opencode")
    (block,) = prompt.blocks()
    assert block.role == "system"
    assert block.text == (
        f"Read {user}:\nme\nRead {ctx.cwd}/AGENTS.md:\nsub\r\n\n"
        f"Read {ctx.cwd.parent}/AGENTS.md:\nroot\n"
    )
    shadowed = next(item for item in prompt.sources if item.status is Status.SHADOWED)
    assert shadowed.path == ctx.home / ".claude/CLAUDE.md"


@pytest.mark.parametrize(
    ("home", "target"),
    [({}, ".config/opencode/AGENTS.md"), ({".claude/CLAUDE.md": "me"}, ".claude/CLAUDE.md")],
)
def test_user_memory_is_an_existing_file_or_the_one_to_create(make, home, target):
    ctx = make({}, home)
    assert BY_ID["opencode"].memory_path(ctx, Scope.USER) == ctx.home / target


def test_the_first_name_that_exists_anywhere_decides(make):
    ctx = make({"AGENTS.md": "a", "sub/CLAUDE.md": "c", "sub/CONTEXT.md": "x"}, {}, "sub")
    states = {item.path.name: item.status for item in compose(ctx, "opencode").sources}
    assert states["AGENTS.md"] is Status.LOADED
    assert states["CLAUDE.md"] is states["CONTEXT.md"] is Status.SHADOWED


def test_an_empty_file_decides_but_is_not_sent(make):
    prompt = compose(make({"AGENTS.md": "", "CLAUDE.md": "c"}), "opencode")
    assert (prompt.text, prompt.blocks()) == ("", [])


@pytest.mark.parametrize("value", ["1", "true", "0"])
def test_files_of_claude_can_be_switched_off(value, make):
    ctx = make({"CLAUDE.md": "c"}, {".claude/CLAUDE.md": "u"})
    ctx = ctx.with_(env={**ctx.env, "OPENCODE_DISABLE_CLAUDE_CODE": value})
    assert (compose(ctx, "opencode").text == "") == (value != "0")


def test_listed_files_follow_and_patterns_are_reported(make, tmp_path):
    listed = '{"instructions": ["docs/a.md", "~/n.md", "AGENTS.md", "gone.md", "x/*.md", 3]}'
    files = {"AGENTS.md": "a", "docs/a.md": "d", "opencode.json": listed}
    prompt = compose(make(files, {"n.md": "n"}), "opencode")
    order = [item.path.name for item in prompt.sources if item.order]
    assert order == ["AGENTS.md", "a.md", "n.md"]
    assert "x/*.md" in prompt.problems[0].message
    assert prompt.exactness is Exactness.UNVERIFIED


@pytest.mark.parametrize("config", ["[", "[]", '{"instructions": 3}'])
def test_an_invalid_config_is_treated_as_missing(config, make):
    assert compose(make({"AGENTS.md": "a", "opencode.json": config}), "opencode").text


def test_without_git_all_folders_above_are_searched(make, tmp_path):
    ctx = make({})
    root = write(tmp_path / "plain", {"CONTEXT.md": "above", "sub/x": ""})
    prompt = compose(ctx.with_(cwd=root / "sub"), "opencode")
    assert root / "CONTEXT.md" in [item.path for item in prompt.sources]


def test_with_a_project_elsewhere_the_missing_file_is_in_the_working_folder(make, tmp_path):
    ctx = with_settings(make({}), project_root=str(tmp_path / "elsewhere"))
    missing = [item.path for item in compose(ctx, "opencode").sources if item.scope == "project"]
    assert missing == [ctx.cwd / "AGENTS.md"]


def test_the_config_folder_can_be_elsewhere(make, tmp_path):
    write(tmp_path / "xdg", {"opencode/AGENTS.md": "mine"})
    ctx = make({})
    ctx = ctx.with_(env={**ctx.env, "XDG_CONFIG_HOME": str(tmp_path / "xdg")})
    assert "mine" in compose(ctx, "opencode").text
