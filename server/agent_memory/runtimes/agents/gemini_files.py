"""Which files Gemini CLI loads, and the settings that change it."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.model import Role, Scope, Source, Status
from agent_memory.formats.json_parser import parse_json
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t
from agent_memory.runtimes.agents.agent import missing, sent_source
from agent_memory.runtimes.agents.javascript import SPACE, decoded

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.config.context import Context

FOLDER = ".gemini"
NAME = "GEMINI.md"


class GeminiConfig(NamedTuple):
    """The settings in settings.json that concern memory.

    ``names`` are the names of memory files, none for the default; ``flat``: imports are in a list
    of their own.
    """

    names: tuple[str, ...] = ()
    flat: bool = False


def find(ctx: Context, root: Path | None) -> list[Source]:
    """Return the user's files, then the project's from ``root`` down; each real file once."""
    cwd, user = ctx.cwd.resolve(), ctx.home / FOLDER
    names = config(ctx).names or (NAME,)
    parents = [cwd, *cwd.parents]
    folders = parents[: parents.index(root) + 1] if root in parents else [cwd]
    # Inside of the folder of the user's files, that folder ends the search.
    folders = folders[: folders.index(user)] if user in folders else folders
    project = [folder / name for folder in folders[::-1] for name in names]
    return without_duplicates(
        [
            *_sources(ctx, [user / name for name in names], Scope.USER),
            *_sources(ctx, project, Scope.PROJECT),
            *(_above(ctx, folders[-1], names) if folders else ()),
        ]
    )


def below(ctx: Context, path: Path) -> list[Source]:
    """Return the files in the folders from below the working folder to that of ``path``."""
    cwd = ctx.cwd.resolve()
    folders = [folder for folder in path.parents if cwd in folder.parents][::-1]
    names = config(ctx).names or (NAME,)
    paths = [folder / name for folder in folders for name in names]
    found = _sources(ctx, paths, Scope.PROJECT)
    return [source for source in found if source.status is Status.LOADED]


def _above(ctx: Context, root: Path, names: Sequence[str]) -> list[Source]:
    """Return the files above ``root`` and below the home, which Gemini CLI read until 0.29.0."""
    found = []
    for folder in root.parents:
        if ctx.home in (folder, root):
            break
        for name in names:
            if name in ctx.store.names(folder):
                path = folder / name
                why = t("it is above {0}, where {1} stops", root, "Gemini CLI")
                source = Source(path, Scope.PROJECT, Role.MEMORY, Status.IGNORED, why, str(path))
                found.append(replace(source, action=t("Move it into {0}", root)))
    return found


def _sources(ctx: Context, paths: Sequence[Path], scope: Scope) -> list[Source]:
    """Return the existing files of ``paths``, or the first one as missing.

    Gemini CLI sorts the files of the project by their paths.
    """
    found = []
    for path in sorted(paths, key=str) if scope is Scope.PROJECT else paths:
        content = ctx.store.read(path)
        if content.failure is not Failure.MISSING:
            found.append(sent_source(content, scope, decoded(content).strip(SPACE)))
    return found or [missing(path, scope) for path in paths[:1]]


def without_duplicates(sources: Sequence[Source]) -> list[Source]:
    """Return ``sources`` with the second ones of the same real file as shadowed."""
    seen: set[str] = set()
    out = []
    for source in sources:
        real = os.path.realpath(source.path)
        again = real in seen and source.role is Role.MEMORY and source.status is not Status.MISSING
        why = t("the same file was loaded before")
        out.append(replace(source, status=Status.SHADOWED, reason=why) if again else source)
        seen.add(real)
    return out


def config(ctx: Context, user: Path | None = None, project: str = FOLDER) -> GeminiConfig:
    """Return the settings in the folder ``user``, overridden by those of the working folder.

    ``user`` None stands for ``~/.gemini``; ``project`` is the folder in the working folder.
    """
    names: tuple[str, ...] = ()
    flat = False
    for folder in (user or ctx.home / FOLDER, ctx.cwd.resolve() / project):
        content = ctx.store.read(folder / "settings.json")
        own = content.once(_parse, content.text)
        names, flat = own.names or names, own.flat or flat
    return GeminiConfig(names, flat)


def _parse(text: str) -> GeminiConfig:
    """Return the settings in the text of settings.json, the defaults for what is invalid."""
    try:
        context = parse_json(text)["context"]
        names = context.get("fileName", ())
        flat = context.get("importFormat") == "flat"
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return GeminiConfig()
    # `fileName` is one name or a list
    listed = [names] if isinstance(names, str) else names if isinstance(names, list) else []
    return GeminiConfig(tuple(name for name in listed if isinstance(name, str) and name), flat)
