"""Claude Code: order, imports, rules, AGENTS.md, worktrees and the text around the files."""

from __future__ import annotations

import json
import re

import pytest

from agent_memory.base.model import Scope, Status
from agent_memory.prompt.compose import compose
from agent_memory.runtimes.agents import claude_own_memory
from agents_kit import install_claude
from kit import project, write


@pytest.fixture
def make(tmp_path):
    """Return a function that builds a project with Claude Code and returns its context."""

    def build(files, home=None, cwd="."):
        ctx = install_claude(tmp_path, project(tmp_path, files, home or {}))
        (ctx.cwd / cwd).mkdir(parents=True, exist_ok=True)
        return ctx.with_(cwd=(ctx.cwd / cwd).resolve())

    return build


def loaded(ctx, base):
    """Return the loaded files below ``base``, in order."""
    found = [item for item in compose(ctx, "claude-code").sources if item.order]
    return [str(item.path.relative_to(base)) for item in found if item.path.is_relative_to(base)]


def source(ctx, name):
    return next(item for item in compose(ctx, "claude-code").sources if item.path.name == name)


def test_the_block_is_one_user_message(make):
    ctx = make({"CLAUDE.md": "c\n", "CLAUDE.local.md": "l"}, {".claude/CLAUDE.md": "\nu"})
    prompt = compose(ctx, "claude-code", "BASE")
    assert [block.role for block in prompt.blocks()] == ["system", "user"]
    assert prompt.blocks()[1].text == (
        "<system-reminder>\nHead\n\n"
        f"File {ctx.home}/.claude/CLAUDE.md (user):\n\nu\n\n"
        f"File {ctx.cwd}/CLAUDE.md (project):\n\nc\n\n"
        f"File {ctx.cwd}/CLAUDE.local.md (local):\n\nl\n</system-reminder>"
    )
    mine = next(item for item in prompt.segments if item.kind == "user" and item.path)
    assert (mine.text, mine.line) == ("u", 1)


def test_files_are_read_from_the_top_down(make, tmp_path):
    names = ("CLAUDE.md", ".claude/CLAUDE.md", ".claude/rules/r.md", "CLAUDE.local.md")
    files = {f"{folder}{name}": name for folder in ("", "sub/") for name in names}
    write(tmp_path, {"CLAUDE.md": "above the repository"})
    ctx = make({**files, "sub/deep/CLAUDE.md": "below"}, {".claude/rules/u.md": "u"}, "sub")
    expected = ["home/.claude/rules/u.md", "CLAUDE.md"]
    expected += [f"project/{folder}{name}" for folder in ("", "sub/") for name in names]
    assert loaded(ctx, tmp_path) == expected


def test_an_import_follows_its_importer_with_its_label(make, tmp_path):
    files = {"CLAUDE.md": "@a.md\n@b.md", "a.md": "a @c.md", "b.md": "b @a.md", "c.md": "c"}
    ctx = make(files)
    assert loaded(ctx, ctx.cwd) == ["CLAUDE.md", "a.md", "c.md", "b.md"]
    assert f"File {ctx.cwd}/c.md (project):\n\nc" in compose(ctx, "claude-code").text


def test_the_fifth_import_in_a_row_is_not_followed(make):
    files = {f"{number}.md": f"@{number + 1}.md x" for number in range(1, 7)}
    ctx = make({"CLAUDE.md": "@1.md", **files})
    assert loaded(ctx, ctx.cwd) == ["CLAUDE.md", "1.md", "2.md", "3.md", "4.md"]
    assert "at most 4 imports in a row" in source(ctx, "5.md").reason


def test_an_import_outside_of_the_working_folder_is_skipped_until_it_is_approved(make):
    ctx = make({"CLAUDE.md": "@AGENTS.md", "AGENTS.md": "a"}, {}, "sub")
    assert loaded(ctx, ctx.cwd.parent) == ["CLAUDE.md"]
    skipped = source(ctx, "AGENTS.md")
    assert skipped.status is Status.IGNORED
    assert "until you approve it" in skipped.reason
    assert skipped.reason == f"imported by {skipped.by}: {skipped.refusal}"
    for folder, names in (
        (ctx.cwd, ["CLAUDE.md"]),
        (ctx.cwd.parent, ["CLAUDE.md", "AGENTS.md"]),
    ):
        state = {"projects": {str(folder): {"hasClaudeMdExternalIncludesApproved": True}}}
        write(ctx.home, {".claude.json": json.dumps(state)})
        assert loaded(ctx, ctx.cwd.parent) == names


