"""AGENTS.md runtimes: every edge case, on real files."""

from __future__ import annotations

import os

import pytest

from agent_memory.base.model import Severity, Status
from agent_memory.fs.reader import decode
from agent_memory.prompt.compose import compose
from agent_memory.runtimes.agents_md import rule_for
from kit import project, with_settings, write

BOTH = ("deepagents-code", "deepagents")


def found(ctx, runtime, name="AGENTS.md"):
    return [item for item in compose(ctx, runtime).sources if item.path.name == name]


def block(prompt):
    inside = prompt.text.partition("<agent_memory>\n")[2].partition("\n\n</agent_memory>")[0]
    assert inside
    return inside


@pytest.mark.parametrize("runtime", BOTH)
def test_user_project_and_root_are_combined_in_this_order(runtime, tmp_path):
    files = {".deepagents/AGENTS.md": "p\n", "AGENTS.md": "r\n"}
    ctx = project(tmp_path, files, {".deepagents/agent/AGENTS.md": "u\n"})
    prompt = compose(ctx, runtime)
    user, root = ctx.home / ".deepagents/agent", ctx.cwd
    assert block(prompt) == (
        f"{user}/AGENTS.md\n\nu\n\n{root}/.deepagents/AGENTS.md\n\np\n\n{root}/AGENTS.md\n\nr"
    )
    assert [item.order for item in prompt.sources] == [1, 2, 3]


