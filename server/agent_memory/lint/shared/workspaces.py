"""Whether a folder belongs to the npm, pnpm, yarn or bun workspace of a folder above."""

from __future__ import annotations

import posixpath
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.formats.json_parser import parse_json
from agent_memory.formats.limits import FormatError
from agent_memory.lint.shared.project_files import folders_up

if TYPE_CHECKING:
    from agent_memory.lint.project import Project

_ITEM = lazy_compile(r"^[ \t]*-[ \t]+[\"']?([^\"'#\n]+?)[\"']?[ \t]*(?:#.*)?$")
"""An item of a YAML list: ``- "apps/*"``."""


def belongs_to(folder: str, outer: str, project: Project) -> bool:
    """Return whether the package of ``folder`` is in the workspace of the folder ``outer``.

    It is if no folder from ``folder`` up to ``outer``, without ``outer``, has a package.json: then
    both are one package. Else the nearest folder with a package.json must match a pattern of the
    workspace, and no pattern with ``!``, which excludes it. False if ``outer`` is neither
    ``folder`` nor above it.
    """
    for inner in folders_up(folder):
        if posixpath.normpath(inner) == posixpath.normpath(outer):
            return True
        if project.tree.has(posixpath.join(inner, "package.json")):
            path_in_workspace = posixpath.relpath(inner, outer)
            patterns = _patterns(outer, project)
            excluding = [pattern[1:] for pattern in patterns if pattern.startswith("!")]
            if any(fnmatchcase(path_in_workspace, pattern) for pattern in excluding):
                return False
            return any(fnmatchcase(path_in_workspace, pattern) for pattern in patterns)
    return False


def _patterns(outer: str, project: Project) -> list[str]:
    """Return the patterns of the packages of a workspace, such as ``apps/*`` or ``!apps/old``.

    They are the items of ``pnpm-workspace.yaml`` and of ``workspaces`` in package.json, which is a
    list or, in older versions of yarn, a table with a list ``packages``.
    """
    lines = _text(outer, "pnpm-workspace.yaml", project).splitlines()
    patterns = [item[1] for item in map(_ITEM.match, lines) if item]
    try:
        manifest: Any = parse_json(_text(outer, "package.json", project) or "{}")
    except FormatError:
        manifest = {}  # it names no packages
    listed = manifest.get("workspaces") if isinstance(manifest, dict) else None
    if isinstance(listed, dict):
        listed = listed.get("packages")
    if isinstance(listed, list):
        patterns += [pattern for pattern in listed if isinstance(pattern, str)]
    return [pattern.removeprefix("./").rstrip("/") for pattern in patterns]


def _text(folder: str, name: str, project: Project) -> str:
    """Return the text of the file ``name`` in ``folder``, '' if it cannot be read."""
    content = project.ctx.store.read(project.tree.root / folder / name)
    return content.text if content.ok else ""
