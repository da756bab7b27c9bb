"""What each agent does with a file or line, for what users of these agents complain about."""

from __future__ import annotations

import pytest

from agent_memory.prompt.compose import compose
from agent_memory.prompt.explain import FileOutcome, explain, explain_file
from agent_memory.prompt.overview import overview
from agents_kit import install_claude, install_codex
from kit import project, with_settings, write

AGENTS = ["claude-code", "codex", "gemini-cli", "opencode"]


@pytest.fixture
def make(tmp_path):
    """Return a function that builds a project for all agents and returns its context."""

    def build(files, home=None, cwd="."):
        ctx = with_settings(project(tmp_path, files, home or {}), runtimes=AGENTS)
        (ctx.cwd / cwd).mkdir(parents=True, exist_ok=True)
        return ctx.with_(cwd=(ctx.cwd / cwd).resolve())

    return build


def of(ctx, path, runtime, line=None):
    """Return the answer of ``runtime`` about ``path`` (relative to the working folder)."""
    found = explain(ctx, (ctx.cwd / path).resolve(), line).answers
    return next(item for item in found if item.runtime.id == runtime)


def outcomes(ctx, path, line=None):
    found = explain(ctx, (ctx.cwd / path).resolve(), line).answers
    return {item.runtime.id: str(item.outcome) for item in found}


def test_an_import_in_an_ancestor_sends_nothing_from_a_subfolder(make):
    ctx = make({"CLAUDE.md": "@AGENTS.md\n", "AGENTS.md": "the rules\n"}, cwd="sub")
    answer = of(ctx, "../AGENTS.md", "claude-code")
    assert answer.outcome is FileOutcome.NOT_FOLLOWED
    assert "skips an import outside of" in answer.reason
    assert answer.action
    assert answer.action.message.startswith(f"Start Claude Code in {ctx.cwd.parent}")
    assert answer.by == ctx.cwd.parent / "CLAUDE.md"
    line = of(ctx, "../CLAUDE.md", "claude-code", 0)
    assert line.outcome is FileOutcome.NOT_FOLLOWED
    assert line.by == ctx.cwd.parent / "AGENTS.md"
    assert outcomes(ctx, "../AGENTS.md")["codex"] == "loaded"


def test_which_files_have_been_loaded_and_where(make):
    ctx = make({"CLAUDE.md": "root\n", "sub/CLAUDE.md": "below\n"}, {".claude/CLAUDE.md": "mine\n"})
    answer = of(ctx, "CLAUDE.md", "claude-code")
    assert (answer.outcome, answer.order, answer.of) == (FileOutcome.LOADED, 2, 2)
    assert answer.role == "user"
    ((start, end),) = answer.bytes
    text = answer.prompt.text.encode()
    assert text[start:end] == b"root"
    below = of(ctx, "sub/CLAUDE.md", "claude-code")
    assert below.outcome is FileOutcome.ON_DEMAND
    assert below.reason == f"added when Claude Code reads a file in {ctx.cwd / 'sub'}"


def test_listed_skills_do_not_count_as_loaded_files(make):
    skill = ".deepagents/skills/deploy/SKILL.md"
    ctx = make(
        {"AGENTS.md": "rules\n", skill: "---\nname: deploy\ndescription: Deploys\n---\n"},
        {".deepagents/agent/AGENTS.md": "mine\n"},
    )
    ctx = with_settings(ctx, runtimes=["deepagents-code"])
    answer = of(ctx, "AGENTS.md", "deepagents-code")
    assert (answer.reason, answer.order, answer.of) == ("file 2 of 2", 2, 2)
    answer = of(ctx, skill, "deepagents-code")
    assert answer.outcome is FileOutcome.ON_DEMAND
    assert (answer.reason, answer.order, answer.of) == (
        "listed from Project Deepagents",
        None,
        None,
    )


def test_a_failed_import_is_not_silent(make):
    ctx = make({"CLAUDE.md": "first\n@docs/gone.md\n"})
    answer = of(ctx, "CLAUDE.md", "claude-code", 1)
    assert answer.outcome is FileOutcome.NOT_FOLLOWED
    assert "does not exist" in answer.reason
    codex = of(ctx, "CLAUDE.md", "codex", 1)
    assert codex.outcome is FileOutcome.NOT_READ


