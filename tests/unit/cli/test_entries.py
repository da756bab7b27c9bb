"""Entries on the command line: remember --store, recall, forget."""

from __future__ import annotations

import json

import pytest

from agent_memory.cli import main
from kit import github_token


@pytest.fixture
def run(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def call(name, *args):
        code = main([name, *args, "--store", str(tmp_path)])
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


def saved(run, text, *args):
    code, out, err = run("remember", text, *args, "--format", "json")
    assert code == 0, err
    return json.loads(out)


def test_entry_is_saved_found_and_forgotten(run):
    options = ("--scope", "agent", "--agent", "w", "--kind", "feedback", "--tag", "ops")
    entry = saved(run, "Deploy on Fridays, never.", *options, "--summary", "no friday deploys")
    code, out, _ = run("recall", "deploy", "--agent", "w", "--format", "json")
    (found,) = json.loads(out)["entries"]
    assert code == 0
    assert found["score"] > 0
    assert 0.25 < found.pop("relevance") <= 1
    assert found.pop("relevant") is True
    assert {**found, "score": 0.0} == entry
    assert list(entry) == ["id", "scope", "kind", "summary", "tags", "score", "path", "body"]
    assert run("forget", entry["id"], "--agent", "v")[0] == 1
    assert run("forget", entry["id"])[1] == f"forgot memory '{entry['id']}'.\n"
    assert run("forget", entry["id"]) == (
        1, "", f"agent-memory forget: no memory '{entry['id']}' to forget.\n"
    )  # fmt: skip


def test_text_and_json_output_name_the_entry(run, tmp_path):
    code, out, _ = run("remember", "Never on Fridays.", "--summary", "fridays")
    assert code == 0
    (path,) = (tmp_path / "global").glob("*.md")
    assert out == f"saved global/project memory '{path.stem}'.\n{path}\n"
    gone = json.loads(run("forget", path.stem, "--format", "json")[1])
    assert (gone["id"], gone["summary"]) == (path.stem, "fridays")
    assert not path.exists()


def test_entry_of_a_run_is_not_forgotten_by_another_run(run):
    entry = saved(run, "Body.", "--scope", "run", "--run", "r1", "--summary", "alpha")
    code, _, err = run("forget", entry["id"], "--run", "r2")
    assert code == 1
    assert "belongs to another run" in err


def test_recall_prints_the_text_for_an_agent(run):
    entry = saved(run, "Body.", "--summary", "alpha", "--tag", "x", "--tag", "y")
    head = "## Recalled (1 entry, scopes: global)\n\n### [global · project] alpha\n"
    shown = f"{head}score: 0.29 · id: {entry['id']} · tags: x, y\n\nBody.\n"
    assert run("recall", "alpha", "--ranking", "drover") == (0, shown, "")
    shown = shown.replace("score: 0.29", "relevance: 1.00")
    assert run("recall", "alpha") == (0, shown, "")


def test_weak_matches_are_listed_with_an_advice(run):
    saved(run, "The printer is on floor two.", "--summary", "Printers and scanners")
    for number in range(9):
        saved(run, f"Body {number}.", "--summary", f"summary {number}")
    code, out, _ = run("recall", "renting conference scanner tents abroad")
    assert code == 0
    assert out.splitlines()[2].startswith("No entry matches well")
    assert "(weak)" in out
    answer = json.loads(
        run("recall", "renting conference scanner tents abroad", "--format", "json")[1]
    )
    assert answer["advice"].startswith("No entry matches well")
    assert [entry["relevant"] for entry in answer["entries"]] == [False]


def test_json_is_in_order_of_relevance(run):
    for summary in ("Deploys on Monday", "Nothing to see", "Deploying by hand: deploy twice"):
        saved(run, f"{summary}, in full.", "--summary", summary)
    found = json.loads(run("recall", "when to deploy", "--format", "json")[1])["entries"]
    values = [entry["relevance"] for entry in found]
    assert len(values) == 2
    assert values == sorted(values, reverse=True)


def test_recall_and_forget_find_the_store_of_the_project(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    where = ("--cwd", str(tmp_path / "p"), "--home", str(tmp_path / "h"))
    (tmp_path / "p/.git").mkdir(parents=True)
    (tmp_path / "h").mkdir()
    assert main(["recall", "alpha", *where]) == 1
    assert main(["remember", "alpha", "--scope", "global", *where]) == 2
    assert "pass --yes to create it" in capsys.readouterr().err
    assert main(["remember", "alpha", "--scope", "global", "--yes", *where]) == 0
    assert (tmp_path / "p/.memory/global").is_dir()
    capsys.readouterr()
    assert main(["recall", "alpha", *where, "--format", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["entries"]
    assert main(["forget", found["id"], *where]) == 0
    assert main(["recall", "alpha", *where]) == 1


def test_recall_without_results_exits_with_1(run):
    assert run("recall", "alpha", "--agent", "w") == (
        1, "(no memories matched in scopes: global, agent)\n", ""
    )  # fmt: skip


def test_entries_of_other_agents_are_not_accessible(run):
    saved(run, "alpha", "--scope", "agent", "--agent", "w")
    assert json.loads(run("recall", "alpha", "--format", "json")[1])["entries"] == []
    assert run("recall", "alpha", "--agent", "v")[0] == 1
    assert run("recall", "alpha", "--agent", "w")[0] == 0


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("remember", "x" * 4001, "--summary", "s"), "body must be 1-4000 chars (got 4001)"),
        (("remember", "x", "--scope", "galaxy"), "scope must be one of global, agent, run"),
        (("remember", "x", "--scope", "agent", "--agent", "../x"), "agentId must match"),
        (("remember", "x", "--id", "7"), "id must be a 26-char ULID (got '7')"),
        (("recall", "x", "--scope", "run"), "scope 'run' requires runId"),
        (("recall", "x", "--limit", "99"), "limit must be 1-50 (got 99)"),
        (("forget", "nope"), "id must be a 26-char ULID (got 'nope')"),
    ],
)
def test_value_over_a_limit_is_a_usage_error(run, args, message):
    code, _, err = run(*args)
    assert code == 2
    assert message in err


def test_secret_is_refused_or_redacted(run, tmp_path):
    token = github_token(9)
    code, out, err = run("remember", f"use {token} here", "--summary", "s")
    assert code == 1
    assert "contains a secret" in err
    assert token not in out + err
    entry = saved(run, f"use {token} here", "--redact")
    assert token not in json.dumps(entry)


def test_secret_in_a_tag_is_always_refused(run, tmp_path):
    token = github_token(10)
    code, out, err = run("remember", "a body", "--summary", "s", "--tag", token, "--redact")
    assert code == 1
    assert "cannot be redacted" in err
    assert token not in out + err
    assert not any(token in path.read_text() for path in tmp_path.rglob("*.md"))


def test_missing_store_is_refused(run, tmp_path, capsys):
    assert main(["recall", "x", "--store", str(tmp_path / "none")]) == 2
    assert "the folder does not exist" in capsys.readouterr().err
