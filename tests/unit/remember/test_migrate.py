"""Renaming agent.md to AGENTS.md and back."""

from __future__ import annotations

import os

import pytest

from agent_memory.base.errors import UsageError
from agent_memory.remember import migrate, migrate_links
from kit import cli, project
from remember_kit import PROJECT, USER, read

posix = pytest.mark.skipif(os.name == "nt", reason="POSIX links")


def test_agent_md_is_renamed_to_agents_md_and_back(tmp_path):
    ctx = project(tmp_path, {PROJECT: "p\n"}, {USER: "u\n"})
    done = migrate.plan(ctx, "AGENTS.md")
    for migration in done:
        migrate.apply(migration)
    assert (ctx.cwd / ".deepagents/AGENTS.md").read_text() == "p\n"
    assert (ctx.home / ".deepagents/agent/AGENTS.md").read_text() == "u\n"
    assert migrate.plan(ctx, "AGENTS.md") == []
    assert len(migrate.plan(ctx, "agent.md")) == 2


def test_existing_target_is_appended_to_and_source_becomes_backup(tmp_path):
    ctx = project(tmp_path, {PROJECT: "\ufeff- old\r\n", ".deepagents/AGENTS.md": "- new"}, {})
    (migration,) = migrate.plan(ctx, "AGENTS.md")
    assert "is appended to AGENTS.md and renamed to agent.md.migrated" in migration.message
    migrate.apply(migration)
    assert (ctx.cwd / ".deepagents/AGENTS.md").read_bytes() == b"- new\n\n- old\n"
    assert (ctx.cwd / ".deepagents/agent.md.migrated").exists()
    (ctx.cwd / PROJECT).write_text("again\n")
    with pytest.raises(UsageError, match="is from an earlier migration"):
        migrate.plan(ctx, "AGENTS.md")


def test_interrupted_migration_is_idempotent(tmp_path):
    ctx = project(tmp_path, {PROJECT: "- old\n", ".deepagents/AGENTS.md": "- new\n\n- old\n"}, {})
    (migration,) = migrate.plan(ctx, "AGENTS.md")
    migrate.apply(migration)
    assert read(ctx, ".deepagents/AGENTS.md") == "- new\n\n- old\n"
    assert not (ctx.cwd / PROJECT).exists()


@pytest.mark.parametrize("there", ["- Use tabs only in Makefiles\n", "- a\n- Use tabs and\n"])
def test_partial_line_match_is_still_appended(tmp_path, there):
    ctx = project(tmp_path, {PROJECT: "- Use tabs\n", ".deepagents/AGENTS.md": there}, {})
    (migration,) = migrate.plan(ctx, "AGENTS.md")
    migrate.apply(migration)
    assert read(ctx, ".deepagents/AGENTS.md") == there + "\n- Use tabs\n"


@pytest.mark.parametrize("opened", ["```\ncode", "<!-- a comment"])
def test_nothing_is_appended_to_an_unclosed_block(tmp_path, opened):
    there = f"- new\n\n{opened}\n"
    ctx = project(tmp_path, {PROJECT: "- old\n", ".deepagents/AGENTS.md": there}, {})
    (migration,) = migrate.plan(ctx, "AGENTS.md")
    with pytest.raises(UsageError, match=r"AGENTS.md was not migrated: line 3 opens a .* never"):
        migrate.apply(migration)
    assert (read(ctx), read(ctx, ".deepagents/AGENTS.md")) == ("- old\n", there)


@posix
def test_link_to_the_old_file_is_replaced_by_it(tmp_path):
    ctx = project(tmp_path, {PROJECT: "- a\n"}, {})
    new = ctx.cwd / ".deepagents/AGENTS.md"
    new.symlink_to("agent.md")
    (migration,) = migrate.plan(ctx, "AGENTS.md")
    assert migration.message.endswith("is renamed to AGENTS.md")
    migrate.apply(migration)
    assert (new.is_symlink(), new.read_text()) == (False, "- a\n")
    assert not (ctx.cwd / PROJECT).exists()


@posix
@pytest.mark.parametrize("name", ["agent.md", "AGENTS.md"])
def test_link_to_a_renamed_file_is_refused(tmp_path, name):
    ctx = project(tmp_path, {"agent.md": "# r\n", ".deepagents/x": ""}, {})
    link = ctx.cwd / ".deepagents" / name
    link.symlink_to("../agent.md")
    with pytest.raises(UsageError, match=f"{name} links to .*agent.md, which would be renamed"):
        migrate.plan(ctx, "AGENTS.md")
    assert link.read_text() == "# r\n"


