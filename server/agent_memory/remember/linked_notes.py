"""The notes that memory files link to."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Source, Status
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t
from agent_memory.lint.memory_file import MemoryFile
from agent_memory.markdown.links import target_of
from agent_memory.runtimes.classify import USER_FOLDERS, role_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_memory.config.context import Context
    from agent_memory.runtimes.selection import Choice

_READ = frozenset({Status.LOADED, Status.TRUNCATED, Status.LISTED})
"""The statuses of sources whose links count: the runtime reads or lists these files."""
_SUFFIXES = frozenset({".md", ".markdown"})
"""The suffixes of notes."""


def linked_notes(ctx: Context, choice: Choice, sources: Sequence[Source]) -> Iterator[Source]:
    """Yield each note that one of ``sources`` links to, as a source of its own.

    Only the links in sources that the runtime reads or lists count. A note that is one of
    ``sources`` is left out, and a note with several links comes once.
    """
    seen = {source.path for source in sources}
    for source in sources:
        if source.status not in _READ:
            continue
        for path in _linked_paths(ctx, choice, source):
            if path not in seen:
                seen.add(path)
                reason = t("linked from {0}", source.path)
                yield Source(path, source.scope, Role.NOTE, Status.LISTED, reason, str(path))


def _linked_paths(ctx: Context, choice: Choice, source: Source) -> Iterator[Path]:
    """Yield the existing notes that ``source`` links to, if they are in the project or user memory.

    A note with several links is yielded several times.
    """
    content = ctx.store.read(source.path)
    if "](" not in content.text and "@" not in content.text:  # no link or import: skip the scan
        return
    user_folders = [(ctx.home / name).resolve() for name in USER_FOLDERS]
    root = choice.runtime.root(ctx) or ctx.cwd
    allowed = [root.resolve(), *user_folders]
    # A link with a leading slash starts at the project of the file that contains it.
    root_of_links = root if source.path.is_relative_to(root) else None
    for link in MemoryFile(source.path, content, source).links:
        linked = target_of(link, source.path, ctx.home, root_of_links)
        # None: the link is a URL, or its text is not a path.
        if linked is None or linked.suffix.lower() not in _SUFFIXES:
            continue
        if role_of(linked) not in (None, Role.NOTE):  # a memory file is a target of its own
            continue
        path = Path(os.path.normpath(linked))
        real = Path(os.path.realpath(path))  # a symlink may lead out of these folders
        exists = ctx.store.read(path).failure is not Failure.MISSING
        if exists and any(real.is_relative_to(folder) for folder in allowed):
            yield path
