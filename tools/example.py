"""Copy the example workspace and home to a folder, as a separate project.

The repository contains nothing that looks like a secret, so a random token is generated and planted
in the copy. Use: ``python tools/example.py FOLDER``; prints nothing.
"""

from __future__ import annotations

import random
import shutil
import string
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def copy(target: Path) -> None:
    """Recreate ``target``/workspace (a git repository) and ``target``/home."""
    shutil.rmtree(target, ignore_errors=True)
    for name in ("workspace", "home"):
        shutil.copytree(EXAMPLES / name, target / name)
    workspace = target / "workspace"
    subprocess.run(["git", "init", "-q", workspace], check=True)
    memory = workspace / ".deepagents" / "agent.md"
    text = memory.read_text("utf-8")
    line = f"- The gauge's account: token {made_up_token()}\n"
    memory.write_text(text.replace("## Deployment\n", "## Deployment\n\n" + line), "utf-8")


def made_up_token() -> str:
    """Return a random string in the shape of a GitHub token."""
    letters = string.ascii_letters + string.digits
    return "ghp" + "_" + "".join(random.choices(letters, k=36))


if __name__ == "__main__":
    copy(Path(sys.argv[1]).resolve())
