"""What Claude Code adds to the result when it reads a file.

The order (measured in 2.1.330): the user's rules that match, then the files of each folder from
below the working folder to that of the file, last the rules of the folders above that match. An
AGENTS.md below the working folder is never added.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Status
from agent_memory.l10n import t, untranslated
from agent_memory.runtimes.agents import claude_files, claude_rules
from agent_memory.runtimes.agents.claude_imports import LOCAL, PROJECT
from agent_memory.runtimes.path_patterns import matches

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.runtimes.agents.claude_imports import Loaded, Loader

_NAMED = lazy_compile(r"/\.claude/(agents|commands|skills)/.*\.md\Z")
_WHEN = {
    "agents": untranslated("it is the prompt of the subagent {0}"),
    "commands": untranslated("it is sent when you enter the command /{0}"),
    "skills": untranslated("it is a skill: Claude Code reads it when it needs it"),
}


def added(ctx: Context, path: Path) -> list[Loaded]:
    """Return the files that are added when Claude Code reads ``path``, without those in use."""
    return _added(claude_files.find(ctx), path)


def _added(loader: Loader, path: Path) -> list[Loaded]:
    """Return what is added for ``path`` after the files of the start that ``loader`` has loaded."""
    ctx, cwd = loader.ctx, loader.cwd
    # the number of folders below the working folder, that of ``path`` included
    depth = len(path.relative_to(cwd).parts) - 1 if path.is_relative_to(cwd) else 0
    below_cwd = [*path.parents][:depth][::-1]
    user = claude_files.config_folder(ctx) / "rules"
    found = _matching(loader, user, cwd, path)
    for folder in below_cwd:
        found += _of_folder(loader, folder, path)
    for folder in [cwd, *cwd.parents][::-1]:
        found += _matching(loader, folder / claude_files.RULES, folder, path)
    return found


def _of_folder(loader: Loader, folder: Path, path: Path) -> list[Loaded]:
    """Return the files of ``folder``, then its rules: the plain ones and those for ``path``."""
    found = [item for name in claude_files.NAMES for item in loader.load(folder / name, PROJECT)]
    found += loader.load(folder / claude_files.LOCAL_NAME, LOCAL)
    rules = folder / claude_files.RULES
    found += claude_rules.load(loader, rules, PROJECT)
    return [*found, *_matching(loader, rules, folder, path)]


def _matching(loader: Loader, rules: Path, base: Path, path: Path) -> list[Loaded]:
    """Return the conditional rules in ``rules`` whose patterns match ``path`` below ``base``."""
    if not path.is_relative_to(base):
        return []
    name, real = path.relative_to(base).as_posix(), os.path.realpath(rules)
    return [
        item
        for item in loader.conditional
        if item.path.is_relative_to(real) and matches(item.text.paths or (), name)
    ]


def condition(ctx: Context, path: Path) -> str:
    """Return when ``path`` is added or sent, '' if it is not below the working folder."""
    named = _NAMED.search(path.as_posix())
    if named:
        return t(_WHEN[named[1]], path.stem)
    loader = claude_files.find(ctx)
    folder = claude_files.folder_of(path)
    if folder == loader.cwd or not folder.is_relative_to(loader.cwd):
        return ""
    if path in {item.path for item in _added(loader, folder / "x")}:  # for any file in the folder
        return t("added when {0} reads a file in {1}", "Claude Code", folder)
    source = loader.sources.get(path)
    return source.reason if source and source.status is Status.LISTED else ""