def test_an_agent_without_imports_sends_the_line_but_not_the_file(make):
    ctx = make({"AGENTS.md": "See @docs/a.md\n", "docs/a.md": "a\n"})
    answer = of(ctx, "AGENTS.md", "codex", 0)
    assert answer.outcome is FileOutcome.LOADED
    assert "does not follow imports" in answer.reason
    assert of(ctx, "docs/a.md", "codex").outcome is FileOutcome.NOT_READ
    assert of(ctx, "docs/a.md", "claude-code").outcome is FileOutcome.LOADED


def test_an_import_after_the_budget_is_cut(make):
    names = [f"@docs/{number:04}.md" for number in range(2_500)]  # 14 bytes a line
    ctx = make({"AGENTS.md": "".join(f"{name}\n" for name in names)})
    inside, at_limit, after = (
        of(ctx, "AGENTS.md", "codex", line) for line in (2_339, 2_340, 2_341)
    )
    assert "the agent gets this line" in inside.reason
    for answer in (at_limit, after):
        assert answer.outcome is FileOutcome.CUT
        assert "first 32,768 of its 35,000 bytes" in answer.reason


def test_the_budget_of_codex_cuts_the_most_specific_file(make):
    ctx = make({"AGENTS.md": "x" * 32_700 + "\n", "sub/AGENTS.md": "ab\n" * 34}, cwd="sub")
    answer = of(ctx, "AGENTS.md", "codex")
    assert answer.outcome is FileOutcome.CUT
    assert "first 67 of its 102 bytes" in answer.reason
    assert answer.action
    assert "project_doc_max_bytes" in answer.action.message
    assert of(ctx, "AGENTS.md", "codex", 10).outcome is FileOutcome.LOADED
    assert of(ctx, "AGENTS.md", "codex", 22).outcome is FileOutcome.CUT
    assert of(ctx, "AGENTS.md", "codex", 33).outcome is FileOutcome.CUT
    assert of(ctx, "AGENTS.md", "opencode").outcome is FileOutcome.LOADED


def test_a_file_after_the_budget_is_cut_completely(make):
    ctx = make({"AGENTS.md": "x" * 33_000, "sub/AGENTS.md": "rules\n\n"}, cwd="sub")
    assert of(ctx, "AGENTS.md", "codex").outcome is FileOutcome.CUT
    assert of(ctx, "AGENTS.md", "codex").bytes == ()
    assert of(ctx, "AGENTS.md", "codex", 1).outcome is FileOutcome.CUT
    read_by = {row.path: row.read_by for row in overview(ctx).rows}
    assert "codex" in read_by[ctx.cwd.parent / "AGENTS.md"]
    assert "codex" not in read_by[ctx.cwd / "AGENTS.md"]


def test_each_runtime_answers_once_about_a_file_of_the_overview(make, monkeypatch):
    ctx = make({"AGENTS.md": "rules\n"})
    asked = []
    monkeypatch.setattr(
        "agent_memory.prompt.overview.explain_file",
        lambda view, path: asked.append(view.runtime.id) or explain_file(view, path),
    )
    (row,) = overview(ctx).rows
    assert row.selected is row.answers[0]
    assert sorted(asked) == AGENTS


def test_a_blank_override_hides_a_file(make):
    ctx = make({"AGENTS.md": "rules\n", "AGENTS.override.md": "\n"})
    answer = of(ctx, "AGENTS.md", "codex")
    assert answer.outcome is FileOutcome.SHADOWED
    assert answer.by == ctx.cwd / "AGENTS.override.md"
    assert "although it is blank" in answer.reason
    assert answer.action
    assert answer.action.kind == "open"


def test_a_personal_file_switches_agents_md_off(make):
    ctx = make({"AGENTS.md": "rules\n", "CLAUDE.local.md": "mine\n"})
    answer = of(ctx, "AGENTS.md", "claude-code")
    assert answer.outcome is FileOutcome.SHADOWED
    assert answer.by == ctx.cwd / "CLAUDE.local.md"
    assert answer.action
    assert "`@AGENTS.md`" in answer.action.message


