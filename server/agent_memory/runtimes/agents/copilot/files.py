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
    from agent_memory.fs.reader import FileText

NAMES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md")
"""Files in the root and the working folder, in load order."""
IMPORTING = NAMES[:2]
"""The files of a project whose imports are followed."""
NAME = "copilot-instructions.md"
GITHUB = f".github/{NAME}"
"""The file of a project; that of the user is right in :func:`user_folder`."""
_BETWEEN = (GITHUB, *NAMES[:2], ".claude/CLAUDE.md", NAMES[2])
"""The files of the folders between root and working folder.

``.claude/CLAUDE.md`` is read in no other folder.
"""


def user_folder(ctx: Context) -> Path:
    """Return the folder of the user's files: COPILOT_HOME or ``~/.copilot``."""
    given = ctx.env.get("COPILOT_HOME")
    return ctx.cwd / given if given else ctx.home / ".copilot"


def find(ctx: Context, root: Path | None) -> list[Source]:
    """Return the files of the user and of each folder, then the files that they import.

    Of files with equal texts, imports included, only the first is sent. For a scope without files,
    its copilot-instructions.md is returned as missing.
    """
    user_path = user_folder(ctx) / NAME
    sources: list[Source] = []
    imports: dict[Path, Source] = {}
    first_by_text: dict[str, Path] = {}
    project_paths = [(path, Scope.PROJECT) for path in _project_paths(ctx, root)]
    for path, scope in [(user_path, Scope.USER), *project_paths]:
        content = ctx.store.read(path)
        if content.failure in (Failure.MISSING, Failure.DIRECTORY):
            continue
        source = _source(content, scope)
        if source.status is Status.LOADED:
            text, imported_paths = _expanded(ctx, root, source)
            for imported in imported_paths:
                imports.setdefault(imported, _import_source(imported, source))
            first = first_by_text.setdefault(text, path)
            if first is not path:
                why = t("{0} has the same text", first)
                source = replace(source, status=Status.SHADOWED, reason=why, by=first)
        sources.append(source)
    to_create = {Scope.USER: user_path, Scope.PROJECT: (root or ctx.cwd.resolve()) / GITHUB}
    sources += absent(sources, to_create)
    has_source = {source.path for source in sources}
    return [*sources, *(source for path, source in imports.items() if path not in has_source)]


def _expanded(ctx: Context, root: Path | None, source: Source) -> tuple[str, list[Path]]:
    """Return the text of the loaded file ``source`` with its imports, and the imported files."""
    from agent_memory.runtimes.agents.copilot.imports import CopilotExpander  # noqa: PLC0415 -- not at start

    expander = CopilotExpander(ctx, import_root(ctx, root, source))
    segments = expander.expand_file(source.path, "")  # without a kind: only the text is used
    return "".join(segment.text for segment in segments), expander.imported


def _source(content: FileText, scope: Scope) -> Source:
    """Return the file ``content`` as a source: loaded even if it is empty, or unreadable."""
    status, reason = read_status(content)
    if status is Status.EMPTY:
        status, reason = Status.LOADED, t("an empty file is sent as an empty element")
    return memory_source(content.path, scope, status, reason)


def _import_source(target: Path, importer: Source) -> Source:
    """Return the file ``target``, which ``importer`` imports, as a source."""
    why = t("imported by {0}", importer.path)
    role = import_role(target)
    return Source(target, importer.scope, role, Status.LOADED, why, str(target), by=importer.path)


def _project_paths(ctx: Context, root: Path | None) -> list[Path]:
    """Return the paths of the project to look for, in load order; they may be missing.

    First are the copilot-instructions.md of root and working folder, then their other files. Those
    of the folders between follow, the nearest to the working folder first.
    """
    cwd = ctx.cwd.resolve()
    upwards = [cwd, *cwd.parents]
    if root is None or root not in upwards:
        ends, between = [cwd], []
    else:
        ends = list(dict.fromkeys([root, cwd]))
        between = upwards[1 : upwards.index(root)]
    paths = [folder / GITHUB for folder in ends]
    paths += [folder / name for folder in ends for name in NAMES]
    paths += [folder / name for folder in between for name in _BETWEEN]
    return paths


def import_root(ctx: Context, root: Path | None, source: Source) -> Path | None:
    """Return the folder that imports of ``source`` must be in, None if none are followed."""
    if source.scope is Scope.USER:
        return source.path.parent
    return (root or ctx.cwd.resolve()) if source.path.name in IMPORTING else None


def folders(ctx: Context, root: Path | None) -> Sequence[Path]:
    """Return the folders in which rules are searched: the root and the working folder.

    Without a root, or if both are the same, it is one folder.
    """
    cwd = ctx.cwd.resolve()
    return list(dict.fromkeys([root or cwd, cwd]))
