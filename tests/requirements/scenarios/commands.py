"""The commands of Claude MPM: learnings from an agent's output, status, export, versions."""

from __future__ import annotations

import json
import subprocess

import pytest

from kit import cli, write
from requirements.face import RefusedError
from requirements.scenario import READERS, WRITERS, asks
from requirements.scenarios.learnings import CONFIG, MEMORIES, MINE, REQUIRED, archive, memory, text

OUTPUT = "only the command reads the output of an agent"
COMMAND = "the row is about commands"


def block(kind="pattern", content="Use the cache for reads", head="# Add To Memory:"):
    return f"{head}\nType: {kind}\nContent: {content}\n#\n"


def learn(face, *args, stdin=""):
    return cli(face.ctx, "learn", *args, stdin=stdin.encode())


def extracted(face, output, *options):
    """Return type and text of the learnings that the command finds."""
    args = ("extract", "--agent", "qa", "--dry-run", "--format", "json", *options)
    ran = learn(face, *args, stdin=output)
    found = json.loads(ran.out)["added"] if ran.out else []
    return [(row["type"], row["content"]) for row in found]


FACT = "Use the cache for reads"
FORMS = (
    block(head="# ADD  to memory:"),
    block(head="# add to memory:"),
    block().lower().replace(FACT.lower(), FACT),
    block(content=f"{FACT}\nand a second line"),
)


@asks("E28 E29 E31 E33", "command line", why=OUTPUT)
async def a_block_of_an_agents_output_is_a_learning(face):
    face.project("claude-mpm")
    for form in FORMS:
        assert extracted(face, f"Done.\n\n{form}Bye.") == [("pattern", FACT)], form
    kinds = ("pattern", "architecture", "guideline", "mistake")
    kinds += ("strategy", "integration", "performance", "context")
    several = "".join(block(kind, f"A {kind} of ours") for kind in (*kinds, "domain", "other"))
    assert extracted(face, several) == [(kind, f"A {kind} of ours") for kind in kinds]


@asks("E30 E32", "command line", why=OUTPUT)
async def a_learning_has_6_to_100_characters_and_counts_once(face):
    face.project("claude-mpm")
    for length, found in ((5, 0), (6, 1), (100, 1), (101, 0)):
        assert len(extracted(face, block(content="y" * length))) == found, length
    assert extracted(face, block() + block("mistake", FACT.upper())) == [("pattern", FACT)]


@asks("E34 X38", "command line", why=OUTPUT)
async def sentences_are_learnings_on_request(face):
    face.project("claude-mpm")
    said = "Best practice: close your files\nMistake: forgot to flush.\n"
    said += "Discovered pattern: one writer\nArchitecture: three layers\n"
    assert extracted(face, said) == []
    assert extracted(face, said, "--natural") == [
        ("guideline", "close your files"),
        ("mistake", "forgot to flush"),
        ("pattern", "one writer"),
        ("architecture", "three layers"),
    ]


@asks("E44", *READERS)
async def what_was_learned_after_a_task_is_in_the_prompt_of_the_next(face):
    face.project("claude-mpm", {MINE: "# T\n"})
    assert learn(face, "extract", "--agent", face.agent, stdin=block()).code == 0
    assert f"## Coding Patterns Learned (Max: 15 items)\n- {FACT}\n" in (await face.prompt()).text


@asks("E38 E43", *WRITERS)
async def with_learning_off_memory_is_still_read_and_written_by_people(face):
    off = {CONFIG: "memory:\n  auto_learning: false\n", MINE: "# T\n\n- known\n"}
    face.project("claude-mpm", off)
    refused = learn(face, "extract", "--agent", face.agent, stdin=block())
    assert (refused.code, "--enable-learning" in refused.err) == (2, True)
    assert FACT not in text(face)
    assert "- known" in (await face.prompt()).text
    await face.write("Use one queue", "integration")
    assert "- Use one queue\n" in text(face)
    args = ("extract", "--agent", face.agent, "--enable-learning", "--memory-limit", "1")
    assert learn(face, *args, stdin=block()).code == 0
    assert FACT in text(face)


@asks("E2", "command line", "learn", "API", "MCP", why="an editor's edit changes memory alone")
async def the_folder_gets_a_readme_that_is_never_overwritten(face):
    root = face.project("claude-mpm")
    await face.write("Use one queue", "integration")
    readme = root / MEMORIES / "README.md"
    assert all(name in readme.read_text() for name in ("8 KB", *REQUIRED))
    readme.write_text("mine")
    await face.write("Use two queues at night", "integration")
    assert readme.read_text() == "mine"


