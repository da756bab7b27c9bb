"""The commands init, move, split and migrate."""

from __future__ import annotations

from agent_memory.cli import main
from kit import project
from remember_kit import PROJECT, USER, read, user_memory

TEXT = "# P\n\n## A\n\n- stays\n- I like short answers\n- last\n"


def call(ctx, *args):
    return main([*args, "--cwd", str(ctx.cwd), "--home", str(ctx.home)])


def test_init_move_split_and_migrate_commands(tmp_path, capsys):
    ctx = project(tmp_path, {}, {})
    assert call(ctx, "init") == 0
    assert read(ctx).startswith("# Project memory\n\n## Commands\n")
    assert call(ctx, "init") == 1
    assert "left unchanged" in capsys.readouterr().err
    (ctx.cwd / PROJECT).write_text(TEXT)
    assert call(ctx, "move", f"{PROJECT}:6", "--scope", "user", "--dry-run") == 0
    assert read(ctx) == TEXT
    assert call(ctx, "move", f"{PROJECT}:6", "--scope", "user") == 0
    assert "- I like short answers" in user_memory(ctx)
    assert call(ctx, "move", PROJECT, "--scope", "user") == 2
    assert call(ctx, "split", PROJECT, "--section", "A", "--dry-run") == 0
    assert not (ctx.cwd / ".deepagents/a.md").exists()
    assert call(ctx, "split", PROJECT, "--section", "A") == 0
    assert read(ctx, ".deepagents/a.md") == "# A\n\n- stays\n- last\n"
    assert call(ctx, "migrate", "--to", "AGENTS.md", "--dry-run") == 0
    assert (ctx.cwd / PROJECT).exists()
    assert call(ctx, "migrate", "--to", "AGENTS.md") == 0
    assert call(ctx, "migrate", "--to", "AGENTS.md") == 1


def test_move_creates_no_project_folder_without_consent(tmp_path, capsys):
    ctx = project(tmp_path, {}, {USER: "- fact\n"})
    args = ("move", str(ctx.home / USER) + ":1", "--scope", "project")
    assert call(ctx, *args) == 2
    assert "Nothing was written; pass --yes to create it" in capsys.readouterr().err
    assert not (ctx.cwd / ".deepagents").exists()
    assert call(ctx, *args, "--yes") == 0
    assert read(ctx) == "# Project memory\n\n- fact\n"
