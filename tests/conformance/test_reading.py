"""What Claude Code adds to the result when it reads a file, compared with the real program."""

from __future__ import annotations

import json

import pytest

from agent_memory.config.context import Context
from agent_memory.prompt.compose import compose_reading
from agent_memory.verify import mock_model
from agent_memory.verify.mock_model import MockModel
from conformance.agents import programs
from kit import write

pytestmark = pytest.mark.conformance
AGENT = "claude-code"
GIT = {".git/HEAD": "ref: refs/heads/main\n"}


def rule(paths: str) -> str:
    """Return a conditional rule."""
    return f"---\npaths: '{paths}'\n---\nrule for {paths}\n"


TREES = {
    "every kind of file": (
        {
            "CLAUDE.md": "root",
            "sub/CLAUDE.md": "s @x.md\n<!-- c -->\nend\n",
            "sub/x.md": "imported",
            "sub/.claude/CLAUDE.md": "d",
            "sub/CLAUDE.local.md": "l",
            "sub/.claude/rules/always.md": "always",
            "sub/.claude/rules/py.md": rule("*.py"),
            ".claude/rules/py.md": rule("sub/*.py"),
        },
        {".claude/rules/u.md": rule("**/*.py")},
        ".",
        "sub/a.py",
    ),
    "AGENTS.md is never added": (
        {"AGENTS.md": "root", "sub/AGENTS.md": "a", "sub/deep/.claude/AGENTS.md": "b"},
        {},
        ".",
        "sub/deep/a.py",
    ),
    "patterns": (
        {
            ".claude/rules/a.md": rule("src/**/*.{py,ts}"),
            ".claude/rules/b.md": rule("src"),
            ".claude/rules/c.md": rule("other/**"),
            ".claude/rules/d.md": rule("**/*"),
            ".claude/rules/e.md": rule("*.md, *.py"),
        },
        {},
        ".",
        "src/x/a.py",
    ),
    "started in a subfolder": (
        {".claude/rules/a.md": rule("sub/*.py"), "sub/.claude/rules/b.md": rule("*.py")},
        {},
        "sub",
        "sub/a.py",
    ),
    "an empty file and one with front matter": (
        {"sub/CLAUDE.md": "", "sub/deep/CLAUDE.md": "---\nx: 1\n---\n  text  \n"},
        {},
        ".",
        "sub/deep/a.py",
    ),
}


def reading(path):
    """Return a service that asks to read ``path`` once, then ends."""

    def answer(body):
        whole, events = mock_model.anthropic(body)
        if not body.get("tools") or "tool_result" in json.dumps(body["messages"]):
            return whole, events
        tool = {"type": "tool_use", "id": "toolu_1", "name": "Read", "input": {}}
        values = json.dumps({"file_path": str(path)})
        parts = {
            "content_block_start": {"index": 0, "content_block": tool},
            "content_block_delta": {
                "index": 0,
                "delta": {"type": "input_json_delta", "partial_json": values},
            },
            "message_delta": {
                "delta": {"stop_reason": "tool_use", "stop_sequence": None},
                "usage": {"output_tokens": 1},
            },
        }
        out = [
            (name, json.dumps({"type": name, **parts[name]}) if name in parts else data)
            for name, data in events
        ]
        content = [{**tool, "input": {"file_path": str(path)}}]
        return {**whole, "content": content, "stop_reason": "tool_use"}, out

    return answer


def added(requests):
    """Return what was added to the result of the last read."""
    bodies = [body for _, body in requests if isinstance(body, dict) and "messages" in body]
    parts = [part for item in bodies[-1]["messages"] for part in item["content"]]
    (result,) = [item for item in parts if item["type"] == "tool_result"]
    text = result["content"]
    start, end = text.find("<system-reminder>\nContents of"), text.rfind("\n\n<system-reminder>")
    return text[start:end] if start >= 0 else ""


@pytest.mark.parametrize("name", TREES)
def test_a_read_adds_the_same_bytes(name, tmp_path, monkeypatch):
    files, home_files, start, read = TREES[name]
    agent = programs.AGENTS[AGENT]
    failed = programs.install(agent)
    assert not failed
    root = write(tmp_path / "w", {**GIT, read: "x\n", **files})
    home = write(tmp_path / "home", {".keep": "", **home_files})
    cwd, target = root / start, root / read
    key = next(key for key, value in mock_model.SERVICES.items() if value is mock_model.anthropic)
    monkeypatch.setitem(mock_model.SERVICES, key, reading(target))
    with MockModel() as model:
        programs.sent(agent, model.port, model.requests, home, cwd)
        theirs = added(model.requests)
    env = {
        "PATH": str(agent.folder / "node_modules/.bin"),
        "XDG_CACHE_HOME": str(programs.FOLDER / "cache"),
    }
    ours = compose_reading(Context(home, cwd, env=env), target, AGENT)
    assert ours.text == theirs
    assert ours.exactness == "exact"