@posix
def test_link_to_a_file_elsewhere_is_renamed(tmp_path):
    ctx = project(tmp_path, {"notes/mine.md": "- mine\n", ".deepagents/x": ""}, {})
    (ctx.cwd / PROJECT).symlink_to("../notes/mine.md")
    (migration,) = migrate.plan(ctx, "AGENTS.md")
    migrate.apply(migration)
    assert read(ctx, ".deepagents/AGENTS.md") == "- mine\n"


def test_with_an_agent_only_its_folder_is_migrated(tmp_path):
    home = {f".deepagents/{name}/agent.md": "u\n" for name in ("one", "two")}
    ctx = project(tmp_path, {}, home).with_(agent="two")
    assert [item.old.parent.name for item in migrate.plan(ctx, "AGENTS.md")] == ["two"]


def test_failed_migration_changes_nothing(tmp_path):
    ctx = project(tmp_path, {PROJECT: b"\xff", ".deepagents/AGENTS.md": "new\n"}, {})
    (migration,) = migrate.plan(ctx, "AGENTS.md")
    with pytest.raises(UsageError, match="not UTF-8 from byte 0"):
        migrate.apply(migration)
    assert (ctx.cwd / ".deepagents/AGENTS.md").read_text() == "new\n"
    (ctx.cwd / ".deepagents/AGENTS.md").unlink()
    (migration,) = migrate.plan(ctx, "AGENTS.md")
    (ctx.cwd / ".deepagents/AGENTS.md").write_text("came meanwhile\n")
    with pytest.raises(UsageError, match="now exists"):
        migrate.apply(migration)
    with pytest.raises(UsageError, match=r"use agent\.md or AGENTS\.md"):
        migrate.plan(ctx, "CLAUDE.md")


def test_scope_selects_the_files(tmp_path):
    ctx = project(tmp_path, {PROJECT: "p\n"}, {USER: "u\n"})
    for scope, olds in (("project", [ctx.cwd / PROJECT]), ("user", [ctx.home / USER])):
        assert [item.old for item in migrate.plan(ctx, "AGENTS.md", scope)] == olds
        other = ctx.home / USER if scope == "project" else ctx.cwd / PROJECT
        assert migrate.left_out(ctx, "AGENTS.md", scope) == [other]
    assert migrate.left_out(ctx, "AGENTS.md", "all") == []


def test_the_root_agents_md_keeps_its_name(tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": "r\n", ".deepagents/AGENTS.md": "p\n"}, {})
    (migration,) = migrate.plan(ctx, "agent.md")
    assert migration.new == ctx.cwd / PROJECT
    assert migrate.left_out(ctx, "agent.md", "all") == [ctx.cwd / "AGENTS.md"]


def test_links_of_memory_files_follow(tmp_path):
    text = "[self](agent.md#a) `agent.md`\n"
    files = {
        PROJECT: text,
        "CLAUDE.md": "@.deepagents/agent.md\n",
        "README.md": f"[m](./{PROJECT})",
    }
    ctx = project(tmp_path, {**files, "sub/agent.md": "[up](agent.md)\n"}, {})
    done = call(ctx, "--dry-run")
    assert "CLAUDE.md: 1 link would be updated" in done.out
    assert done.out.endswith("Dry run: nothing was written\n")
    assert read(ctx, "CLAUDE.md") == files["CLAUDE.md"]
    done = call(ctx)
    assert read(ctx, ".deepagents/AGENTS.md") == "[self](AGENTS.md#a) `agent.md`\n"
    assert read(ctx, "CLAUDE.md") == "@.deepagents/AGENTS.md\n"
    assert "README.md is not a memory file: update its 1 link yourself (line 1)" in done.out
    assert [read(ctx, name) for name in ("README.md", "sub/agent.md")] == [
        files["README.md"],
        "[up](agent.md)\n",
    ]


def test_the_command_leaves_user_memory_unless_asked(tmp_path):
    ctx = project(tmp_path, {PROJECT: "p\n"}, {USER: "u\n"})
    done = call(ctx)
    assert f"{ctx.home / USER} keeps its name: it is read in every project" in done.out
    assert (ctx.home / USER).exists()
    assert call(ctx, "--scope", "user").code == 0
    assert not (ctx.home / USER).exists()


def call(ctx, *args):
    return cli(ctx, "migrate", "--to", "AGENTS.md", *args)


def test_file_with_links_that_is_removed_meanwhile_is_not_created_again(tmp_path):
    files = {PROJECT: "- a\n", "AGENTS.md": "[memory](.deepagents/agent.md)\n"}
    ctx = project(tmp_path, files, {})
    (migration,) = migrate.plan(ctx, "AGENTS.md")
    (item,) = migrate_links.find_linking_files(ctx, [migration])
    (ctx.cwd / "AGENTS.md").unlink()
    migrate_links.update_links(item, migration.roots)
    assert not (ctx.cwd / "AGENTS.md").exists()
