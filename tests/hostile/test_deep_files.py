"""Values nested too deeply, aliases, huge numbers and escapes: one finding or problem each.

Every other file is still checked, on the command line and in the server.
"""

from __future__ import annotations

import json

import pytest

from kit import cli, project, write
from lsp_wire import Wire

pytestmark = pytest.mark.slow

ULID = "01" + "A" * 24
MEMORY = "# A\n\n- see [x](docs/gone.md), run `npm run x`\n"
BOMB = 'a: &a ["lol", "lol", "lol", "lol", "lol", "lol", "lol", "lol", "lol"]\n' + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


def entry(front):
    """Return an entry file with ``front`` in its front matter."""
    base = f"id: {ULID}\nscope: global\nkind: project\nsummary: s\n"
    return f"---\n{base}createdAt: 1\n{front}\n---\n\nWe use tabs.\n"


TOML, BASELINE = ".deepagents/agent-memory.toml", ".deepagents/agent-memory.baseline.toml"
SKILL, ENTRY, CONFIG = (
    ".deepagents/skills/s/SKILL.md",
    f".memory/global/{ULID}.md",
    ".claude-mpm/config.yml",
)
DEEP = {
    "array": (TOML, "a=" + "[" * 50_000, "cannot be read: too deeply nested (line 1)"),
    "key": (TOML, ".".join(["a"] * 3_000) + "=1", "cannot be read: too deeply nested (line 1)"),
    "digits": (TOML, "\na=" + "9" * 6_000, "a number with too many digits (line 2)"),
    "baseline": (BASELINE, "a=" + "[" * 50_000, "too deeply nested (line 1)"),
    "pyproject": ("pyproject.toml", "a=" + "[" * 50_000, ""),
    "package": ("package.json", "[" * 200_000, ""),
    "skill": (SKILL, "---\nname: s\nx: " + "[" * 9_000 + "\n---\n", "too deeply nested (line 3)"),
    "skill-bomb": (SKILL, f"---\n{BOMB}name: s\ndescription: *i\n---\n", "too large (line 5)"),
    "skill-escape": (SKILL, '---\nname: s\ndescription: "\\UFFFFFFFF"\n---\n', "AM702"),
    "entry": (ENTRY, entry("x: " + "[" * 9_000), "too deeply nested (line 7)"),
    "entry-bomb": (ENTRY, entry(BOMB), "too large (line 10)"),
    "entry-escape": (ENTRY, entry('x: "\\UFFFFFFFF"'), "unknown escape"),
    "entry-date": (ENTRY, entry("").replace("At: 1", "At: " + "1" * 6_000), "createdAt"),
    "config-bomb": (CONFIG, BOMB, "too large (line 4)"),
    "markers": ("CLAUDE.md", "# C\n\n" + ">" * 50_000 + "x\n", ""),
}  # fmt: skip
RUNTIMES = {SKILL: "deepagents-code", ENTRY: "drover", CONFIG: "claude-mpm"}


@pytest.mark.parametrize("name", DEEP)
def test_a_check_reports_it_and_goes_on(tmp_path, name):
    path, text, said = DEEP[name]
    ctx = project(tmp_path, {"AGENTS.md": MEMORY, "package.json": "{}", path: text}, {})
    done = cli(ctx, "check", "AGENTS.md", path, "--runtime", RUNTIMES.get(path, "deepagents-code"))
    assert "internal error" not in done.out + done.err
    assert said in done.out + done.err
    assert "AM502" in done.out
    for command in ("prompt", "sources", "skills", "check"):
        again = cli(ctx, command, "--runtime", RUNTIMES.get(path, "deepagents-code"))
        assert "internal error" not in again.out + again.err
        assert again.out + again.err


def test_remember_saves_next_to_nested_markers(tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": "# P\n\n" + "> " * 5_000 + "x\n"}, {})
    done = cli(ctx, "remember", "use pnpm", "--file", str(ctx.cwd / "AGENTS.md"))
    assert done.code == 0
    assert "- use pnpm\n" in (ctx.cwd / "AGENTS.md").read_text()


def test_the_server_answers_every_request(tmp_path):
    files = {path: text for path, text, _ in DEEP.values()}
    root = write(tmp_path / "ws", {".git/HEAD": "x", "AGENTS.md": MEMORY, **files})
    wire = Wire(write(tmp_path / "home", {".keep": ""}))
    wire.initialize(root, workspace={"diagnostics": {}}, textDocument={"diagnostic": {}})
    uri = (root / "AGENTS.md").as_uri()
    answers = [
        wire.request("textDocument/diagnostic", {"textDocument": {"uri": uri}}),
        wire.request("workspace/diagnostic", {"previousResultIds": []}),
        wire.request("agentMemory/status"),
        *(wire.request("agentMemory/prompt", {"runtime": name}) for name in RUNTIMES.values()),
    ]
    assert [answer.get("error") for answer in answers] == [None] * len(answers)
    assert "AM502" in {item["code"] for item in answers[0]["result"]["items"]}
    assert "too many digits" in json.dumps(answers[2])
    assert wire.leave()[0] == 0
