"""Helpers for tests with real git repositories."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

WHO = ["-c", "user.name=Tester", "-c", "user.email=tester@example.invalid"]


def git(folder: Path, *args: str) -> str:
    """Run git in ``folder``; return its output."""
    command = ["git", "-C", str(folder), *WHO, *args]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def commit(folder: Path) -> None:
    """Commit everything in ``folder``."""
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "--no-gpg-sign", "-m", "x")
