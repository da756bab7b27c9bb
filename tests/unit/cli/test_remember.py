"""``agent-memory remember``: what it writes, says and answers."""

from __future__ import annotations

import io
import json

import pytest

from agent_memory.cli import main
from kit import project


@pytest.fixture
def run(capsys, monkeypatch):
    def call(ctx, *args, stdin=""):
        monkeypatch.setattr("sys.stdin", io.StringIO(stdin))
        code = main(["remember", *args, "--cwd", str(ctx.cwd), "--home", str(ctx.home)])
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


def test_a_fact_is_filed_and_its_place_printed(tmp_path, run):
    ctx = project(tmp_path, {".deepagents/agent.md": "# A\n"}, {})
    path = ctx.cwd / ".deepagents" / "agent.md"
    code, out, _ = run(ctx, "Use tabs.", "--scope", "project")
    assert code == 0
    assert f"{path}:3: Filed under 'A'" in out
    assert path.read_text() == "# A\n\n- Use tabs\n"


def test_said_again_it_is_refused_with_the_line(tmp_path, run):
    ctx = project(tmp_path, {".deepagents/agent.md": "- Use tabs\n"}, {})
    code, _, err = run(ctx, "use tabs")
    assert code == 1
    assert "already there in line 1" in err


def test_without_a_terminal_no_folder_is_made(tmp_path, run):
    ctx = project(tmp_path, {}, {})
    code, _, err = run(ctx, "Use tabs")
    assert code == 2
    assert "The project has no .deepagents folder yet" in err
    assert "--yes" in err
    assert not (ctx.cwd / ".deepagents").exists()


def test_yes_is_the_consent(tmp_path, run):
    ctx = project(tmp_path, {}, {})
    assert run(ctx, "Use tabs", "--yes")[0] == 0
    text = (ctx.cwd / ".deepagents" / "agent.md").read_text()
    assert text == "# Project memory\n\n- Use tabs\n"


def test_standard_input_is_read(tmp_path, run):
    ctx = project(tmp_path, {}, {})
    assert run(ctx, "-", "--scope", "user", stdin="short\nanswers\n")[0] == 0
    assert "- short answers\n" in (ctx.home / ".deepagents/agent/agent.md").read_text()


def test_json_and_a_dry_run(tmp_path, run):
    ctx = project(tmp_path, {".deepagents/agent.md": "# A\n"}, {})
    code, out, _ = run(ctx, "Use tabs", "--dry-run", "--format", "json")
    answer = json.loads(out)
    assert code == 0
    assert answer["written"] is False
    assert answer["sections"] == [{"title": "A", "suggested": True}]
    assert (ctx.cwd / ".deepagents/agent.md").read_text() == "# A\n"


def test_a_bad_agent_id_is_a_usage_error(tmp_path, run):
    ctx = project(tmp_path, {}, {})
    code, _, err = run(ctx, "x", "--scope", "user", "--agent", "../x")
    assert code == 2
    assert "is not an agent id" in err


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("", 1), ("no", 1)])
def test_at_a_terminal_it_asks_before_a_folder_is_made(tmp_path, run, monkeypatch, answer, code):
    ctx = project(tmp_path, {}, {})
    asked = []
    monkeypatch.setattr("agent_memory.cli.remember._may_ask", lambda _: True)
    monkeypatch.setattr("builtins.input", lambda question: asked.append(question) or answer)
    assert run(ctx, "Use tabs")[0] == code
    assert "may" in asked[0]
    assert (ctx.cwd / ".deepagents").exists() == (code == 0)


def test_an_unknown_scope_is_named_with_those_there_are(tmp_path, run):
    code, _, err = run(project(tmp_path, {}, {}), "Use tabs", "--scope", "galaxy")
    assert code == 2
    assert "user and project are memory files, global, agent, run are learned entries" in err
