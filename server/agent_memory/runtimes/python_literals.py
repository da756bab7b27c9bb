"""String literals of a Python source file, which is parsed but never imported or run."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING

from agent_memory.fs.reader import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

MAX_SOURCE_BYTES = 4 * 1024 * 1024
"""A larger Python file is not parsed."""


def literal(path: Path, name: str) -> str | None:
    """Return the string assigned to module-level ``name`` in ``path``, or None.

    Adjacent literals are joined, as in Python. A computed value counts as None.
    """
    try:
        info = path.stat()
    except OSError:
        return None
    return _literals(path, info.st_mtime_ns, info.st_size).get(name)


def _tree(path: Path, size: int) -> ast.Module | None:
    """Return the parsed file of ``size`` bytes, None if it is too large or cannot be parsed."""
    source = read_bytes(path, cap=MAX_SOURCE_BYTES) if size <= MAX_SOURCE_BYTES else None
    if source is None:
        return None
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@lru_cache(maxsize=32)
def _literals(path: Path, _mtime: int, size: int) -> Mapping[str, str]:
    """Return the strings assigned at module level by name; the last assignment counts."""
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
            for name in names:  # reassigned by a computed value
                found.pop(name, None)
    return found


def formatted(path: Path, function: str, variable: str) -> str | None:
    """Return the first f-string assigned to ``variable`` in ``function``, as a format string.

    None if a replacement field is more than a name.
    """
    try:
        info = path.stat()
    except OSError:
        return None
    return _formatted(path, info.st_mtime_ns, info.st_size).get((function, variable))


@lru_cache(maxsize=32)
def _formatted(path: Path, _mtime: int, size: int) -> Mapping[tuple[str, str], str]:
    """Return the f-strings as format strings, by function and variable."""
    found: dict[tuple[str, str], str] = {}
    for function, name, value in _assigned(_tree(path, size)):
        if isinstance(value, ast.JoinedStr):
            parts = [_part(part) for part in value.values]
            if None not in parts:
                found.setdefault((function, name), "".join(part or "" for part in parts))
    return found


def _part(part: ast.expr) -> str | None:
    """Return a part of an f-string for a format string: text or ``{name}``, None for others."""
    if isinstance(part, ast.Constant) and isinstance(part.value, str):
        return part.value.replace("{", "{{").replace("}", "}}")
    if isinstance(part, ast.FormattedValue) and isinstance(part.value, ast.Name):
        plain = part.conversion == -1 and part.format_spec is None
        return f"{{{part.value.id}}}" if plain else None
    return None


def _assigned(tree: ast.Module | None) -> Iterator[tuple[str, str, ast.expr]]:
    """Yield (function, variable, value) of every assignment in a function."""
    for function in ast.walk(tree) if tree else ():
        if isinstance(function, ast.FunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.Assign):
                    for target in node.targets:
                        if isinstance(target, ast.Name):
                            yield function.name, target.id, node.value


def lines_in(path: Path, function: str, variable: str) -> tuple[str, ...]:
    """Return the first list of string literals assigned to ``variable`` in ``function``, or ()."""
    try:
        info = path.stat()
    except OSError:
        return ()
    return _lists(path, info.st_mtime_ns, info.st_size).get((function, variable), ())


@lru_cache(maxsize=32)
def _lists(path: Path, _mtime: int, size: int) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Return the lists of nothing but strings, by function and variable."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for function, name, value in _assigned(_tree(path, size)):
        if isinstance(value, ast.List):
            items = [item.value for item in value.elts if isinstance(item, ast.Constant)]
            lines = tuple(item for item in items if isinstance(item, str))
            if lines and len(lines) == len(value.elts):
                found.setdefault((function, name), lines)
    return found
