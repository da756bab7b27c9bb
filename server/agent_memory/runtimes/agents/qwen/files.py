"""Which files Qwen Code loads, in which order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Scope, Source
from agent_memory.fs.reader import Failure
from agent_memory.runtimes.agents.agent import absent, sent_source
from agent_memory.runtimes.agents.gemini_files import config, without_duplicates
from agent_memory.runtimes.agents.javascript import SPACE, decoded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agent_memory.config.context import Context

FOLDER = ".qwen"
NAMES = ("QWEN.md", "AGENTS.md")
"""The names of memory files, in load order."""
LOCAL = "QWEN.local.md"
"""The project's private file, in ``FOLDER`` of the root."""
FILE = "file"
"""The name of a source that :func:`find` returns; an import has none, a rule another one."""
_LANGUAGE = "output-language.md"
"""A file of the user that is sent too, but does not count as memory."""


def home(ctx: Context) -> Path:
    """Return the folder of the user's files: QWEN_HOME or ``~/.qwen``."""
    given = ctx.env.get("QWEN_HOME")
    return ctx.cwd / given if given else ctx.home / FOLDER


def find(ctx: Context, root: Path | None) -> list[Source]:
    """Return the existing files, those of the first name before those of the next one.

    A real file that occurs again is shadowed. For a scope without memory, its QWEN.md is returned
    as missing.
    """
    user = home(ctx)
    existing = []
    for path in dict.fromkeys(_paths(ctx, root)):
        content = ctx.store.read(path)
        if content.failure is Failure.MISSING:
            continue
        scope = Scope.USER if path.is_relative_to(user) else Scope.PROJECT
        source = sent_source(content, scope, decoded(content).strip(SPACE))
        role = Role.NOTE if path.name == _LANGUAGE else Role.MEMORY
        existing.append(replace(source, role=role, name=FILE))
    sources = without_duplicates(existing)
    to_create = {
        Scope.USER: user / NAMES[0],
        Scope.PROJECT: (root or ctx.cwd.resolve()) / NAMES[0],
    }
    memory = [source for source in sources if source.role is Role.MEMORY]
    return [*sources, *absent(memory, to_create)]


def _paths(ctx: Context, root: Path | None) -> Iterator[Path]:
    """Yield the paths to look for, in load order; they may be missing.

    For each name, it is the user's file, then the files of the project from the outermost folder
    down. The user's file about the language and the project's private file follow.
    """
    user, cwd = home(ctx), ctx.cwd.resolve()
    for name in config(ctx, user, FOLDER).names or NAMES:
        yield user / name
        yield from (folder / name for folder in _folders(ctx, cwd, root))
    yield user / _LANGUAGE
    if root:
        yield root / FOLDER / LOCAL


def _folders(ctx: Context, cwd: Path, root: Path | None) -> list[Path]:
    """Return the folders that Qwen Code searches, from the outermost down to ``cwd``.

    The outermost is the folder above ``root``, without a root the folder above the home. The root
    of the file system and a folder of the user's files are not searched and end the search. If
    ``cwd`` is the home, only the home is searched.
    """
    if cwd == ctx.home:
        return [cwd]
    upwards = []
    outermost = (root or ctx.home).parent
    user_folders = (home(ctx), ctx.home / FOLDER)
    for folder in (cwd, *cwd.parents):
        is_file_system_root = folder == folder.parent
        if is_file_system_root or folder in user_folders:
            break
        upwards.append(folder)
        if folder == outermost:
            break
    return upwards[::-1]
