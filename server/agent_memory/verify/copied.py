"""A copy of the project and of the home that has only memory: what an agent is started in.

Every path keeps its place below one temporary folder, so that the copy differs from the original
by a prefix. Settings are reduced to those about memory: hooks, servers and plugins are not run.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent_memory.base.errors import UsageError
from agent_memory.fs.file_index import FileIndex
from agent_memory.fs.overlay import Store
from agent_memory.fs.reader import read_bytes, read_file
from agent_memory.l10n import t
from agent_memory.runtimes import RUNTIMES
from agent_memory.runtimes.agents import claude_files
from agent_memory.runtimes.known_files import known_files
from agent_memory.verify.memory_settings import memory_settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.config.context import Context
    from agent_memory.runtimes.agents.programs import Program
    from agent_memory.runtimes.base import Runtime

FOLDER_VARIABLES = ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "XDG_CONFIG_HOME")
"""Variables that name a folder with files of an agent."""
SWITCHES = ("OPENCODE_DISABLE_CLAUDE_CODE", "OPENCODE_DISABLE_CLAUDE_CODE_PROMPT")
"""Variables that change which files an agent reads."""
MAX_FILES = 5_000
"""Texts that are copied of one folder, or of the whole project, at most."""
_SUFFIXES = (".md", ".mdc", ".txt")
"""The suffixes of the texts that are copied from a folder."""
_MAX_LINKS = 40  # of one path, as on Linux; more are a loop
_GIT_CONFIG = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"


@dataclass(frozen=True)
class Copied:
    """The copy below ``folder``, and ``ctx``, the context to compose in it.

    ``env`` are the variables about an agent's files that it gets. ``names`` is {name in the copy:
    name in the original} for folders that are named after a path.
    """

    folder: Path
    ctx: Context
    env: dict[str, str]
    names: dict[str, str]

    def original(self, text: str) -> str:
        """Return ``text`` with the paths of the original in place of those of the copy.

        The path of a copy is ``folder`` followed by the path of the original. Folders that are
        named after a path get their original names.
        """
        text = text.replace(str(self.folder), "")
        for name_in_copy, original_name in self.names.items():
            text = text.replace(name_in_copy, original_name)
        return text

    def environment(self, port: int) -> dict[str, str]:
        """Return the variables for the agent, with a proxy on ``port`` that refuses other hosts."""
        names = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy")
        proxied = dict.fromkeys(names, f"http://127.0.0.1:{port}")
        not_proxied = dict.fromkeys(("NO_PROXY", "no_proxy"), "127.0.0.1,localhost")
        own = {"PATH": self.ctx.env.get("PATH", ""), "TMPDIR": str(_scratch(self.folder))}
        return {**own, **proxied, **not_proxied, **self.env}


@contextmanager
def copied(ctx: Context, runtime: Runtime, program: Program) -> Iterator[Copied]:
    """Yield a copy of the saved memory files that any agent could read, to start ``runtime`` in.

    ``program`` is that of ``runtime``. The copy is removed after the ``with`` block.

    Raises:
        UsageError: it cannot be written.

    """
    with tempfile.TemporaryDirectory(
        prefix="agent-memory-", ignore_cleanup_errors=True
    ) as temporary:
        folder = Path(temporary).resolve()
        try:
            copy = _copy(ctx.with_(store=Store()), runtime, program, folder)
        except OSError as error:
            raise UsageError(t("The memory files cannot be copied: {0}", error)) from error
        yield copy  # outside of `try`: an error of the caller is not one of the copy


def _copy(ctx: Context, runtime: Runtime, program: Program, folder: Path) -> Copied:
    """Write the copy below ``folder``: files, settings, TMPDIR, and ``.git`` of the folders above.

    Raises:
        OSError: it cannot be written.

    """
    root = runtime.root(ctx) or ctx.cwd.resolve()
    writer = _Writer(folder)
    for path in (ctx.home, ctx.cwd):  # they exist in the copy even without any memory
        writer.add(path)
    for above in (ctx.cwd.resolve(), *ctx.cwd.resolve().parents):
        writer.add_git(above)
    for path in _files(ctx, root):
        writer.add(path)
    env = _agent_variables(ctx, folder)
    moved = _moved_context(ctx, runtime, program, folder, env)
    settings = memory_settings(ctx, moved, folder)
    for path, text in settings.files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    _scratch(folder).mkdir(exist_ok=True)
    return Copied(folder, moved, env, settings.names)


def _scratch(folder: Path) -> Path:
    """Return the agent's folder for temporary files in the copy ``folder``."""
    return folder / "scratch"


