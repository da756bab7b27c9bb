"""Links to memory files that a migration renames."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.text import Span, apply_edits
from agent_memory.config import project_root
from agent_memory.fs.atomic_write import update
from agent_memory.fs.file_index import FileIndex
from agent_memory.fs.reader import read_file
from agent_memory.lint.memory_file import MemoryFile
from agent_memory.markdown.links import target_of
from agent_memory.runtimes.classify import classify, role_of
from agent_memory.runtimes.known_files import made_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText
    from agent_memory.fs.write_roots import WriteRoots
    from agent_memory.remember.migrate import Migration


@dataclass(frozen=True, slots=True)
class LinkingFile:
    """A Markdown file with links to renamed files, and the edits that correct them.

    ``is_memory``: an agent reads the file, so the migration updates its links.
    """

    path: Path
    content: FileText
    edits: tuple[tuple[Span, str], ...]
    is_memory: bool


def find_linking_files(ctx: Context, migrations: Sequence[Migration]) -> Iterator[LinkingFile]:
    """Yield the Markdown files of the project and of the migrated folders that link to old names.

    It does not matter whether ``migrations`` have been carried out already.
    """
    new_names = {_real(migration.old): migration.new.name for migration in migrations}
    root = ctx.given_root or project_root.find_root(ctx.cwd.resolve(), project_root.has_git)
    for path in _candidates(root, migrations):
        content = read_file(path)
        if not content.ok or not any(old.name in content.text for old in new_names):
            continue
        edits = tuple(_edits(ctx, root, path, content, new_names))
        if edits:
            yield LinkingFile(path, content, edits, _is_memory(path))


def update_links(file: LinkingFile, roots: WriteRoots) -> None:
    """Write the edits of ``file``, unless it was changed or removed since it was read.

    Raises:
        UsageError: the file cannot be written, or is not in ``roots``.

    """
    if not file.path.exists():  # `update` would create it
        return

    def change(content: FileText) -> str:
        """Return the text with the edits; the current text if another program has changed it."""
        is_unchanged = content.text == file.content.text
        return apply_edits(content.lines, file.edits) if is_unchanged else content.text

    update(file.path, change, roots)


def _candidates(root: Path | None, migrations: Sequence[Migration]) -> Iterator[Path]:
    """Yield each Markdown file below ``root`` and of the migrated folders, without symlinks."""
    listing = FileIndex(root).listing if root else None
    paths = [root / name for name in sorted(listing.files)] if root and listing else []
    for folder in (migration.old.parent for migration in migrations):
        paths += sorted(folder.iterdir())
    for path in dict.fromkeys(paths):  # each path once
        if path.suffix.lower() == ".md" and path.is_file() and not path.is_symlink():
            yield path


def _edits(
    ctx: Context, root: Path | None, path: Path, content: FileText, new_names: dict[Path, str]
) -> Iterator[tuple[Span, str]]:
    """Yield (span of the old file name, new file name) for each link to a renamed file.

    ``root`` is that of the project. The keys of ``new_names`` are the old paths.
    """
    # A link with a leading slash starts at the project of the file that contains it.
    root_of_links = root if root and path.is_relative_to(root) else None
    for link in MemoryFile(path, content, classify(path, ctx)).links:
        target = target_of(link, path, ctx.home, root_of_links)
        if target is None or not link.path:  # a URL, or a heading of this file
            continue
        new_name = new_names.get(_real(target))
        end = link.start + len(link.path)
        # A link path that is not written literally, for example encoded, is not replaced.
        if new_name and content.lines[link.line][link.start : end] == link.path:
            yield Span(link.line, end - len(target.name), link.line, end), new_name


def _is_memory(path: Path) -> bool:
    """Whether an agent reads ``path``: as memory, instructions, a skill, a note or an entry."""
    # Both functions return None for a path whose name and folder are not those of such a file.
    return role_of(path) is not None or made_for(path.as_posix()) is not None


def _real(path: Path) -> Path:
    """Return ``path`` with the symlinks of its folder resolved; a link at ``path`` is kept."""
    return Path(os.path.realpath(path.parent)) / path.name
