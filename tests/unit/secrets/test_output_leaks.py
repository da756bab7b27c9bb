"""No command prints the value of a secret, except on request."""

from __future__ import annotations

import random
import string

import pytest

from agent_memory.cli import main
from agent_memory.entries.entry_file import Entry, render
from kit import fresh, write

TOKEN = "ghp_" + "".join(random.Random(11).choices(string.ascii_letters, k=36))
ENTRY = Entry("01K5ZQ8V3M7Y2XB4T6N9C0DEFG", "global", "user", "an old note", f"Use {TOKEN}", 1)
MASKED = (
    *(f"check --format {name}" for name in ("text", "json", "jsonl", "sarif", "github", "junit")),
    "check --fix --unsafe --diff",
    "check --write-baseline",
    "prompt --format json",
    "prompt --origins",
    "sources --format json",
    "remember @value --scope project",
    "remember @value --scope project --redact",
    "move .deepagents/agent.md:3 --scope user --dry-run",
    "split .deepagents/agent.md --dry-run",
    "recall Use --store @store",
    "recall Use --store @store --format json",
    "learn view qa",
    "learn view qa --format json",
    "learn extract @output --agent qa --dry-run",
    "learn extract @output --agent qa",
    "learn add qa mistake @value",
    "learn clean qa --dry-run",
    "learn status --format json",
    "learn diff @export",
    "forget 01K5ZQ8V3M7Y2XB4T6N9C0DEFG --store @store --format json",
)
REVEALED = (
    "prompt",
    "prompt --format json --reveal",
    "recall Use --store @store --reveal",
    "recall Use --store @store --format json --reveal",
    "learn view qa --reveal",
    "learn export",
)


@pytest.fixture
def printed(tmp_path, capsys, monkeypatch):
    line = f"The account's key is {TOKEN}"
    root = write(
        tmp_path / "shop",
        {
            ".git/HEAD": "x",
            ".deepagents/agent.md": f"# Shop\n\n- {line}\n- {line}\n\n## More\n\n- {line}\n",
            ".claude-mpm/memories/qa_agent.md": f"# QA\n\n## Facts\n- {line}\n",
            "output.txt": f"# Add To Memory:\nType: mistake\nContent: We {line}\n#\n",
            "export.json": '{"version": 1, "agents": {}}',
            f"store/global/{ENTRY.id}.md": render(ENTRY),
        },
    )
    home = write(tmp_path / "home", {".deepagents/agent/agent.md": f"# Me\n\n- {line}\n"})
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(root)

    def call(command: str) -> str:
        given = {
            "@value": line,
            "@store": "store",
            "@output": "output.txt",
            "@export": "export.json",
        }
        main([given.get(word, word) for word in command.split()])
        out = capsys.readouterr()
        return out.out + out.err

    return call


@pytest.mark.parametrize("command", MASKED)
def test_a_command_prints_no_secret(printed, command):
    shown = printed(command)
    assert shown.strip()
    assert TOKEN not in shown
    assert "usage:" not in shown


@pytest.mark.parametrize("command", REVEALED)
def test_a_command_prints_the_value_on_request(printed, command):
    assert TOKEN in printed(command)


def test_an_internal_error_contains_no_secret(tmp_path):
    program = (
        "import sys\n"
        "from agent_memory import cli\n"
        "from agent_memory.cli import rules\n"
        "def run(args):\n"
        "    raise KeyError(args.rule)\n"
        "rules.run = run\n"
        f"cli.main(['rules', 'gh' + {TOKEN[2:]!r}])\n"
    )
    shown = fresh(program, tmp_path).stderr
    assert "internal error (KeyError)" in shown
    assert TOKEN not in shown
