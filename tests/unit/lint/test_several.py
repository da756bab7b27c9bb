"""Findings for several runtimes: one per place, with the runtimes it holds for."""

from __future__ import annotations

import pytest

from agent_memory.lint.engine import check
from agent_memory.lint.open_project import open_project
from agent_memory.lint.rules import BY_KEY
from agent_memory.lint.several import joined
from kit import project, with_settings


@pytest.fixture
def make(tmp_path):
    def build(files, *runtimes, **settings):
        ctx = project(tmp_path, files, {})
        return with_settings(ctx, runtime=runtimes[0], runtimes=list(runtimes), **settings)

    return build


def found(ctx, code):
    mine = [item for item in check(ctx).findings if item.path.is_relative_to(ctx.cwd)]
    return [item for item in mine if item.code == code]


def test_a_finding_names_the_runtimes_it_holds_for(make):
    ctx = make({"AGENTS.md": "a\n", "CLAUDE.md": "c\n"}, "codex", "claude-code", "opencode")
    (shadowed,) = [item for item in found(ctx, "AM111") if item.path.name == "AGENTS.md"]
    assert shadowed.data["runtimes"] == ["claude-code"]
    assert shadowed.message.endswith("This holds for Claude Code, not for Codex and opencode")


def test_the_same_finding_of_two_runtimes_is_one(make):
    breakout = "a\n\n</system-reminder>\n\n</INSTRUCTIONS>\n"
    ctx = make({"AGENTS.md": breakout}, "codex", "claude-code")
    places = [(item.code, item.path, item.span) for item in check(ctx).findings]
    assert len(places) == len(set(places))
    by_line = {item.span.line: item.data["runtimes"] for item in found(ctx, "AM106")}
    assert by_line == {2: ["claude-code"], 4: ["codex"]}


def test_a_deferred_finding_for_a_runtime_that_is_no_longer_listed_is_left_out(make):
    ctx = make({"AGENTS.md": "a\n", "CLAUDE.md": "c\n"}, "codex", "claude-code", "opencode")
    (shadowed,) = [item for item in found(ctx, "AM111") if item.path.name == "AGENTS.md"]
    project_now = open_project(with_settings(ctx, runtime="codex", runtimes=["codex", "opencode"]))
    assert joined([shadowed], project_now, BY_KEY) == []


def test_one_runtime_changes_no_message(make):
    files = {"AGENTS.md": "a\n", "CLAUDE.md": "c\n"}
    (one,) = found(make(files, "claude-code"), "AM111")
    assert "This holds" not in one.message
    assert "runtimes" not in one.data


def test_a_requested_runtime_is_judged_alone(make):
    ctx = make({"AGENTS.md": "a\n", "CLAUDE.md": "c\n"}, "codex", "claude-code")
    assert open_project(ctx, "codex").others == ()
    assert [item for item in check(ctx, runtime_id="codex").findings if item.code == "AM111"] == []


def test_files_of_all_listed_runtimes_are_checked(make):
    files = {"AGENTS.md": "a\n", "CLAUDE.md": "see [x](gone.md)\n"}
    ctx = make(files, "codex", "claude-code")
    assert [item.path.name for item in found(ctx, "AM502")] == ["CLAUDE.md"]
    assert {path.name for path in check(ctx).files} >= {"AGENTS.md", "CLAUDE.md"}


def test_a_suppression_covers_the_finding_of_another_runtime(make):
    text = "<!-- agent-memory: disable-file AM111 -->\na\n"
    ctx = make({"AGENTS.md": text, "CLAUDE.md": "c\n"}, "codex", "claude-code")
    assert found(ctx, "AM111") == []


def test_a_rule_that_is_off_is_off_for_all(make):
    files = {"AGENTS.md": "a\n", "CLAUDE.md": "c\n"}
    assert found(make(files, "codex", "claude-code", rules={"AM111": "off"}), "AM111") == []


@pytest.mark.parametrize(("listed", "codes"), [(None, []), (["codex", "claude-code"], ["AM111"])])
def test_a_file_that_one_agent_reads_is_shadowed_only_for_a_listed_one(tmp_path, listed, codes):
    ctx = project(tmp_path, {"AGENTS.md": "a\n", "CLAUDE.md": "c\n", ".codex/config.toml": ""}, {})
    if listed:
        ctx = with_settings(ctx, runtime=listed[0], runtimes=listed)
    assert [item.code for item in found(ctx, "AM111")] == codes


def test_a_gemini_file_above_the_root_is_reported(make):
    ctx = make({"GEMINI.md": "g\n"}, "codex", "gemini-cli")
    (ctx.cwd.parent / "GEMINI.md").write_text("above\n")
    (above,) = [item for item in check(ctx).findings if item.code == "AM109"]
    assert above.path == ctx.cwd.parent / "GEMINI.md"
    assert f"it is above {ctx.cwd}, where Gemini CLI stops" in above.message


def test_a_budget_finding_replaces_the_one_about_chains(make):
    big = "- x\n" * 8_500
    ctx = make({"AGENTS.md": big, "sub/AGENTS.md": "rules\n"}, "codex", "claude-code")
    codes = {item.code for item in check(ctx.with_(cwd=ctx.cwd / "sub")).findings}
    assert "AM134" in codes
    assert not codes & {"AM304", "AM109"}


def test_an_agent_with_an_invalid_id_is_left_out(make):
    ctx = make({"AGENTS.md": "a\n", "CLAUDE.md": "c\n"}, "codex", "drover", agent="a.b")
    assert [item.data for item in found(ctx, "AM111")] == []


@pytest.mark.parametrize("runtimes", [("claude-code",), ("codex", "claude-code")])
def test_a_file_that_is_read_by_another_name_is_not_shadowed(make, runtimes):
    ctx = make({"AGENTS.md": "a\n"}, *runtimes)
    (ctx.cwd / "CLAUDE.md").symlink_to("AGENTS.md")
    assert found(ctx, "AM111") == []


def test_an_imported_file_is_not_shadowed(make):
    assert (
        found(make({"AGENTS.md": "a\n", "CLAUDE.md": "@AGENTS.md\n"}, "claude-code"), "AM111") == []
    )


@pytest.mark.parametrize("said", ["See [it](AGENTS.md).", "Read `AGENTS.md` first."])
def test_a_file_that_the_other_one_names_is_not_shadowed(make, said):
    assert found(make({"AGENTS.md": "a\n", "CLAUDE.md": f"{said}\n"}, "claude-code"), "AM111") == []


def test_another_name_for_agents_is_no_second_generation(make):
    assert found(make({"AGENTS.md": "a\n", "AGENT.md": "a\n"}, "deepagents-code"), "AM110") == []


def test_one_runtime_has_one_finding_for_one_cause(make):
    ctx = make({"AGENTS.md": "a\n", "AGENTS.override.md": "\n"}, "codex")
    assert found(ctx, "AM133")
    assert not found(ctx, "AM111")