@asks("E36 E37 E19", "command line", why=COMMAND)
async def the_commands_add_view_clean_and_show_the_status(face):
    face.project("claude-mpm", agent="research")
    added = learn(face, "add", "Research Agent", "pattern", FACT)
    assert added.out.startswith("\u2705 Added pattern to research memory\n")
    again = learn(face, "add", "research", "pattern", FACT)
    assert (again.code, again.err[:26]) == (1, "\u274c Failed to add learning: ")
    assert learn(face, "add", "research", "idea", "Another one").code == 2
    assert learn(face, "view", "research").out == text(face)
    (row,) = json.loads(learn(face, "status", "--format", "json").out)["agents"]
    assert (row["agent"], row["items"], row["bytes"]) == ("research", 1, len(text(face)))
    assert learn(face, "clean").out == "research: no changes\n"


@asks("E39 E40 X39", "command line", why=COMMAND)
async def clean_repairs_what_was_edited_by_hand_and_nothing_else(face):
    face.project("claude-mpm", {MINE: "## Mine\n- one\n- one\n- two\n"}, agent="qa")
    write(face.ctx.cwd, {f"{MEMORIES}/bad_agent.md": b"- caf\xe9\n"})
    ran = learn(face, "clean")
    assert (ran.code, "duplicate removed: - one" in ran.out, "bad: " in ran.err) == (2, True, True)
    cleaned = (face.ctx.cwd / MEMORIES / "qa_agent.md").read_text()
    assert "## Mine\n- one\n- two\n" in cleaned
    assert all(f"\n## {name} (Max: 15 items)\n" in cleaned for name in REQUIRED)
    assert learn(face, "clean", "qa").out == "qa: no changes\n"


@asks("E48 X39", "command line", why=COMMAND)
async def export_import_and_diff_carry_every_item(face):
    face.project("claude-mpm", {MINE: "## Own\n- one\n- two\n"}, agent="qa")
    there = cli(face.ctx, "learn", "export").out
    face.project("claude-mpm", {"export.json": there, MINE: "## Own\n- two\n- three\n"}, agent="qa")
    export = str(face.ctx.cwd / "export.json")
    assert learn(face, "diff", export).out == "qa: Own\n  - one\n  + three\n"
    assert learn(face, "import", export).out == "1 added, 1 skipped\n"
    assert "## Own\n- two\n- three\n- one\n" in text(face)


@asks("X37", "command line", why="only learn status shows the time")
async def both_forms_of_the_time_are_read(face):
    for stamp in ("2025-06-01 10:00:00", "2025-06-01 10:00:00 UTC"):
        line = f"<!-- Last Updated: {stamp} | Auto-updated by: research -->\n"
        face.project("claude-mpm", {MINE: f"# T\n{line}"})
        (row,) = json.loads(learn(face, "status", "--format", "json").out)["agents"]
        assert row["updated"] == stamp


@asks("X28 E27", "command line", why="agents of the other interfaces have ids, not names")
async def only_a_trailing_word_agent_is_dropped(face):
    for name, file in (
        ("QA Agent", "qa_agent.md"),
        ("Agentic Ops", "agentic_ops_agent.md"),
        ("reagent", "reagent_agent.md"),
        ("agent", "agent_agent.md"),
        ("data-engineer", "data-engineer_agent.md"),
    ):
        face.project("claude-mpm")
        assert learn(face, "add", name, "pattern", FACT).code == 0
        assert memory(face).name == file


def commit(root):
    """Make a repository of the project, with one commit."""
    (root / ".git" / "HEAD").unlink()
    (root / ".git").rmdir()
    git = ["git", "-C", str(root), "-c", "user.name=n", "-c", "user.email=e@localhost"]
    for args in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run([*git, *args], check=True)


@asks("E41", "command line", "server", why="the API shows no versions")
async def a_change_since_the_last_commit_is_shown(face):
    commit(face.project("claude-mpm", {MINE: "## Own\n- one\n"}, agent="qa"))
    await face.write("two", "Own")
    assert learn(face, "diff").out == "qa: Own\n  + two\n"
    if face.name == "server":
        committed = (await face.ask("prompt", committed=True))["text"]
        assert ("- one" in committed, "- two" in committed) == (True, False)
    else:
        assert "\n+- two\n" in cli(face.ctx, "prompt", "--diff", "HEAD").out


@asks("E18 E35", *WRITERS)
async def what_cannot_be_added_is_refused_and_changes_nothing(face):
    before = "## Own\n- one\n"
    face.project("claude-mpm", {MINE: before})
    for given in ("One.", "x" * 119):
        with pytest.raises(RefusedError):
            await face.write(given, "pattern")
    assert text(face) == before
    assert archive(face) == []
