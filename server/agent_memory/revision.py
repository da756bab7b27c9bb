"""The prompt as it was at a git revision: memory files of then, everything else of now."""

from __future__ import annotations

import os
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.context import UsageError
from agent_memory.prompt import compose
from agent_memory.resolve import MEMORY_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.context import Context
    from agent_memory.model import Segment
    from agent_memory.prompt import Prompt

_FOLDERS = frozenset({".deepagents", ".agents", ".claude", ".claude-mpm"})
_BORROWED = (".venv", "node_modules")
"""What is never under version control and holds the runtimes' templates."""


@dataclass(frozen=True, slots=True)
class _Blob:
    mode: str
    sha: str
    path: str


def compose_at(ctx: Context, revision: str, runtime_id: str | None, base: str = "") -> Prompt:
    """Compose the prompt from the memory files of ``revision``; the user's own are those of now.

    Raises:
        UsageError: there is no git repository, or it has no such revision.

    """
    top = Path(_git(ctx.cwd, "rev-parse", "--show-toplevel").decode().rstrip("\n"))
    with _checked_out(top, revision, ctx) as folder:
        moved = {"cwd": folder / ctx.cwd.resolve().relative_to(top.resolve())}
        if ctx.entries and ctx.entries.is_relative_to(top):
            moved["entries"] = folder / ctx.entries.relative_to(top)
        moved["cwd"].mkdir(parents=True, exist_ok=True)
        prompt = compose(ctx.with_(**moved), runtime_id, base)
        back = (str(folder), str(top))
        return replace(prompt, segments=tuple(_moved(part, *back) for part in prompt.segments))


def _moved(segment: Segment, old: str, new: str) -> Segment:
    path = segment.path
    if path and path.is_relative_to(old):
        path = Path(new) / path.relative_to(old)
    return replace(segment, text=segment.text.replace(old, new), path=path)


@contextmanager
def _checked_out(top: Path, revision: str, ctx: Context) -> Iterator[Path]:
    """Yield a folder with the memory files of ``revision`` where they stood."""
    blobs = [blob for blob in _blobs(top, revision) if _is_memory(blob.path, top, ctx)]
    with tempfile.TemporaryDirectory(prefix="agent-memory-") as name:
        folder = Path(name).resolve()
        _mark(folder, top)
        for borrowed in _BORROWED:
            if (top / borrowed).is_dir():
                (folder / borrowed).symlink_to(top / borrowed)
        for blob, raw in zip(blobs, _contents(top, blobs), strict=True):
            target = folder / blob.path
            target.parent.mkdir(parents=True, exist_ok=True)
            if blob.mode == "120000":
                target.symlink_to(os.fsdecode(raw))
            else:
                target.write_bytes(raw)
        yield folder


def _mark(folder: Path, top: Path) -> None:
    """Make ``folder`` a project as ``top`` is one: some runtimes take a ``.git`` file for none."""
    if (top / ".git").is_dir():
        (folder / ".git").mkdir()
    else:
        real = _git(top, "rev-parse", "--absolute-git-dir").decode().strip()
        (folder / ".git").write_text(f"gitdir: {real}\n", "utf-8")


def _is_memory(path: str, top: Path, ctx: Context) -> bool:
    parts = path.split("/")
    if ".." in parts or ".git" in parts or path.startswith("/"):
        return False  # no honest tree has these
    known = parts[-1].lower() in MEMORY_NAMES or not _FOLDERS.isdisjoint(parts)
    listed = top / path in {ctx.cwd / item for item in ctx.settings.sources}
    stored = ctx.entries is not None and (top / path).is_relative_to(ctx.entries)
    return known or listed or stored


def _blobs(top: Path, revision: str) -> list[_Blob]:
    if revision.startswith("-"):
        raise UsageError(f"{revision!r} is not a git revision")
    out = _git(top, "ls-tree", "-r", "-z", "--full-tree", revision)
    blobs = []
    for record in out.decode("utf-8", "surrogateescape").split("\0"):
        head, _, path = record.partition("\t")
        if path and head.split(" ")[1] == "blob":
            mode, _, sha = head.split(" ")
            blobs.append(_Blob(mode, sha, path))
    return blobs


def _contents(top: Path, blobs: list[_Blob]) -> list[bytes]:
    asked = "".join(f"{blob.sha}\n" for blob in blobs).encode()
    out = _git(top, "cat-file", "--batch", given=asked)
    found, at = [], 0
    for _ in blobs:
        end = out.index(b"\n", at)
        size = int(out[at:end].split(b" ")[2])
        found.append(out[end + 1 : end + 1 + size])
        at = end + 1 + size + 1
    return found


def _git(folder: Path, *args: str, given: bytes = b"") -> bytes:
    try:
        result = subprocess.run(
            ["git", "-C", str(folder), *args], input=given, capture_output=True, check=False
        )
    except OSError as error:
        raise UsageError(f"git cannot be run: {error}") from error
    if result.returncode:
        said = result.stderr.decode("utf-8", "replace").strip().splitlines()
        raise UsageError(f"git: {said[0].removeprefix('fatal: ') if said else 'failed'}")
    return result.stdout
