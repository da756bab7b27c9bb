"""The oldest version of a language that the manifest of a project accepts."""

from __future__ import annotations

import posixpath
import re
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.formats.json_parser import parse_json
from agent_memory.formats.limits import FormatError
from agent_memory.formats.toml_parser import parse_toml
from agent_memory.lint.shared.project_files import folders_up
from agent_memory.lint.shared.workspaces import belongs_to

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

    Version = tuple[int, ...]

_NUMBER = r"v?(\d+(?:\.\d+)*)"
_LEAST = lazy_compile(rf"(?:>=|\^|~=?|==?)\s*{_NUMBER}|\A\s*{_NUMBER}(?:\.[x*])*\s*\Z")
_GO = lazy_compile(r"^go[ \t]+(\d+\.\d+)", re.MULTILINE)


class Required(NamedTuple):
    """The requirement of a manifest: its file name, its text, and the oldest version."""

    file: str
    text: str
    least: Version


def required(
    language: str, file: MemoryFile, project: Project, folder: str = ""
) -> Required | None:
    """Return what the nearest manifest above ``file`` requires of ``language``; None if unknown.

    ``language`` is a key of :data:`_MANIFESTS`. With ``folder``, the nearest one above that folder.
    A package of a workspace often leaves ``engines`` to the root.
    """
    name, parse = _MANIFESTS[language]
    base = folder or project.below_root(file.path)
    for each in () if base is None else folders_up(base):
        path = posixpath.normpath(posixpath.join(each, name))
        if project.tree.has(path):
            content = project.ctx.store.read(project.tree.root / path)
            found = content.once(parse, content.text) if content.ok else None
            if found is None and name == "package.json":
                continue
            is_known = name != "package.json" or belongs_to(base or ".", each, project)
            return found if is_known else None
    return None


def version(text: str) -> Version:
    """Return the numbers of a version."""
    return tuple(int(part) for part in text.split("."))


def _oldest(file: str, text: object) -> Required | None:
    """Return the requirement ``text``, a specifier such as ``>=3.11,<4`` or ``18 || >=20``.

    None if an alternative has no oldest version.
    """
    if not isinstance(text, str):
        return None
    lower_bounds = [_LEAST.search(part) for part in text.split("||")]
    if not all(lower_bounds):
        return None
    return Required(file, text, min(version(one[1] or one[2]) for one in lower_bounds if one))


def _python(text: str) -> Required | None:
    values = _parsed(parse_toml, text)
    poetry = _below(values, "tool", "poetry", "dependencies", "python")
    return _oldest("pyproject.toml", _below(values, "project", "requires-python") or poetry)


def _engine(name: str, text: str) -> Required | None:
    return _oldest("package.json", _below(_parsed(parse_json, text), "engines", name))


def _go(text: str) -> Required | None:
    found = _GO.search(text)
    return Required("go.mod", found[1], version(found[1])) if found else None


_MANIFESTS: dict[str, tuple[str, Callable[[str], Required | None]]] = {
    "python": ("pyproject.toml", _python),
    **{
        name: ("package.json", partial(_engine, name))
        for name in ("node", "npm", "pnpm", "yarn", "bun")
    },
    "go": ("go.mod", _go),
}


def _parsed(parse: Callable[[str], Any], text: str) -> Any:
    try:
        return parse(text)
    except FormatError:
        return None


def _below(values: Any, *keys: str) -> Any:
    """Return the value at the path ``keys`` of nested tables; None if it does not exist."""
    for key in keys:
        values = values.get(key) if isinstance(values, dict) else None
    return values
