"""The prompt as it was at a git revision: memory files of then, everything else of now."""

from __future__ import annotations

import os
import posixpath
import tempfile
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.fs import git
from agent_memory.fs.git_revision import Revision
from agent_memory.fs.overlay import Store
from agent_memory.l10n import t
from agent_memory.prompt.compose import compose
from agent_memory.runtimes.classify import MEMORY_NAMES
from agent_memory.runtimes.selection import choose

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_memory.config.context import Context
    from agent_memory.fs.git_revision import Blob
    from agent_memory.prompt.compose import Prompt

_FOLDERS = frozenset({".deepagents", ".agents", ".claude", ".claude-mpm"})
_BORROWED = (".venv", "node_modules")
"""What is never under version control and holds the runtimes' templates."""


def compose_at(
    ctx: Context, revision: str, runtime_id: str | None, base: str = ""
) -> tuple[Prompt, dict[Path, Sequence[str]]]:
    """Compose the prompt from the memory files of ``revision``; the user's own are those of now.

    So are the runtime and the agent. Saved files count, not open buffers. Also returns the lines
    of every source. All paths are those the files have in the working tree.

    Raises:
        UsageError: there is no git repository, or it has no such revision, or the runtime or
            the agent is not known.

    """
    ctx, choice = choose(ctx, runtime_id)
    then = Revision(ctx.cwd, revision)
    with _checked_out(then, ctx) as folder:
        cwd = folder / ctx.cwd.resolve().relative_to(then.top)
        cwd.mkdir(parents=True, exist_ok=True)
        moved = ctx.with_(cwd=cwd, store=Store())
        if ctx.entries and (name := then.below(ctx.entries)):
            moved = moved.with_(entries=folder / name)
        prompt = replace(compose(moved, choice.runtime.id, base), choice=choice)
        lines = {source.path: moved.store.read(source.path).lines for source in prompt.sources}
    return _put_back(prompt, lines, folder, then.top)


def _put_back(
    prompt: Prompt, lines: dict[Path, list[str]], folder: Path, top: Path
) -> tuple[Prompt, dict[Path, Sequence[str]]]:
    """Return ``prompt`` and ``lines`` with the names of ``top`` in the place of ``folder``."""

    def text(value: str) -> str:
        return value.replace(str(folder), str(top))

    def path(value: Path) -> Path:
        return top / value.relative_to(folder) if value.is_relative_to(folder) else value

    back = replace(
        prompt,
        segments=tuple(
            replace(part, text=text(part.text), path=part.path and path(part.path))
            for part in prompt.segments
        ),
        sources=tuple(
            replace(
                item, path=path(item.path), display=text(item.display), reason=text(item.reason)
            )
            for item in prompt.sources
        ),
        problems=tuple(
            replace(item, message=text(item.message), path=item.path and path(item.path))
            for item in prompt.problems
        ),
    )
    return back, {path(key): value for key, value in lines.items()}


@contextmanager
def _checked_out(then: Revision, ctx: Context) -> Iterator[Path]:
    """Yield a folder with the memory files of ``then`` where they stood."""
    blobs, contents = _memory(then, ctx)
    with tempfile.TemporaryDirectory(prefix="agent-memory-") as name:
        folder = Path(name).resolve()
        _mark(folder, then.top)
        for borrowed in _BORROWED:
            if (then.top / borrowed).is_dir():
                (folder / borrowed).symlink_to(then.top / borrowed)
        try:
            _lay_out(folder, blobs, contents)
        except OSError as error:
            raise UsageError(
                t("the files of {0} cannot be laid out: {1}", then.commit, error)
            ) from error
        yield folder


def _lay_out(folder: Path, blobs: Sequence[Blob], contents: Sequence[bytes]) -> None:
    """Write the files, then the links: no file is written through a link of the repository."""
    pairs = sorted(zip(blobs, contents, strict=True), key=lambda pair: pair[0].is_link)
    for blob, raw in pairs:
        target = folder / blob.path
        target.parent.mkdir(parents=True, exist_ok=True)
        if blob.is_link:
            target.symlink_to(os.fsdecode(raw))
        else:
            target.write_bytes(raw)


def _mark(folder: Path, top: Path) -> None:
    """Make ``folder`` a project as ``top`` is one: some runtimes take a ``.git`` file for none."""
    if (top / ".git").is_dir():
        (folder / ".git").mkdir()
    else:
        real = os.fsdecode(git.ask(top, "rev-parse", "--absolute-git-dir"))[:-1]
        (folder / ".git").write_text(f"gitdir: {real}\n", "utf-8")


def _memory(then: Revision, ctx: Context) -> tuple[list[Blob], list[bytes]]:
    """Return the memory files and their bytes, with what links among them lead to."""
    pending = [blob for blob in then.blobs.values() if _is_memory(blob.path, then.top, ctx)]
    blobs: dict[str, Blob] = {}
    contents: list[bytes] = []
    while pending:
        found = then.contents(pending)
        blobs |= {blob.path: blob for blob in pending}
        contents += found
        led = {
            posixpath.normpath(posixpath.join(posixpath.dirname(blob.path), os.fsdecode(raw)))
            for blob, raw in zip(pending, found, strict=True)
            if blob.is_link
        }
        pending = [
            blob
            for path, blob in then.blobs.items()
            if path not in blobs and any(path == to or path.startswith(f"{to}/") for to in led)
        ]
    return list(blobs.values()), contents


def _is_memory(path: str, top: Path, ctx: Context) -> bool:
    parts = path.split("/")
    known = parts[-1].lower() in MEMORY_NAMES or not _FOLDERS.isdisjoint(parts)
    listed = top / path in {ctx.cwd / item for item in ctx.settings.sources}
    stored = ctx.entries is not None and (top / path).is_relative_to(ctx.entries)
    return known or listed or stored
