"""Hostile folders: odd names, links, pipes, settings and manifests, read by the command line."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from agent_memory.config.context import Context
from fuzz.guard import Finding, broken
from fuzz.texts import document, name
from kit import cli, write

if TYPE_CHECKING:
    import random
    from pathlib import Path

PLACES = (
    *("AGENTS.md", "agent.md", ".deepagents/agent.md", ".deepagents/AGENTS.md", "CLAUDE.md"),
    *(
        ".deepagents/skills/web/SKILL.md",
        ".claude-mpm/memories/qa_memories.md",
        ".claude-mpm/config.yml",
    ),
    *(
        ".memory/global/" + "01" + "A" * 24 + ".md",
        ".deepagents/agent-memory.toml",
        "pyproject.toml",
    ),
    *(
        ".deepagents/agent-memory.baseline.toml",
        "package.json",
        "Makefile",
        "justfile",
        ".gitignore",
    ),
    *(".gitmodules", "docs/AGENTS.md", ".git", "node_modules/deepagentsdk/package.json"),
    ".venv/lib/python3.11/site-packages/deepagents_code-1.0.0.dist-info/direct_url.json",
)
COMMANDS = (
    *(("check",), ("check", ".", "--format", "sarif"), ("check", "--format", "junit"), ("prompt",)),
    *(("prompt", "--format", "json"), ("sources",), ("skills",), ("check", "--fix", "--diff")),
    *(
        ("check", "--runtime", "drover"),
        ("check", "--runtime", "claude-mpm"),
        ("skills", "--format", "json"),
    ),
)
_EXIT_CODES = (0, 1, 2)


class Files:
    """Creates one folder after the other and runs commands in it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._home = write(folder / "home", {".keep": ""})

    def run(self, rng: random.Random) -> Finding | None:
        """Check one generated folder with one command."""
        root = self._folder / "project"
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir()
        made = [_make(root, rng) for _ in range(rng.randrange(1, 7))]
        command = rng.choice(COMMANDS)
        error = broken(lambda: self._check(root, command))
        return Finding("files", f"{command!r}, {made!r}", error) if error else None

    def _check(self, root: Path, command: tuple[str, ...]) -> None:
        ctx = Context(self._home, root, env={})
        ran = cli(ctx, *command)
        assert ran.code in _EXIT_CODES, f"exit code {ran.code}"
        assert "Traceback" not in ran.err, "a traceback"


def _make(root: Path, rng: random.Random) -> tuple[str, str]:
    """Create one file, link or pipe; return its name and what it is."""
    place = rng.choice(PLACES) if rng.random() < 0.8 else name(rng)
    if rng.random() < 0.1:
        place = f"{name(rng)}/{place}"
    path = root / place
    kind = rng.choice(("text", "text", "text", "link", "pipe", "folder", "bytes", "nested"))
    text = document(rng)
    target = rng.choice(
        (".", "..", place, "/dev/zero", "/dev/null", "missing", "AGENTS.md", "/proc")
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            return place, "taken"  # writing to a pipe would wait for a reader
        if kind == "link":
            path.symlink_to(target)
            text = target
        elif kind == "pipe":
            os.mkfifo(path)
        elif kind == "folder":
            path.mkdir()
        elif kind == "bytes":
            path.write_bytes(rng.randbytes(40))
        elif kind == "nested":
            text = rng.choice(("[", '{"a":', "a=[", "- ", "> ")) * 2000
            path.write_text(text)
            text = text[:8] + " * 2000"
        else:
            path.write_bytes(text.encode("utf-8", "surrogatepass"))
    except OSError as error:  # the name is taken, or too long
        kind = type(error).__name__
    return place, f"{kind}: {text}"
