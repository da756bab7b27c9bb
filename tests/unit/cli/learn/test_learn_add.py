"""``agent-memory learn add`` and ``extract`` on real files: exit codes, and no item is lost."""

from __future__ import annotations

import json
import sys

import pytest

from agent_memory.base.errors import UsageError
from agent_memory.cli import main
from agent_memory.learnings.store import Learnings
from kit import github_token, write
from learn_kit import BLOCK, config, memory

pytestmark = pytest.mark.slow


def test_learning_is_added_by_type(root, run):
    code, out, _ = run("add", "Research Agent", "pattern", "Use dependency injection")
    assert code == 0
    assert out.startswith("✅ Added pattern to research memory\n")
    text = memory(root).read_text()
    assert "## Coding Patterns Learned (Max: 15 items)\n- Use dependency injection\n" in text
    assert run("add", "research", "context", "Moving to v2")[0] == 0
    assert (
        "## Current Technical Context (Max: 15 items)\n- Moving to v2\n" in memory(root).read_text()
    )


def test_opened_comment_hides_no_later_learning(root, run):
    for text in ("first", "<!-- hi", "Never sleep"):
        assert run("add", "qa", "mistake", text)[0] == 0
    text = memory(root, "qa").read_text()
    assert "- first\n- &lt;!-- hi\n- Never sleep\n" in text
    assert text.count("hi\n") == text.count("Never sleep") == 1


def test_learning_after_an_unclosed_fence_is_refused(root, run):
    before = "# QA\n\n## Project Architecture\n- a\n\n```\ncode\n"
    write(root, {".claude-mpm/memories/qa_agent.md": before})
    code, _, err = run("add", "qa", "mistake", "Never sleep in tests")
    assert code == 1
    assert "line 6 opens a code block that is never closed" in err
    assert memory(root, "qa").read_text() == before
    code, _, err = run("clean", "qa")
    assert code == 1
    assert memory(root, "qa").read_text() == before


def test_empty_learning_is_refused(root, run):
    code, _, err = run("add", "qa", "mistake", "  ")
    assert code == 1
    assert "the text is empty" in err
    assert not memory(root, "qa").exists()


def test_duplicate_learning_is_refused(root, run):
    run("add", "qa", "mistake", "No sleeps in tests")
    code, _, err = run("add", "qa", "mistake", "no sleeps in tests.")
    assert code == 1
    assert "❌ Failed to add learning: already in line" in err


def test_readme_is_created_once_and_never_overwritten(root, run):
    run("add", "qa", "mistake", "No sleeps in tests")
    readme = root / ".claude-mpm" / "memories" / "README.md"
    assert "8 KB" in readme.read_text()
    readme.write_text("mine")
    run("add", "qa", "mistake", "No globals in tests")
    assert readme.read_text() == "mine"


def test_existing_file_is_used(root, run):
    write(root, {".claude-mpm/memories/qa_memories.md": "# Qa\n\n## Learnings\n\n- a\n"})
    assert run("add", "qa", "mistake", "No sleeps in tests")[0] == 0
    assert not memory(root, "qa").exists()
    assert "- No sleeps in tests" in (root / ".claude-mpm/memories/qa_memories.md").read_text()


def test_undecodable_file_is_unchanged(root, run):
    write(root, {".claude-mpm/memories/qa_agent.md": b"- caf\xe9\n"})
    code, _, err = run("add", "qa", "mistake", "No sleeps in tests")
    assert code == 2
    assert "not UTF-8 from byte 5 on" in err
    assert memory(root, "qa").read_bytes() == b"- caf\xe9\n"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such a name")
def test_project_folder_may_have_a_name_that_is_not_utf8(tmp_path, capsys):
    root = write(tmp_path / "caf\udce9", {"pyproject.toml": ""})  # the byte 0xE9
    assert main(["learn", "add", "qa", "mistake", "No sleeps", "--cwd", str(root)]) == 0
    assert memory(root, "qa").read_text("utf-8").startswith("# Qa Agent Memory - caf\ufffd\n")


