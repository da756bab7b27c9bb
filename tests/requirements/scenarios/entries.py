"""drover's entries: who sees, finds and removes them, and instruction files as entries."""

from __future__ import annotations

import json
import random
import re
from typing import TYPE_CHECKING

import pytest

from agent_memory.base.ulid import stable_ulid
from agent_memory.entries.entry_file import Entry, render
from agent_memory.entries.instruction_mirror import InstructionFile
from agent_memory.entries.store import Filter, InMemoryEntries
from agent_memory.entries.validation import Draft, EntryError
from entry_kit import Shelf, drover_search, on_disk, random_entries
from kit import cli, write
from requirements.face import Fact, RefusedError
from requirements.mcp_face import value
from requirements.scenario import ALL, asks
from requirements.scenarios.entry_format import FREE, NO_ID, STORE

if TYPE_CHECKING:
    from pathlib import Path

    from requirements.face import Face

RULES = {"AGENTS.md": "Deploy with blue and green.\n"}
MODULES = "the row is about the classes of the package"


@asks("D12", *ALL)
async def only_agents_are_limited_to_one_entry_a_turn(face):
    root = face.project("drover", STORE)
    if face.name != "MCP":
        for number in range(3):
            await face.put(Fact(f"fact {number}"))
        return
    async with face.client() as client:

        async def put(name):
            return await client.call_tool("remember_entry", {"summary": name, "body": f"A {name}"})

        value(await put("one"))
        with pytest.raises(RefusedError, match="limit of 1 entry per turn"):
            value(await put("two"))
        value(await client.call_tool("prompt", {}))
        value(await put("two"))
    assert len(list((root / ".memory" / "global").glob("*.md"))) == 2


@asks("D13 D14", *ALL)
async def agents_remember_and_recall_and_forget_only_with_permission(face):
    face.project("drover", STORE, settings=FREE)
    path = await face.put(Fact())
    (found,) = await face.recall("fridays")
    assert (found["id"], found["body"]) == (path.stem, "Never on Fridays.")
    if face.name == "MCP":
        face.powers = frozenset()
        async with face.client() as client:
            tools = {tool.name for tool in (await client.list_tools()).tools}
        assert tools >= {"remember", "prompt", "remember_entry", "recall", "forget"}
        with pytest.raises(RefusedError, match="--allow forget"):
            await face.forget(path.stem)
        assert path.exists()
        face.powers = frozenset({"forget"})
    await face.forget(path.stem)
    assert not path.exists()
    assert await face.recall("fridays") == []


async def mirror(face: Face) -> str:
    """Return the id of the only instruction file."""
    (found,) = await face.recall("", tags=["instructions"])
    assert (found["kind"], found["scope"]) == ("reference", "global")
    return found["id"]


@asks("D34 D37 D38", *ALL)
async def an_instruction_file_is_found_and_cannot_be_forgotten(face):
    root = face.project("drover", {**STORE, **RULES})
    (found,) = await face.recall("blue")
    assert found["id"] == await mirror(face)
    with pytest.raises(RefusedError, match="Edit the file on disk instead"):
        await face.forget(found["id"])
    assert (root / "AGENTS.md").read_text() == RULES["AGENTS.md"]


@asks("X23", *ALL)
async def an_instruction_file_is_not_overwritten_by_an_entry(face):
    root = face.project("drover", {**STORE, **RULES}, settings=FREE)
    with pytest.raises(RefusedError, match="reserved for instruction files"):
        await face.put(Fact(tags=("Instructions",)))
    if face.name != "server":  # it has no parameter for the id to replace
        with pytest.raises(RefusedError, match="Edit the file on disk instead"):
            await face.put(Fact(id=await mirror(face)))
    assert list((root / ".memory").rglob("*.md")) == []


