"""``cargo test -p PACKAGE --test TEST``: the packages of a workspace, their tests and programs."""

from __future__ import annotations

import posixpath
import re
from functools import partial
from typing import TYPE_CHECKING, Any

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.formats.limits import FormatError
from agent_memory.formats.toml_parser import parse_toml
from agent_memory.lint.shared.project_files import paths_of, texts_above
from agent_memory.lint.shared.runners.runner import Runner, names_in
from agent_memory.lint.shared.shell_fences import START

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agent_memory.fs.listing import Listing
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_CALL = (
    START + r"cargo[ \t]+(?:\+\w+[ \t]+)?(?:build|b|check|c|test|t|run|r|clippy|bench|doc"
    r"|nextest[ \t]+run)(?:[ \t]+(?!OPTION|--[ \t])[^\s;&|#]+)*[ \t]+OPTION"
    r"(?P<name>[A-Za-z_][\w-]*)(?=[\s;]|\Z)"
)
"""A call with a name after an option, whose expression replaces OPTION (:func:`_runner`)."""
_LOCKED = lazy_compile(r'^name = "([^"]+)"', re.MULTILINE)
"""The name of a package in a Cargo.lock."""
_DEPENDENCIES = ("dependencies", "dev-dependencies", "build-dependencies")
"""Tables of a Cargo.toml whose keys are packages."""
_KINDS = {"test": "tests", "example": "examples", "bench": "benches", "bin": "src/bin"}
"""By the kind of a target: the folder in a package whose files are such targets."""


def _packages(file: MemoryFile, project: Project) -> frozenset[str] | None:
    """Return the names of the packages of the project, and of those that they depend on.

    ``cargo test -p NAME`` accepts a dependency, too. None if the packages are unknown: if
    :func:`_manifests` returns None.
    """
    manifests = _manifests(file, project)
    if manifests is None:
        return None
    names: set[str] = set()
    for text in texts_above(file, project, ("Cargo.lock",)):
        names.update(_LOCKED.findall(text))
    for manifest in manifests.values():
        names |= names_in(_table(manifest, "package").get("name"))
        for key in _DEPENDENCIES:
            names |= names_in(_table(manifest, key))
    return frozenset(names)


def _targets(kind: str, file: MemoryFile, project: Project) -> frozenset[str] | None:
    """Return the names of all targets of ``kind``, a key of :data:`_KINDS`; None if unknown.

    A target is written in a Cargo.toml, or is a file or a folder in the folder of its kind.
    ``main`` is always added.
    """
    manifests = _manifests(file, project)
    listing = project.tree.listing
    if manifests is None or listing is None:
        return None
    names = {"main"}  # never reported: people may mean src/main.rs
    for path, manifest in manifests.items():
        names |= _written_targets(kind, manifest)
        names |= _targets_in(posixpath.join(posixpath.dirname(path), _KINDS[kind]), listing)
    return frozenset(names)


def _written_targets(kind: str, manifest: Mapping[str, Any]) -> set[str]:
    """Return the names of the targets of ``kind`` that the Cargo.toml ``manifest`` has.

    The name of its package is that of a program (kind ``bin``), which need not have a table.
    """
    tables = manifest.get(kind)  # `[[test]]`
    if not isinstance(tables, list):
        tables = []
    targets: list[Mapping[str, Any]] = [table for table in tables if isinstance(table, dict)]
    if kind == "bin":
        targets.append(_table(manifest, "package"))
    return {name for target in targets if isinstance(name := target.get("name"), str)}


def _targets_in(folder: str, listing: Listing) -> set[str]:
    """Return the names of the targets that are files or folders in ``folder``.

    In ``tests``, ``login.rs`` or ``login/main.rs`` is the test ``login``.
    """
    prefix = f"{folder}/"
    folders = {path.removeprefix(prefix) for path in listing.folders if path.startswith(prefix)}
    files = map(posixpath.basename, listing.files_of(folder))
    return folders | {name.removesuffix(".rs") for name in files}


def _manifests(file: MemoryFile, project: Project) -> Mapping[str, Mapping[str, Any]] | None:
    """Return the values of every Cargo.toml of the project, by its path from the root.

    None if the packages are not all known, so that none may be reported as missing: no Cargo.toml
    is above ``file``, there are too many files, one cannot be read or parsed, or one names a git
    submodule.
    """
    names = ("Cargo.toml",)
    paths = paths_of(project, names)
    if not paths or not texts_above(file, project, names):
        return None
    contents = {path: project.ctx.store.read(project.tree.root / path) for path in paths}
    if not all(content.ok for content in contents.values()):
        return None  # its text is '', which would be a package without targets
    if any(_names_submodule(content.text, project) for content in contents.values()):
        return None  # a submodule that is not checked out may have packages
    try:
        return {path: parse_toml(content.text) for path, content in contents.items()}
    except FormatError:
        return None


def _names_submodule(text: str, project: Project) -> bool:
    """Return whether the ``text`` of a Cargo.toml names the first folder of a git submodule."""
    return any(path.partition("/")[0] in text for path in project.tree.ignored.submodules)


def _table(values: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return the table ``key`` of ``values``; empty if it is missing or not a table."""
    value = values.get(key)
    return value if isinstance(value, dict) else {}


def _runner(option: str, known: Callable[[MemoryFile, Project], frozenset[str] | None]) -> Runner:
    """Return the runner whose calls have ``option``, a regular expression, before the name.

    ``known`` is that of :class:`Runner`.
    """
    return Runner("cargo ", lazy_compile(_CALL.replace("OPTION", option)), known)


RUNNERS = {
    "cargo-package": _runner(r"(?:-p|--package)[ \t=]", _packages),
    **{f"cargo-{kind}": _runner(rf"--{kind}[ \t=]", partial(_targets, kind)) for kind in _KINDS},
}
"""By the tool of a command: ``cargo-package``, or ``cargo-`` and a kind of target."""
