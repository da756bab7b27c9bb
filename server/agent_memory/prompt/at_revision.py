"""The prompt at a git revision: memory files of the revision, everything else current."""

from __future__ import annotations

import errno
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
"""Folders with the runtimes' templates, which are rarely under version control."""


def compose_at(
    ctx: Context, revision: str, runtime_id: str | None, base: str = ""
) -> tuple[Prompt, dict[Path, Sequence[str]]]:
    """Return the prompt of the project's memory files at ``revision`` and the lines of its sources.

    The lines are by the path of the source. Runtime and agent are the current ones, and so is user
    memory, without unsaved buffers. All paths are those of the working tree. ``base`` is a whole
    system prompt, '' for none.

    Raises:
        UsageError: the git repository or the revision does not exist, the runtime is unknown, the
            agent id is invalid, or the files of the revision cannot be written.

    """
    ctx, choice = choose(ctx, runtime_id)
    tree = Revision(ctx.cwd, revision)
    with _checked_out(tree, ctx) as folder:
        cwd = folder / ctx.cwd.resolve().relative_to(tree.top)
        cwd.mkdir(parents=True, exist_ok=True)  # it may have no memory files at the revision
        moved = ctx.with_(cwd=cwd, store=Store(), settings=_moved(ctx.settings, tree, folder))
        entries = (
            tree.relative_path(ctx.entries) if ctx.entries else None
        )  # None: not in the working tree
        if entries:
            moved = moved.with_(entries=folder / entries)
        prompt = compose_chosen(moved, choice, base)
        lines = {source.path: moved.store.read(source.path).lines for source in prompt.sources}
    return _moved_back(prompt, lines, folder, tree.top)


def _moved(settings: Settings, tree: Revision, folder: Path) -> Settings:
    """Return ``settings`` whose relative paths start in ``folder`` instead of the working tree."""
    moved = {}
    for field, start in settings.folders.items():  # by field: where its relative paths start
        relative = tree.relative_path(start)
        if relative is not None:  # else it is outside of the working tree
            moved[field] = folder / relative
    return replace(settings, folders={**settings.folders, **moved})


def _moved_back(
    prompt: Prompt, lines: dict[Path, list[str]], folder: Path, top: Path
) -> tuple[Prompt, dict[Path, Sequence[str]]]:
    """Return ``prompt`` and ``lines`` with ``folder`` replaced by ``top`` everywhere."""

    def text(value: str) -> str:
        """Return ``value`` with the path and the name of ``folder`` replaced by those of ``top``.

        The origin of a template contains only the name. As the name is random, no other text
        contains it by chance.
        """
        return value.replace(str(folder), str(top)).replace(folder.name, top.name)

    def path(value: Path) -> Path:
        """Return ``value`` moved to ``top`` if it is in ``folder``, else unchanged."""
        return top / value.relative_to(folder) if value.is_relative_to(folder) else value

    segments = [
        replace(segment, text=text(segment.text), path=segment.path and path(segment.path))
        for segment in prompt.segments
    ]
    sources = [
        replace(
            source,
            path=path(source.path),
            display=text(source.display),
            reason=text(source.reason),
            effect=text(source.effect),
            by=source.by and path(source.by),
            action=text(source.action),
            refusal=text(source.refusal),
        )
        for source in prompt.sources
    ]
    problems = [
        replace(problem, message=text(problem.message), path=problem.path and path(problem.path))
        for problem in prompt.problems
    ]
    back = replace(
        prompt,
        origin=text(prompt.origin),
        segments=tuple(segments),
        sources=tuple(sources),
        problems=tuple(problems),
    )
    return back, {path(source): source_lines for source, source_lines in lines.items()}


@contextmanager
def _checked_out(tree: Revision, ctx: Context) -> Iterator[Path]:
    """Yield a temporary folder with the memory files of ``tree`` at their paths.

    Its ``.git`` is a folder or a file, as that of the working tree. Symlinks lead to the folders
    ``_UNTRACKED`` of the working tree. If ``tree`` has memory files in such a folder, symlinks lead
    to its other files instead.

    Raises:
        UsageError: the files cannot be written.

    """
    files = _memory_files(tree, ctx)
    with tempfile.TemporaryDirectory(prefix="agent-memory-") as temporary:
        folder = Path(temporary).resolve()
        _write_git(folder, tree.top)
        try:
            _write(folder, files)
            for name in _UNTRACKED:  # last, so that nothing is written through these links
                if (tree.top / name).is_dir():
                    _link(folder / name, tree.top / name)
        except OSError as error:
            raise UsageError(
                t("The files of {0} cannot be checked out: {1}", tree.commit, error)
            ) from error
        yield folder


