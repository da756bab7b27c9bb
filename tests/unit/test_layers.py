"""Packages import in one direction, and no modules import each other in a circle.

Imports inside functions and under ``TYPE_CHECKING`` count too: a circle of types is a circle.
"""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import agent_memory

PACKAGE = Path(agent_memory.__file__).parent
LEVELS = (
    {"base", "l10n"},
    {"formats", "fs", "language", "secrets"},
    {"config", "entries", "markdown", "watch"},
    {"recall", "skills"},
    {"runtimes"},
    {"learnings", "prompt"},
    {"lint"},
    {"remember", "verify"},
    {"api", "serialize", "serialize_explained"},
    {"integrations", "lsp", "report"},
    {"cli"},
)
"""A package may import from earlier levels and from itself."""
LEVEL = {name: number for number, names in enumerate(LEVELS) for name in names}
ENTRY_POINTS = {"agent_memory", "agent_memory.__main__"}
"""The public API and ``python -m agent_memory`` may import anything; nothing imports them."""


def modules() -> dict[str, Path]:
    """Return the path of each module of the package by its dotted name."""
    found = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(path: Path, known: set[str]) -> set[str]:
    """Return the modules of the package that the file at ``path`` imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {item.name for item in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{item.name}" for item in node.names]
            found |= {name if name in known else node.module for name in names}
    return found & known


@pytest.fixture(scope="module")
def graph() -> dict[str, set[str]]:
    paths = modules()
    return {name: imports(path, set(paths)) - {name} for name, path in paths.items()}


def package(module: str) -> str:
    return module.split(".")[1]


def test_imports_follow_the_levels(graph):
    wrong = [
        f"{module} imports {target}"
        for module, targets in graph.items()
        if module not in ENTRY_POINTS
        for target in targets
        if target in ENTRY_POINTS
        or (package(target) != package(module) and LEVEL[package(target)] >= LEVEL[package(module)])
    ]
    assert sorted(wrong) == []


def test_no_import_cycle(graph):
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_a_public_class_name_has_one_class():
    """One name, one class: a search for the name finds its definition."""
    found: dict[str, list[str]] = {}
    for module, path in modules().items():
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(module)
    assert {name: where for name, where in found.items() if len(where) > 1} == {}


def test_packages_stay_small(graph):
    sizes: dict[str, int] = {}
    for module in graph:
        parent = module.rpartition(".")[0]
        sizes[parent] = sizes.get(parent, 0) + (module not in LEVEL)
    assert {name: size for name, size in sizes.items() if size > 30} == {
        "agent_memory.lint.rules": sizes["agent_memory.lint.rules"]
    }
    assert len(list(PACKAGE.glob("*.py"))) <= 6
