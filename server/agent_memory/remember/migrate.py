"""Between the generations: agent.md and AGENTS.md in the same folder, one renamed to the other."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.base.text import body, newline_of, split_lines
from agent_memory.config import project_root
from agent_memory.fs.atomic_write import refusal, update
from agent_memory.l10n import t
from agent_memory.markdown.open_blocks import UnclosedBlockError, ensure_no_open_block
from agent_memory.markdown.parser import scan
from agent_memory.runtimes.deepagents_family import FOLDER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText

NAMES = ("agent.md", "AGENTS.md")
BACKUP = ".migrated"
_MOST_LINKS = 40
"""Links that are followed, as on Linux; a ring of links has no end."""


@dataclass(frozen=True, slots=True)
class Migration:
    """``old`` becomes ``new``; where both are there, ``old`` is appended and kept as ``backup``."""

    old: Path
    new: Path
    backup: Path | None = None

    @property
    def message(self) -> str:
        """What is done, in words."""
        if self.backup is None:
            return f"{self.old} becomes {self.new.name}"
        return f"{self.old} is appended to {self.new.name} and kept as {self.backup.name}"


def plan(ctx: Context, to: str) -> list[Migration]:
    """Return what it takes to have only files named ``to`` in the user's and project's folders.

    A new name that is only a link to the old one makes place for it.

    Raises:
        UsageError: ``to`` is neither name, a backup of an earlier migration is in the way, or
            another link would lead nowhere afterwards.

    """
    if to not in NAMES:
        raise UsageError(f"{to!r} is not a name of a memory file: use {' or '.join(NAMES)}")
    other = NAMES[1 - NAMES.index(to)]
    found = []
    for folder in _folders(ctx):
        names = ctx.store.names(folder)
        if other not in names:
            continue
        old, new = folder / other, folder / to
        both = to in names and _place(old) not in _steps(new)
        backup = folder / (other + BACKUP) if both else None
        if backup and backup.name in names:
            raise UsageError(f"{backup}: left by an earlier migration; move or remove it first")
        found.append(Migration(old, new, backup))
    _check_links(ctx, found)
    return found


def apply(migration: Migration) -> None:
    """Carry out ``migration``; the old text is gone from nowhere before it is in its new place.

    Raises:
        UsageError: a file cannot be read, written or renamed.

    """
    try:
        if migration.backup is None:
            if migration.new.exists() and not migration.new.samefile(migration.old):
                raise UsageError(f"{migration.new}: there is such a file now; try again")
            migration.old.replace(migration.new)
            return
        text = migration.old.read_bytes().decode("utf-8")
        update(migration.new, lambda content: _appended(content, text))
        migration.old.rename(migration.backup)
    except UnicodeDecodeError as error:
        raise UsageError(f"{migration.old}: not UTF-8 from byte {error.start} on") from error
    except UnclosedBlockError as why:
        raise UsageError(t("{0}: not migrated: {1}", migration.new, why)) from why
    except OSError as error:
        raise refusal(migration.old, error) from error


def _appended(content: FileText, text: str) -> str:
    """Return the content with the lines of ``text`` at its end, unless they stand there already.

    Raises:
        UnclosedBlockError: the end is inside a fence or comment that is never closed.

    """
    newline = newline_of(content.lines)
    rows = [body(line) for line in split_lines(text.removeprefix("\ufeff").strip("\r\n"))]
    have = [body(line) for line in content.lines]
    if any(have[at : at + len(rows)] == rows for at in range(len(have) - len(rows) + 1)):
        return content.text
    head = content.text.rstrip("\r\n")
    ensure_no_open_block(scan(content.lines), len(have))
    return (head + newline * 2 if head else "") + newline.join(rows) + newline


def _check_links(ctx: Context, found: list[Migration]) -> None:
    """See that no link beside the files leads to one that gets another name.

    Raises:
        UsageError: one does.

    """
    renamed = {_place(migration.old): migration for migration in found}
    for folder in _folders(ctx):
        for link in sorted(folder / name for name in ctx.store.names(folder)):
            for step in _steps(link):
                if step in renamed and renamed[step].new != link:
                    raise UsageError(
                        t(
                            "{0}: a link to {1}, which gets another name. Put the file in the "
                            "place of the link, or remove the link first",
                            link,
                            step,
                        )
                    )


def _steps(link: Path) -> Iterator[Path]:
    """Yield each place that ``link`` leads to, one by one; nothing if it is no link."""
    for _ in range(_MOST_LINKS):
        if not link.is_symlink():
            return
        link = _place(link.parent / link.readlink())
        yield link


def _place(path: Path) -> Path:
    """Return ``path`` in the real folder; where it is a link itself, it stays one."""
    return Path(os.path.realpath(path.parent)) / path.name


def _folders(ctx: Context) -> list[Path]:
    """Return the agents' folders, the project's folder and its root."""
    agents = [ctx.user_folder / name for name in sorted(ctx.store.names(ctx.user_folder))]
    if ctx.agent:
        agents = [ctx.user_folder / ctx.agent]
    root = ctx.given_root or project_root.find_root(ctx.cwd.resolve(), project_root.has_git)
    return [*agents, *((root / FOLDER, root) if root else ())]
