"""drover: the chain of instruction files, truncation, the index, and what is left out."""

from __future__ import annotations

import pytest

from agent_memory.base.model import Role, Status
from agent_memory.fs.reader import SIZE_CAP
from agent_memory.prompt.compose import compose
from agent_memory.runtimes.drover_instructions import MAX_BYTES
from kit import cli, project, with_settings, write

FIRST = "01HZX3KQ7M8N9P0R1S2T3V4W5X"
SECOND = "01HZX3KQ7M8N9P0R1S2T3V4W5Y"
THIRD = "01HZX3KQ7M8N9P0R1S2T3V4W5Z"


def entry(name, scope="global", summary="a fact", more="", created=1):
    return (
        f"---\nid: {name}\nscope: {scope}\nkind: project\nsummary: {summary}\n"
        f"createdAt: {created}\n{more}---\n\nbody\n"
    )


def block(ctx):
    _, mark, rest = compose(ctx, "drover").text.partition("### ")
    return mark + rest


def test_the_chain_goes_from_the_root_to_the_working_folder(tmp_path):
    files = {
        "AGENTS.md": "root a\n",
        "CLAUDE.md": "\n root c \n",
        "packages/AGENTS.md": "pkg",
        "packages/api/CLAUDE.md": "api",
        "packages/web/AGENTS.md": "off the path",
    }
    ctx = project(tmp_path, files, {})
    assert block(ctx.with_(cwd=ctx.cwd / "packages/api")) == (
        "### (repo root) \u2014 AGENTS.md\n\nroot a\n\n"
        "### (repo root) \u2014 CLAUDE.md\n\nroot c\n\n"
        "### packages \u2014 AGENTS.md\n\npkg\n\n"
        "### packages/api \u2014 CLAUDE.md\n\napi"
    )


def test_the_chain_stops_after_forty_folders(tmp_path):
    deep = "/".join(["d"] * 40)
    files = {"AGENTS.md": "too far up", "d/AGENTS.md": "fortieth", f"{deep}/AGENTS.md": "here"}
    ctx = project(tmp_path, files, {})
    text = block(ctx.with_(cwd=ctx.cwd / deep))
    assert "fortieth" in text
    assert "here" in text
    assert "too far up" not in text


def test_without_git_only_the_working_folder_is_read(tmp_path):
    root = write(tmp_path / "p", {"AGENTS.md": "above", "sub/AGENTS.md": "here"})
    ctx = project(tmp_path, {}, {}).with_(cwd=root / "sub")
    assert block(ctx) == "### (repo root) \u2014 AGENTS.md\n\nhere"


