"""``agent-memory learn`` on real files: exit codes, and no item is lost."""

from __future__ import annotations

import io
import json
import subprocess

import pytest

from agent_memory.cli import main
from kit import github_token, write

pytestmark = pytest.mark.slow

BLOCK = "# Add To Memory:\nType: {}\nContent: {}\n#\n"


@pytest.fixture
def root(tmp_path):
    return write(tmp_path / "shop", {"pyproject.toml": ""})


@pytest.fixture
def run(root, capsys, monkeypatch):
    def call(*args, stdin=""):
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        code = main(["learn", *args, "--cwd", str(root)])
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


def memory(root, agent="research"):
    return root / ".claude-mpm" / "memories" / f"{agent}_agent.md"


def config(root, text):
    write(root, {".claude-mpm/config.yml": text})


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


def test_view_prints_the_file_or_lists_the_agents(root, run):
    run("add", "qa", "mistake", "No sleeps in tests")
    assert run("view", "qa")[1] == memory(root, "qa").read_text()
    code, _, err = run("view", "ops")
    assert code == 2
    assert "agents with one: qa" in err


def test_clean_repairs_and_removes_duplicates(root, run):
    write(root, {".claude-mpm/memories/qa_agent.md": "## Mine\n- one\n- one\n- two\n"})
    before = memory(root, "qa").read_text()
    assert "duplicate removed" in run("clean", "--dry-run")[1]
    assert memory(root, "qa").read_text() == before
    assert run("clean", "qa")[0] == 0
    text = memory(root, "qa").read_text()
    assert text.count("- one\n") == 1
    assert "## Project Architecture" in text
    assert run("clean", "qa")[1] == "qa: no changes\n"


def test_export_and_import_transfer_items(root, run, tmp_path, capsys):
    run("add", "qa", "mistake", "No sleeps in tests")
    run("add", "ops", "pattern", "Blue and green")
    data = run("export")[1]
    other = write(tmp_path / "other", {"pyproject.toml": ""})
    (tmp_path / "export.json").write_text(data)
    assert main(["learn", "import", str(tmp_path / "export.json"), "--cwd", str(other)]) == 0
    assert capsys.readouterr().out == "2 added, 0 skipped\n"
    main(["learn", "export", "--cwd", str(other)])
    there = json.loads(capsys.readouterr().out)["agents"]
    assert there["qa"]["Common Mistakes to Avoid"] == ["No sleeps in tests"]
    assert run("import", str(tmp_path / "export.json"))[1] == "0 added, 2 skipped\n"


@pytest.mark.parametrize("agents", ['{"../x": {}}', '{"qa": []}', "[]", "{"])
def test_invalid_export_is_refused(root, run, agents):
    assert run("import", "-", stdin=f'{{"version": 1, "agents": {agents}}}')[0] == 2
    assert not (root / ".claude-mpm").exists()


def test_heading_with_a_secret_is_not_imported(root, run):
    token = github_token(12)
    data = {"version": 1, "agents": {"qa": {f"Key {token}": ["one"]}}}
    code, out, err = run("import", "-", stdin=json.dumps(data))
    assert (code, out) == (0, "0 added, 1 skipped\n")
    assert "contains a secret" in err
    assert token not in err
    assert not memory(root, "qa").exists()


def test_diff_compares_with_export_or_last_commit(root, run, tmp_path):
    run("add", "qa", "mistake", "No sleeps in tests")
    (tmp_path / "export.json").write_text(run("export")[1])
    git = ["git", "-C", str(root), "-c", "user.name=n", "-c", "user.email=e@localhost"]
    subprocess.run([*git, "init", "-q"], check=True)
    code, _, err = run("diff")
    assert code == 2
    assert "no git commit" in err
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-qm", "x"], check=True)
    path = memory(root, "qa")
    path.write_text(path.read_text().replace("No sleeps", "No waits"))
    for args in ((), (str(tmp_path / "export.json"),)):
        assert run("diff", *args)[1] == (
            "qa: Common Mistakes to Avoid\n  - No sleeps in tests\n  + No waits in tests\n"
        )


