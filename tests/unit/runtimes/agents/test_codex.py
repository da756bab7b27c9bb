"""Codex: discovery, overrides, fallbacks, the budget and the text around the files."""

from __future__ import annotations

import pytest

import agents_kit
from agent_memory.base.model import Block, Scope, Status
from agent_memory.prompt.compose import compose
from agents_kit import install_codex
from kit import project, write


@pytest.fixture
def make(tmp_path):
    """Return a function that builds a project with Codex and returns its context."""

    def build(files, home=None, cwd="."):
        ctx = install_codex(tmp_path, project(tmp_path, files, home or {}))
        (ctx.cwd / cwd).mkdir(parents=True, exist_ok=True)
        return ctx.with_(cwd=(ctx.cwd / cwd).resolve())

    return build


def rows(prompt):
    return [(item.path.name, str(item.status)) for item in prompt.sources]


def test_user_and_project_are_one_user_block(make):
    ctx = make(
        {"AGENTS.md": "root\n", "sub/AGENTS.md": "sub"}, {".codex/AGENTS.md": "\n me \n"}, "sub"
    )
    prompt = compose(ctx, "codex", "BASE")
    assert prompt.blocks() == [
        Block("system", "BASE"),
        Block(
            "user",
            f"# AGENTS.md Heading for {ctx.cwd}\n\n"
            "<TAG>\nme\n\n--- docs ---\n\nroot\n\n\nsub\n</TAG>",
        ),
    ]
    assert [item.order for item in prompt.sources] == [1, 2, 3]
    mine = next(item for item in prompt.segments if item.kind == "user")
    assert (mine.text, mine.line) == ("me", 1)


def test_only_the_user_file_names_no_folder(make):
    text = compose(make({}, {".codex/AGENTS.md": "me"}), "codex").text
    assert text == "# AGENTS.md Heading\n\n<TAG>\nme\n</TAG>"


def test_nothing_loaded_is_no_block(make):
    prompt = compose(make({"AGENTS.md": " \n"}), "codex")
    assert (prompt.blocks(), prompt.text) == ([], "")
    assert rows(prompt) == [("AGENTS.md", "missing"), ("AGENTS.md", "empty")]


def test_an_override_hides_the_file_even_if_it_is_blank(make):
    prompt = compose(make({"AGENTS.md": "a", "AGENTS.override.md": "\n"}), "codex")
    assert rows(prompt)[1:] == [("AGENTS.override.md", "empty"), ("AGENTS.md", "shadowed")]
    assert "although it is blank" in prompt.sources[-1].reason


def test_an_override_of_the_user_does_not_hide_a_missing_file(make):
    prompt = compose(make({"AGENTS.md": "a"}, {".codex/AGENTS.override.md": "b"}), "codex")
    assert rows(prompt) == [("AGENTS.override.md", "loaded"), ("AGENTS.md", "loaded")]


def test_a_blank_override_of_the_user_hides_nothing(make):
    home = {".codex/AGENTS.md": "a", ".codex/AGENTS.override.md": "\n"}
    assert "\na\n" in compose(make({}, home), "codex").text


def test_fallback_names_come_after_agents_md(make):
    home = {
        ".codex/config.toml": 'project_doc_fallback_filenames = ["x/a.md", "CLAUDE.md", 3, ""]\n'
    }
    files = {"CLAUDE.md": "c", "x/a.md": "no", "sub/CLAUDE.md": "no", "sub/AGENTS.md": "a"}
    text = compose(make(files, home, "sub"), "codex").text
    assert "\nc\n\na\n" in text


def test_the_budget_is_cut_by_bytes_from_the_root_down(make):
    home = {".codex/config.toml": "project_doc_max_bytes = 10\n", ".codex/AGENTS.md": "x" * 50}
    files = {"AGENTS.md": "12345678", "a/AGENTS.md": "9\u00e9", "a/b/AGENTS.md": "lost"}
    prompt = compose(make(files, home, "a/b"), "codex")
    assert "12345678\n\n9\ufffd\n</TAG>" in prompt.text
    assert [status for _, status in rows(prompt)] == ["loaded", "loaded", "truncated", "ignored"]
    assert [item.path.parent.name for item in prompt.problems] == ["a", "b"]
    assert "The budget is 10 bytes" in prompt.problems[0].message


def test_a_budget_of_zero_switches_project_files_off(make):
    home = {".codex/config.toml": "project_doc_max_bytes = 0\n"}
    assert compose(make({"AGENTS.md": "a"}, home), "codex").text == ""


@pytest.mark.parametrize(
    "config",
    [
        "[",
        "project_doc_max_bytes = -1",
        "project_doc_max_bytes = false",
        "a=" + "[" * 5000,
        "\xff",
    ],
)
def test_an_invalid_config_is_treated_as_missing(config, make):
    text = compose(
        make({"AGENTS.md": "a"}, {".codex/config.toml": config.encode("latin-1")}), "codex"
    ).text
    assert "\na\n" in text


def test_bytes_and_newlines_are_kept_and_links_followed(make, tmp_path):
    write(tmp_path, {"outside.md": b"\xef\xbb\xbfa\r\n<!-- c -->\xff"})
    ctx = make({"sub/x": ""}, {}, "sub")
    (ctx.cwd / "AGENTS.md").symlink_to(tmp_path / "outside.md")
    assert "\ufeffa\r\n<!-- c -->\ufffd\n" in compose(ctx, "codex").text


def test_without_git_only_the_working_folder_is_read(make, tmp_path):
    ctx = make({})
    root = write(tmp_path / "plain", {"AGENTS.md": "above", "sub/AGENTS.md": "here"})
    text = compose(ctx.with_(cwd=root / "sub"), "codex").text
    assert "here" in text
    assert "above" not in text


def test_codex_home_is_the_folder_of_the_user(make, tmp_path):
    write(tmp_path / "elsewhere", {"AGENTS.md": "mine"})
    ctx = make({})
    ctx = ctx.with_(env={**ctx.env, "CODEX_HOME": str(tmp_path / "elsewhere")})
    prompt = compose(ctx, "codex")
    assert "mine" in prompt.text
    assert prompt.choice.runtime.memory_path(ctx, Scope.USER) == tmp_path / "elsewhere/AGENTS.md"


def test_a_missing_file_of_the_root_is_the_one_to_create(make):
    ctx = make({}, {}, "sub")
    prompt = compose(ctx, "codex")
    assert prompt.sources[-1].status is Status.MISSING
    path = prompt.choice.runtime.memory_path(ctx, Scope.PROJECT)
    assert path == ctx.cwd.parent / "AGENTS.md"


def test_the_texts_of_0_144_are_found(tmp_path, monkeypatch):
    old = b"\0\n\n--- docs ---\n\n\n\nevent core/src/agents_md.rs:119\0# AGENTS.md Heading</TAG>h1"
    monkeypatch.setattr(agents_kit, "CODEX", old)
    ctx = project(tmp_path, {"AGENTS.md": "a"}, {".codex/AGENTS.md": "me"})
    prompt = compose(install_codex(tmp_path, ctx, "0.144.6"), "codex")
    assert prompt.exactness == "unverified"
    assert "\n\n--- docs ---\n\n" in prompt.text
