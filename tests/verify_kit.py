"""An agent that behaves as Claude Code does, with other texts, for tests of ``verify``."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from agents_kit import CLAUDE, install
from kit import write

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.config.context import Context

PROGRAM = r"""
import json, os, subprocess, sys, time, urllib.request
from pathlib import Path

def post(address, body):
    handlers = [urllib.request.ProxyHandler({})]
    request = urllib.request.Request(address, json.dumps(body).encode())
    return urllib.request.build_opener(*handlers).open(request, timeout=20).read()

home, cwd = Path(os.environ["HOME"]), Path.cwd()
files = [(home / ".claude/CLAUDE.md", " (user)"), (cwd / "CLAUDE.md", " (project)")]
found = [(path, label) for path, label in files if path.exists()]
items = [f"File {path}{label}:\n\n{path.read_text().strip()}" for path, label in found]
block = "<system-reminder>\n" + "\n\n".join(["Head", *items]) + "\n</system-reminder>"
(home / "state").write_text("x")
(cwd / "state").write_text("x")
"""
SEND = r"""
content = [{"type": "text", "text": block}, {"type": "text", "text": "hi"}]
post(os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages", {"messages": [{"content": content}]})
"""


def install_agent(tmp_path: Path, ctx: Context, program: str = PROGRAM + SEND) -> Context:
    """Return ``ctx`` with an agent on PATH that runs the Python ``program``."""
    starter = f'#!/bin/sh\nexec "{sys.executable}" -S "$0.py" "$@"\nexit\n'.encode()
    ctx = install(tmp_path, ctx, "claude", "@anthropic-ai/claude-code", "bin/claude.exe", "2.1.330")
    command = tmp_path / "lib/node_modules/@anthropic-ai/claude-code/bin/claude.exe"
    command.write_bytes(starter + CLAUDE)
    command.chmod(0o755)
    write(command.parent, {"claude.exe.py": program})
    env = {**ctx.env, "PATH": f"{ctx.env['PATH']}{os.pathsep}{os.environ['PATH']}"}
    return ctx.with_(env=env)