def test_evicted_items_are_in_the_archive(root, run):
    for number in range(17):
        assert run("add", "qa", "mistake", f"Mistake number {number}")[0] == 0
    archive = (root / ".claude-mpm/memories/archive/qa.md").read_text()
    assert archive.count("- Mistake number") == 2
    assert "- Mistake number 0 <!-- Common Mistakes to Avoid, " in archive
    held = memory(root, "qa").read_text()
    assert "- Mistake number 2\n" in held
    assert "- Mistake number 1\n" not in held


@pytest.mark.slow
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_archive_without_final_newline_keeps_its_last_line(root, run, newline):
    old = f"# Mine{newline}{newline}- kept by hand"
    archive = root / ".claude-mpm/memories/archive/qa.md"
    write(root, {str(archive.relative_to(root)): old.encode()})
    for number in range(16):
        run("add", "qa", "mistake", f"Mistake number {number}")
    text = archive.read_bytes().decode()
    assert text.startswith(f"{old}{newline}- Mistake number 0 <!-- ")
    assert text.count("\n") == text.count(newline) == 4


@pytest.mark.slow
def test_overrides_match_with_and_without_agent(root, run):
    config(root, "memory:\n  limits:\n    default_size_kb: 1\n  agent_overrides:\n"
                 "    qa_agent:\n      size_kb: 16\n      auto_learning: true\n")  # fmt: skip
    for number in range(40):
        run("add", "qa", ("mistake", "pattern", "context")[number % 3], f"{number} " + "y" * 80)
        run("add", "ops", ("mistake", "pattern", "context")[number % 3], f"{number} " + "y" * 80)
    assert memory(root, "qa").stat().st_size > 2048
    assert memory(root, "ops").stat().st_size <= 1024
    status = json.loads(run("status", "--format", "json")[1])
    assert [(row["agent"], row["limit"], row["autoLearning"]) for row in status["agents"]] == [
        ("ops", 1024, False),
        ("qa", 16384, True),
    ]


def test_nothing_is_learned_when_learning_is_off(root, run):
    config(root, "memory:\n  enabled: false\n")
    code, _, err = run("add", "qa", "mistake", "No sleeps in tests")
    assert code == 2
    assert "memory.enabled is false" in err
    block = BLOCK.format("pattern", "One writer per file")
    code, _, err = run("extract", "--agent", "qa", stdin=block)
    assert code == 2
    assert "memory.enabled is false" in err
    assert "--enable-learning" not in err
    assert not memory(root, "qa").exists()


def test_extract_learns_unless_learning_is_off(root, run):
    text = (
        "Done.\n" + BLOCK.format("pattern", "One writer per file") + BLOCK.format("mistake", "tiny")
    )
    assert run("extract", "--agent", "ops", stdin=text)[0] == 0
    assert "- One writer per file" in memory(root, "ops").read_text()
    config(root, "memory:\n  agent_overrides:\n    qa:\n      auto_learning: false\n")
    code, _, err = run("extract", "--agent", "QA Agent", stdin=text)
    assert code == 2
    assert not memory(root, "qa").exists()
    assert "--enable-learning" in err
    assert run("extract", "--agent", "qa", "--enable-learning", stdin=text)[0] == 0
    assert "- One writer per file" in memory(root, "qa").read_text()
    assert run("extract", "--agent", "qa", stdin="nothing")[0] == 1


def test_extract_reads_a_file_and_optionally_sentences(root, run, tmp_path):
    config(root, "memory:\n  auto_learning: true\n")
    out = tmp_path / "out.txt"
    out.write_text("Best practice: keep functions short\n")
    assert run("extract", str(out), "--agent", "qa")[0] == 1
    dry = run("extract", str(out), "--agent", "qa", "--natural", "--dry-run", "--format", "json")
    assert json.loads(dry[1])["added"][0]["content"] == "keep functions short"
    assert not memory(root, "qa").exists()
    assert run("extract", str(out), "--agent", "qa", "--natural")[0] == 0


