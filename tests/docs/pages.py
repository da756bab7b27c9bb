"""The pages whose console blocks are executed, their projects, and what is not executed."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from kit import write

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("*.md", "docs/**/*.md", "vscode-extension/*.md")
    for path in ROOT.glob(pattern)
)

NOT_RUN = {
    "pip install": "needs a package index",
    "agent-memory verify --runtime claude-code": "needs the installed agent",
    "agent-memory loaded": "needs a run of the agent",
    "make ": "builds, tests or opens an editor; each target has a test or is one",
    "npx vsce publish": "publishes the extension",
    "npx ovsx publish": "publishes the extension",
}
"""Beginnings of commands that a page shows and no test executes, with the reason."""

SHOP: dict[str, str | bytes] = {
    "AGENTS.md": """# Shop

- Install with `pnpm install`.
- Run `pnpm test` and `pnpm run lint` before a commit.
- Endpoints: [API](docs/api.md).

## Style

- Amounts are integers in cents.
""",
    "CLAUDE.md": "@AGENTS.md\n\n- Ask before you change the database schema.\n",
    ".claude/skills/release/SKILL.md": """---
name: release
description: Prepares a release. Use it when the user asks for a new version.
---

1. Write the changelog.
2. Tag the commit.
""",
    "docs/api/README.md": "# API\n",
    "package.json": json.dumps({"name": "shop", "scripts": {"test": "vitest"}}),
    "packages/web/AGENTS.md": "# Web\n\n- Components are in `src/components`.\n",
    "packages/web/src/components/button.tsx": "",
    "draft.md": "# Draft\n\n- Use p\u200bnpm.\n",
    "note.txt": "Amounts are never floats.\n",
}
"""A project as most people have it, in which Claude Code and Codex work."""


def make_shop(home: Path) -> Path:
    """Write the project ``shop`` into ``home``, with its agents in ``bin``; return its folder."""
    shop = write(home / "shop", SHOP)
    programs = write(home / "bin", {"claude": "#!/bin/sh\n", "codex": "#!/bin/sh\n"})
    for program in programs.iterdir():
        program.chmod(0o755)
    git(shop, "init", "-qb", "main")
    git(shop, "add", "-A")
    git(shop, "commit", "-qm", "Start")
    return shop


def git(folder: Path, *args: str) -> None:
    """Run git in ``folder`` with a name, an address and a time of the test's own."""
    identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.invalid"]
    when = "2026-01-05T12:00:00Z"
    env = {**os.environ, "GIT_COMMITTER_DATE": when, "GIT_AUTHOR_DATE": when}
    subprocess.run(["git", *identity, *args], cwd=folder, env=env, check=True, capture_output=True)