def _write(folder: Path, files: Sequence[tuple[Blob, bytes]]) -> None:
    """Write ``files``, each with its content, at their paths in ``folder``.

    Files are written before symlinks, so that no file is written through a symlink.

    Raises:
        OSError: a file cannot be written, or its path leads through a symlink out of ``folder``.

    """
    links_last = sorted(files, key=lambda file: file[0].is_link)
    for blob, raw in links_last:
        target = folder / blob.path
        if not target.parent.resolve().is_relative_to(folder):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), blob.path)
        target.parent.mkdir(parents=True, exist_ok=True)
        if blob.is_link:
            target.symlink_to(os.fsdecode(raw))
        else:
            target.write_bytes(raw)


def _link(target: Path, source: Path) -> None:
    """Make ``target`` a symlink to ``source``.

    If both are folders already, symlinks to the files that ``target`` lacks are added in it. Any
    other existing ``target`` stays as it is.
    """
    if not os.path.lexists(target):
        target.symlink_to(source)
    elif source.is_dir() and target.is_dir() and not target.is_symlink():
        for child in source.iterdir():
            _link(target / child.name, child)


def _write_git(folder: Path, top: Path) -> None:
    """Create ``.git`` in ``folder``: a folder if that of ``top`` is one, else a file.

    A file leads to the git folder of ``top``. Some runtimes need a folder.
    """
    if (top / ".git").is_dir():
        (folder / ".git").mkdir()
    else:  # a file, as in a linked worktree or a submodule
        output = git.run(top, "rev-parse", "--absolute-git-dir")
        git_folder = os.fsdecode(output).removesuffix("\n")
        (folder / ".git").write_text(f"gitdir: {git_folder}\n", "utf-8")


def _memory_files(tree: Revision, ctx: Context) -> list[tuple[Blob, bytes]]:
    """Return the memory files of ``tree`` and the targets of symlinks among them, with their bytes.

    The bytes of a symlink are its target. A target may be a folder or another symlink, so each
    round adds the targets of the symlinks that the last round has added.
    """
    pending = [blob for blob in tree.blobs.values() if _is_memory(blob.path, tree.top, ctx)]
    added: dict[str, tuple[Blob, bytes]] = {}  # by path
    while pending:
        files = list(zip(pending, tree.contents(pending), strict=True))
        added |= {blob.path: (blob, raw) for blob, raw in files}
        targets = {_target_of(blob, raw) for blob, raw in files if blob.is_link}
        not_added = [(path, blob) for path, blob in tree.blobs.items() if path not in added]
        pending = [  # the targets, and the files in a target that is a folder
            blob
            for path, blob in not_added
            if any(path == target or path.startswith(f"{target}/") for target in targets)
        ]
    return list(added.values())


def _target_of(link: Blob, raw: bytes) -> str:
    """Return the path to which the symlink ``link`` with the content ``raw`` leads.

    Like the path of a :class:`Blob`, it is relative to the top of the repository.
    """
    folder = posixpath.dirname(link.path)
    return posixpath.normpath(posixpath.join(folder, os.fsdecode(raw)))


def _is_memory(path: str, top: Path, ctx: Context) -> bool:
    """Whether a runtime may read the file ``path`` because of its name, folder or a setting.

    ``path`` is relative to ``top``, the folder of the working tree.
    """
    parts = path.split("/")
    if role_of(Path(path)) is not None or not FOLDER_NAMES.isdisjoint(parts):
        return True
    if parts[-1] in ctx.settings.drover_filenames:
        return True
    absolute = top / path
    if absolute in {ctx.path_of("sources", source) for source in ctx.settings.sources}:
        return True
    return ctx.entries is not None and absolute.is_relative_to(ctx.entries)
