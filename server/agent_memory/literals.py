"""Strings out of a Python source file: parsed as a tree, never imported or run."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

MAX_SOURCE_BYTES = 4 * 1024 * 1024
"""A Python file over this size holds no template; it is not parsed."""


def literal(path: Path, name: str) -> str | None:
    """Return the string that module-level ``name`` of ``path`` is assigned, or None.

    Adjacent literals are joined, as Python does; anything that would have to be computed is None.
    """
    try:
        info = path.stat()
    except OSError:
        return None
    return _literals(path, info.st_mtime_ns, info.st_size).get(name)


def _tree(path: Path, size: int) -> ast.Module | None:
    if size > MAX_SOURCE_BYTES or not path.is_file():
        return None
    try:
        return ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@lru_cache(maxsize=32)
def _literals(path: Path, _mtime: int, size: int) -> Mapping[str, str]:
    tree = _tree(path, size)
    found: dict[str, str] = {}
    for node in tree.body if tree else ():
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.AnnAssign) and node.value:
            targets, value = [node.target], node.value
        else:
            continue
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            found |= dict.fromkeys(names, value.value)
        else:
            for name in names:  # assigned again by something that would have to be computed
                found.pop(name, None)
    return found


def lines_in(path: Path, function: str, variable: str) -> tuple[str, ...]:
    """Return the list of strings that ``variable`` is first set to in ``function`` of ``path``.

    () where there is no such list of nothing but literals.
    """
    try:
        info = path.stat()
    except OSError:
        return ()
    return _lists(path, info.st_mtime_ns, info.st_size).get((function, variable), ())


@lru_cache(maxsize=32)
def _lists(path: Path, _mtime: int, size: int) -> Mapping[tuple[str, str], tuple[str, ...]]:
    tree = _tree(path, size)
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for function in ast.walk(tree) if tree else ():
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.List):
                values = [item.value for item in node.value.elts if isinstance(item, ast.Constant)]
                lines = tuple(value for value in values if isinstance(value, str))
                if lines and len(lines) == len(node.value.elts):
                    for target in node.targets:
                        if isinstance(target, ast.Name):
                            found.setdefault((function.name, target.id), lines)
    return found
