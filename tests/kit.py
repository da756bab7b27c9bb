"""Steps that many tests share: trees of files and contexts over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.context import Context
from agent_memory.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    """Write ``files`` (path below ``root`` -> content) byte for byte; return ``root``."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def project(tmp_path: Path, files: dict[str, str | bytes], home: dict[str, str | bytes]) -> Context:
    """Return the context of a git project with ``files`` and a home with ``home``."""
    root = write(tmp_path / "project", {".git/HEAD": "ref: refs/heads/main\n", **files})
    return Context(write(tmp_path / "home", {**home, ".keep": ""}), root, env={})


def with_settings(ctx: Context, **settings: object) -> Context:
    """Return ``ctx`` with other settings."""
    return ctx.with_(settings=Settings(**settings))
