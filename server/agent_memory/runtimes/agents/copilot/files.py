"""Which files Copilot CLI sends as elements, and in which order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agent_memory.base.model import Scope, Source, Status
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t
from agent_memory.runtimes.agents.agent import absent, import_role, memory_source, read_status

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.config.context import Context

NAMES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md")
IMPORTING = NAMES[:2]
"""The files of a project whose imports are followed."""
NAME = "copilot-instructions.md"
GITHUB = f".github/{NAME}"
_BETWEEN = (GITHUB, *NAMES[:2], ".claude/CLAUDE.md", NAMES[2])
"""The files of the folders between root and working folder, where one more is read."""


def user_folder(ctx: Context) -> Path:
    """Return the folder of the user's files."""
    given = ctx.env.get("COPILOT_HOME")
    return ctx.cwd / given if given else ctx.home / ".copilot"


def find(ctx: Context, root: Path | None) -> list[Source]:
    """Return the files of the user and of each folder; equal texts are sent once.

    The imported files follow. Texts are compared with their imports.
    """
    from agent_memory.runtimes.agents.copilot.imports import CopilotExpander  # noqa: PLC0415 -- not at start

    paths = [(user_folder(ctx) / NAME, Scope.USER)]
    paths += [(path, Scope.PROJECT) for path in _project(ctx, root)]
    found: list[Source] = []
    imports: dict[Path, Source] = {}
    first_with: dict[str, Path] = {}  # the first file by its text
    for path, scope in paths:
        content = ctx.store.read(path)
        if content.failure in (Failure.MISSING, Failure.DIRECTORY):
            continue
        status, reason = read_status(content)
        if status is Status.EMPTY:
            status, reason = Status.LOADED, t("an empty file is sent as an empty element")
        source = memory_source(path, scope, status, reason)
        if status is Status.LOADED:
            expander = CopilotExpander(ctx, import_root(ctx, root, source))
            text = "".join(part.text for part in expander.file(path, ""))
            first = first_with.setdefault(text, path)
            if first is not path:
                why = t("{0} has the same text", first)
                source = replace(source, status=Status.SHADOWED, reason=why, by=first)
            for target in expander.imported:
                why = t("imported by {0}", path)
                role = import_role(target)
                note = Source(target, scope, role, Status.LOADED, why, str(target), by=path)
                imports.setdefault(target, note)
        found.append(source)
    usual = {Scope.USER: paths[0][0], Scope.PROJECT: (root or ctx.cwd.resolve()) / GITHUB}
    found += absent(found, usual)
    known = {source.path for source in found}
    return [*found, *(note for path, note in imports.items() if path not in known)]


def _project(ctx: Context, root: Path | None) -> list[Path]:
    """Return the paths to look for: in root and working folder, then in the folders between.

    Root and working folder both come with copilot-instructions.md first. Of the folders between,
    the nearest is first.
    """
    cwd = ctx.cwd.resolve()
    parents = [cwd, *cwd.parents]
    between = parents[1 : parents.index(root)] if root in parents and root != cwd else []
    ends = list(dict.fromkeys([root, cwd])) if root in parents else [cwd]
    found = [folder / GITHUB for folder in ends if folder]
    found += [folder / name for folder in ends if folder for name in NAMES]
    found += [folder / name for folder in between for name in _BETWEEN]
    return found


def import_root(ctx: Context, root: Path | None, source: Source) -> Path | None:
    """Return the folder that imports of ``source`` must be in, None if none are followed."""
    if source.scope is Scope.USER:
        return source.path.parent
    return (root or ctx.cwd.resolve()) if source.path.name in IMPORTING else None


def folders(ctx: Context, root: Path | None) -> Sequence[Path]:
    """Return the root and the working folder, in which rules are searched."""
    cwd = ctx.cwd.resolve()
    return list(dict.fromkeys([root or cwd, cwd]))