def test_secret_is_never_learned(root, run):
    token = github_token(3)
    code, out, err = run("add", "qa", "context", f"log in with {token}")
    assert code == 1
    assert token not in out + err
    assert "contains a secret" in err


def test_refused_items_are_reported_line_by_line(root, run):
    run("add", "qa", "pattern", "Blue and green")
    texts = ("One writer per file", "Blue and green")
    given = "".join(BLOCK.format("pattern", text) for text in texts)
    code, out, err = run("extract", "--agent", "qa", stdin=given)
    assert code == 0
    assert "✅ Added pattern to qa memory: One writer per file" in out
    assert err.startswith("❌ line 5: ")
    assert "already in line" in err


@pytest.mark.parametrize("output", ["text", "json"])
def test_items_added_before_a_failed_write_are_printed(root, run, monkeypatch, output):
    real_add = Learnings.add
    run("add", "qa", "pattern", "Small tests")

    def failing(self, agent, kind, text):
        if text == "Blue and green":
            raise UsageError("the disk is full")
        return real_add(self, agent, kind, text)

    monkeypatch.setattr(Learnings, "add", failing)
    texts = ("One writer per file", "Small tests", "Blue and green", "Use one queue")
    given = "".join(BLOCK.format("pattern", text) for text in texts)
    code, out, err = run("extract", "--agent", "qa", "--format", output, stdin=given)
    assert code == 2
    assert "the disk is full" in err
    assert "- One writer per file" in memory(root, "qa").read_text()
    if output == "json":
        found = json.loads(out)
        assert [row["content"] for row in found["added"]] == ["One writer per file"]
        assert len(found["refused"]) == 1
    else:
        assert out == "✅ Added pattern to qa memory: One writer per file\n"
        assert err.startswith("❌ line 5: ")


def test_extract_as_json_lists_refused_items(root, run):
    config(root, "memory:\n  auto_learning: true\n")
    text = BLOCK.format("pattern", "One writer per file")
    assert json.loads(run("extract", "--agent", "qa", "--format", "json", stdin=text)[1])["added"]
    again = json.loads(run("extract", "--agent", "qa", "--format", "json", stdin=text)[1])
    assert again["added"] == []
    assert "already in line" in again["refused"][0]["reason"]


def test_missing_input_file_is_refused(run, tmp_path):
    code, _, err = run("import", str(tmp_path / "none.json"))
    assert code == 2
    assert err.endswith("none.json cannot be read: missing. Use - for standard input\n")
    assert "not JSON" not in err


def test_new_file_keeps_the_hyphen_of_its_agent(root, run):
    assert run("add", "data-engineer", "pattern", "Use ruff")[0] == 0
    assert (
        memory(root, "data-engineer")
        .read_text()
        .startswith("# Data-Engineer Agent Memory - shop\n")
    )


@pytest.mark.parametrize(
    ("kind", "section"),
    [
        ("pattern", "Coding Patterns Learned"),
        ("architecture", "Project Architecture"),
        ("guideline", "Implementation Guidelines"),
        ("mistake", "Common Mistakes to Avoid"),
        ("strategy", "Effective Strategies"),
        ("integration", "Integration Points"),
        ("performance", "Performance Considerations"),
        ("context", "Current Technical Context"),
        ("domain", "Domain-Specific Knowledge"),
    ],
)
def test_each_type_has_its_section(root, run, kind, section):
    assert run("add", "qa", kind, "Use one queue")[0] == 0
    assert f"## {section} (Max: 15 items)\n- Use one queue\n" in memory(root, "qa").read_text()


def test_unknown_type_is_refused_and_the_types_are_named(root, run, capsys):
    with pytest.raises(SystemExit) as stopped:
        run("add", "qa", "mistke", "Use one queue")
    assert stopped.value.code == 2
    assert "'mistke'" in (err := capsys.readouterr().err)
    assert "mistake" in err
    assert not memory(root, "qa").exists()