@asks("D39", *ALL)
async def loading_showing_and_storing_instructions_do_not_need_each_other(face):
    root = face.project("drover", RULES)
    answer = await face.prompt()
    assert answer.sources == {root / "AGENTS.md": "loaded"}
    assert "## Project instructions\n" in answer.text
    assert "## Recalled memory" not in answer.text
    face.project("drover", {**STORE, **RULES}, settings="drover.seedMemory = false")
    assert "## Project instructions\n" in (await face.prompt()).text
    assert await face.recall("blue") == []
    settings = 'drover.filenames = ["RULES.md"]\ndrover.maxIndexEntries = 0'
    face.project("drover", {**STORE, "RULES.md": "Deploy with blue.\n"}, settings=settings)
    assert "## Recalled memory" not in (await face.prompt()).text
    assert [row["body"] for row in await face.recall("blue")] == ["Deploy with blue."]


def stored_mirror(path: Path) -> tuple[str, str]:
    """Return name and text of the file that drover writes for an instruction file."""
    label = InstructionFile(path, "", "").label
    entry = Entry(
        stable_ulid(str(path)), "global", "reference", label, "old words", 5, tags=("instructions",)
    )
    return f".memory/global/{entry.id}.md", render(entry)


@asks("X21", *ALL)
async def the_mirror_of_a_deleted_instruction_file_is_left_out(face):
    root = face.project("drover", {**STORE, **RULES})
    (kept, old), (gone, left) = (stored_mirror(root / name) for name in ("AGENTS.md", "CLAUDE.md"))
    write(root, {kept: old, gone: left})
    answer = await face.prompt()
    assert answer.sources[root / gone] == "ignored"
    assert "it mirrors an instruction file that no longer exists; remove it" in answer.says
    assert "(AGENTS.md)" in answer.text
    assert "(CLAUDE.md)" not in answer.text
    bodies = [row["body"] for row in await face.recall("", tags=["instructions"])]
    assert bodies == ["Deploy with blue and green."]


@asks("D5 D24 X25", *ALL)
async def an_entry_of_a_run_is_found_by_its_agent_in_this_run(face):
    face.project("drover", STORE, settings=FREE)
    await face.put(Fact("shared"))
    for agent, run in (("a", "r1"), ("b", "r1"), ("a", "r2")):
        await face.put(Fact(f"{agent} in {run}", scope="run", agent=agent, run=run))
    for options, summaries in (
        ({"agent": "a", "run": "r1"}, {"shared", "a in r1"}),
        ({"agent": "b", "run": "r1"}, {"shared", "b in r1"}),
        ({"agent": "b", "run": "r2"}, {"shared"}),
        ({"agent": "a"}, {"shared"}),
    ):
        found = await face.recall("", **options)
        assert {row["summary"] for row in found} == summaries, options


@asks("D55", *ALL)
async def scores_are_those_of_the_documented_formula(face):
    root = face.project("drover")
    entries = random_entries(random.Random(55), 30)
    on_disk(root / ".memory", entries)
    for query in ("deploy", "staging tests of the api", "hot-reload v2 tags"):
        expected = drover_search(entries, query)
        found = await face.recall(query, limit=50, ranking="drover")
        if found is None:  # MCP has one ranking, with the score of the formula
            found = await face.recall(query, limit=50)
            by_id = {row["id"]: row["score"] for row in found if row["score"]}
            assert by_id == pytest.approx(dict(expected), abs=1e-6)
            continue
        scores = [row["score"] for row in found]
        assert {row["id"]: row["score"] for row in found} == pytest.approx(dict(expected), abs=1e-6)
        assert scores == sorted(scores, reverse=True)


@asks("D56", *ALL)
async def ten_entries_are_found_and_at_most_fifty(face):
    root = face.project("drover")
    on_disk(root / ".memory", random_entries(random.Random(56), 60))
    assert len(await face.recall("")) == 10
    assert len(await face.recall("", limit=50)) == 50
    with pytest.raises(RefusedError, match=r"limit must be 1-50 \(got 51\)|'limit' .* equal to 50"):
        await face.recall("", limit=51)
    with pytest.raises(RefusedError, match="limit"):
        await face.recall("", limit=0)
    with pytest.raises(RefusedError, match=r"at most 500 chars \(got 501\)"):
        await face.recall("x" * 501)


