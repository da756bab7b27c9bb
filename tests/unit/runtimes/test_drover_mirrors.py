"""drover's instruction files as entries: in the index and in recall of the default settings."""

from __future__ import annotations

import json
import random

import pytest

from agent_memory.base.model import Role, Status
from agent_memory.base.ulid import stable_ulid
from agent_memory.entries.entry_file import Entry, render
from agent_memory.entries.instruction_mirror import InstructionFile, mirrors
from agent_memory.entries.store import Filter, InMemoryEntries
from agent_memory.prompt.compose import compose
from agent_memory.recall import engine
from agent_memory.recall.hits import BY_SCORE
from entry_kit import VOCABULARY, drover_search, indexed, on_disk, random_entries
from kit import cli, project, with_settings, write

FIRST = "01HZX3KQ7M8N9P0R1S2T3V4W5X"
OWN = f".memory/global/{FIRST}.md"
FACT = (
    f"---\nid: {FIRST}\nscope: global\nkind: project\nsummary: a fact\ncreatedAt: 1\n---\n\nbody\n"
)
FILES = {
    OWN: FACT,
    "AGENTS.md": "\nDeploy with blue and green.\n",
    "packages/api/CLAUDE.md": "The api has its own release.\n",
    "packages/web/AGENTS.md": "off the path\n",
}


@pytest.fixture
def ctx(tmp_path):
    return project(tmp_path, FILES, {})


def index(ctx):
    return compose(ctx, "drover").text.partition("### Global\n")[2].split("\n")


def stored(path, folder="", created=5):
    """Return the file that drover writes for the instruction file ``path``."""
    label = InstructionFile(path, folder, "").label
    entry = Entry(
        stable_ulid(str(path)), "global", "reference", label, "old text", created,
        tags=("instructions",),
    )  # fmt: skip
    return f".memory/global/{entry.id}.md", render(entry)


def test_index_has_the_instruction_files_of_the_chain(ctx):
    root = "- [reference] Project instructions — (repo root) (AGENTS.md)"
    assert index(ctx) == [root, "- [project] a fact"]
    assert index(ctx.with_(cwd=ctx.cwd / "packages" / "api")) == [
        "- [reference] Project instructions — packages/api (CLAUDE.md)",
        root,
        "- [project] a fact",
    ]


def test_mirrors_take_room_in_the_index_and_the_starved_entry_is_named(ctx):
    ctx = with_settings(ctx, drover_index=1)
    assert index(ctx) == ["- [reference] Project instructions — (repo root) (AGENTS.md)"]
    (entry,) = [item for item in compose(ctx, "drover").sources if item.role is Role.ENTRY]
    assert (entry.name, entry.left_out) == (FIRST, True)
    assert "the index is full (limit: 1)" in entry.reason


def test_no_mirror_if_the_setting_is_off_or_no_entries_are_stored(ctx):
    assert index(with_settings(ctx, drover_seed=False)) == ["- [project] a fact"]
    (ctx.cwd / OWN).unlink()
    (ctx.cwd / OWN).parent.rmdir()
    assert "## Recalled memory" not in compose(ctx, "drover").text


@pytest.mark.parametrize("empty", ["AGENTS.md", "CLAUDE.md"])
def test_no_file_after_an_empty_one_is_mirrored(ctx, empty):
    write(ctx.cwd, {empty: " \n"})
    first = ["- [reference] Project instructions — (repo root) (AGENTS.md)"]
    now = ctx.with_(cwd=ctx.cwd / "packages" / "api")
    assert index(now) == [*(first if empty == "CLAUDE.md" else []), "- [project] a fact"]


def test_a_stored_mirror_is_renewed_and_that_of_a_deleted_file_is_left_out(ctx):
    kept, kept_text = stored(ctx.cwd / "AGENTS.md")
    gone, gone_text = stored(ctx.cwd / "CLAUDE.md")
    other, other_text = stored(ctx.cwd / "packages" / "web" / "AGENTS.md", "packages/web")
    write(ctx.cwd, {kept: kept_text, gone: gone_text, other: other_text})
    assert index(ctx) == [
        "- [reference] Project instructions — (repo root) (AGENTS.md)",
        "- [reference] Project instructions — packages/web (AGENTS.md)",
        "- [project] a fact",
    ]
    rows = {item.path: item for item in compose(ctx, "drover").sources}
    assert "drover renews it" in rows[ctx.cwd / kept].reason
    assert rows[ctx.cwd / gone].status is Status.IGNORED
    assert "no longer exists" in rows[ctx.cwd / gone].reason
    bodies = {item["id"]: item["body"] for item in recalled(ctx, "", "--tag", "instructions")}
    assert bodies == {
        stable_ulid(str(ctx.cwd / "AGENTS.md")): "Deploy with blue and green.",
        stable_ulid(str(ctx.cwd / "packages" / "web" / "AGENTS.md")): "old text",
    }


