"""What Claude Code adds to the result when it reads a file.

The order (measured in 2.1.330): the user's rules that match, then the files of each folder from
below the working folder to that of the file, last the matching rules of the folders from the root
of the file system down to the working folder. An AGENTS.md below the working folder is never added.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Role, Status
from agent_memory.l10n import t, untranslated
from agent_memory.runtimes.agents import claude_files, claude_rules
from agent_memory.runtimes.agents.claude_imports import LOCAL, PROJECT
from agent_memory.runtimes.path_patterns import matches

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from agent_memory.base.model import Source
    from agent_memory.config.context import Context
    from agent_memory.runtimes.agents.claude_imports import Loaded, Loader

_OWN_USE = lazy_compile(r"/\.claude/(agents|commands|skills)/.*\.md\Z")
"""The path of a file with a use of its own, such as ``/app/.claude/agents/reviewer.md``."""
_WHEN = {
    "agents": untranslated("it is the prompt of the subagent {0}"),
    "commands": untranslated("it is sent when you enter the command /{0}"),
    "skills": untranslated("it is a skill: Claude Code reads it when it needs it"),
}
"""When a file is sent, by its folder in `.claude`; {0} is the name of the file."""


def added(ctx: Context, path: Path) -> list[Loaded]:
    """Return the files that are added when Claude Code reads ``path``.

    Files that were sent at the start are left out.
    """
    return _added(claude_files.find(ctx), path)


def later_imports(ctx: Context, paths: Iterable[Path]) -> list[Source]:
    """Return the imports of the files that are added for a read in the folders of ``paths``.

    Left out are imports that a file of the start has too, and files with a name of memory, such as
    AGENTS.md (see ``import_role``).
    """
    loader = claude_files.find(ctx)
    at_start = frozenset(loader.sources)
    for folder in sorted({claude_files.folder_of(path) for path in paths}):
        if loader.cwd in folder.parents:
            _added(loader, folder / "x")  # any file in it
    later = (source for path, source in loader.sources.items() if path not in at_start)
    # each source of the loader that is not an import is MEMORY
    return [source for source in later if source.role is not Role.MEMORY]


def _added(loader: Loader, path: Path) -> list[Loaded]:
    """Return the files that are added when Claude Code reads ``path``.

    ``loader`` has loaded the files of the start. It loads a file once, so these are left out.
    """
    ctx, cwd = loader.ctx, loader.cwd
    user_rules = claude_files.config_folder(ctx) / "rules"
    files = _matching(loader, user_rules, cwd, path)
    below_cwd = [folder for folder in path.parents if cwd in folder.parents]
    for folder in reversed(below_cwd):
        files += _of_folder(loader, folder, path)
    for folder in reversed([cwd, *cwd.parents]):
        files += _matching(loader, folder / claude_files.RULES, folder, path)
    return files


def _of_folder(loader: Loader, folder: Path, path: Path) -> list[Loaded]:
    """Return the memory files of ``folder``, its unconditional rules, and those for ``path``."""
    files: list[Loaded] = []
    for name in claude_files.NAMES:
        files += loader.load(folder / name, PROJECT)
    files += loader.load(folder / claude_files.LOCAL_NAME, LOCAL)
    rules = folder / claude_files.RULES
    files += claude_rules.load(loader, rules, PROJECT)
    return [*files, *_matching(loader, rules, folder, path)]


def _matching(loader: Loader, rules: Path, base: Path, path: Path) -> list[Loaded]:
    """Return the conditional rules in the folder ``rules`` whose patterns match ``path``.

    The patterns are relative to ``base``; [] if ``path`` is not below it.
    """
    if not path.is_relative_to(base):
        return []
    relative = path.relative_to(base).as_posix()
    real_folder = os.path.realpath(rules)  # the loader has each rule under its real path
    in_folder = [rule for rule in loader.conditional if rule.path.is_relative_to(real_folder)]
    # `or ()` is only for the type: a conditional rule has `paths`
    return [rule for rule in in_folder if matches(rule.text.paths or (), relative)]


def condition(ctx: Context, path: Path) -> str:
    """Return in words when ``path`` is sent after the start of a session, '' if it is not.

    Subagents, commands and skills can be in any folder. The folder of another file must be below
    the working folder.
    """
    own_use = _OWN_USE.search(path.as_posix())
    if own_use:
        return t(_WHEN[own_use[1]], path.stem)
    loader = claude_files.find(ctx)
    folder = claude_files.folder_of(path)
    if folder == loader.cwd or not folder.is_relative_to(loader.cwd):
        return ""
    any_file = folder / "x"
    if path in {file.path for file in _added(loader, any_file)}:
        return t("added when {0} reads a file in {1}", "Claude Code", folder)
    source = loader.sources.get(path)  # of a conditional rule the reason is its condition
    return source.reason if source and source.status is Status.LISTED else ""