@asks("D18 D29", "API", why=MODULES)
async def entries_in_memory_and_in_another_engine_answer_as_those_on_disk(face):
    root = face.project("drover", STORE, settings=FREE)
    files = sorted(root.rglob("*"))
    answers = []
    for store in (InMemoryEntries(), Shelf()):
        ids = [store.put(Draft("global", "project", name, "b")).id for name in ("one", "two")]
        own = store.put(Draft("agent", "project", "own", "b", "a"))
        store.forget(ids[0])
        with pytest.raises(EntryError, match="owned by a different agent") as refused:
            store.forget(own.id, "b")
        summaries = [
            {item.summary for item in store.find(wanted)} for wanted in (Filter(), Filter("a"))
        ]
        answers.append([summaries, re.sub("'.+'", "", str(refused.value))])
    assert sorted(root.rglob("*")) == files
    ids = [(await face.put(Fact(name, "b"))).stem for name in ("one", "two")]
    own = await face.put(Fact("own", "b", scope="agent", agent="a"))
    await face.forget(ids[0])
    found = [
        {row["summary"] for row in await face.recall("", **who)} for who in ({}, {"agent": "a"})
    ]
    face.memory = type(face.memory)(root, home=face.ctx.home, agent="b")
    with pytest.raises(RefusedError) as kept:
        await face.forget(own.stem)
    assert answers == [[found, re.sub("'.+'", "", str(kept.value))]] * 2


@asks("D43", *ALL)
async def only_people_write_instruction_files(face):
    root = face.project("drover", {**STORE, **RULES})
    if face.name == "MCP":
        with pytest.raises(RefusedError, match="instruction file, which agents only read"):
            await face.write("Use one queue")
        assert (root / "AGENTS.md").read_text() == RULES["AGENTS.md"]
    else:
        await face.write("Use one queue")
        assert "- Use one queue\n" in (root / "AGENTS.md").read_text()


@asks("D40 D41 D42", *ALL)
async def changed_settings_and_contents_apply_to_the_next_prompt(face):
    root = face.project("drover", {**STORE, **RULES}, settings=FREE)
    await face.put(Fact("shared fact"))
    assert "- [project] shared fact" in (await face.prompt()).text
    table = (root / "pyproject.toml").read_text()
    (root / "pyproject.toml").write_text(f"{table}drover.maxIndexEntries = 0\n")
    (root / "AGENTS.md").write_text("Other rules.\n")
    face.opened()  # a program asks in a new run
    text = (await face.prompt()).text
    assert ("## Recalled memory" in text, "Other rules." in text) == (False, True)


@asks("D23 D50", "command line", "API", "MCP", why=NO_ID)
async def an_id_that_is_no_ulid_is_refused(face):
    root = face.project("drover", STORE, settings=FREE)
    for name in ("abc", "01HZX3KQ7M8N9P0R1S2T3V4W5I", "01hzx3kq7m8n9p0r1s2t3v4w5x"):
        with pytest.raises(RefusedError, match="id must be a 26-char ULID"):
            await face.put(Fact(id=name))
    assert list((root / ".memory").rglob("*.md")) == []


@asks("D56", "command line", why="only the command limits its list; the others return all")
async def the_list_says_how_many_entries_it_does_not_show(face):
    root = face.project("drover")
    on_disk(root / ".memory", random_entries(random.Random(56), 60))
    listed = json.loads(cli(face.ctx, "entries", "list", "--format", "json").out)
    assert (len(listed["entries"]), listed["count"]) == (50, 60)
    assert "10 not shown (--limit 0 shows all)" in cli(face.ctx, "entries", "list").out