def test_an_import_of_a_link_out_of_the_working_folder_names_a_remedy_that_helps(make, tmp_path):
    write(tmp_path, {"outside/o.md": "o"})
    outside = tmp_path / "outside/o.md"
    ctx = make({"CLAUDE.md": "@o.md"}, cwd="sub")
    (ctx.cwd.parent / "o.md").symlink_to(outside)
    assert source(ctx, "o.md").action.startswith(f"Move it into {ctx.cwd}, or approve")
    action = source(ctx.with_(cwd=ctx.cwd.parent), "o.md").action
    assert action.startswith(f"Replace the link with a copy of {outside}, or approve")


def test_the_user_may_import_anything(make):
    ctx = make({}, {".claude/CLAUDE.md": "@~/notes/n.md", "notes/n.md": "n"})
    assert loaded(ctx, ctx.home) == [".claude/CLAUDE.md", "notes/n.md"]


def test_a_missing_import_is_listed_but_a_name_is_not(make):
    ctx = make({"CLAUDE.md": "@gone.md, ask @alice or @gone.md"})
    prompt = compose(ctx, "claude-code")
    missing = [item.path.name for item in prompt.sources if item.status is Status.MISSING]
    assert "gone.md" in missing
    assert "alice" not in missing


@pytest.mark.parametrize("name", ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"])
def test_agents_md_is_read_only_without_text_in_another_file(name, make):
    ctx = make({"AGENTS.md": "a", name: "c", "sub/AGENTS.md": "s"}, {}, "sub")
    assert loaded(ctx, ctx.cwd.parent) == [name]
    assert source(ctx, "AGENTS.md").status is Status.SHADOWED
    (ctx.cwd.parent / name).write_text("<!-- blank -->\n")
    assert loaded(ctx, ctx.cwd.parent) == ["AGENTS.md", "sub/AGENTS.md"]


def test_rules_and_the_user_do_not_switch_agents_md_off(make):
    files = {"AGENTS.md": "a", ".claude/rules/r.md": "r", "sub/.claude/rules/s.md": "s"}
    ctx = make(files, {".claude/CLAUDE.md": "u"}, "sub")
    expected = [".claude/rules/r.md", "AGENTS.md", "sub/.claude/rules/s.md"]
    assert loaded(ctx, ctx.cwd.parent) == expected


def test_agents_md_with_the_text_of_a_rule_is_not_sent_again(make):
    files = {".claude/rules/r.md": "same\n", "AGENTS.md": "same\n", ".claude/AGENTS.md": "@b.md\n"}
    ctx = make({**files, ".claude/b.md": "same\n"})
    assert loaded(ctx, ctx.cwd) == [".claude/rules/r.md", ".claude/AGENTS.md"]
    assert compose(ctx, "claude-code").text.count("same") == 1
    rule = ctx.cwd / ".claude/rules/r.md"
    found = {item.path: item for item in compose(ctx, "claude-code").sources}
    shadowed, imported = found[ctx.cwd / "AGENTS.md"], found[ctx.cwd / ".claude/b.md"]
    assert {shadowed.status, imported.status} == {Status.SHADOWED}
    assert (shadowed.reason, shadowed.by) == (f"{rule} has the same text", rule)
    importer = ctx.cwd / ".claude/AGENTS.md"
    assert imported.reason == f"imported by {importer}: {rule} has the same text"
    assert imported.by == importer


def test_a_conditional_rule_is_listed_with_its_condition(make):
    ctx = make({".claude/rules/py.md": "---\npaths: '*.py'\n---\nuse types @x.md", "x.md": "x"})
    assert source(ctx, "py.md").status is Status.LISTED
    assert "reads a file like *.py" in source(ctx, "py.md").reason


def test_rules_are_found_in_subfolders_and_by_links_inside_the_project(make, tmp_path):
    write(tmp_path, {"outside/o.md": "o"})
    ctx = make({".claude/rules/a/b.md": "b", ".claude/rules/c.txt": "no", "docs/d.md": "d"})
    rules = ctx.cwd / ".claude/rules"
    (rules / "d.md").symlink_to(ctx.cwd / "docs/d.md")
    (rules / "out").symlink_to(tmp_path / "outside")
    (rules / "a" / "loop").symlink_to(rules)
    assert set(loaded(ctx, ctx.cwd)) == {".claude/rules/a/b.md", "docs/d.md"}
    assert source(ctx, "out").status is Status.IGNORED


def test_one_real_file_is_loaded_once(make):
    ctx = make({"AGENTS.md": "a"})
    (ctx.cwd / "CLAUDE.md").symlink_to("AGENTS.md")
    assert loaded(ctx, ctx.cwd) == ["CLAUDE.md"]


def test_a_worktree_inside_the_main_checkout_keeps_only_the_local_file_of_it(make):
    main = {"CLAUDE.md": "main", "CLAUDE.local.md": "mine", ".claude/rules/r.md": "r"}
    ctx = make({**main, ".git/worktrees/w/HEAD": ""}, {}, "trees/w")
    write(ctx.cwd, {".git": f"gitdir: {ctx.cwd.parents[1]}/.git/worktrees/w\n", "CLAUDE.md": "w"})
    assert loaded(ctx, ctx.cwd.parents[1]) == ["CLAUDE.local.md", "trees/w/CLAUDE.md"]


def test_the_memory_of_claude_code_is_last_and_belongs_to_the_repository(make):
    ctx = make({"CLAUDE.md": "c"}, {}, "sub")
    slug = str(ctx.cwd.parent).replace("/", "-").replace("_", "-")
    write(ctx.home, {f".claude/projects/{slug}/memory/MEMORY.md": "note\n"})
    assert compose(ctx, "claude-code").text.endswith(
        "MEMORY.md (notes):\n\nnote\n</system-reminder>"
    )


def test_the_folder_of_the_user_can_be_elsewhere(make, tmp_path):
    write(tmp_path / "own", {"CLAUDE.md": "u"})
    ctx = make({})
    ctx = ctx.with_(env={**ctx.env, "CLAUDE_CONFIG_DIR": str(tmp_path / "own")})
    assert loaded(ctx, tmp_path / "own") == ["CLAUDE.md"]


def test_the_file_to_write_to_is_the_one_that_is_read(make):
    ctx = make({"AGENTS.md": "a"}, {}, "sub")
    runtime = compose(ctx, "claude-code").choice.runtime
    root = ctx.cwd.parent
    assert runtime.memory_path(ctx, Scope.PROJECT) == root / "AGENTS.md"
    assert runtime.memory_path(ctx, Scope.USER) == ctx.home / ".claude/CLAUDE.md"
    write(root, {".claude/CLAUDE.md": "c"})
    assert runtime.memory_path(ctx, Scope.PROJECT) == root / ".claude/CLAUDE.md"


def test_an_open_buffer_counts(make):
    ctx = make({"CLAUDE.md": "saved"})
    path = ctx.cwd / "CLAUDE.md"
    path_text = ctx.store.read(path)
    ctx.store.overlay(path, lambda: type(path_text)(path, "unsaved", 7))
    assert "unsaved" in compose(ctx, "claude-code").text


def test_a_long_memory_of_claude_code_is_cut_and_reported(make):
    ctx = make({})
    slug = str(ctx.cwd).replace("/", "-").replace("_", "-")
    notes = "".join(f"- {number}\u200b\r\n" for number in range(300))
    write(ctx.home, {f".claude/projects/{slug}/memory/MEMORY.md": notes})
    prompt = compose(ctx, "claude-code")
    assert prompt.text.endswith("- 198\n- 199\n</system-reminder>")
    assert prompt.exactness == "unverified"
    assert "at most 200 lines and 25,000 characters" in prompt.problems[-1].message


def test_a_long_line_of_it_is_cut_too():
    assert claude_own_memory.sent("x" * 30_000) == ("x" * 25_000, True)
    assert claude_own_memory.sent("a\n" + "x" * 30_000) == ("a", True)
    assert claude_own_memory.sent(" a\u200d\ufeff\u0007b\u2028c ") == ("a\u200db\nc", False)


def test_lines_of_its_own_memory_are_those_of_the_file(make):
    ctx = make({})
    slug = re.sub("[^a-zA-Z0-9]", "-", str(ctx.cwd))
    name = f".claude/projects/{slug}/memory/MEMORY.md"
    write(ctx.home, {name: "<!-- c -->\nfirst\n<!-- d\ne -->\nlast\n"})
    parts = [item for item in compose(ctx, "claude-code").segments if item.kind == "user"]
    assert [(item.text, item.line) for item in parts] == [("first\n", 1), ("last", 4)]


def test_an_import_with_a_nul_skips_the_whole_file(tmp_path):
    def make(files):
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        return install_claude(folder, project(folder, files, {}))

    def names(files):
        ctx = make(files)
        return loaded(ctx, ctx.cwd)

    files = {"CLAUDE.md": "main @a.md\n", "a.md": "a @b\0.md @c.md\n", "c.md": "c\n"}
    assert names(files) == ["CLAUDE.md"]
    assert "has a NUL in its name" in source(make(files), "a.md").reason
    code = {"CLAUDE.md": "main `@b\0.md`\n", "AGENTS.md": "a\n"}
    assert names(code) == ["CLAUDE.md"]
    skipped = {"CLAUDE.md": "main @b\0.md\n", "AGENTS.md": "a\n"}
    assert names(skipped) == ["AGENTS.md"]
