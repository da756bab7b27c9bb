"""Saving to a memory file by name: the available files, and refusals."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory import Memory
from agent_memory.base.text import apply_edits
from agent_memory.entries.markdown_store import MarkdownEntries
from agent_memory.remember import planner
from agent_memory.remember.plan import Outcome
from agent_memory.remember.snippet import Snippet
from agent_memory.remember.targets import available_targets
from kit import cli, project, with_settings

SKILL = "---\nname: release\ndescription: How to release\n---\n\n# Release\n\n- Tag it\n"
SKILL_AT = ".deepagents/skills/release/SKILL.md"
FILES = {
    ".deepagents/AGENTS.md": "# Project\n\nSee [the design](notes/design.md), [out](../../x.md).\n",
    ".deepagents/notes/design.md": "# Design\n\n- One core\n",
    ".deepagents/notes/other.md": "# Other\n",
    SKILL_AT: SKILL,
    "AGENTS.md": "# Root\n\n- Use tabs\n",
    "CLAUDE.md": "# For Claude\n",
    "packages/api/AGENTS.md": "# Api\n",
    ".claude-mpm/memories/qa_agent.md": "# Qa\n\n## Recent Learnings\n",
    ".claude-mpm/memories/README.md": "# Memories\n",
    "README.md": "# A project\n",
    "src/a.py": "x = 1\n",
}
HOME = {".deepagents/agent/AGENTS.md": "# Me\n", ".deepagents/other/AGENTS.md": "# Other\n"}


@pytest.fixture
def ctx(tmp_path):
    return project(tmp_path, FILES, HOME)


def planned(ctx, name, text="A new fact", **options):
    return planner.plan(ctx, Snippet(text), ctx.cwd / name, **options)


def test_a_skill_that_the_chosen_agent_loads_on_demand_gets_no_note(tmp_path):
    name = ".claude/skills/release/SKILL.md"
    ctx = project(tmp_path, {name: SKILL, "CLAUDE.md": "- a\n"}, {})
    for runtime, noted in (("claude-code", False), ("codex", True)):
        plan = planned(with_settings(ctx, runtime=runtime), name)
        assert plan.outcome is Outcome.READY, plan.message
        assert ("reads it" in plan.message) is noted


@pytest.mark.parametrize(
    ("name", "runtime"),
    [
        (SKILL_AT, "deepagents-code"),
        (".deepagents/notes/design.md", "deepagents-code"),
        ("AGENTS.md", "deepagents-code"),
        ("CLAUDE.md", "drover"),
        ("packages/api/AGENTS.md", "drover"),
        (".claude-mpm/memories/qa_agent.md", "claude-mpm"),
    ],
)
def test_memory_file_of_any_runtime_accepts_an_item(ctx, name, runtime):
    plan = planned(ctx, name)
    assert plan.outcome is Outcome.READY, plan.message
    assert (f"{runtime} reads it" in plan.message) == (runtime != "deepagents-code")
    planner.apply(plan)
    after = (ctx.cwd / name).read_text()
    assert after.startswith(FILES[name])
    assert after[len(FILES[name]) :].strip() == "- A new fact"
    known = {target.source.path: target.choice.runtime.id for target in available_targets(ctx)}
    assert known.get(ctx.cwd / name, runtime) == runtime


@pytest.mark.parametrize("name", ["~/.deepagents/other/AGENTS.md", "CLAUDE.md", "src/../CLAUDE.md"])
def test_path_is_relative_to_cwd_or_home(ctx, name):
    code = cli(ctx, "remember", "A new fact", "--file", name).code
    written = (ctx.home if name[0] == "~" else ctx.cwd) / name.replace("~/", "").replace(
        "src/../", ""
    )
    assert code == 0
    assert "- A new fact\n" in written.read_text()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("README.md", "No runtime reads"),
        ("src/a.py", "No runtime reads"),
        ("nowhere.md", "No runtime reads"),
        ("../../../etc/passwd", "No runtime reads"),
        (".deepagents/notes/other.md", "No runtime reads"),
        (".claude-mpm/memories/README.md", "No runtime reads"),
    ],
)
def test_other_file_is_refused_with_the_available_ones(ctx, name, why):
    if (ctx.cwd / name).exists():
        before = (ctx.cwd / name).read_bytes()
    done = cli(ctx, "remember", "A new fact", "--file", name)
    assert done.code == 1
    assert why in done.err
    listed = done.err.replace("~/.deepagents/agent/AGENTS.md, ", "")
    assert "Available memory files: .deepagents" in listed
    if (ctx.cwd / name).exists():
        assert (ctx.cwd / name).read_bytes() == before


def test_file_ignored_by_the_runtime_is_refused_with_its_reason(tmp_path):
    files = {".deepagents/agent.md": "# A\n", "agent.md": "# B\n"}
    plan = planned(project(tmp_path, files, {}), "agent.md")
    assert plan.outcome is Outcome.REFUSED
    assert "does not read" in plan.message


def test_entry_and_read_only_file_are_refused(tmp_path):
    name = ".memory/global/01K5ZQ8V3M7Y2XB4T6N9C0DEFG.md"
    entry = "---\nid: 01K5ZQ8V3M7Y2XB4T6N9C0DEFG\nscope: global\nkind: user\nsummary: s\n"
    files = {name: f"{entry}createdAt: 1\n---\n\nb\n", "CLAUDE.md": "# A\n"}
    ctx = project(tmp_path, files, {})
    assert "replaced as a whole" in planned(ctx, name).message
    (ctx.cwd / "CLAUDE.md").chmod(0o444)
    done = cli(ctx, "remember", "x", "--file", "CLAUDE.md")
    assert (done.code, (ctx.cwd / "CLAUDE.md").read_text()) == (1, "# A\n")
    assert "is read-only" in done.err


def test_learned_entries_are_not_read_for_a_file(tmp_path, monkeypatch):
    entries = {f".memory/global/{number:026d}.md": "x" for number in range(5)}
    ctx = project(tmp_path, {**entries, "CLAUDE.md": "# A\n"}, {})
    read = []
    saved = ctx.store.saved
    monkeypatch.setattr(MarkdownEntries, "load", lambda self: read.append(self.root) or [])
    monkeypatch.setattr(ctx.store, "saved", lambda path: read.append(path) or saved(path))
    assert planned(ctx, "CLAUDE.md").outcome is Outcome.READY
    assert not [path for path in read if path.is_relative_to(ctx.cwd / ".memory")]


@pytest.mark.skipif(os.name == "nt", reason="symlinks need rights there")
def test_note_symlinked_out_of_the_project_is_refused(tmp_path, ctx):
    (tmp_path / "secret.md").write_text("# Mine\n")
    note = ctx.cwd / ".deepagents/notes/design.md"
    note.unlink()
    note.symlink_to(tmp_path / "secret.md")
    assert planned(ctx, ".deepagents/notes/design.md").outcome is Outcome.REFUSED


def test_limit_is_that_of_the_runtime_that_reads_the_file(ctx):
    (ctx.cwd / "CLAUDE.md").write_text("- x\n" * 4095)
    plan = planned(ctx, "CLAUDE.md")
    assert plan.outcome is Outcome.REFUSED
    assert "drover" in plan.message
    assert "16,384" in plan.message
    assert planned(ctx, "CLAUDE.md", allow_duplicate=True).outcome is Outcome.READY


def test_long_skill_is_noted(ctx):
    (ctx.cwd / SKILL_AT).write_text(SKILL + "- step\n" * 500)
    assert "Move details to a separate file to stay under 500" in planned(ctx, SKILL_AT).message


def test_missing_file_is_created_after_consent(tmp_path):
    ctx = project(tmp_path, {}, {})
    options = {"runtime_id": "deepagents-code"}
    assert planned(ctx, ".deepagents/AGENTS.md", **options).outcome is Outcome.CONSENT
    plan = planned(ctx, ".deepagents/AGENTS.md", create=True, **options)
    planner.apply(plan)
    assert plan.path.read_text() == "# Project memory\n\n- A new fact\n"


def test_learnings_of_another_agent_stay_within_limits(tmp_path):
    items = "".join(f"- fact {number}\n" for number in range(15))
    name = ".claude-mpm/memories/qa_agent.md"
    ctx = project(tmp_path, {name: f"# Qa\n\n## Recent Learnings\n{items}"}, {})
    plan = planned(ctx, name, section="Recent Learnings")
    assert plan.evicts == ("- fact 0",)


def test_instruction_files_are_read_only_for_agents(ctx):
    plan = planned(ctx, "CLAUDE.md", by_agent=True)
    assert plan.outcome is Outcome.REFUSED
    assert "agents only read" in plan.message
    assert planned(ctx, SKILL_AT, by_agent=True).outcome is Outcome.READY


def test_title_of_an_empty_note_is_its_name(ctx):
    (ctx.cwd / ".deepagents/notes/design.md").write_text("\n")
    planner.apply(planned(ctx, ".deepagents/notes/design.md"))
    text = (ctx.cwd / ".deepagents/notes/design.md").read_text()
    assert text == "# Design\n\n- A new fact\n"


def test_file_and_scope_exclude_each_other(ctx):
    done = cli(ctx, "remember", "x", "--file", "CLAUDE.md", "--scope", "user")
    assert (done.code, done.err.strip()) == (
        2,
        "agent-memory remember: --file cannot be combined with --scope",
    )


def test_available_files_are_listed_by_cli_and_api(ctx):
    done = cli(ctx, "remember", "--file", "?")
    listed = [line.split("\t")[0] for line in done.out.splitlines()]
    assert str(ctx.cwd / SKILL_AT) in listed
    assert str(ctx.cwd / "README.md") not in listed
    memory = Memory(ctx.cwd, home=ctx.home)
    assert [str(path) for path in memory.targets()] == listed
    assert memory.remember("A new fact", file="CLAUDE.md").outcome == "ready"


def test_note_linked_by_the_chosen_runtime_is_a_target(tmp_path):
    files = {".deepagents/AGENTS.md": "See [it](design.md).\n", ".deepagents/design.md": "# D\n"}
    plan = planned(project(tmp_path, files, {}), ".deepagents/design.md")
    assert plan.message == "Added to design.md > D (line 3)"


def test_users_limit_does_not_apply_to_notes(ctx):
    small = with_settings(ctx, file_bytes=10)
    assert "your limit" in planned(small, "AGENTS.md").message
    assert "your limit" not in planned(small, ".deepagents/notes/design.md").message


BODIES = st.lists(st.sampled_from(["# A", "- x", "", "text", "```\nc\n```", "> q"]), max_size=8)


@settings(deadline=None, max_examples=30)
@given(BODIES, st.sampled_from([SKILL_AT, "CLAUDE.md", ".deepagents/notes/design.md"]))
def test_undo_restores_the_same_bytes_of_named_files(tmp_path_factory, lines, name):
    head = FILES[name] if name == SKILL_AT else ""
    before = head + "\n".join(lines)
    ctx = project(tmp_path_factory.mktemp("undo"), {**FILES, name: before}, HOME)
    plan = planned(ctx, name)
    if plan.outcome is not Outcome.READY:
        return
    (edit,) = plan.edits
    kept = before.splitlines(keepends=True)
    after = apply_edits(kept, [(edit.span, edit.text)])
    assert after.replace(edit.text, "", 1) == before or not before.strip()
    planner.apply(plan)
    assert (ctx.cwd / name).read_text() == after


def test_skill_of_an_installed_package_is_refused(tmp_path):
    site = ".venv/lib/python3.11/site-packages"
    at = f"{site}/deepagents_code/built_in_skills/release/SKILL.md"
    files = {
        ".venv/pyvenv.cfg": "version = 3.11.0\n",
        f"{site}/deepagents_code-0.1.57.dist-info/METADATA": (
            "Name: deepagents-code\nVersion: 0.1.57\n"
        ),
        f"{site}/deepagents_code/__init__.py": "",
        at: SKILL,
    }
    plan = planned(project(tmp_path, files, {}), at, runtime_id="deepagents-code")
    assert plan.outcome is Outcome.REFUSED
    assert "belongs to an installed package" in plan.message
