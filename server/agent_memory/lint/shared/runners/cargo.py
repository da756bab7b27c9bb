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
from agent_memory.lint.shared.runners.runner import START, Runner, words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_CALL = (
    START + r"cargo[ \t]+(?:\+\w+[ \t]+)?(?:build|b|check|c|test|t|run|r|clippy|bench|doc"
    r"|nextest[ \t]+run)(?:[ \t]+(?!OPTION|--[ \t])[^\s;&|#]+)*[ \t]+OPTION"
    r"(?P<name>[A-Za-z_][\w-]*)(?=[\s;]|\Z)"
)
"""A call with an option before a name, in the place of OPTION."""
_LOCKED = lazy_compile(r'^name = "([^"]+)"', re.MULTILINE)
_DEPENDENCIES = ("dependencies", "dev-dependencies", "build-dependencies")
_KINDS = {"test": "tests", "example": "examples", "bench": "benches", "bin": "src/bin"}
"""By the kind of a target: the folder in a package whose files are such targets."""


def _packages(file: MemoryFile, project: Project) -> frozenset[str] | None:
    """Return the names of the packages of the project, and of those that they depend on."""
    manifests = _manifests(file, project)
    if manifests is None:
        return None
    names: set[str] = set()
    for text in texts_above(file, project, ("Cargo.lock",)):
        names.update(_LOCKED.findall(text))
    for manifest in manifests.values():
        names |= words(_table(manifest, "package").get("name"))
        for key in _DEPENDENCIES:
            names |= words(_table(manifest, key))
    return frozenset(names)


def _targets(kind: str, file: MemoryFile, project: Project) -> frozenset[str] | None:
    """Return the names of all targets of a kind."""
    manifests = _manifests(file, project)
    listing = project.tree.listing
    if manifests is None or listing is None:
        return None
    names = {"main"}
    for path, manifest in manifests.items():
        written = manifest.get(kind)
        for target in written if isinstance(written, list) else ():
            names |= words(target.get("name") if isinstance(target, dict) else None)
        if kind == "bin":
            names |= words(_table(manifest, "package").get("name"))
        folder = posixpath.join(posixpath.dirname(path), _KINDS[kind])
        names |= {posixpath.basename(each).removesuffix(".rs") for each in listing.files_of(folder)}
        names |= {each[len(folder) + 1 :] for each in listing.folders if each.startswith(folder)}
    return frozenset(names)


def _manifests(file: MemoryFile, project: Project) -> Mapping[str, Mapping[str, Any]] | None:
    """Return every Cargo.toml by its path; None if none is above ``file``, or one is not read.

    None with submodules, too, which may not be checked out.
    """
    paths = paths_of(project, ("Cargo.toml",))
    if (
        not paths
        or project.tree.has(".gitmodules")
        or not texts_above(file, project, ("Cargo.toml",))
    ):
        return None
    contents = {path: project.ctx.store.read(project.tree.root / path) for path in paths}
    try:
        return {path: parse_toml(content.text) for path, content in contents.items()}
    except FormatError:
        return None


def _table(values: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = values.get(key)
    return found if isinstance(found, dict) else {}


def _runner(option: str, known: Callable[[MemoryFile, Project], frozenset[str] | None]) -> Runner:
    return Runner("cargo ", lazy_compile(_CALL.replace("OPTION", option)), known)


RUNNERS = {
    "cargo-package": _runner(r"(?:-p|--package)[ \t=]", _packages),
    **{f"cargo-{kind}": _runner(rf"--{kind}[ \t=]", partial(_targets, kind)) for kind in _KINDS},
}