def test_refused_items_are_reported_line_by_line(root, run):
    run("add", "qa", "pattern", "Blue and green")
    texts = ("One writer per file", "Blue and green")
    given = "".join(BLOCK.format("pattern", text) for text in texts)
    code, out, err = run("extract", "--agent", "qa", stdin=given)
    assert code == 0
    assert "✅ Added pattern to qa memory: One writer per file" in out
    assert err.startswith("❌ line 5: ")
    assert "already in line" in err


def test_every_action_supports_json(root, run, tmp_path):
    run("add", "qa", "mistake", "No sleeps in tests")
    export = tmp_path / "export.json"
    export.write_text(run("export")[1].replace("No sleeps", "No waits"))
    as_json = ("--format", "json")
    (change, other) = json.loads(run("diff", str(export), *as_json)[1])["changes"]
    assert change == {
        "agent": "qa", "section": "Common Mistakes to Avoid", "change": "-",
        "item": "No waits in tests",
    }  # fmt: skip
    assert (other["change"], other["item"]) == ("+", "No sleeps in tests")
    assert json.loads(run("import", str(export), *as_json)[1]) == {"added": 1, "refused": []}
    cleaned = json.loads(run("clean", "--dry-run", *as_json)[1])
    assert [row["agent"] for row in cleaned["cleaned"]] == ["qa"]
    assert cleaned["dryRun"] is True


def test_status_accepts_a_file_without_sections(root, run):
    write(root, {".claude-mpm/memories/qa_agent.md": "just prose\n"})
    assert "0 sections, 0 items" in run("status")[1]
    assert json.loads(run("export")[1])["agents"] == {"qa": {}}


def test_unreadable_file_is_reported_by_view_and_status(root, run):
    write(root, {".claude-mpm/memories/bad_agent.md": b"## A\n\xff\n"})
    assert run("view", "bad")[0] == 2
    assert "bad_agent.md: cannot be read (undecodable)" in run("view", "bad")[2]
    assert "over: cannot be read (undecodable)" in run("status")[1]
    many = "".join(f"## Section {number}\n- {'x' * 9000}\n" for number in range(11))
    write(root, {".claude-mpm/memories/qa_agent.md": many})
    out = run("status")[1]
    assert "over: 11 of 10 sections" in out
    assert "99,177 of 8,192 bytes" in out


def test_diff_shows_the_items_of_a_deleted_file(root, run):
    run("add", "qa", "mistake", "No sleeps in tests")
    git = ["git", "-C", str(root), "-c", "user.name=n", "-c", "user.email=e@localhost"]
    for args in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"]):
        subprocess.run([*git, *args], check=True)
    memory(root, "qa").unlink()
    out = run("diff")[1]
    assert out == "qa: Common Mistakes to Avoid\n  - No sleeps in tests\n"


def test_invalid_agent_is_a_usage_error(run):
    code, _, err = run("add", "../x", "mistake", "No sleeps in tests")
    assert code == 2
    assert "is not an agent id" in err


def test_status_and_refusals_as_text(root, run):
    write(root, {".claude-mpm/memories/qa_agent.md": "## A\n" + "- x\n" * 20})
    out = run("status")[1]
    assert "(memory is on)" in out
    assert "over: 20 of 15 items in 'A'" in out
    assert "auto-learning off, updated never" in out
    assert json.loads(run("view", "qa", "--format", "json")[1])["sections"]["A"][0] == "x"
    added = json.loads(run("add", "ops", "pattern", "Blue and green", "--format", "json")[1])
    assert added["added"][0]["section"] == "Coding Patterns Learned"


def test_extract_as_json_lists_refused_items(root, run):
    config(root, "memory:\n  auto_learning: true\n")
    text = BLOCK.format("pattern", "One writer per file")
    assert json.loads(run("extract", "--agent", "qa", "--format", "json", stdin=text)[1])["added"]
    again = json.loads(run("extract", "--agent", "qa", "--format", "json", stdin=text)[1])
    assert again["added"] == []
    assert "already in line" in again["refused"][0]["reason"]


