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

PLATFORMS = ("iOS", "macOS", "tvOS", "visionOS", "watchOS")
"""Apple's, whose oldest version :mod:`agent_memory.lint.shared.apple_platforms` finds."""
_NUMBER = r"v?(\d+(?:\.\d+)*)"
"""A version; its group excludes the ``v``."""
_LEAST = lazy_compile(rf"(?:>=|\^|~[>=]?|(?<![<!=])==?)\s*{_NUMBER}|\A\s*{_NUMBER}(?:\.[x*])*\s*\Z")
"""The oldest version of a requirement: group 1 of ``>=3.11,<4``, group 2 of ``20`` or ``20.x``.

``<=3.13`` and ``!=3.12.1`` say nothing about it.
"""
_ELIXIR = lazy_compile(r"^\s*elixir:\s*\"([^\"]+)\"", re.MULTILINE)
"""``elixir: "~> 1.15"`` in a mix.exs."""
_GO = lazy_compile(r"^go[ \t]+(\d+\.\d+)", re.MULTILINE)
"""``go 1.22`` in a go.mod, also the start of ``go 1.22.3``."""


class Required(NamedTuple):
    """The requirement of a manifest: its file name, its text, and the oldest version."""

    file: str
    text: str
    least: Version


def required(
    language: str, file: MemoryFile, project: Project, folder: str = ""
) -> Required | None:
    """Return what the nearest manifest requires of ``language``, from ``folder`` up.

    ``folder`` '' is that of ``file``. ``language`` is a key of :data:`_MANIFESTS`. A package.json
    without a requirement is skipped, as in a package of a workspace: the one above then counts if
    the package is part of its workspace. None without a manifest or a requirement in it.
    """
    name, parse = _MANIFESTS[language]
    base = folder or project.folder_from_root(file.path)
    if base is None:
        return None
    for outer in folders_up(base):
        path = posixpath.normpath(posixpath.join(outer, name))
        if not project.tree.has(path):
            continue
        content = project.ctx.store.read(project.tree.root / path)
        requirement = content.once(parse, content.text) if content.ok else None
        if name != "package.json":
            return requirement
        if requirement:
            return requirement if belongs_to(base, outer, project) else None
    return None


def numbers(text: str) -> Version:
    """Return the numbers of a version: (3, 11) of ``3.11``."""
    return tuple(int(part) for part in text.split("."))


def _oldest(file: str, text: object) -> Required | None:
    """Return the requirement ``text`` of the manifest ``file``: ``>=3.11,<4`` or ``18 || >=20``.

    Its oldest version is that of the oldest alternative. None if ``text`` is not text, or if an
    alternative has no oldest version.
    """
    if not isinstance(text, str):
        return None
    oldest_versions = []
    for alternative in text.split("||"):
        lower_bound = _LEAST.search(alternative)
        if lower_bound is None:
            return None
        oldest_versions.append(numbers(lower_bound[1] or lower_bound[2]))
    return Required(file, text, min(oldest_versions))


def _python(text: str) -> Required | None:
    """Return the Python that a pyproject.toml requires, in the standard field or in Poetry's."""
    values = _parsed(parse_toml, text)
    poetry = _below(values, "tool", "poetry", "dependencies", "python")
    return _oldest("pyproject.toml", _below(values, "project", "requires-python") or poetry)


def _engine(name: str, text: str) -> Required | None:
    """Return what a package.json requires of ``name`` in ``engines``."""
    return _oldest("package.json", _below(_parsed(parse_json, text), "engines", name))


def _go(text: str) -> Required | None:
    """Return the Go that a go.mod requires."""
    line = _GO.search(text)
    return Required("go.mod", line[1], numbers(line[1])) if line else None


def _php(text: str) -> Required | None:
    """Return the PHP that a composer.json requires; ``|`` or ``||`` separate its alternatives."""
    wanted = _below(_parsed(parse_json, text), "require", "php")
    if not isinstance(wanted, str):
        return None
    alternatives = wanted.replace("||", "|").replace("|", "||")  # as `_oldest` splits them
    requirement = _oldest("composer.json", alternatives)
    return requirement and requirement._replace(text=wanted)  # the text of the manifest


def _elixir(text: str) -> Required | None:
    """Return the Elixir that a mix.exs requires."""
    line = _ELIXIR.search(text)
    return _oldest("mix.exs", line[1]) if line else None


def _rust(text: str) -> Required | None:
    """Return the Rust that a Cargo.toml requires, of its package or for its workspace."""
    values = _parsed(parse_toml, text)
    of_workspace = _below(values, "workspace", "package", "rust-version")
    return _oldest("Cargo.toml", _below(values, "package", "rust-version") or of_workspace)


def _ruby(text: str) -> Required | None:
    """Return the Ruby of a .ruby-version: ``3.3.0`` or ``ruby-3.3.0``."""
    return _oldest(".ruby-version", text.strip().removeprefix("ruby-"))


_MANIFESTS: dict[str, tuple[str, Callable[[str], Required | None]]] = {
    "python": ("pyproject.toml", _python),
    **{
        name: ("package.json", partial(_engine, name))
        for name in ("node", "npm", "pnpm", "yarn", "bun")
    },
    "go": ("go.mod", _go),
    "php": ("composer.json", _php),
    "elixir": ("mix.exs", _elixir),
    "rust": ("Cargo.toml", _rust),
    "ruby": (".ruby-version", _ruby),
}
"""By language or tool: the name of its manifest, and the function that reads the requirement."""


def _parsed(parse: Callable[[str], Any], text: str) -> Any:
    """Return the values of ``text``; None if it is not valid."""
    try:
        return parse(text)
    except FormatError:
        return None


def _below(values: Any, *keys: str) -> Any:
    """Return the value at the path ``keys`` of nested tables; None if it does not exist."""
    for key in keys:
        values = values.get(key) if isinstance(values, dict) else None
    return values
