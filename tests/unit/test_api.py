"""The public API, and the examples of docs/api.md."""

from __future__ import annotations

import asyncio
import doctest
from pathlib import Path

import pytest

import agent_memory
from agent_memory import AsyncMemory, Memory, Settings, UsageError
from kit import write

PAGE = Path(__file__).parents[2] / "docs" / "api.md"


@pytest.fixture
def tree(tmp_path, monkeypatch):
    write(
        tmp_path,
        {
            "project/.git/HEAD": "",
            "project/.deepagents/agent.md": "# Style\n- tabs\u200b, not spaces\n",
            "home/.deepagents/agent/agent.md": "# Me\n- short answers\n",
        },
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_examples_of_the_page_run(tree):
    text = PAGE.read_text("utf-8")
    parsed = doctest.DocTestParser().get_doctest(text, {}, "api.md", str(PAGE), 0)
    assert len(parsed.examples) >= 10
    results = doctest.DocTestRunner(optionflags=doctest.FAIL_FAST).run(parsed)
    assert results.failed == 0


def test_every_public_name_exists_and_is_documented():
    assert all(getattr(agent_memory, name).__name__ == name for name in agent_memory.__all__)
    assert set(agent_memory.__all__) <= set(dir(agent_memory))
    page = PAGE.read_text("utf-8")
    assert all(f"`{name}`" in page for name in agent_memory.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = agent_memory.nothing


def test_the_coroutines_are_the_methods_of_a_memory(tree):
    def methods(kind):
        return {name for name in vars(kind) if not name.startswith("_")} - {"fresh"}

    assert methods(AsyncMemory) == methods(Memory) - {"with_settings"}
    aio = AsyncMemory(Memory("project", home="home"))
    [fixed] = asyncio.run(aio.fixed())
    assert fixed.after == "# Style\n- tabs, not spaces\n"
    assert Path(tree, "project/.deepagents/agent.md") in asyncio.run(aio.targets())


def test_missing_folder_is_refused(tree):
    with pytest.raises(UsageError, match="does not exist"):
        Memory("gone")


def test_paths_are_relative_to_the_folder(tree):
    memory = Memory("project", home="home")
    (finding,) = memory.check([".deepagents/agent.md"]).findings
    assert finding.path == tree / "project" / ".deepagents" / "agent.md"
    assert memory.check([tree / "home/.deepagents/agent/agent.md"]).findings == ()


def test_invalid_settings_are_reported_and_ignored(tree):
    write(tree, {"project/.deepagents/agent-memory.toml": "runtme = 'x'\n"})
    memory = Memory("project", home="home")
    (problem,) = memory.problems
    assert "Did you mean 'runtime'?" in problem
    assert memory.check().findings


def test_settings_can_be_passed_or_changed(tree):
    quiet = {"hidden-unicode": "off"}
    assert Memory("project", home="home", settings=Settings(rules=quiet)).check().findings == ()
    assert Memory("project", home="home").with_settings(rules=quiet).check().findings == ()


def test_dry_run_and_refusal_write_nothing(tree):
    memory = Memory("project", home="home")
    before = (tree / "project/.deepagents/agent.md").read_bytes()
    assert memory.remember("use uv", dry_run=True).outcome == "ready"
    assert memory.remember("short answers", "user").outcome == "duplicate"
    with pytest.raises(UsageError, match="not a scope"):
        memory.remember("x", "galaxy")
    assert (tree / "project/.deepagents/agent.md").read_bytes() == before


def test_the_page_shows_the_tested_example():
    page = (PAGE.parent / "ai-sdk.md").read_text("utf-8")
    example = PAGE.parents[1] / "examples" / "ai-sdk" / "agent-memory.ts"
    assert f"```ts\n{example.read_text('utf-8')}```\n" in page


def test_recall_finds_instruction_files_and_entries_of_the_run(tree):
    write(tree, {"project/AGENTS.md": "Deploy with blue.\n", "project/.memory/global/.keep": ""})
    memory = Memory("project", home="home", agent="w", run="r1")
    target = agent_memory.EntryTarget("run", summary="of the run", agent="w", run="r1")
    assert memory.remember("Green is next.", entry=target).outcome == "ready"
    summaries = {hit.entry.summary for hit in memory.recall("")}
    assert summaries == {"of the run", "Project instructions \u2014 (repo root) (AGENTS.md)"}
    other = Memory("project", home="home", agent="w", run="r2")
    assert [hit.entry.kind for hit in other.recall("")] == ["reference"]