@pytest.mark.parametrize("content", ["", " \n\t\n", "<!-- a -->\n<!-- b\n-->"])
def test_a_file_without_remaining_text_is_treated_as_missing(content, tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": content}, {})
    assert block(compose(ctx, "deepagents-code")) == "(No memory loaded)"


@pytest.mark.parametrize(
    ("content", "inserted"),
    [
        ("a <!-- b --> c\n", "a  c"),
        ("a\n<!-- open\nb\n", "a\n<!-- open\nb"),
        ("{x} {{y}} {agent_memory}\n", "{x} {{y}} {agent_memory}"),
        ("\ufeff# A\r\n- b\r\n", "\ufeff# A\r\n- b"),
        ("</agent_memory>\n", "</agent_memory>"),
    ],
)
def test_content_is_inserted_without_comments_and_trailing_white_space(content, inserted, tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": content}, {})
    text = compose(ctx, "deepagents-code").text
    assert f"{ctx.cwd}/AGENTS.md\n\n{inserted}\n\n</agent_memory>" in text


def errors(prompt):
    return [item for item in prompt.problems if item.severity is Severity.ERROR]


@pytest.mark.parametrize("runtime", BOTH)
@pytest.mark.parametrize("name", ["user", "project"])
def test_the_agent_exits_on_invalid_utf8_and_on_a_folder(runtime, name, tmp_path):
    place = {"user": "home/.deepagents/agent/AGENTS.md", "project": "project/AGENTS.md"}[name]
    ctx = project(tmp_path, {}, {})
    write(tmp_path, {place: b"- caf\xe9\n"})
    assert "not valid UTF-8: the agent exits" in errors(compose(ctx, runtime))[0].message
    (tmp_path / place).unlink()
    (tmp_path / place).mkdir()
    assert "this is a folder" in errors(compose(ctx, runtime))[0].message


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("name", [".deepagents", ".deepagents/agent"])
def test_the_agent_exits_if_a_parent_is_a_file(name, tmp_path):
    ctx = project(tmp_path, {}, {name: "no folder\n"})
    (user, *_) = found(ctx, "deepagents-code")
    assert user.status is Status.UNREADABLE
    assert user.reason == (
        "a parent of this path is a file, not a folder: the agent exits with an error"
    )


def test_a_pipe_is_never_opened_and_reported_to_hang_the_agent(tmp_path):
    ctx = project(tmp_path, {}, {})
    os.mkfifo(ctx.cwd / "AGENTS.md")
    assert "the agent hangs" in errors(compose(ctx, "deepagents-code"))[0].message


def test_an_unreadable_source_has_the_effect_as_a_field(tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": b"caf\xe9", ".deepagents/AGENTS.md": "- a\n"}, {})
    user, loaded, unreadable = compose(ctx, "deepagents-code").sources
    assert (user.effect, loaded.effect) == ("", "")
    assert unreadable.effect == "the agent exits with an error"
    assert unreadable.reason.endswith(unreadable.effect)


@pytest.mark.parametrize("target", ["target.md", "nowhere.md"])
def test_the_agent_exits_on_a_symlinked_user_file(target, tmp_path):
    ctx = project(tmp_path, {}, {".deepagents/agent/target.md": "x"})
    (ctx.home / ".deepagents/agent/AGENTS.md").symlink_to(target)
    prompt = compose(ctx, "deepagents-code")
    assert "invalid_path" in errors(prompt)[0].message
    assert found(ctx, "deepagents-code")[0].status is Status.UNREADABLE


def test_a_project_symlink_inside_the_project_is_followed_and_named_by_its_target(tmp_path):
    ctx = project(tmp_path, {"docs/memory.md": "linked\n"}, {})
    (ctx.cwd / "AGENTS.md").symlink_to("docs/memory.md")
    prompt = compose(ctx, "deepagents-code")
    assert block(prompt) == f"{ctx.cwd}/docs/memory.md\n\nlinked"
    assert errors(compose(ctx, "deepagents"))


@pytest.mark.parametrize(
    ("target", "status", "reason"),
    [
        ("../outside.md", Status.IGNORED, "leaves the project"),
        ("AGENTS.md", Status.IGNORED, "cannot be resolved"),
        ("gone.md", Status.MISSING, "target of the symlink is missing"),
    ],
)
def test_other_project_symlinks_are_skipped_with_the_reason(target, status, reason, tmp_path):
    ctx = project(tmp_path, {}, {})
    (tmp_path / "outside.md").write_text("secret\n")
    (ctx.cwd / "AGENTS.md").symlink_to(target)
    source = found(ctx, "deepagents-code")[-1]
    assert (source.status, reason in source.reason) == (status, True)
    assert "secret" not in compose(ctx, "deepagents-code").text


def test_a_worktree_is_a_project_unless_its_pointer_is_broken(tmp_path):
    ctx = project(tmp_path, {"w/AGENTS.md": "w\n", "w/.git": "gitdir: ../.git\n"}, {})
    ctx = ctx.with_(cwd=ctx.cwd / "w")
    assert block(compose(ctx, "deepagents-code")).endswith("w")
    (ctx.cwd / ".git").write_text("gitdir: /nowhere\n")
    prompt = compose(ctx, "deepagents-code")
    assert block(prompt) == "(No memory loaded)"
    assert prompt.problems[0].path == ctx.cwd / ".git"
    assert "finds no project" in prompt.problems[0].message


def test_wrong_case_and_the_other_generation_are_reported_as_ignored(tmp_path):
    ctx = project(tmp_path, {"agents.md": "x", ".deepagents/agent.md": "y"}, {})
    if (ctx.cwd / "AGENTS.md").exists():
        pytest.skip("this file system does not tell upper from lower case")
    ignored = [
        item for item in compose(ctx, "deepagents-code").sources if item.status is Status.IGNORED
    ]
    assert [item.path.name for item in ignored] == ["agent.md", "agents.md"]
    assert all("looks for AGENTS.md" in item.reason for item in ignored)


def test_auto_save_off_uses_the_second_template(tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": "r\n"}, {})
    on = compose(ctx, "deepagents-code").text
    off = compose(with_settings(ctx, auto_save=False), "deepagents-code").text
    assert "edit_file" in on
    assert "edit_file" not in off
    assert f"{ctx.cwd}/AGENTS.md\n\nr\n" in off


def test_an_unsaved_new_file_is_in_the_preview(tmp_path):
    ctx = project(tmp_path, {}, {})
    path = ctx.cwd / "AGENTS.md"
    ctx.store.overlay(path, lambda: decode(path, b"new\n"))
    assert block(compose(ctx, "deepagents-code")) == f"{path}\n\nnew"


def test_the_sdk_reads_the_listed_paths_unchanged(tmp_path):
    ctx = project(tmp_path, {"a/one.md": "1\n", "~/two.md": "2\n"}, {"two.md": "wrong"})
    ctx = with_settings(ctx, sources=["./a/one.md", "~/two.md"])
    prompt = compose(ctx, "deepagents")
    assert block(prompt) == "./a/one.md\n\n1\n\n~/two.md\n\n2"
    assert [item.message.partition(" and ")[0] for item in prompt.problems] == [
        "~/two.md: the SDK does not expand '~'"
    ]


@pytest.mark.parametrize(
    ("version", "before", "comments", "names"),
    [
        ("0.3.2", True, False, False),
        ("0.3.6", True, False, True),
        ("0.3.7", False, False, True),
        ("0.6.2", False, False, True),
        ("0.6.3", False, True, True),
        ("0.9.0", False, True, True),
        ("not a version", False, True, True),
    ],
)
def test_the_composition_rule_depends_on_the_version(version, before, comments, names):
    rule = rule_for(version)
    assert (rule.before_base, rule.strips_comments, rule.names_files) == (before, comments, names)


def test_the_base_prompt_precedes_the_block(tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": "r\n"}, {})
    prompt = compose(ctx, "deepagents-code", "BASE")
    assert prompt.text.startswith("BASE\n\n<agent_memory>\n")
    assert [item.text for item in prompt.segments if item.kind == "base"] == ["BASE"]


@pytest.mark.parametrize("save", [True, False])
def test_our_wording_for_agents_md_covers_the_required_topics(save, tmp_path):
    ctx = with_settings(project(tmp_path, {}, {}), auto_save=save)
    text = " ".join(compose(ctx, "deepagents-code").text.split())
    always = ("outrank", "API keys, tokens, passwords")
    saving = (
        "save it before you answer or use another tool",
        "asks you to remember",
        "how you are to behave",
        "correction",
        "facts a tool needs",
        "a later session",
        "patterns",
        "true only now",
        "one-off tasks",
        "simple questions",
        "small talk",
        "outdated",
        "`edit_file`",
        "neither repeat nor store it",
        "**Examples:**",
    )
    assert [part for part in always if part not in text] == []
    assert [part for part in saving if (part in text) is not save] == []
