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
LOCAL = "QWEN.local.md"
FILE = "file"
"""The name of a source that is an item of the block."""
_LANGUAGE = "output-language.md"
"""A file of the user that is sent too, but does not count as memory."""


def home(ctx: Context) -> Path:
    """Return the folder of the user's files."""
    given = ctx.env.get("QWEN_HOME")
    return ctx.cwd / given if given else ctx.home / FOLDER


def find(ctx: Context, root: Path | None) -> list[Source]:
    """Return the files, first those of the first name; each real file once."""
    user = home(ctx)
    found = []
    for path in dict.fromkeys(_paths(ctx, root)):
        content = ctx.store.read(path)
        if content.failure is Failure.MISSING:
            continue
        scope = Scope.USER if path.is_relative_to(user) else Scope.PROJECT
        source = sent_source(content, scope, decoded(content).strip(SPACE))
        role = Role.NOTE if path.name == _LANGUAGE else Role.MEMORY
        found.append(replace(source, role=role, name=FILE))
    found = without_duplicates(found)
    usual = {
        Scope.USER: user / NAMES[0],
        Scope.PROJECT: (root or ctx.cwd.resolve()) / NAMES[0],
    }
    return [*found, *absent([item for item in found if item.role is Role.MEMORY], usual)]


def _paths(ctx: Context, root: Path | None) -> Iterator[Path]:
    """Yield the paths to look for: of each name the user's file, then those of the folders."""
    user, cwd = home(ctx), ctx.cwd.resolve()
    for name in config(ctx, user, FOLDER).names or NAMES:
        yield user / name
        yield from (folder / name for folder in _folders(ctx, cwd, root))
    yield user / _LANGUAGE
    if root:
        yield root / FOLDER / LOCAL


def _folders(ctx: Context, cwd: Path, root: Path | None) -> list[Path]:
    """Return the folder above the root and those below it down to the working folder.

    Without a root, all folders below that of the file system count, or those from the one above
    the home on.
    """
    if cwd == ctx.home:
        return [cwd]
    found = []
    last = (root or ctx.home).parent
    for folder in (cwd, *cwd.parents):
        # The root of the file system and the folder of the user's files end the search.
        if folder == folder.parent or folder in (home(ctx), ctx.home / FOLDER):
            break
        found.append(folder)
        if folder == last:
            break
    return found[::-1]