def _agent_variables(ctx: Context, folder: Path) -> dict[str, str]:
    """Return the variables about an agent's files, with the folders in the copy ``folder``."""
    switches = {name: ctx.env[name] for name in SWITCHES if name in ctx.env}
    folders = {  # a relative one starts in the working folder
        name: str(folder_below(folder, ctx.cwd / ctx.env[name]))
        for name in FOLDER_VARIABLES
        if ctx.env.get(name)
    }
    return switches | folders


def _moved_context(
    ctx: Context, runtime: Runtime, program: Program, folder: Path, env: dict[str, str]
) -> Context:
    """Return ``ctx`` for composing in the copy ``folder``, with the variables ``env``.

    Composing also needs to find the program and its texts, so PATH and the folders of caches are
    those of the original, and the settings name ``program``.
    """
    cache = {"XDG_CACHE_HOME": ctx.env.get("XDG_CACHE_HOME") or str(ctx.home / ".cache")}
    shared = {name: ctx.env[name] for name in ("PATH", "COPILOT_CACHE_HOME") if name in ctx.env}
    changes: dict[str, Any] = {}
    if ctx.given_root:
        changes["project_root"] = str(folder_below(folder, ctx.given_root))
    if runtime.program:
        changes[runtime.program.field] = str(program.path)
    return ctx.with_(
        home=folder_below(folder, ctx.home),
        cwd=folder_below(folder, ctx.cwd),
        store=Store(),
        env={**shared, **cache, **env},
        settings=replace(ctx.settings, **changes),
    )


def folder_below(folder: Path, path: Path) -> Path:
    """Return the path of the copy of ``path``, an absolute one, below ``folder``."""
    return folder / path.relative_to(path.anchor)


def _files(ctx: Context, root: Path) -> Iterator[Path]:
    """Yield the files to copy: what any startable agent could read, and texts of the project.

    Texts are included because any file may import them; at most MAX_FILES of them are. A path may
    be missing, and may be yielded more than once.
    """
    for runtime in RUNTIMES:
        if runtime.program:  # only an agent with a program can be started
            yield from (source.path for source in runtime.sources(ctx))
    memory_files, _are_all = known_files(root)
    yield from memory_files
    memory_folders = sorted({name for runtime in RUNTIMES for name in runtime.folders})
    for base in (ctx.home, *ctx.cwd.resolve().parents, ctx.cwd.resolve()):
        for name in memory_folders:
            yield from _below(base / name)
    yield from _below(claude_files.config_folder(ctx) / "rules")
    listing = FileIndex(root).listing
    texts = [path for path in listing.files if path.endswith(_SUFFIXES)] if listing else []
    yield from (root / path for path in texts[:MAX_FILES])


def _below(folder: Path) -> list[Path]:
    """Return the texts below ``folder``. Symlinks are followed, because a rule can be one.

    At most MAX_FILES files of the first MAX_FILES folders are returned, which ends the search in a
    circle of links.
    """
    first_folders = islice(os.walk(folder, followlinks=True), MAX_FILES)
    files = (
        Path(parent, name)
        for parent, _, names in first_folders
        for name in names
        if name.endswith(_SUFFIXES)
    )
    return list(islice(files, MAX_FILES))


