"""The rules of Claude Code: Markdown files in a rules folder, some of them conditional."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.model import Status
from agent_memory.l10n import t
from agent_memory.runtimes.agents.claude_imports import USER

if TYPE_CHECKING:
    from agent_memory.runtimes.agents.claude_imports import Loaded, Loader

MAX_ENTRIES = 10_000
"""Entries of a rules folder that are examined, links to large folders included."""


def load(loader: Loader, folder: Path, kind: str) -> list[Loaded]:
    """Return the rules below ``folder`` that are always loaded, with their imports.

    The order is that of the file system, as Claude Code does not sort. A rule with ``paths`` is not
    returned: its source has the condition as the reason. ``kind`` is whose rules they are (user,
    project).
    """
    if not os.path.isdir(folder):  # noqa: PTH112 -- Path.is_dir may raise
        return []
    # `rules` and the folder around it may be links
    links = [path for path in (folder, folder.parent) if os.path.islink(path)]  # noqa: PTH114
    if links and not _allowed(loader, Path(os.path.realpath(folder)), kind):
        why = t("the link leads out of {0}, the folder Claude Code starts in", loader.cwd)
        loader.add_source(folder, kind, Status.IGNORED, why)
        return []
    return _load_folder(loader, folder, kind, {os.path.realpath(folder)})


def _load_folder(loader: Loader, folder: Path, kind: str, visited: set[str]) -> list[Loaded]:
    """Return the rules of ``folder`` and its subfolders that are always loaded.

    ``visited`` are the real paths of the folders so far: a link may lead to one of them.
    """
    real_folder = Path(os.path.realpath(folder))
    rules: list[Loaded] = []
    # The limit shrinks with each visited folder, which bounds the time for many folders as well.
    for name in _names(real_folder, MAX_ENTRIES - len(visited)):
        target = Path(os.path.realpath(folder / name))
        is_link = target != real_folder / name
        if is_link and not _allowed(loader, target, kind):
            why = t("the link leads out of {0}, the folder Claude Code starts in", loader.cwd)
            loader.add_source(folder / name, kind, Status.IGNORED, why)
        elif os.path.isdir(target):  # noqa: PTH112 -- Path.is_dir may raise
            if str(target) not in visited:
                visited.add(str(target))
                rules += _load_folder(loader, target, kind, visited)
        elif name.endswith(".md"):
            rules += _without_conditional(loader, loader.load(target, kind))
    return rules


def _names(folder: Path, limit: int) -> list[str]:
    """Return the first ``limit`` names in ``folder`` in the order of the file system.

    [] if ``limit`` is not positive or ``folder`` cannot be listed.
    """
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in islice(entries, max(0, limit))]
    except OSError:
        return []


def _allowed(loader: Loader, target: Path, kind: str) -> bool:
    """Whether a link in a rules folder may lead to ``target``; ``kind`` is whose folder it is.

    A link of the user may lead anywhere. A link of a project must stay in the working folder until
    the user approves files from outside.
    """
    return kind == USER or loader.approved or target.is_relative_to(loader.cwd)


def _without_conditional(loader: Loader, rules: list[Loaded]) -> list[Loaded]:
    """Return the ``rules`` without `paths`; move the others to ``loader.conditional``.

    ``rules`` are a rule and its imports, each with its own condition: an import without `paths` is
    always loaded, even if the rule that imports it is conditional.
    """
    for rule in rules:
        if rule.text.paths is not None:
            loader.conditional.append(rule)
            why = t("added when Claude Code reads a file like {0}", ", ".join(rule.text.paths))
            source = loader.sources[rule.path]
            loader.sources[rule.path] = replace(source, status=Status.LISTED, reason=why)
    return [rule for rule in rules if rule.text.paths is None]
