"""The prompt at a git revision: memory files of the revision, everything else current."""

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
from agent_memory.prompt.compose import compose_chosen
from agent_memory.runtimes.classify import FOLDER_NAMES, role_of
from agent_memory.runtimes.selection import choose

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_memory.config.context import Context
    from agent_memory.config.settings import Settings
    from agent_memory.fs.git_revision import Blob
    from agent_memory.prompt.compose import Prompt

_UNTRACKED = (".venv", "node_modules")
"""Folders with the runtimes' templates, which are never under version control."""


def compose_at(
    ctx: Context, revision: str, runtime_id: str | None, base: str = ""
) -> tuple[Prompt, dict[Path, Sequence[str]]]:
    """Return the prompt of the project's memory files at ``revision`` and the lines of its sources.

    User memory, runtime and agent are the current ones. Saved files count, open buffers do not.
    All paths are those of the working tree. ``base`` is a whole system prompt, '' for none.

    Raises:
        UsageError: the git repository or the revision does not exist, the runtime is unknown or
            the agent id is invalid.

    """
    ctx, choice = choose(ctx, runtime_id)
    then = Revision(ctx.cwd, revision)
    with _checked_out(then, ctx) as folder:
        cwd = folder / ctx.cwd.resolve().relative_to(then.top)
        cwd.mkdir(parents=True, exist_ok=True)
        moved = ctx.with_(cwd=cwd, store=Store(), settings=_moved(ctx.settings, then, folder))
        if ctx.entries and (name := then.below(ctx.entries)):
            moved = moved.with_(entries=folder / name)
        prompt = compose_chosen(moved, choice, base)
        lines = {source.path: moved.store.read(source.path).lines for source in prompt.sources}
    return _moved_back(prompt, lines, folder, then.top)


def _moved(settings: Settings, then: Revision, folder: Path) -> Settings:
    """Return ``settings`` whose relative paths start in ``folder`` instead of the working tree."""
    below = {name: then.below(at) for name, at in settings.folders.items()}  # None: not in it
    moved = {name: folder / relative for name, relative in below.items() if relative is not None}
    return replace(settings, folders={**settings.folders, **moved})


def _moved_back(
    prompt: Prompt, lines: dict[Path, list[str]], folder: Path, top: Path
) -> tuple[Prompt, dict[Path, Sequence[str]]]:
    """Return ``prompt`` and ``lines`` with ``folder`` replaced by ``top`` in all paths."""

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
                item,
                path=path(item.path),
                display=text(item.display),
                reason=text(item.reason),
                effect=text(item.effect),
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
    """Yield a temporary folder with the memory files of ``then`` at their paths."""
    blobs, contents = _memory(then, ctx)
    with tempfile.TemporaryDirectory(prefix="agent-memory-") as temporary:
        folder = Path(temporary).resolve()
        _write_git(folder, then.top)
        for name in _UNTRACKED:
            if (then.top / name).is_dir():
                (folder / name).symlink_to(then.top / name)
        try:
            _write(folder, blobs, contents)
        except OSError as error:
            raise UsageError(
                t("The files of {0} cannot be checked out: {1}", then.commit, error)
            ) from error
        yield folder


def _write(folder: Path, blobs: Sequence[Blob], contents: Sequence[bytes]) -> None:
    """Write files before symlinks, so that no file is written through a symlink."""
    pairs = sorted(zip(blobs, contents, strict=True), key=lambda pair: pair[0].is_link)
    for blob, raw in pairs:
        target = folder / blob.path
        target.parent.mkdir(parents=True, exist_ok=True)
        if blob.is_link:
            target.symlink_to(os.fsdecode(raw))
        else:
            target.write_bytes(raw)


def _write_git(folder: Path, top: Path) -> None:
    """Give ``folder`` the same kind of ``.git`` as ``top``: some runtimes need a folder."""
    if (top / ".git").is_dir():
        (folder / ".git").mkdir()
    else:
        real = os.fsdecode(git.run(top, "rev-parse", "--absolute-git-dir"))[:-1]
        (folder / ".git").write_text(f"gitdir: {real}\n", "utf-8")


def _memory(then: Revision, ctx: Context) -> tuple[list[Blob], list[bytes]]:
    """Return the memory files and the targets of symlinks among them, with their bytes.

    A target may be a folder or another symlink, so each round adds what the links of the last one
    lead to. The bytes of a symlink are its target.
    """
    pending = [blob for blob in then.blobs.values() if _is_memory(blob.path, then.top, ctx)]
    blobs: dict[str, Blob] = {}
    contents: list[bytes] = []
    while pending:
        raws = then.contents(pending)
        blobs |= {blob.path: blob for blob in pending}
        contents += raws
        targets = {
            posixpath.normpath(posixpath.join(posixpath.dirname(blob.path), os.fsdecode(raw)))
            for blob, raw in zip(pending, raws, strict=True)
            if blob.is_link
        }
        pending = [
            blob
            for path, blob in then.blobs.items()
            if path not in blobs and any(path == to or path.startswith(f"{to}/") for to in targets)
        ]
    return list(blobs.values()), contents


def _is_memory(path: str, top: Path, ctx: Context) -> bool:
    """Whether a runtime or a setting may name ``path``, which is relative to the tree ``top``."""
    parts = path.split("/")
    known = role_of(Path(path)) is not None or not FOLDER_NAMES.isdisjoint(parts)
    known = known or parts[-1] in ctx.settings.drover_filenames
    listed = top / path in {ctx.path_of("sources", item) for item in ctx.settings.sources}
    stored = ctx.entries is not None and (top / path).is_relative_to(ctx.entries)
    return known or listed or stored