class _Writer:
    """Writes copies of files, links and folders below ``folder``, each once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._done: set[Path] = set()

    def add(self, path: Path) -> None:
        """Copy ``path`` with the links on the way to it and with their targets.

        The path is resolved part by part, as the system does it: a link is replaced by the parts of
        its target. A path with more than 40 links is taken for a loop: the links are written, and
        no file. A missing or unreadable file is left out.
        """
        pending = [*reversed(path.parts[1:])]  # without the anchor; the next part is the last one
        resolved = Path(path.anchor)
        links = 0
        while pending:
            part = pending.pop()
            resolved = resolved.parent if part == ".." else resolved / part
            if not os.path.islink(resolved):  # noqa: PTH114 -- Path.is_symlink raises
                continue
            links += 1
            target = resolved.readlink()
            self._link(resolved, target)
            if links > _MAX_LINKS:  # its links are written, so the copy is a loop as well
                return
            if target.is_absolute():
                pending += reversed(target.parts[1:])
                resolved = Path(target.anchor)
            else:
                pending += reversed(target.parts)
                resolved = resolved.parent
        if resolved not in self._done:
            self._done.add(resolved)
            self._write(resolved)

    def _link(self, place: Path, target: Path) -> None:
        """Write the copy of the link ``place``, which leads to the copy of ``target``.

        It has an absolute path, so that it cannot lead out of the copy. An existing link stays.
        """
        link = folder_below(self.folder, place)
        if not link.is_symlink():
            link.parent.mkdir(parents=True, exist_ok=True)
            absolute = Path(os.path.normpath(place.parent / target))
            link.symlink_to(folder_below(self.folder, absolute))

    def _write(self, place: Path) -> None:
        """Copy the file ``place``, or create the folder ``place`` without its content.

        A missing or unreadable file is left out, also if its folder cannot be searched. The path
        ``place`` has no links.
        """
        copy = folder_below(self.folder, place)
        if os.path.isdir(place):  # noqa: PTH112 -- Path.is_dir raises
            copy.mkdir(parents=True, exist_ok=True)
            return
        raw = read_bytes(place)
        if raw is not None:
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(raw)

    def add_git(self, folder: Path) -> None:
        """Make the copy of ``folder`` a repository if ``folder`` is one.

        Agents search for memory up to the top of the repository. The copy gets the same kind of
        ``.git`` as the original, a folder or a file, but without hooks and commits.
        """
        git = folder / ".git"
        if os.path.isdir(git):  # noqa: PTH112 -- Path.is_dir raises
            self._repository(git)
        elif os.path.isfile(git):  # noqa: PTH113 -- as above; the file names the real folder
            # Its text is one path, which is never longer than 4096 bytes.
            pointer = read_file(git, cap=4096).text.removeprefix("gitdir:").strip()
            target = Path(os.path.normpath(folder / pointer))
            copy = folder_below(self.folder, git)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(f"gitdir: {folder_below(self.folder, target)}\n", "utf-8")
            if target.parent.name != "worktrees":  # a submodule: the target is the whole repository
                self._repository(target)
            else:  # .git/worktrees/NAME of the main checkout
                self._repository(target.parent.parent)
                self._worktree(folder_below(self.folder, target), copy)

    def _worktree(self, admin: Path, pointer: Path) -> None:
        """Write the folder ``admin``, which the ``.git`` file ``pointer`` of a worktree names.

        Its ``commondir`` leads to the main repository, its ``gitdir`` back to ``pointer``.
        """
        admin.mkdir(parents=True, exist_ok=True)
        (admin / "commondir").write_text("../..\n", "utf-8")
        (admin / "gitdir").write_text(f"{pointer}\n", "utf-8")
        (admin / "HEAD").write_text("ref: refs/heads/main\n", "utf-8")

    def _repository(self, git: Path) -> None:
        """Write the copy of the folder ``git`` as one that git accepts as an empty repository."""
        copy = folder_below(self.folder, git)
        for name in ("objects", "refs"):
            (copy / name).mkdir(parents=True, exist_ok=True)
        (copy / "HEAD").write_text("ref: refs/heads/main\n", "utf-8")
        (copy / "config").write_text(_GIT_CONFIG, "utf-8")
