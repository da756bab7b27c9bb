"""The files of drover's entries: names, bytes and limits, as every interface writes them."""

from __future__ import annotations

import re
import time

import pytest

from agent_memory.entries.entry_file import EntryPlace, parse
from requirements.face import Fact, RefusedError
from requirements.scenario import ALL, asks

STORE = {".memory/global/.keep": ""}
FREE = "drover.writesPerTurn = 0"
NO_ID = "the server saves new entries only; an editor changes the file itself"
ULID = "[0-9A-HJKMNP-TV-Z]{26}"


@asks("D50 D52 D53 D7 D6", *ALL)
async def an_entry_has_the_bytes_that_drover_writes(face):
    root = face.project("drover", STORE, settings=FREE)
    before = int(time.time() * 1000)
    fact = Fact("no: deploys", "Rule.\n\n**Why:** so", "run", "feedback", ("ops", "1.0"), "w", "r1")
    path = await face.put(fact)
    after = int(time.time() * 1000)
    assert path.parent == root / ".memory" / "runs" / "r1"
    found = re.fullmatch(
        rf"---\nid: ({ULID})\nscope: run\nkind: feedback\nsummary: \"no: deploys\"\n"
        r"createdAt: (\d{13})\nagentId: w\nrunId: r1\ntags:\n  - ops\n  - \"1\.0\"\n---\n\n"
        r"Rule\.\n\n\*\*Why:\*\* so\n",
        path.read_text(),
    )
    assert found, path.read_text()
    assert found[1] == path.stem
    assert before <= int(found[2]) <= after
    assert (await face.put(Fact())).parent == root / ".memory" / "global"
    own = await face.put(Fact(scope="agent", agent="w"))
    assert own.parent == root / ".memory" / "agents" / "w"
    assert [path.stem < later.stem for later in (own,)] == [True]


@asks("D23", "command line", "API", "MCP", why=NO_ID)
async def replacing_an_entry_keeps_its_time_and_its_other_keys(face):
    face.project("drover", STORE, settings=FREE)
    path = await face.put(Fact())
    text = (
        path.read_text().replace("createdAt: ", "createdAt: 1").replace("---\n\n", "x: 1\n---\n\n")
    )
    path.write_text(text)
    created = parse(text, EntryPlace("global")).created
    assert await face.put(Fact("deploys", "Only on Monday.", id=path.stem)) == path
    entry = parse(path.read_text(), EntryPlace("global"))
    assert (entry.created, entry.summary, entry.body) == (created, "deploys", "Only on Monday.")
    assert abs(entry.updated - time.time() * 1000) < 600_000
    assert entry.extra == "x: 1\n"


@asks("D51", *ALL)
async def names_of_agents_and_runs_are_limited(face):
    root = face.project("drover", STORE, settings=FREE)
    for name in ("a/b", "../e", "a b", "x" * 65):
        for scope in ("agent", "run"):
            given = {scope: name} if scope == "agent" else {"agent": "w", "run": name}
            with pytest.raises(RefusedError):
                await face.put(Fact(scope=scope, **given))
    for name in ("x" * 64, "A-b_9"):
        path = await face.put(Fact(scope="agent", agent=name))
        assert path.parent == root / ".memory" / "agents" / name
        path = await face.put(Fact(scope="run", agent="w", run=name))
        assert path.parent == root / ".memory" / "runs" / name
    assert len(list((root / ".memory").rglob("*.md"))) == 4


@asks("D54", *ALL)
async def an_entry_over_a_limit_is_refused_with_the_figures(face):
    face.project("drover", STORE, settings=FREE)
    tags = tuple(f"t{number}" for number in range(13))
    for fact, message in (
        (Fact("x" * 201), "summary must be 1-200 chars (got 201)"),
        (Fact(body="y" * 4001), "body must be 1-4000 chars (got 4001)"),
        (Fact(body="y" * 65537, kind="reference"), "body must be 1-65536 chars (got 65537)"),
        (Fact(tags=tags), "tags must be at most 12 (got 13)"),
    ):
        with pytest.raises(RefusedError, match=re.escape(message)):
            await face.put(fact)
    assert await face.put(Fact("x" * 200, "y" * 4000, tags=tags[:12]))
    assert await face.put(Fact("reference", "z" * 65536, kind="reference"))
