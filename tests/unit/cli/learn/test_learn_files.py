"""``agent-memory learn view|clean|export|import|diff|status`` on real files."""

from __future__ import annotations

import json
import subprocess

import pytest

from agent_memory.cli import main
from kit import github_token, write
from learn_kit import config, memory

pytestmark = pytest.mark.slow

HYPHEN = ".claude-mpm/memories/data-engineer_agent.md"
ODD = {
    ".claude-mpm/memories/_x_agent.md": "## A\n\n- odd one\n",
    ".claude-mpm/memories/bad_agent.md": b"## A\n\xff\n",
    ".claude-mpm/memories/open_agent.md": "# T\n\n<!-- open\n",
    ".claude-mpm/memories/two words_agent.md": "## A\n\n- other one\n",
    ".claude-mpm/memories/zz_agent.md": "## A\n\n- last one\n",
}


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
    path = root / ".claude-mpm/memories/bad_agent.md"
    assert f"  cannot read {path}: undecodable\n" in run("status")[1]
    [row] = json.loads(run("status", "--format", "json")[1])["agents"]
    assert (row["over"], row["failure"]) == ([], "undecodable")
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


def test_invalid_config_is_reported_and_defaults_apply(root, run):
    config(root, "memory: [")
    code, _, err = run("add", "qa", "mistake", "No sleeps in tests")
    assert code == 0
    assert "config.yml" in err


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
