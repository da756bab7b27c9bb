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


def belongs_to(folder: str, outer: str, project: Project) -> bool:
    """Return whether the package of ``folder`` is in the workspace of the folder ``outer``.

    A folder without a package.json between both is part of the package of ``outer``.
    """
    for each in folders_up(folder):
        if posixpath.normpath(each) == posixpath.normpath(outer):
            return True
        if project.tree.has(posixpath.join(each, "package.json")):
            path = posixpath.relpath(each, outer)
            patterns = _patterns(outer, project)
            refused = any(fnmatchcase(path, one[1:]) for one in patterns if one.startswith("!"))
            return not refused and any(fnmatchcase(path, one) for one in patterns)
    return False


def _patterns(outer: str, project: Project) -> list[str]:
    """Return the patterns of the packages of a workspace, such as ``apps/*``."""
    found = [
        item[1]
        for line in _text(outer, "pnpm-workspace.yaml", project).splitlines()
        if (item := _ITEM.match(line))
    ]
    try:
        manifest: Any = parse_json(_text(outer, "package.json", project) or "{}")
    except FormatError:
        manifest = {}
    listed = manifest.get("workspaces") if isinstance(manifest, dict) else None
    listed = listed.get("packages") if isinstance(listed, dict) else listed
    found += (
        [item for item in listed or () if isinstance(item, str)] if isinstance(listed, list) else []
    )
    return [item.removeprefix("./").rstrip("/") for item in found]


def _text(folder: str, name: str, project: Project) -> str:
    content = project.ctx.store.read(project.tree.root / folder / name)
    return content.text if content.ok else ""
