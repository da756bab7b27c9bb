"""Renames agent.md, the older name of a memory file, to AGENTS.md, the newer one, or back."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.base.text import BOM, newline_of, split_lines, without_newline
from agent_memory.config import project_root
from agent_memory.config.write_roots import write_roots
from agent_memory.fs.atomic_write import update
from agent_memory.fs.reader import read_file
from agent_memory.fs.rename import rename
from agent_memory.fs.write_errors import ensure_writable, not_written
from agent_memory.l10n import t
from agent_memory.markdown.open_blocks import UnclosedBlockError, ensure_no_open_block
from agent_memory.markdown.parser import scan
from agent_memory.runtimes.deepagents_family import FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText
    from agent_memory.fs.write_roots import WriteRoots

NAMES = ("agent.md", "AGENTS.md")
"""The older name of a memory file, and the newer one."""
SCOPES = ("project", "user", "all")
BACKUP = ".migrated"
"""What is added to the old name of a file whose text was appended to the new one."""
_MAX_LINKS = 40
"""Maximum symbolic links to follow, as on Linux: links can form a loop."""


@dataclass(frozen=True, slots=True)
class Migration:
    """The file ``old`` is renamed to ``new``.

    If both exist, the text of ``old`` is appended to ``new``, and ``old`` is renamed to ``backup``.
    ``backup`` is None if only ``old`` exists. ``roots`` are the folders that may be written to.
    """

    old: Path
    new: Path
    roots: WriteRoots = field(repr=False)
    backup: Path | None = None

    @property
    def message(self) -> str:
        """The sentence that says what is done."""
        if self.backup is None:
            return f"{self.old} is renamed to {self.new.name}"
        return f"{self.old} is appended to {self.new.name} and renamed to {self.backup.name}"


def plan(ctx: Context, to: str, scope: str = "all") -> list[Migration]:
    """Return the migrations after which the memory files of ``scope`` are named ``to``.

    ``to`` is one of :data:`NAMES`, ``scope`` one of :data:`SCOPES`. An ``AGENTS.md`` at the
    project's root keeps its name, as other agents read it.

    A symlink from the new name to the old one is replaced by the file.

    Raises:
        UsageError: ``to`` is not one of the names, a backup of an earlier migration exists, another
            symlink would break, or a file may not be written to.

    """
    if to not in NAMES:
        raise UsageError(f"unknown name {to!r} of a memory file: use {' or '.join(NAMES)}")
    old_name = _other_name(to)
    migrations, roots = [], write_roots(ctx)
    for folder in _folders(ctx, to, scope):
        names = ctx.store.names(folder)
        if old_name not in names:
            continue
        old, new = folder / old_name, folder / to
        # A link `new` that leads to `old` is not a file of its own.
        both_exist = to in names and _in_real_folder(old) not in _link_targets(new)
        backup = folder / (old_name + BACKUP) if both_exist else None
        if backup and backup.name in names:
            raise UsageError(f"{backup} is from an earlier migration. Move or remove it first")
        for path in (old, new):
            roots.check(path)
        migrations.append(Migration(old, new, roots, backup))
    _check_links(ctx, migrations)
    return migrations


def left_out(ctx: Context, to: str, scope: str) -> list[Path]:
    """Return the memory files that ``plan(ctx, to, scope)`` does not rename to ``to``, sorted.

    They are in other scopes than ``scope``, or at the project's root.
    """
    old_name = _other_name(to)
    all_folders = _folders(ctx, "AGENTS.md", "all")  # with this name, the root is one of them
    folders = set(all_folders).difference(_folders(ctx, to, scope))
    return sorted(folder / old_name for folder in folders if old_name in ctx.store.names(folder))


def _other_name(name: str) -> str:
    """Return the other one of ``NAMES``."""
    return NAMES[1 - NAMES.index(name)]


def apply(migration: Migration) -> None:
    """Carry out ``migration``; the old text is removed only after the new file is written.

    Raises:
        UsageError: a file cannot be read, written or renamed, another program has created the new
            file, or the text would be appended inside an unclosed fence or comment.

    """
    try:
        if migration.backup is None:
            if migration.new.exists() and not migration.new.samefile(migration.old):
                raise UsageError(f"{migration.new} now exists; try again")
            # If `new` exists, it is a link to `old`, which the file replaces.
            rename(migration.old, migration.new, migration.roots, replace=True)
            return
        old = read_file(migration.old)
        # The text of an unreadable file is '': without this check, its text would be lost.
        ensure_writable(migration.old, old, migration.old.stat().st_mode)
        update(migration.new, lambda content: _appended(content, old.text), migration.roots)
        rename(migration.old, migration.backup, migration.roots)
    except UnclosedBlockError as why:
        raise UsageError(t("{0} was not migrated: {1}", migration.new, why)) from why
    except OSError as error:
        raise not_written(migration.old, error) from error


def _appended(content: FileText, text: str) -> str:
    """Return the text of ``content`` with the lines of ``text`` at its end.

    If ``content`` has these lines in a row already, for example from an earlier attempt, its text
    is returned unchanged. The byte order mark of ``text`` and the blank lines around it are
    dropped.

    Raises:
        UnclosedBlockError: the end is inside an unclosed fence or comment.

    """
    newline = newline_of(content.lines)
    added = [without_newline(line) for line in split_lines(text.removeprefix(BOM).strip("\r\n"))]
    existing = [without_newline(line) for line in content.lines]
    starts = range(len(existing) - len(added) + 1)
    if any(existing[start : start + len(added)] == added for start in starts):
        return content.text
    ensure_no_open_block(scan(content.lines), len(existing))
    above = content.text.rstrip("\r\n")
    if above:
        above += newline * 2  # a blank line separates the two
    return above + newline.join(added) + newline


def _check_links(ctx: Context, migrations: list[Migration]) -> None:
    """Raise an error if a symlink in a memory folder leads to a file that would be renamed.

    Only a link that the renamed file replaces is allowed.

    Raises:
        UsageError: a symlink would break.

    """
    renamed = {_in_real_folder(migration.old): migration for migration in migrations}
    for folder in _folders(ctx, "AGENTS.md", "all"):
        for link in sorted(folder / name for name in ctx.store.names(folder)):
            for target in _link_targets(link):
                if target in renamed and renamed[target].new != link:
                    raise _link_would_break(link, target)


def _link_would_break(link: Path, target: Path) -> UsageError:
    """Return the error for a symlink ``link`` that leads to the renamed file ``target``."""
    message = t(
        "{0} links to {1}, which would be renamed. Replace the link with the file, or remove the "
        "link first",
        link,
        target,
    )
    return UsageError(message)


def _link_targets(link: Path) -> Iterator[Path]:
    """Yield the target of the symlink ``link``; if that is a symlink too, its target, and so on.

    Nothing is yielded for a path that is not a symlink.
    """
    for _ in range(_MAX_LINKS):
        if not link.is_symlink():
            return
        link = _in_real_folder(link.parent / link.readlink())
        yield link


def _in_real_folder(path: Path) -> Path:
    """Return ``path`` with the symlinks of its folder resolved; a link at ``path`` is kept."""
    return Path(os.path.realpath(path.parent)) / path.name


def _folders(ctx: Context, to: str, scope: str) -> list[Path]:
    """Return the folders of ``scope`` whose memory files are renamed ``to``.

    For ``user``, these are the folders of all agents, or only of the agent in ``ctx``. For
    ``project``, it is the memory folder; the root only if ``to`` is ``AGENTS.md``, because an
    ``AGENTS.md`` at the root keeps its name.
    """
    folders: list[Path] = []
    if scope != "project":
        agents = [ctx.agent] if ctx.agent else sorted(ctx.store.names(ctx.user_folder))
        folders += [ctx.user_folder / agent for agent in agents]
    root = _root(ctx)
    if root and scope != "user":
        folders.append(root / FOLDER)
        if to == "AGENTS.md":
            folders.append(root)
    return folders


def _root(ctx: Context) -> Path | None:
    """Return the root of the project, None outside of one."""
    return ctx.given_root or project_root.find_root(ctx.cwd.resolve(), project_root.has_git)
