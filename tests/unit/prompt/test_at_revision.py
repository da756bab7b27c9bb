"""The prompt as it would have been at an earlier revision, told in the paths of now."""

from __future__ import annotations

import subprocess

import pytest

from agent_memory.base.errors import UsageError
from agent_memory.config.context import Context
from agent_memory.prompt.at_revision import compose_at
from agent_memory.prompt.compose import compose
from kit import write

WHO = ["-c", "user.name=Tester", "-c", "user.email=tester@example.invalid"]
SKILL = "---\nname: {0}\ndescription: Does {0}\n---\n"


def git(folder, *args: str, given: bytes = b"") -> str:
    command = ["git", "-C", str(folder), *WHO, *args]
    done = subprocess.run(command, check=True, capture_output=True, input=given)
    return done.stdout.decode().strip()


def commit(folder) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "x")


@pytest.fixture
def ctx(tmp_path):
    home = write(tmp_path / "home", {".deepagents/agent/AGENTS.md": "- Me\n"})
    folder = write(tmp_path / "p", {"AGENTS.md": "- Use tabs\n", "sub/.keep": ""})
    git(folder, "init", "-q")
    commit(folder)
    return Context(home, folder, env={})


def test_the_project_is_that_of_the_revision_and_the_user_that_of_now(ctx):
    write(ctx.cwd, {"AGENTS.md": "- Use spaces\n"})
    write(ctx.home, {".deepagents/agent/AGENTS.md": "- Me now\n"})
    then, lines = compose_at(ctx, "HEAD", "deepagents-code")
    assert "- Use tabs" in then.text
    assert "- Use spaces" not in then.text
    assert "- Me now" in then.text
    assert lines[ctx.cwd / "AGENTS.md"] == ["- Use tabs\n"]


def test_an_unchanged_project_composes_to_the_same_prompt_to_the_last_path(ctx):
    write(ctx.cwd, {".deepagents/AGENTS.md": b"\xff", ".deepagents/skills/x/SKILL.md": "none\n"})
    commit(ctx.cwd)
    for cwd in (ctx.cwd, ctx.cwd / "sub"):
        here = ctx.with_(cwd=cwd)
        now = compose(here, "deepagents-code")
        then, _ = compose_at(here, "HEAD", "deepagents-code")
        assert (then.segments, then.problems) == (now.segments, now.problems)
        assert [item.path for item in then.sources] == [item.path for item in now.sources]
        assert then.problems


def test_open_buffers_do_not_count(ctx):
    store = type(ctx.store)()
    store.overlay(ctx.home / ".deepagents/agent/AGENTS.md", lambda: ctx.store.read(ctx.cwd / "no"))
    then, _ = compose_at(ctx.with_(store=store), "HEAD", "deepagents-code")
    assert "- Me" in then.text


def test_the_runtime_is_the_one_of_now_also_where_its_file_is_new(ctx):
    write(ctx.cwd, {".deepagents/agent.md": "- New\n"})
    then, _ = compose_at(ctx, "HEAD", None)
    assert then.choice.runtime.id == "deepagentsdk"
    assert then.choice.runtime_reason == compose(ctx).choice.runtime_reason
    assert "- New" not in then.text


def test_links_lead_to_what_was_committed(ctx):
    write(ctx.cwd, {"shared/one/SKILL.md": SKILL.format("one"), "docs/m.md": "- Linked\n"})
    (ctx.cwd / ".deepagents").mkdir()
    (ctx.cwd / ".deepagents/skills").symlink_to("../shared")
    (ctx.cwd / ".deepagents/AGENTS.md").symlink_to("../docs/m.md")
    commit(ctx.cwd)
    write(ctx.cwd, {"shared/one/SKILL.md": SKILL.format("two"), "docs/m.md": "- Other\n"})
    then, _ = compose_at(ctx, "HEAD", "deepagents-code")
    assert "- Linked" in then.text
    assert "Does one" in then.text
    assert "Does two" not in then.text


def test_a_worktree_whose_git_is_a_file_is_no_project_for_who_wants_a_folder(ctx, tmp_path):
    git(ctx.cwd, "worktree", "add", "-q", str(tmp_path / "w"))
    inside = ctx.with_(cwd=tmp_path / "w")
    write(inside.cwd, {".deepagents/agent.md": "- Notes\n"})
    commit(inside.cwd)
    for runtime in ("deepagentsdk", "deepagents-code"):
        then, _ = compose_at(inside, "HEAD", runtime)
        assert then.text == compose(inside, runtime).text
    assert compose(inside, "deepagents-code").text.count("- Use tabs") == 1


def test_entries_kept_in_the_repository_are_those_of_the_revision(ctx):
    name = "01HZX3KQ7M8N9P0R1S2T3V4W5X"
    entry = (
        f"---\nid: {name}\nscope: global\nkind: user\nsummary: likes {{}}\ncreatedAt: 1\n---\n\nb\n"
    )
    place = f"kept/global/{name}.md"
    write(ctx.cwd, {place: entry.format("tea")})
    commit(ctx.cwd)
    write(ctx.cwd, {place: entry.format("coffee")})
    then, _ = compose_at(ctx.with_(entries=ctx.cwd / "kept"), "HEAD", "drover")
    assert "likes tea" in then.text
    write(ctx.home, {f"kept/global/{name}.md": entry.format("milk")})
    then, _ = compose_at(ctx.with_(entries=ctx.home / "kept"), "HEAD", "drover")
    assert "likes milk" in then.text, "a store outside of the repository is that of now"


def test_a_tree_with_a_file_and_a_folder_of_one_name_is_refused(ctx):
    sha = git(ctx.cwd, "hash-object", "-w", "AGENTS.md")
    inner = f"100644 blob {sha}\tagent.md\n".encode()
    folder = git(ctx.cwd, "mktree", given=inner)
    raw = b"".join(
        mode + b" AGENTS.md\0" + bytes.fromhex(name)
        for mode, name in ((b"100644", sha), (b"40000", folder))
    )
    tree = git(ctx.cwd, "hash-object", "-t", "tree", "-w", "--literally", "--stdin", given=raw)
    with pytest.raises(UsageError, match="cannot be laid out"):
        compose_at(ctx, git(ctx.cwd, "commit-tree", "-m", "x", tree), "deepagents-code")