def test_a_comment_is_dropped_by_one_agent_and_sent_by_another(make):
    ctx = make({"AGENTS.md": "first\n\n<!-- never push -->\n\nlast\n"})
    assert outcomes(ctx, "AGENTS.md", 2) == {
        "claude-code": "comment-dropped",
        "codex": "loaded",
        "gemini-cli": "not-read",
        "opencode": "loaded",
    }


def test_front_matter_is_dropped_by_claude_code(make):
    ctx = make({".claude/rules/r.md": "---\ntitle: x\n---\nrule\n"})
    assert (
        of(ctx, ".claude/rules/r.md", "claude-code", 1).outcome is FileOutcome.FRONT_MATTER_DROPPED
    )
    assert of(ctx, ".claude/rules/r.md", "claude-code", 3).outcome is FileOutcome.LOADED


def test_a_rule_with_paths_is_on_demand(make):
    ctx = make({".claude/rules/r.md": "---\npaths: 'src/*.py'\n---\nrule\n"})
    answer = of(ctx, ".claude/rules/r.md", "claude-code")
    assert answer.outcome is FileOutcome.ON_DEMAND
    assert "src/*.py" in answer.reason


def test_a_gemini_file_above_the_root_is_not_read(make):
    ctx = make({"AGENTS.md": "a\n"})
    write(ctx.cwd.parent, {"GEMINI.md": "above\n"})
    answer = of(ctx, "../GEMINI.md", "gemini-cli")
    assert answer.outcome is FileOutcome.NOT_READ
    assert f"above {ctx.cwd}" in answer.reason


@pytest.mark.parametrize(
    ("runtime", "name", "target"),
    [
        ("deepagents-code", "AGENTS.md", ".deepagents/AGENTS.md"),
        ("deepagents-cli", "agent.md", ".deepagents/agent.md"),
        ("cline", "AGENTS.md", "AGENTS.md"),
    ],
)
def test_a_file_in_a_folder_that_is_not_read_names_the_file_to_use(runtime, name, target, make):
    ctx = with_settings(make({f"docs/{name}": "a\n", ".git/HEAD": ""}), runtimes=[runtime])
    answer = of(ctx, f"docs/{name}", runtime)
    assert answer.outcome is FileOutcome.NOT_READ
    assert "does not look for this file: it reads" in answer.reason
    assert answer.action.message.startswith(f"Create {ctx.cwd / target} with what")


def test_an_agent_that_reads_each_folder_can_start_below(make):
    ctx = make({"docs/AGENTS.md": "a\n"})
    answer = of(ctx, "docs/AGENTS.md", "codex")
    assert "reads only the folders from" in answer.reason
    assert answer.action.message == f"Start Codex in {ctx.cwd / 'docs'}"


def test_a_file_of_another_agent_names_the_file_to_use(make):
    ctx = make({".cursor/rules/a.md": "cursor\n", "CLAUDE.md": "c\n"})
    answer = of(ctx, ".cursor/rules/a.md", "claude-code")
    assert answer.outcome is FileOutcome.NOT_READ
    assert answer.action
    assert answer.action.message == f"Add the line `@.cursor/rules/a.md` to {ctx.cwd / 'CLAUDE.md'}"
    codex = of(ctx, ".cursor/rules/a.md", "codex")
    assert codex.action
    assert codex.action.kind == "create"
    assert codex.action.path == ctx.cwd / "AGENTS.md"


def test_claude_md_alone_is_not_read_by_codex_and_a_link_is_the_remedy(make):
    ctx = make({"CLAUDE.md": "c\n"})
    answer = of(ctx, "CLAUDE.md", "codex")
    assert answer.outcome is FileOutcome.NOT_READ
    assert answer.action
    assert "Make AGENTS.md a link to CLAUDE.md" in answer.action.message


def test_a_missing_file_and_an_empty_one(make):
    ctx = make({"AGENTS.md": ""})
    assert of(ctx, "AGENTS.md", "codex").outcome is FileOutcome.EMPTY
    assert of(ctx, "gone/AGENTS.md", "codex").outcome is FileOutcome.MISSING


