"""The actions of `agent-memory entries`."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from agent_memory.cli import main
from agent_memory.config.context import Context
from agent_memory.entries.entry_file import Entry, render
from agent_memory.entries.markdown_store import MarkdownEntries
from agent_memory.entries.validation import Draft
from agent_memory.remember import move, promote
from agent_memory.remember.entry_planner import EntryTarget
from kit import github_token, write

DAY = 24 * 60 * 60 * 1000


@pytest.fixture
def project(tmp_path):
    write(tmp_path / "p", {".git/HEAD": "x", "AGENTS.md": "# Notes\n\n- Keep this.\n"})
    write(tmp_path / "h", {".keep": ""})
    (tmp_path / "p/.memory/global").mkdir(parents=True)
    return tmp_path / "p"


@pytest.fixture
def store(project):
    return MarkdownEntries(project / ".memory")


@pytest.fixture
def run(capsys, project, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(project.parent / "cache"))

    def call(*args):
        where = ("--cwd", str(project), "--home", str(project.parent / "h"))
        code = main(["entries", *args, *where])
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


def answer(run, *args):
    code, out, err = run(*args, "--format", "json")
    assert code == 0, err
    return json.loads(out)


def listed(run, *args):
    return [entry["summary"] for entry in answer(run, "list", *args)["entries"]]


def test_entry_in_the_trash_is_shown_as_it_would_be_restored(run, store):
    first = store.put(Draft("global", "project", "first", "one"))
    second = Entry(first.id, "agent", "project", "second", "two", 1, agent="w")
    write(store.root, {f"agents/w/{first.id}.md": render(second)})
    for number, entry in enumerate(store.with_id(first.id)):  # as `promote` moves both
        store.discard([entry])
        put_at = number  # in seconds since the epoch
        os.utime(store.root / ".trash" / entry.path.relative_to(store.root), (put_at, put_at))
    assert answer(run, "show", first.id)["body"] == answer(run, "restore", first.id)["body"]


def old(store, number, days, **fields):
    """Save an entry that was last changed ``days`` ago."""
    at = int(time.time() * 1000) - days * DAY
    entry = Entry(f"{number:026d}", "global", "project", f"entry {number}", "b", at, **fields)
    path = store.path_of(entry)
    path.write_text(render(entry))
    return entry


def test_entries_of_all_agents_are_listed_and_filtered(run, store):
    store.put(Draft("global", "user", "all", "b", tags=("Ops",)))
    store.put(Draft("agent", "project", "mine", "b", "a"))
    store.put(Draft("run", "project", "now", "b", "a", "r1"))
    assert sorted(listed(run)) == ["all", "mine", "now"]
    assert listed(run, "--kind", "user") == ["all"]
    assert listed(run, "--tag", "ops") == ["all"]
    assert listed(run, "--scope", "run") == ["now"]
    assert sorted(listed(run, "--agent", "a")) == ["mine", "now"]
    code, out, _ = run("list")
    assert code == 0
    assert out.splitlines()[-1] == "3 entries: 1 global, 1 agent, 1 run"
    assert "[agent:a · project] mine" in out


def test_old_and_unused_entries_are_listed(run, store, monkeypatch, capsys):
    for number, days in enumerate((1, 20, 40)):
        old(store, number, days, tags=(f"tag{number}",))
    assert listed(run, "--older", "10") == ["entry 1", "entry 2"]
    assert listed(run, "--unused", "10") == []  # recording begins now
    later = time.time() + 30 * 24 * 60 * 60
    monkeypatch.setattr(time, "time", lambda: later)
    where = ("--cwd", str(store.root.parent), "--home", str(store.root.parent.parent / "h"))
    assert main(["recall", "tag2", *where, "--tag", "tag2"]) == 0
    capsys.readouterr()
    assert sorted(listed(run, "--unused", "10")) == ["entry 0", "entry 1"]


def test_long_list_is_cut_and_counted(run, store):
    for number in range(60):
        old(store, number, 1)
    _, out, _ = run("list")
    assert len(out.splitlines()) == 51
    assert out.splitlines()[-1] == "60 entries: 60 global; 10 not shown (--limit 0 shows all)"
    assert len(run("list", "--limit", "0")[1].splitlines()) == 61


def test_entry_is_shown_without_its_secret(run, store):
    entry = store.put(Draft("global", "user", "alpha", "body", tags=("x",)))
    token = github_token(5)
    entry.path.write_text(render(entry).replace("body", token))
    code, out, _ = run("show", entry.id)
    assert code == 0
    assert "[global · user] alpha" in out
    assert token not in out
    assert token in run("show", entry.id, "--reveal")[1]
    assert run("show", "0" * 26)[0] == 1


def test_entry_is_edited_field_by_field(run, store):
    entry = store.put(Draft("agent", "user", "alpha", "body", "a", tags=("x",)))
    assert run("edit", entry.id, "--summary", "beta", "--tag", "y", "--tag", "z")[0] == 0
    [changed] = store.load()
    assert (changed.summary, changed.body, changed.tags) == ("beta", "body", ("y", "z"))
    assert (changed.agent, changed.created) == ("a", entry.created)
    assert run("edit", entry.id)[0] == 2
    assert run("edit", entry.id, "--body", "x", "--agent", "b")[0] == 1
    code, _, err = run("edit", entry.id, "--body", f"use {github_token(6)}")
    assert (code, "contains a secret" in err) == (1, True)


def test_entry_is_given_to_another_agent(run, store):
    entry = store.put(Draft("agent", "user", "alpha", "body", "a"))
    for target, agent in (("agent:b", "b"), ("global", None), ("agent:a", "a")):
        assert run("move", entry.id, "--to", target)[0] == 0
        [moved] = store.load()
        assert (moved.scope, moved.agent) == (target.partition(":")[0], agent)
        assert moved.path == store.path_of(moved)
    assert run("move", entry.id, "--to", "agent")[0] == 2


def test_entry_is_given_to_a_run_of_its_agent(run, store):
    entry = store.put(Draft("agent", "user", "alpha", "body", "a"))
    assert answer(run, "move", entry.id, "--to", "run:r1")["scope"] == "run"
    [moved] = store.load()
    assert (moved.scope, moved.agent, moved.run) == ("run", "a", "r1")


@pytest.mark.parametrize("location", ["AGENTS.md", ":3", "AGENTS.md:0", "AGENTS.md:x"])
def test_item_needs_a_file_and_a_line(run, location):
    code, _, err = run("demote", location)
    assert code == 2
    assert "expected FILE:LINE" in err


def test_line_without_an_item_or_with_a_secret_stays(run, store, project):
    assert "there is no list item to move" in run("demote", "AGENTS.md:1")[2]
    token = github_token(9)
    write(project, {"AGENTS.md": f"# Notes\n\n- Use {token}\n"})
    code, out, err = run("demote", "AGENTS.md:3")
    assert code == 1
    assert token not in out + err
    assert token in (project / "AGENTS.md").read_text()
    assert store.load() == []


@pytest.mark.parametrize("target", ["project", "user"])
def test_entry_is_promoted_and_brought_back(run, store, project, target):
    body = "Deploy from Monday to Thursday.\n\n**Why:** nobody is there on Saturday."
    draft = Draft("agent", "feedback", "No deploys on Fridays", body, "a", tags=("ops",))
    entry = store.put(draft)
    content, notes = entry.path.read_bytes(), (project / "AGENTS.md").read_bytes()
    path = answer(run, "promote", entry.id, "--to", target, "--yes")["path"]
    assert store.load() == []
    lines = Path(path).read_text("utf-8").splitlines()
    [line] = [at for at, text in enumerate(lines, 1) if "No deploys on Fridays. Deploy" in text]
    assert run("demote", f"{path}:{line}")[0] == 0
    assert entry.path.read_bytes() == content
    assert (project / "AGENTS.md").read_bytes() == notes


def test_item_of_a_memory_file_becomes_an_entry(run, store, project):
    done = answer(run, "demote", "AGENTS.md:3", "--kind", "user")
    assert done["written"] is True
    [entry] = store.load()
    assert (entry.kind, entry.summary, entry.body) == ("user", "Keep this", "Keep this.")
    assert "Keep this" not in (project / "AGENTS.md").read_text()


def test_first_entry_of_a_project_needs_consent(tmp_path, capsys):
    write(tmp_path, {"p/.git/HEAD": "", "p/AGENTS.md": "# A\n\n- Use tabs\n", "h/.keep": ""})
    where = ("--cwd", str(tmp_path / "p"), "--home", str(tmp_path / "h"))
    demote = ("entries", "demote", "AGENTS.md:3", *where)
    assert main([*demote]) == 2
    assert "pass --yes to create it" in capsys.readouterr().err
    assert main([*demote, "--dry-run"]) == 0
    assert not (tmp_path / "p/.memory").exists()
    assert "Use tabs" in (tmp_path / "p/AGENTS.md").read_text()
    assert main([*demote, "--yes"]) == 0
    assert len(list((tmp_path / "p/.memory/global").iterdir())) == 1


def test_dry_run_changes_nothing(run, store, project):
    entry = store.put(Draft("global", "user", "alpha", "body"))
    before = (project / "AGENTS.md").read_bytes()
    assert run("promote", entry.id, "--dry-run")[0] == 0
    assert run("demote", "AGENTS.md:3", "--dry-run")[0] == 0
    assert "would be moved to the trash\n" in run("prune", "--older", "0", "--dry-run")[1]
    assert [item.id for item in store.load()] == [entry.id]
    assert (project / "AGENTS.md").read_bytes() == before


def test_secret_is_not_promoted(run, store, project):
    entry = store.put(Draft("global", "user", "alpha", "body"))
    token = github_token(7)
    entry.path.write_text(render(entry).replace("body", f"use {token}"))
    code, out, err = run("promote", entry.id)
    assert code == 1
    assert "secret" in err
    assert token not in out + err + (project / "AGENTS.md").read_text()
    assert [item.id for item in store.load()] == [entry.id]


def test_text_that_memory_has_is_not_added_again(run, store, project):
    entry = store.put(Draft("global", "user", "Keep this", "Keep this."))
    before = (project / "AGENTS.md").read_bytes()
    assert "already contains it" in run("promote", entry.id)[1]
    assert (project / "AGENTS.md").read_bytes() == before
    assert store.load() == []


def test_pruned_entries_are_restored_or_removed(run, store):
    entries = [old(store, number, days) for number, days in enumerate((1, 20, 40))]
    assert run("prune")[0] == 2
    assert run("prune", "--older", "10")[0] == 2  # not a terminal: no question
    assert run("prune", "--older", "10", "--yes")[0] == 0
    assert [entry.id for entry in store.load()] == [entries[0].id]
    assert sorted(listed(run, "--trash")) == ["entry 1", "entry 2"]
    assert listed(run, "--trash", "--older", "30") == ["entry 2"]
    assert "--unused" in run("list", "--trash", "--unused", "30")[2]
    assert run("restore", entries[1].id)[0] == 0
    assert listed(run) == ["entry 0", "entry 1"]
    assert run("empty-trash", "--yes")[1] == "1 entry removed\n"
    assert listed(run, "--trash") == []
    assert run("restore", entries[2].id)[0] == 1


def test_removal_is_confirmed_in_a_terminal(run, store, monkeypatch):
    entry = old(store, 0, 40)
    asked = []

    def answers(*given):
        replies = iter(given)
        monkeypatch.setattr("sys.stdin.isatty", lambda: True)
        monkeypatch.setattr("sys.stdout.isatty", lambda: True)
        monkeypatch.setattr("builtins.input", lambda text: asked.append(text) or next(replies))

    answers("", "Y")
    code, out, _ = run("prune", "--older", "10")
    assert (code, out) == (1, "Nothing was changed\n")
    assert [item.id for item in store.load()] == [entry.id]
    assert run("prune", "--older", "10")[0] == 0
    assert asked == ["Move 1 entry to the trash? [y/N] "] * 2
    assert store.load() == []
    answers("no", "yes")
    assert run("empty-trash")[0] == 1
    assert listed(run, "--trash") == ["entry 0"]
    assert run("empty-trash")[0] == 0
    assert asked[2:] == ["Remove 1 entry for good? [y/N] "] * 2
    assert listed(run, "--trash") == []


def test_removal_is_told_as_json(run, store):
    entry = old(store, 1, 40)
    [told] = answer(run, "prune", "--older", "10", "--dry-run")["entries"]
    assert told["id"] == entry.id
    assert answer(run, "prune", "--older", "10", "--yes")["written"] is True
    assert answer(run, "empty-trash", "--older", "1", "--yes") == {"count": 0, "written": False}
    assert answer(run, "empty-trash", "--dry-run") == {"count": 1, "written": False}
    assert "1 entry would be removed\n" in run("empty-trash", "--dry-run")[1]
    assert answer(run, "empty-trash", "--yes") == {"count": 1, "written": True}


def test_mirrored_instruction_file_is_neither_listed_nor_changed(run, store):
    entry = old(store, 1, 40, tags=("instructions",))
    assert listed(run) == []
    for args in (("promote",), ("edit", "--body", "x"), ("move", "--to", "agent:a")):
        assert run(args[0], entry.id, *args[1:])[0] == 1
    assert run("prune", "--older", "1", "--yes")[0] == 0
    assert store.load() == [entry]


@pytest.mark.parametrize("text", ["**Bold** is a rule", "--force is not allowed", "*one* way"])
def test_marks_at_the_start_of_an_item_stay(run, store, project, text):
    (project / "AGENTS.md").write_text(f"# A\n\n- {text}\n")
    assert run("demote", "AGENTS.md:3")[0] == 0
    [entry] = store.load()
    assert entry.body == text


def test_block_of_a_list_item_loses_only_its_marker(run, store, project):
    (project / "AGENTS.md").write_text("# A\n\n1. **Bold** is\n   - a rule\n")
    assert run("demote", "AGENTS.md:3")[0] == 0
    [entry] = store.load()
    assert entry.body.startswith("**Bold** is")


def test_item_is_removed_after_another_change_of_its_file(store, project):
    ctx = Context(project.parent / "h", project, env={})
    path = project / "AGENTS.md"
    plan = promote.demote(ctx, path, 2, EntryTarget("global", "user"), create=True)
    path.write_text(path.read_text().replace("# ", "# New ", 1) + "- one more\n")
    move.apply(plan)
    assert "Keep this" not in path.read_text()
    assert "one more" in path.read_text()
    assert [entry.summary for entry in store.load()] == ["Keep this"]


@pytest.mark.parametrize("days", ["-5", "nan", "inf", "1e308", "soon"])
@pytest.mark.parametrize("action", ["prune --older", "prune --unused", "empty-trash --older"])
def test_days_are_a_number_from_0_on(run, capsys, action, days):
    name, option = action.split()
    with pytest.raises(SystemExit) as end:
        run(name, f"{option}={days}", "--yes")
    assert end.value.code == 2
    assert "is not a number of days" in capsys.readouterr().err
