"""Between the generations: agent.md and AGENTS.md in the same folder, one renamed to the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory import project
from agent_memory.context import UsageError
from agent_memory.text import body, newline_of, split_lines
from agent_memory.writing import refusal, update

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.context import Context
    from agent_memory.files import FileText

NAMES = ("agent.md", "AGENTS.md")
BACKUP = ".migrated"


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

    Raises:
        UsageError: ``to`` is neither name, or a backup of an earlier migration is in the way.

    """
    if to not in NAMES:
        raise UsageError(f"{to!r} is not a name of a memory file: use {' or '.join(NAMES)}")
    other = NAMES[1 - NAMES.index(to)]
    found = []
    for folder in _folders(ctx):
        names = ctx.store.names(folder)
        if other not in names:
            continue
        both = to in names
        backup = folder / (other + BACKUP) if both else None
        if backup and backup.name in names:
            raise UsageError(f"{backup}: left by an earlier migration; move or remove it first")
        found.append(Migration(folder / other, folder / to, backup))
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
            migration.old.rename(migration.new)
            return
        text = migration.old.read_bytes().decode("utf-8")
        update(migration.new, lambda content: _appended(content, text))
        migration.old.rename(migration.backup)
    except UnicodeDecodeError as error:
        raise UsageError(f"{migration.old}: not UTF-8 from byte {error.start} on") from error
    except OSError as error:
        raise refusal(migration.old, error) from error


def _appended(content: FileText, text: str) -> str:
    newline = newline_of(content.lines)
    rows = newline.join(body(line) for line in split_lines(text.removeprefix("\ufeff")))
    if rows and rows in content.text:
        return content.text
    head = content.text.rstrip("\r\n")
    return (head + newline * 2 if head else "") + rows + newline


def _folders(ctx: Context) -> list[Path]:
    """Return the agents' folders, the project's folder and its root."""
    agents = [ctx.user_folder / name for name in sorted(ctx.store.names(ctx.user_folder))]
    if ctx.agent:
        agents = [ctx.user_folder / ctx.agent]
    root = ctx.given_root or project.find_root(ctx.cwd.resolve(), project.has_git)
    return [*agents, *((root / ".deepagents", root) if root else ())]
