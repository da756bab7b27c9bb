"""The prompt at an earlier revision, with the current paths."""

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


def test_project_memory_is_of_the_revision_and_user_memory_is_current(ctx):
    write(ctx.cwd, {"AGENTS.md": "- Use spaces\n"})
    write(ctx.home, {".deepagents/agent/AGENTS.md": "- Me now\n"})
    then, lines = compose_at(ctx, "HEAD", "deepagents-code")
    assert "- Use tabs" in then.text
    assert "- Use spaces" not in then.text
    assert "- Me now" in then.text
    assert lines[ctx.cwd / "AGENTS.md"] == ["- Use tabs\n"]


def test_an_unchanged_project_gives_the_same_prompt_and_paths(ctx):
    write(ctx.cwd, {".deepagents/AGENTS.md": b"\xff", ".deepagents/skills/x/SKILL.md": "none\n"})
    commit(ctx.cwd)
    for cwd in (ctx.cwd, ctx.cwd / "sub"):
        here = ctx.with_(cwd=cwd)
        now = compose(here, "deepagents-code")
        then, _ = compose_at(here, "HEAD", "deepagents-code")
        assert (then.segments, then.problems) == (now.segments, now.problems)
        assert [item.path for item in then.sources] == [item.path for item in now.sources]
        assert then.problems


def test_nothing_names_the_temporary_folder(ctx):
    write(ctx.cwd, {"CLAUDE.md": "- Use tabs\n"})
    metadata = "site-packages/deepagents_code-0.1.57.dist-info/METADATA"
    write(ctx.cwd, {f".venv/lib/python3.12/{metadata}": "", ".gitignore": ".venv\n"})
    commit(ctx.cwd)
    for runtime in ("claude-code", "deepagents-code"):
        now = compose(ctx, runtime)
        then, _ = compose_at(ctx, "HEAD", runtime)
        assert then.sources == now.sources
        assert then.origin == now.origin
    assert "in p/.venv" in now.origin


def test_open_buffers_do_not_count(ctx):
    store = type(ctx.store)()
    store.overlay(ctx.home / ".deepagents/agent/AGENTS.md", lambda: ctx.store.read(ctx.cwd / "no"))
    then, _ = compose_at(ctx.with_(store=store), "HEAD", "deepagents-code")
    assert "- Me" in then.text


def test_the_runtime_is_the_current_one_even_if_its_file_is_new(ctx):
    write(ctx.cwd, {".deepagents/agent.md": "- New\n"})
    then, _ = compose_at(ctx, "HEAD", None)
    assert then.choice.runtime.id == "deepagentsdk"
    assert then.choice.runtime_reason == compose(ctx).choice.runtime_reason
    assert "- New" not in then.text


def test_symlinks_point_to_committed_content(ctx):
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


def test_a_worktree_is_not_a_project_for_a_runtime_that_needs_a_git_folder(ctx, tmp_path):
    git(ctx.cwd, "worktree", "add", "-q", str(tmp_path / "w"))
    inside = ctx.with_(cwd=tmp_path / "w")
    write(inside.cwd, {".deepagents/agent.md": "- Notes\n"})
    commit(inside.cwd)
    for runtime in ("deepagentsdk", "deepagents-code"):
        then, _ = compose_at(inside, "HEAD", runtime)
        assert then.text == compose(inside, runtime).text
    assert compose(inside, "deepagents-code").text.count("- Use tabs") == 1


def test_entries_in_the_repository_are_those_of_the_revision(ctx):
    name = "01HZX3KQ7M8N9P0R1S2T3V4W5X"
    entry = (
        f"---\nid: {name}\nscope: global\nkind: user\nsummary: likes {{}}\ncreatedAt: 1\n---\n\nb\n"
    )
    path = f"stored/global/{name}.md"
    write(ctx.cwd, {path: entry.format("tea")})
    commit(ctx.cwd)
    write(ctx.cwd, {path: entry.format("coffee")})
    then, _ = compose_at(ctx.with_(entries=ctx.cwd / "stored"), "HEAD", "drover")
    assert "likes tea" in then.text
    write(ctx.home, {f"stored/global/{name}.md": entry.format("milk")})
    then, _ = compose_at(ctx.with_(entries=ctx.home / "stored"), "HEAD", "drover")
    assert "likes milk" in then.text, "a store outside the repository is the current one"


def test_a_tree_with_a_file_and_a_folder_of_the_same_name_is_rejected(ctx):
    sha = git(ctx.cwd, "hash-object", "-w", "AGENTS.md")
    inner = f"100644 blob {sha}\tagent.md\n".encode()
    folder = git(ctx.cwd, "mktree", given=inner)
    raw = b"".join(
        mode + b" AGENTS.md\0" + bytes.fromhex(name)
        for mode, name in ((b"100644", sha), (b"40000", folder))
    )
    tree = git(ctx.cwd, "hash-object", "-t", "tree", "-w", "--literally", "--stdin", given=raw)
    with pytest.raises(UsageError, match="cannot be checked out"):
        compose_at(ctx, git(ctx.cwd, "commit-tree", "-m", "x", tree), "deepagents-code")


def test_tracked_files_beside_the_templates_are_not_written_to_the_working_tree(ctx):
    package = ".venv/lib/python3.12/site-packages"
    metadata = f"{package}/deepagents_code-0.1.57.dist-info/METADATA"
    files = {"node_modules/x/AGENTS.md": "- Old\n", f"{package}/AGENTS.md": "- Old\n"}
    write(ctx.cwd, {**files, metadata: "", "CLAUDE.md": "@node_modules/x/AGENTS.md\n"})
    commit(ctx.cwd)
    write(ctx.cwd, dict.fromkeys(files, "- Not committed\n"))
    then, _ = compose_at(ctx, "HEAD", "claude-code")
    assert "- Old" in then.text
    assert {(ctx.cwd / name).read_text() for name in files} == {"- Not committed\n"}
    then, _ = compose_at(ctx, "HEAD", "deepagents-code")
    assert "in p/.venv" in then.origin, "the template is still that of the working tree"


def test_nothing_is_written_through_a_symlink_of_the_revision(ctx):
    """Git refuses such a tree only when it checks objects."""
    link = git(ctx.cwd, "hash-object", "-w", "--stdin", given=str(ctx.cwd).encode())
    inner = git(ctx.cwd, "mktree", given=f"120000 blob {link}\tagent.md\n".encode())
    raw = b"".join(
        mode + b" agent.md\0" + bytes.fromhex(name)
        for mode, name in ((b"120000", link), (b"40000", inner))
    )
    tree = git(ctx.cwd, "hash-object", "-t", "tree", "-w", "--literally", "--stdin", given=raw)
    with pytest.raises(UsageError, match="cannot be checked out"):
        compose_at(ctx, git(ctx.cwd, "commit-tree", "-m", "x", tree), "deepagents-code")
    assert not (ctx.cwd / "agent.md").is_symlink()
