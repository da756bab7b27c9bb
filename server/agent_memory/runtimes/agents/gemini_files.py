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
    """Return the user's files, then the project's from ``root`` down, then ignored ones above it.

    Without a root, or if it is not above ``cwd``, the project is ``cwd`` alone. Each real file is
    loaded once. For a scope without files, the first path is returned as missing.
    """
    cwd, user = ctx.cwd.resolve(), ctx.home / FOLDER
    names = config(ctx).names or (NAME,)
    upwards = [cwd, *cwd.parents]
    folders = upwards[: upwards.index(root) + 1] if root in upwards else [cwd]
    if user in folders:  # ~/.gemini is not a folder of the project, nor are the folders above it
        folders = folders[: folders.index(user)]
    project_paths = [folder / name for folder in reversed(folders) for name in names]
    return without_duplicates(
        [
            *_sources(ctx, [user / name for name in names], Scope.USER),
            *_sources(ctx, project_paths, Scope.PROJECT),
            *(_above(ctx, folders[-1], names) if folders else ()),
        ]
    )


def below(ctx: Context, path: Path) -> list[Source]:
    """Return the loaded files in the folders from below the working folder to that of ``path``."""
    cwd = ctx.cwd.resolve()
    below_cwd = [folder for folder in path.parents if cwd in folder.parents]
    names = config(ctx).names or (NAME,)
    paths = [folder / name for folder in reversed(below_cwd) for name in names]
    sources = _sources(ctx, paths, Scope.PROJECT)
    return [source for source in sources if source.status is Status.LOADED]


def _above(ctx: Context, root: Path, names: Sequence[str]) -> list[Source]:
    """Return the files in the folders above ``root`` as ignored, the nearest first.

    The search ends below the home, or at the root of the file system. [] if ``root`` is the home.
    Gemini CLI read these files until 0.29.0.
    """
    if root == ctx.home:
        return []
    ignored = []
    for folder in root.parents:
        if folder == ctx.home:
            break
        for name in names:
            if name in ctx.store.names(folder):
                path = folder / name
                why = t("it is above {0}, where {1} stops", root, "Gemini CLI")
                source = Source(path, Scope.PROJECT, Role.MEMORY, Status.IGNORED, why, str(path))
                ignored.append(replace(source, action=t("Move it into {0}", root)))
    return ignored


def _sources(ctx: Context, paths: Sequence[Path], scope: Scope) -> list[Source]:
    """Return the existing files of ``paths``, or if none exists, the first path as missing.

    Gemini CLI sorts the files of the project by their paths.
    """
    existing = []
    in_order = sorted(paths, key=str) if scope is Scope.PROJECT else paths
    for path in in_order:
        content = ctx.store.read(path)
        if content.failure is not Failure.MISSING:
            existing.append(sent_source(content, scope, decoded(content).strip(SPACE)))
    return existing or [missing(path, scope) for path in paths[:1]]


def without_duplicates(sources: Sequence[Source]) -> list[Source]:
    """Return ``sources``, in which existing memory is shadowed if its real file occurs earlier."""
    seen: set[str] = set()  # real paths
    out = []
    for source in sources:
        real = os.path.realpath(source.path)
        is_existing_memory = source.role is Role.MEMORY and source.status is not Status.MISSING
        if real in seen and is_existing_memory:
            why = t("the same file was loaded before")
            out.append(replace(source, status=Status.SHADOWED, reason=why))
        else:
            out.append(source)
        seen.add(real)
    return out


def config(ctx: Context, user: Path | None = None, project: str = FOLDER) -> GeminiConfig:
    """Return the settings of the user, overridden by those of the project.

    The files are in the folder ``user``, by default ``~/.gemini``, and in the folder ``project`` of
    the working folder. ``flat`` is not overridden: it is True if one of both sets it.
    """
    of_user = _config_in(ctx, user or ctx.home / FOLDER)
    of_project = _config_in(ctx, ctx.cwd.resolve() / project)
    names = of_project.names or of_user.names
    return GeminiConfig(names, of_project.flat or of_user.flat)


def _config_in(ctx: Context, folder: Path) -> GeminiConfig:
    """Return the settings in the settings.json of ``folder``, the defaults if it is missing."""
    content = ctx.store.read(folder / "settings.json")
    return content.once(_parse, content.text)


def _parse(text: str) -> GeminiConfig:
    """Return the settings in the text of settings.json, the defaults for what is invalid."""
    try:
        context = parse_json(text)["context"]
        names = context.get("fileName", ())
        flat = context.get("importFormat") == "flat"
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return GeminiConfig()
    if isinstance(names, str):  # `fileName` is one name or a list
        names = [names]
    listed = names if isinstance(names, list) else []
    return GeminiConfig(tuple(name for name in listed if isinstance(name, str) and name), flat)
