"""Files of Claude MPM memories in tests."""

from __future__ import annotations

from kit import write

BLOCK = "# Add To Memory:\nType: {}\nContent: {}\n#\n"


def memory(root, agent="research"):
    return root / ".claude-mpm" / "memories" / f"{agent}_agent.md"


def config(root, text):
    write(root, {".claude-mpm/config.yml": text})