def test_a_file_over_the_limit_is_truncated_by_bytes_and_reported(tmp_path):
    exact, over = "x" * MAX_BYTES, "y" + "\u00e9" * (MAX_BYTES // 2)
    ctx = project(tmp_path, {"AGENTS.md": exact, "CLAUDE.md": over}, {})
    prompt = compose(ctx, "drover")
    assert f"\n\n{exact}\n\n###" in prompt.text
    half = "\u00e9" * (MAX_BYTES // 2 - 1)
    assert prompt.text.endswith(
        f"y{half}\ufffd\n\n[...truncated \u2014 file exceeds {MAX_BYTES} bytes]"
    )
    assert [item.status for item in prompt.sources] == [Status.LOADED, Status.TRUNCATED]


def test_an_empty_file_shows_its_heading_and_what_it_prevents(tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": " \n", "CLAUDE.md": "c"}, {})
    prompt = compose(ctx, "drover")
    assert (
        "(repo root) \u2014 AGENTS.md\n\n\n\n### (repo root) \u2014 CLAUDE.md\n\nc" in prompt.text
    )
    assert prompt.sources[0].status is Status.EMPTY
    assert "none of the later files" in prompt.sources[0].reason


def test_a_segment_points_to_the_first_visible_line(tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": "\n\n\ufeff \nrule\n"}, {})
    piece = next(item for item in compose(ctx, "drover").segments if item.path)
    assert (piece.text, piece.line) == ("rule", 3)


def test_other_filenames_come_from_the_settings(tmp_path):
    ctx = project(tmp_path, {"RULES.md": "rules", "AGENTS.md": "no"}, {})
    ctx = with_settings(ctx, drover_filenames=["RULES.md"])
    assert block(ctx) == "### (repo root) \u2014 RULES.md\n\nrules"


def test_the_index_is_last_and_points_to_the_summaries(tmp_path):
    files = {
        "AGENTS.md": "a",
        f".memory/global/{FIRST}.md": entry(FIRST, summary="old"),
        f".memory/global/{SECOND}.md": entry(SECOND, summary="new", created=2),
        f".memory/agents/writer/{THIRD}.md": entry(THIRD, "agent", "mine", "agentId: writer\n"),
    }
    ctx = project(tmp_path, files, {}).with_(agent="writer")
    prompt = compose(ctx, "drover", "BASE")
    assert prompt.text.startswith("BASE\n\n## Project instructions\n")
    index = prompt.text.partition("## Recalled memory")[2]
    assert index.endswith(
        "### Global\n- [reference] Project instructions \u2014 (repo root) (AGENTS.md)\n"
        "- [project] new\n- [project] old\n\n### Agent (writer)\n- [project] mine"
    )
    mirror, *shown = [item for item in prompt.segments if item.kind == "entries" and item.path]
    assert (mirror.path, mirror.line) == (ctx.cwd / "AGENTS.md", 0)
    for segment in shown:
        line = segment.path.read_text().splitlines()[segment.line]
        assert line == f"summary: {segment.text.removeprefix('- [project] ')}"


def test_entries_outside_the_index_have_a_reason(tmp_path):
    files = {
        f".memory/global/{FIRST}.md": entry(FIRST, summary="old"),
        f".memory/global/{SECOND}.md": entry(SECOND, summary="new", created=2),
        f".memory/agents/other/{THIRD}.md": entry(THIRD, "agent", "theirs", "agentId: other\n"),
        f".memory/runs/r1/{FIRST[:-1]}A.md": entry(
            f"{FIRST[:-1]}A", "run", "of a run", "runId: r1\n"
        ),
        f".memory/global/{FIRST[:-1]}B.md": "no front matter\n",
    }
    ctx = with_settings(project(tmp_path, files, {}), drover_index=1).with_(agent="writer")
    prompt = compose(ctx, "drover")
    rows = {item.name: item for item in prompt.sources if item.role is Role.ENTRY}
    assert (rows[SECOND].status, rows[SECOND].order) == (Status.LISTED, 1)
    assert "the index is full (limit: 1)" in rows[FIRST].reason
    assert "belongs to the agent other" in rows[THIRD].reason
    assert "in run r1" in rows[f"{FIRST[:-1]}A"].reason
    assert "silently skips" in rows[f"{FIRST[:-1]}B"].reason
    assert "theirs" not in prompt.text


@pytest.mark.parametrize("folder", [".memory", "memory", "entries", ".deepagents/entries"])
def test_the_usual_folders_of_entries_are_found(folder, tmp_path):
    files = {f"{folder}/agents/writer/{FIRST}.md": entry(FIRST, "agent", "x", "agentId: writer\n")}
    prompt = compose(project(tmp_path, files, {}), "drover")
    assert (prompt.choice.agent, prompt.choice.agent_reason) == (
        "writer",
        "the only agent",
    )
    assert "### Agent (writer)\n- [project] x" in prompt.text


def test_a_file_next_to_the_folders_of_agents_is_not_an_agent(tmp_path):
    files = {
        f".memory/agents/writer/{FIRST}.md": entry(FIRST, "agent", "x", "agentId: writer\n"),
        ".memory/agents/README.md": "text\n",
    }
    prompt = compose(project(tmp_path, files, {}), "drover")
    assert (prompt.choice.agent, prompt.choice.agent_reason) == ("writer", "the only agent")


def test_skills_of_the_settings_are_between_instructions_and_index(tmp_path):
    skill = "---\nname: release\ndescription: Makes a release\n---\n"
    files = {
        "AGENTS.md": "a",
        "skills/release/SKILL.md": skill,
        f"memory/global/{FIRST}.md": entry(FIRST),
    }
    ctx = with_settings(project(tmp_path, files, {}), skill_folders=["skills"])
    text = compose(ctx, "drover").text
    listed = text.index("\n\n## Available skills\n\n- **release**: Makes a release\n")
    assert text.index("## Project instructions") < listed < text.index("## Recalled memory")


def test_instructions_that_are_not_utf_8_are_shown_with_replacement_characters(tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": b"- caf\xe9\n"}, {})
    prompt = compose(ctx, "drover")
    assert "- caf\ufffd" in prompt.text
    (source,) = [item for item in prompt.sources if item.path.name == "AGENTS.md"]
    assert "each invalid byte is read as U+FFFD" in source.reason


def test_a_large_file_that_is_not_utf_8_has_both_effects(tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": b"\xe9" + b"x" * MAX_BYTES}, {})
    (source,) = compose(ctx, "drover").sources
    effect = "drover reads the first 16,384 of its 16,385 bytes, each invalid one as U+FFFD"
    assert source.status is Status.TRUNCATED
    assert source.reason == f"the file is not valid UTF-8: {effect}"
    assert source.effect == effect
    done = cli(ctx, "check", "--runtime", "drover", "--select", "undecodable")
    assert f"drover: {effect}." in done.out


def test_a_file_too_large_for_the_preview_is_reported_as_read_in_part(tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": ""}, {})
    with (ctx.cwd / "AGENTS.md").open("wb") as stream:
        stream.truncate(SIZE_CAP + 1)
    (source,) = compose(ctx, "drover").sources
    assert source.status is Status.UNREADABLE
    assert source.effect == "drover reads the first 16,384 of its 16,777,217 bytes"