def test_the_version_and_its_exactness_are_named(tmp_path, make):
    ctx = make({"AGENTS.md": "a\n", "CLAUDE.md": "c\n"})
    ctx = ctx.with_(env=install_codex(tmp_path, install_claude(tmp_path, ctx)).env)
    assert of(ctx, "AGENTS.md", "codex").prompt.exactness == "unverified"


def test_without_an_agent_codex_and_claude_code_are_assumed(tmp_path):
    ctx = project(tmp_path, {"docs/x.md": "x"}, {})
    found = explain(ctx, ctx.cwd / "docs/x.md")
    assert [item.runtime.id for item in found.answers] == ["codex", "claude-code"]
    assert found.listed.note == "No agent was found; assuming Codex and Claude Code."


def test_copilot_follows_nested_imports(make):
    files = {"AGENTS.md": "See @docs/a.md\n", "docs/a.md": "@b.md\n", "docs/b.md": "b\n"}
    ctx = with_settings(make(files), runtimes=["copilot-cli"])
    line = of(ctx, "docs/a.md", "copilot-cli", 0)
    assert line.reason == f"imports {ctx.cwd / 'docs/b.md'}, file 3 of 3"


@pytest.mark.parametrize("name", ["LICENSE", "docs/LICENSE"])
def test_copilot_can_import_a_file_without_a_suffix(name, make):
    ctx = with_settings(make({"AGENTS.md": "a\n", name: "x\n"}), runtimes=["copilot-cli"])
    line = f"@{name}" if "/" in name else f"@./{name}"  # `@name` could be a person
    message = of(ctx, name, "copilot-cli").action.message
    assert message == f"Add the line `{line}` to {ctx.cwd / 'AGENTS.md'}"
    write(ctx.cwd, {"AGENTS.md": f"{line}\n"})
    assert of(ctx, name, "copilot-cli").outcome is FileOutcome.LOADED


def test_copilot_follows_imports_only_in_agents_md_and_claude_md(make):
    files = {".github/copilot-instructions.md": "@docs/a.md\n", "docs/a.md": "a\n"}
    ctx = with_settings(make({**files, ".cursor/rules/a.mdc": "c\n"}), runtimes=["copilot-cli"])
    line = of(ctx, ".github/copilot-instructions.md", "copilot-cli", 0)
    assert "does not follow imports here" in line.reason
    assert "copilot-instructions.md" in of(ctx, ".cursor/rules/a.mdc", "copilot-cli").action.message
    assert "`@" not in of(ctx, ".cursor/rules/a.mdc", "copilot-cli").action.message
    write(ctx.cwd, {"AGENTS.md": "@docs/a.md\n"})
    assert of(ctx, "AGENTS.md", "copilot-cli", 0).reason.startswith(f"imports {ctx.cwd}/docs/a.md")
    action = of(ctx, ".cursor/rules/a.mdc", "copilot-cli").action
    assert action.message == f"Add the line `@.cursor/rules/a.mdc` to {ctx.cwd}/AGENTS.md"
    assert action.path == ctx.cwd / "AGENTS.md"


def test_a_suggested_import_is_followed(make):
    names = ["claude-code", "gemini-cli", "copilot-cli", "qwen-code"]
    ctx = with_settings(make({".cursor/rules/a.md": "of Cursor\n"}), runtimes=names)
    tried = set()
    files = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", "QWEN.md", ".github/copilot-instructions.md")
    for file in files:
        write(ctx.cwd, {file: f"{file}\n"})
        for runtime in names:
            action = of(ctx, ".cursor/rules/a.md", runtime).action
            line = action.message.partition("`")[2].partition("`")[0]
            if action.kind != "open" or not line.startswith("@"):
                continue
            before = action.path.read_text()
            action.path.write_text(f"{before}{line}\n")
            assert "of Cursor" in compose(ctx, runtime).text, (file, runtime)
            action.path.write_text(before)
            tried.add(runtime)
    assert tried == set(names)
