"""``agent-memory remember``: files, output and exit codes."""

from __future__ import annotations

import io
import json

import pytest

from agent_memory.cli import main
from kit import github_token, project


@pytest.fixture
def run(capsys, monkeypatch):
    def call(ctx, *args, stdin=""):
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        code = main(["remember", *args, "--cwd", str(ctx.cwd), "--home", str(ctx.home)])
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


def test_saved_fact_is_reported_with_its_location(tmp_path, run):
    ctx = project(tmp_path, {".deepagents/agent.md": "# A\n"}, {})
    path = ctx.cwd / ".deepagents" / "agent.md"
    code, out, _ = run(ctx, "Use tabs.", "--scope", "project")
    assert code == 0
    assert out == "Added to 'A' in .deepagents/agent.md:3\n- Use tabs\n"
    assert path.read_text() == "# A\n\n- Use tabs\n"


def test_duplicate_is_refused_with_its_line(tmp_path, run):
    ctx = project(tmp_path, {".deepagents/agent.md": "- Use tabs\n"}, {})
    code, _, err = run(ctx, "use tabs")
    assert code == 1
    assert "Already in Project Memory (agent.md, line 1)" in err


def test_without_a_terminal_no_folder_is_created(tmp_path, run):
    ctx = project(tmp_path, {}, {})
    code, _, err = run(ctx, "Use tabs")
    assert code == 2
    folder = ctx.cwd / ".deepagents"
    assert f"Create {folder}? Nothing was written; pass --yes to create it" in err
    assert not folder.exists()


def test_yes_option_is_consent(tmp_path, run):
    ctx = project(tmp_path, {}, {})
    code, out, _ = run(ctx, "Use tabs", "--yes")
    assert (code, out.splitlines()[0]) == (0, "Created .deepagents/agent.md and added 1 item")
    text = (ctx.cwd / ".deepagents" / "agent.md").read_text()
    assert text == "# Project memory\n\n- Use tabs\n"


def test_text_is_read_from_standard_input(tmp_path, run):
    ctx = project(tmp_path, {}, {})
    assert run(ctx, "-", "--scope", "user", stdin="short\nanswers\n")[0] == 0
    assert "- short answers\n" in (ctx.home / ".deepagents/agent/agent.md").read_text()


def test_dry_run_as_json_writes_nothing(tmp_path, run):
    ctx = project(tmp_path, {".deepagents/agent.md": "# A\n"}, {})
    code, out, _ = run(ctx, "Use tabs", "--dry-run", "--format", "json")
    answer = json.loads(out)
    assert code == 0
    assert answer["written"] is False
    assert answer["sections"] == [{"title": "A", "suggested": True}]
    assert (ctx.cwd / ".deepagents/agent.md").read_text() == "# A\n"


def test_dry_run_says_where_the_item_would_be_added(tmp_path, run):
    ctx = project(tmp_path, {".deepagents/agent.md": "# A\n"}, {})
    out = run(ctx, "Use tabs", "--dry-run", "--section", "B")[1]
    place = ".deepagents/agent.md:5"
    assert out.splitlines()[0] == f"Would be added to the new heading 'B' in {place}"
    out = run(ctx, "- a\n- b", "--scope", "user", "--dry-run")[1]
    assert out.splitlines()[0].endswith("agent.md would be created with 2 items")


def test_secret_is_refused_with_the_option_that_redacts_it(tmp_path, run):
    ctx = project(tmp_path, {".deepagents/agent.md": "# A\n"}, {})
    code, _, err = run(ctx, f"Use {github_token()}")
    assert code == 1
    assert err.endswith("Use --redact to save it without the value\n")


@pytest.mark.parametrize("option", ["--allow-duplicate", "--anyway"])
def test_duplicate_can_be_allowed(tmp_path, run, option):
    ctx = project(tmp_path, {".deepagents/agent.md": "- Use tabs\n"}, {})
    assert run(ctx, "use tabs", option)[0] == 0


def test_invalid_agent_id_is_a_usage_error(tmp_path, run):
    ctx = project(tmp_path, {}, {})
    code, _, err = run(ctx, "x", "--scope", "user", "--agent", "../x")
    assert code == 2
    assert "is not an agent id" in err


class Terminal(io.StringIO):
    """A terminal that answers nothing by itself."""

    def isatty(self):
        return True


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("", 1), ("no", 1)])
def test_terminal_asks_before_a_folder_is_created(tmp_path, monkeypatch, answer, code):
    ctx = project(tmp_path, {}, {})
    questions = []
    monkeypatch.setattr("sys.stdin", Terminal())
    monkeypatch.setattr("sys.stdout", Terminal())
    monkeypatch.setattr("builtins.input", lambda question: questions.append(question) or answer)
    folders = ("--cwd", str(ctx.cwd), "--home", str(ctx.home))
    assert main(["remember", "Use tabs", *folders]) == code
    assert questions == [f"Create {ctx.cwd / '.deepagents'}? [y/N] "]
    assert (ctx.cwd / ".deepagents").exists() == (code == 0)


def test_unknown_scope_is_refused_with_the_known_ones(tmp_path, run):
    code, _, err = run(project(tmp_path, {}, {}), "Use tabs", "--scope", "galaxy")
    assert code == 2
    assert "Memory files: user, project; learned entries: global, agent, run" in err
