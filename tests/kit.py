"""Helpers that many tests share: file trees and their contexts."""

from __future__ import annotations

import io
import os
import random
import string
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import agent_memory
from agent_memory.cli import main
from agent_memory.config.context import Context
from agent_memory.config.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

NOBODY = 65534


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    """Write ``files`` (path below ``root`` -> content); return ``root``."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def replace(path: Path, text: str) -> None:
    """Replace a file atomically: nobody sees it empty or half written."""
    temporary = path.with_name(f"{path.name}.tmp")
    temporary.write_text(text, "utf-8")
    temporary.replace(path)


def project(tmp_path: Path, files: dict[str, str | bytes], home: dict[str, str | bytes]) -> Context:
    """Return the context of a git project with ``files`` and a home with ``home``."""
    root = write(tmp_path / "project", {".git/HEAD": "ref: refs/heads/main\n", **files})
    return Context(write(tmp_path / "home", {**home, ".keep": ""}), root, env={})


def with_settings(ctx: Context, **settings: object) -> Context:
    """Return ``ctx`` with ``settings``."""
    return ctx.with_(settings=Settings(**settings))


@contextmanager
def unprivileged(folder: Path) -> Iterator[None]:
    """Run without root rights; root changes to the user `nobody`.

    The temporary ``folder`` and the folders above it become accessible to all users.
    """
    if os.geteuid() != 0:
        yield
        return
    for path in (folder, *folder.parents):
        if path.is_relative_to(tempfile.gettempdir()) and path.stat().st_uid == os.geteuid():
            path.chmod(path.stat().st_mode | 0o055)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@dataclass(frozen=True)
class Ran:
    """The result of a command: exit code, standard output and error."""

    code: int
    out: str
    err: str


def cli(ctx: Context, *args: str, stdin: bytes = b"") -> Ran:
    """Run ``agent-memory`` in this process with the folders of ``ctx``; the output is UTF-8."""
    cwd, home = ["--cwd", str(ctx.cwd)], ["--home", str(ctx.home)]
    place = {"rules": [], "learn": cwd}.get(args[0], [*cwd, *home])
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    given = io.TextIOWrapper(io.BytesIO(stdin), "utf-8")
    before = sys.stdout, sys.stderr, sys.stdin
    sys.stdout, sys.stderr, sys.stdin = out, err, given
    try:
        code = main([*args, *place])
    except SystemExit as end:  # argparse exits on invalid options
        code = int(end.code or 0)
    finally:
        sys.stdout, sys.stderr, sys.stdin = before
    for stream in (out, err):
        stream.flush()
    return Ran(code, *(stream.buffer.getvalue().decode() for stream in (out, err)))


def fresh(program: str, home: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a Python program in a new process with ``home`` as the home directory."""
    package = Path(agent_memory.__file__).parent.parent
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=home,
        env={"PYTHONPATH": str(package), "HOME": str(home), **env},
        capture_output=True,
        text=True,
        check=True,
    )


def github_token(seed: int = 7) -> str:
    """Return a generated string in the form of a GitHub token."""
    rng = random.Random(seed)
    return "gh" + "p_" + "".join(rng.choice(string.ascii_letters) for _ in range(36))
