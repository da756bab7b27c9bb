"""Which files opencode reads, and the settings that change it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Scope, Source, Status
from agent_memory.base.text import BOM
from agent_memory.formats.json_parser import parse_json
from agent_memory.l10n import t
from agent_memory.runtimes.agents.agent import memory_source, missing, sent_source
from agent_memory.runtimes.agents.javascript import decoded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agent_memory.config.context import Context

NAMES = ("AGENTS.md", "CLAUDE.md", "CONTEXT.md")
"""The names of the project's files, the preferred one first."""
_GLOB = lazy_compile(r"[*?\[{]")
"""A character that makes a path a pattern."""


def find(ctx: Context, root: Path | None) -> list[Source]:
    """Return the user's file, the project's, the nearest first, and those in `instructions`.

    Of the user one file is read. Of the project the files of one name are read, in all folders up
    to ``root``, or without a root up to that of the file system. For a scope without files, its
    AGENTS.md is returned as missing.
    """
    cwd = ctx.cwd.resolve()
    upwards = [cwd, *cwd.parents]
    folders = upwards[: upwards.index(root) + 1] if root in upwards else upwards
    user_paths = [config_folder(ctx) / NAMES[0], *_user_claude_md(ctx)]
    result = list(_prefer_first(ctx, [[path] for path in user_paths], Scope.USER))
    result = result or [missing(user_paths[0], Scope.USER)]
    project_paths_by_name = [[folder / name for folder in folders] for name in names(ctx)]
    result += _prefer_first(ctx, project_paths_by_name, Scope.PROJECT)
    has_source = {source.path for source in result}
    for path in _named_files(ctx, folders):
        if path not in has_source:
            has_source.add(path)
            result.append(_source(ctx, path, Scope.PROJECT))
    if not any(source.scope is Scope.PROJECT for source in result):
        folder_to_create_in = root if root in upwards else cwd
        result.append(missing(folder_to_create_in / NAMES[0]))
    return result


def below(ctx: Context, path: Path) -> list[Source]:
    """Return the loaded files in the folders below the working folder that contain ``path``.

    The nearest to ``path`` is first. Of each folder only the file with the first existing name
    counts.
    """
    cwd = ctx.cwd.resolve()
    sources = []
    for folder in path.parents:
        if cwd not in folder.parents:
            break
        existing = [folder / name for name in names(ctx) if exists(ctx, folder / name)]
        if existing:
            sources.append(_source(ctx, existing[0], Scope.PROJECT))
    return [source for source in sources if source.status is Status.LOADED]


def patterns(ctx: Context) -> list[str]:
    """Return the `instructions` that are patterns or addresses."""
    return [name for name in _instructions(ctx) if _is_pattern(name)]


def _is_pattern(name: str) -> bool:
    """Whether ``name`` in `instructions` is a glob or an address (``https://…``), not one file."""
    return bool(_GLOB.search(name)) or "://" in name


def config_folder(ctx: Context) -> Path:
    """Return the folder of the user's file: below XDG_CONFIG_HOME or ``~/.config``."""
    given = ctx.env.get("XDG_CONFIG_HOME")
    return (ctx.cwd / given if given else ctx.home / ".config") / "opencode"


def _is_claude_off(ctx: Context) -> bool:
    """Whether an environment variable switches the CLAUDE.md of user and project off."""
    switches = ("OPENCODE_DISABLE_CLAUDE_CODE", "OPENCODE_DISABLE_CLAUDE_CODE_PROMPT")
    return any(ctx.env.get(name, "").lower() in ("1", "true") for name in switches)


def _user_claude_md(ctx: Context) -> list[Path]:
    """Return [the user's CLAUDE.md], [] if the environment switches it off."""
    return [] if _is_claude_off(ctx) else [ctx.home / ".claude" / "CLAUDE.md"]


def names(ctx: Context) -> tuple[str, ...]:
    """Return the names of the project's files, the preferred one first.

    CLAUDE.md is left out if the environment switches it off.
    """
    return tuple(name for name in NAMES if name != "CLAUDE.md" or not _is_claude_off(ctx))


def _prefer_first(
    ctx: Context, alternatives: Sequence[Sequence[Path]], scope: Scope
) -> Iterator[Source]:
    """Yield the existing files of ``alternatives``; all but those of one alternative are shadowed.

    An alternative is a list of paths, such as those of one name in several folders. The first one
    with an existing file is read.
    """
    winner: Path | None = None  # the first file that is read
    for paths in alternatives:
        existing = [path for path in paths if exists(ctx, path)]
        for path in existing:
            if winner:
                yield _shadowed(path, scope, winner)
            else:
                yield _source(ctx, path, scope)
        if existing and winner is None:
            winner = existing[0]


def _shadowed(path: Path, scope: Scope, winner: Path) -> Source:
    """Return ``path`` as a source that is not read because ``winner`` is."""
    shown = winner.name if winner.parent == path.parent else winner
    why = t("{0} is read instead", shown)
    action = t("Move its text to {0}, or list it in `instructions`", shown)
    return replace(memory_source(path, scope, Status.SHADOWED, why), by=winner, action=action)


def exists(ctx: Context, path: Path) -> bool:
    """Whether ``path`` exists, as a file or as an unsaved buffer."""
    return ctx.store.is_open(path) or os.path.exists(path)  # noqa: PTH110 -- never raises


def _source(ctx: Context, path: Path, scope: Scope) -> Source:
    """Return the file ``path`` as a source; a file of white space is sent, an empty one is not."""
    return sent_source(ctx.store.read(path), scope, text(ctx, path), t("the file is empty"))


def text(ctx: Context, path: Path) -> str:
    """Return the text of ``path`` as it is sent."""
    return decoded(ctx.store.read(path)).removeprefix(BOM)


def _named_files(ctx: Context, folders: Sequence[Path]) -> Iterator[Path]:
    """Yield the existing files that `instructions` name; patterns and addresses are skipped.

    A relative name stands for the file of this name in each of ``folders``.
    """
    for name in _instructions(ctx):
        if _is_pattern(name):
            continue
        named = ctx.home / name[2:] if name.startswith("~/") else Path(name)
        paths = [named] if named.is_absolute() else [folder / named for folder in folders]
        yield from (path for path in paths if exists(ctx, path))


def _instructions(ctx: Context) -> list[str]:
    """Return `instructions` in opencode.json of the user, then of the working folder."""
    instructions: list[str] = []
    for folder in (config_folder(ctx), ctx.cwd.resolve()):
        content = ctx.store.read(folder / "opencode.json")
        instructions += content.once(_parse_instructions, content.text)
    return instructions


def _parse_instructions(text: str) -> tuple[str, ...]:
    """Return the strings in `instructions` of the opencode.json ``text``, () if it is invalid."""
    try:
        names = parse_json(text).get("instructions", ())
    except (ValueError, AttributeError, RecursionError):
        return ()
    return tuple(name for name in names if isinstance(name, str)) if isinstance(names, list) else ()