def recalled(ctx, query, *more):
    out = cli(ctx, "recall", query, "--format", "json", *more)
    return json.loads(out.out)["entries"]


def test_recall_finds_instruction_files(ctx):
    (hit,) = recalled(ctx, "blue")
    assert (hit["scope"], hit["kind"], hit["tags"]) == ("global", "reference", ["instructions"])
    assert [item["summary"] for item in recalled(ctx, "", "--tag", "instructions")] == [
        "Project instructions — (repo root) (AGENTS.md)"
    ]
    assert recalled(ctx.with_(cwd=ctx.cwd / "packages" / "api"), "release")[0]["body"].startswith(
        "The api"
    )


def test_recall_uses_the_entries_of_the_project_by_default(ctx):
    assert "a fact" in cli(ctx, "recall", "fact").out
    assert not (ctx.cwd / ".memory" / "global" / f"{stable_ulid(str(ctx.cwd))}.md").exists()
    assert len(list((ctx.cwd / ".memory" / "global").iterdir())) == 1


def test_mirrored_file_can_neither_be_forgotten_nor_overwritten(ctx):
    mirror = stable_ulid(str(ctx.cwd / "AGENTS.md"))
    forgot = cli(ctx, "forget", mirror)
    assert forgot.code == 1
    assert "it's a loaded project-instruction file. Edit the file on disk instead." in forgot.err
    saved = cli(ctx, "remember", "x", "--scope", "global", "--id", mirror, "--store", ".memory")
    assert saved.code != 0
    assert (ctx.cwd / "AGENTS.md").read_text() == FILES["AGENTS.md"]


def test_content_is_that_of_the_prompt(tmp_path):
    ctx = project(tmp_path, {OWN: FACT, "AGENTS.md": "\n\ufeffa" + "b" * 17_000}, {})
    (hit,) = recalled(ctx, "", "--kind", "reference")
    assert hit["body"] in compose(ctx, "drover").text
    assert hit["body"].endswith("[...truncated — file exceeds 16384 bytes]")


@pytest.mark.parametrize("seed", range(4))
def test_the_ranking_with_mirrors_is_the_documented_one(seed, tmp_path):
    rng = random.Random(seed)
    root, cache = tmp_path / "store", tmp_path / "index"
    entries = random_entries(rng, 30)
    files = [
        InstructionFile(
            tmp_path / name / "AGENTS.md", name, " ".join(rng.choices(VOCABULARY, k=20))
        )
        for name in ("one", "two", "three")
    ]
    old = Entry(
        stable_ulid(str(files[0].path)), "global", "reference", files[0].label, "old tags", 3,
        tags=("instructions",),
    )  # fmt: skip
    on_disk(root, [*entries, old])
    run = mirrors(files, clock=lambda: 1000.0)
    whole = InMemoryEntries([*entries, *run.entries])
    plain, fast = engine.Recall(root), indexed(root, cache)
    assert fast.is_indexed
    for query in ("", "staging instructions", *rng.choices(VOCABULARY, k=6)):
        for wanted in (Filter(), Filter(kinds=("reference",)), Filter(tags=("instructions",))):
            answers = [
                [(hit.entry.id, round(hit.score, 9)) for hit in hits]
                for hits in (
                    plain.search(query, wanted, 12, run, by=BY_SCORE),
                    fast.search(query, wanted, 12, run, by=BY_SCORE),
                )
            ]
            assert answers[0] == answers[1]
        if query:
            expected = dict(drover_search(whole.load(), query))
            found = plain.search(query, Filter(), 50, run, by=BY_SCORE)
            assert {hit.entry.id: pytest.approx(hit.score) for hit in found} == expected
    fast.close()