def test_invalid_config_is_reported_and_defaults_apply(root, run):
    config(root, "memory: [")
    code, _, err = run("add", "qa", "mistake", "No sleeps in tests")
    assert code == 0
    assert "config.yml" in err


def test_missing_input_file_is_refused(run, tmp_path):
    code, _, err = run("import", str(tmp_path / "none.json"))
    assert code == 2
    assert err.endswith("none.json cannot be read: missing. Use - for standard input\n")
    assert "not JSON" not in err


HYPHEN = ".claude-mpm/memories/data-engineer_agent.md"
ODD = {
    ".claude-mpm/memories/_x_agent.md": "## A\n\n- odd one\n",
    ".claude-mpm/memories/bad_agent.md": b"## A\n\xff\n",
    ".claude-mpm/memories/open_agent.md": "# T\n\n<!-- open\n",
    ".claude-mpm/memories/two words_agent.md": "## A\n\n- other one\n",
    ".claude-mpm/memories/zz_agent.md": "## A\n\n- last one\n",
}


def test_file_of_an_agent_with_a_hyphen_is_read_and_written(root, run):
    write(root, {HYPHEN: "# D\n\n## Recent Learnings\n\n- Use uv.\n"})
    for spelled in ("data-engineer", "data_engineer", "Data Engineer"):
        assert "- Use uv." in run("view", spelled)[1]
    code, out, _ = run("add", "data_engineer", "pattern", "Use ruff")
    assert (code, out.split("\n")[0]) == (0, "✅ Added pattern to data-engineer memory")
    (file,) = (root / HYPHEN).parent.glob("*_agent.md")
    assert "- Use ruff" in file.read_text()
    assert json.loads(run("export")[1])["agents"].keys() == {"data-engineer"}
    assert run("status")[1].count("data-engineer") == 1
    assert run("clean")[0] == 0


def test_new_file_keeps_the_hyphen_of_its_agent(root, run):
    assert run("add", "data-engineer", "pattern", "Use ruff")[0] == 0
    assert (root / HYPHEN).read_text().startswith("# Data-Engineer Agent Memory - shop\n")


def test_one_odd_file_stops_no_command_for_the_others(root, run):
    write(root, ODD)
    code, out, err = run("clean")
    assert (code, [line.split(":")[0] for line in out.splitlines()]) == (
        2,
        ["_x", "two words", "zz"],
    )
    assert "❌ bad: " in err
    assert "❌ open: line 3 opens a comment" in err
    code, out, err = run("export")
    assert (code, set(json.loads(out)["agents"])) == (2, {"_x", "open", "two words", "zz"})
    assert "bad_agent.md: cannot be read (undecodable)" in err
    assert run("status")[0] == 0
    assert run("add", "two words", "pattern", "Use ruff")[0] == 0


def test_import_and_diff_continue_after_an_odd_agent(root, run):
    write(root, ODD)
    sections = {"A": ["a new one"]}
    agents = dict.fromkeys(("_new", "bad", "two words", "zz"), sections)
    export = json.dumps({"version": 1, "agents": agents})
    code, out, err = run("import", "-", stdin=export)
    assert (code, out) == (0, "2 added, 2 skipped\n")
    assert "_new: A: '_new' is not an agent id" in err
    assert "bad_agent.md" in err
    write(root, {"old.json": export})
    code, out, err = run("diff", str(root / "old.json"))
    assert (code, "bad: " in out, "bad_agent.md: cannot be read" in err) == (2, False, True)
    assert "zz: A\n  + last one" in out


def test_view_never_leaves_the_memories_folder(root, run):
    write(root, {"secret_agent.md": "outside"})
    code, out, err = run("view", "../../secret")
    assert (code, out) == (2, "")
    assert "is not an agent id" in err


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
