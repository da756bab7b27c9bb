"""The packages that the manifests at the root of a project require."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.formats.json_parser import parse_json
from agent_memory.formats.limits import FormatError
from agent_memory.formats.toml_parser import parse_toml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from agent_memory.config.context import Context

    Requirements = Mapping[str, str]
    """Versions as they are written, by normalized name; of several for a name, the last one."""

_REQUIREMENT = lazy_compile(r"\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*([^;#]*)")
"""Name and version specifier (``>=1``) of a requirement, without extras, marker and comment."""
_NUMBER = lazy_compile(r"\d+(?:\.\d+)*")


class Manifest(NamedTuple):
    """A manifest: its file name, whether it names npm packages, and what it requires."""

    file: str
    is_npm: bool
    requirements: Requirements


def dependencies(ctx: Context, root: Path) -> Iterator[Manifest]:
    """Yield the manifests in the folder ``root`` that can be read; invalid ones require nothing."""
    for file, parse in _FILES.items():
        if file in ctx.store.names(root):
            content = ctx.store.read(root / file)
            if content.ok:
                requirements = content.once(parse, content.text)
                yield Manifest(file, file == "package.json", requirements)


def first_number(version: str) -> str:
    """Return the first release number in a written version, '' without one."""
    number = _NUMBER.search(version)
    return number[0] if number else ""


def normalized_name(name: str) -> str:
    """Return ``name`` as PyPI compares it: ``Foo_Bar`` gives ``foo-bar``.

    npm compares names exactly. Here its names are converted too, on both sides of a comparison.
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def _pyproject(text: str) -> Requirements:
    """Return what pyproject.toml requires.

    These are the lists ``dependencies``, ``optional-dependencies`` and ``dependency-groups``, and
    the tables of Poetry.
    """
    values = _parsed(parse_toml, text)
    project, poetry = _table_at(values, "project"), _table_at(values, "tool", "poetry")
    lists = [project.get("dependencies")]
    lists += _table_at(project, "optional-dependencies").values()
    lists += _table_at(values, "dependency-groups").values()
    requirements: dict[str, str] = {}
    for requirement_list in lists:
        if isinstance(requirement_list, list):
            requirements |= _names_and_versions(requirement_list)
    groups = _table_at(poetry, "group")
    tables = [_table_at(poetry, "dependencies")]
    tables += [_table_at(groups, name, "dependencies") for name in groups]
    for table in tables:
        requirements |= _versions(table)
    return requirements


def _requirements(text: str) -> Requirements:
    """Return what requirements.txt requires."""
    return dict(_names_and_versions(text.splitlines()))


def _package_json(text: str) -> Requirements:
    """Return what package.json requires, including what it requires for development only."""
    values = _parsed(parse_json, text)
    required, for_development = (
        _versions(_table_at(values, key)) for key in ("dependencies", "devDependencies")
    )
    return required | for_development


_FILES: dict[str, Callable[[str], Requirements]] = {
    "pyproject.toml": _pyproject,
    "requirements.txt": _requirements,
    "package.json": _package_json,
}
"""The function that reads each manifest, by its file name."""


def _names_and_versions(requirements: Iterable[object]) -> Iterator[tuple[str, str]]:
    """Yield normalized name and written version of each requirement such as ``name[extra]>=1``.

    All else is skipped, such as a comment, an option of pip or the table of an included group.
    """
    for requirement in requirements:
        match = _REQUIREMENT.match(requirement) if isinstance(requirement, str) else None
        if match:
            yield normalized_name(match[1]), match[2]


def _versions(table: Mapping[str, Any]) -> dict[str, str]:
    """Return {normalized name: written version} of a table {name: version or table}."""
    return {normalized_name(name): _version(value) for name, value in table.items()}


def _version(value: object) -> str:
    """Return the version in ``value``: a text, or a table with the key ``version``; else ''."""
    if isinstance(value, dict):
        value = value.get("version")
    return value if isinstance(value, str) else ""


def _parsed(parse: Callable[[str], Any], text: str) -> Mapping[str, Any]:
    """Return the table or object of ``text``; an invalid file counts as empty."""
    try:
        values = parse(text)
    except FormatError:
        return {}
    return values if isinstance(values, dict) else {}


def _table_at(values: Mapping[str, Any], *keys: str) -> Mapping[str, Any]:
    """Return the table at ``keys``, one key for each level; {} if it is missing or not a table."""
    for key in keys:
        inner = values.get(key)
        values = inner if isinstance(inner, dict) else {}
    return values
