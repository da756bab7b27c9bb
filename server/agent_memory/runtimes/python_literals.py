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
    """Return the string that the file ``path`` assigns to ``name`` at module level, else None.

    Adjacent literals are joined, as in Python. A computed value counts as None, and so does a file
    that cannot be read or parsed.
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
    """Return {name: string} of the strings assigned at module level; the last assignment counts.

    Cached until ``_mtime`` or ``size``, the time and size of the file, change.
    """
    tree = _tree(path, size)
    strings: dict[str, str] = {}
    for node in tree.body if tree else ():
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.AnnAssign) and node.value:
            targets, value = [node.target], node.value
        else:
            continue
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            strings |= dict.fromkeys(names, value.value)
        else:
            for name in names:  # reassigned by a computed value
                strings.pop(name, None)
    return strings


def formatted(path: Path, function: str, variable: str) -> str | None:
    """Return the first f-string assigned to ``variable`` in ``function``, as a format string.

    An f-string with a replacement field that is more than a name does not count. None without any,
    or if the file cannot be read or parsed.
    """
    try:
        info = path.stat()
    except OSError:
        return None
    return _formatted(path, info.st_mtime_ns, info.st_size).get((function, variable))


@lru_cache(maxsize=32)
def _formatted(path: Path, _mtime: int, size: int) -> Mapping[tuple[str, str], str]:
    """Return {(function, variable): format string} of the f-strings; the first assignment counts.

    Cached until ``_mtime`` or ``size``, the time and size of the file, change.
    """
    formats: dict[tuple[str, str], str] = {}
    for function, variable, value in _assigned(_tree(path, size)):
        if isinstance(value, ast.JoinedStr):
            parts = [_part(part) for part in value.values]
            texts = [part for part in parts if part is not None]
            if len(texts) == len(parts):
                formats.setdefault((function, variable), "".join(texts))
    return formats


def _part(part: ast.expr) -> str | None:
    """Return the ``part`` of an f-string as in a format string: text or ``{name}``.

    None for a replacement field that is more than a name.
    """
    if isinstance(part, ast.Constant) and isinstance(part.value, str):
        return part.value.replace("{", "{{").replace("}", "}}")
    if isinstance(part, ast.FormattedValue) and isinstance(part.value, ast.Name):
        has_conversion = part.conversion != -1  # {name!r}
        if not has_conversion and part.format_spec is None:
            return f"{{{part.value.id}}}"
    return None


def _assigned(tree: ast.Module | None) -> Iterator[tuple[str, str, ast.expr]]:
    """Yield (function, variable, value) of each `variable = value` in a function.

    Annotated assignments and async functions do not count. An assignment in a nested function is
    yielded for each function around it, too.
    """
    if tree is None:
        return
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    for function in functions:
        assignments = (node for node in ast.walk(function) if isinstance(node, ast.Assign))
        for assignment in assignments:
            for target in assignment.targets:
                if isinstance(target, ast.Name):
                    yield function.name, target.id, assignment.value


def lines_in(path: Path, function: str, variable: str) -> tuple[str, ...]:
    """Return the first list of string literals assigned to ``variable`` in ``function``.

    () without any, or if the file cannot be read or parsed.
    """
    try:
        info = path.stat()
    except OSError:
        return ()
    return _lists(path, info.st_mtime_ns, info.st_size).get((function, variable), ())


@lru_cache(maxsize=32)
def _lists(path: Path, _mtime: int, size: int) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Return {(function, variable): strings} of the lists of strings; the first assignment counts.

    An empty list does not count, nor one with an element that is not a string literal. Cached until
    ``_mtime`` or ``size``, the time and size of the file, change.
    """
    lists: dict[tuple[str, str], tuple[str, ...]] = {}
    for function, variable, value in _assigned(_tree(path, size)):
        if isinstance(value, ast.List):
            constants = [node.value for node in value.elts if isinstance(node, ast.Constant)]
            strings = tuple(constant for constant in constants if isinstance(constant, str))
            if strings and len(strings) == len(value.elts):
                lists.setdefault((function, variable), strings)
    return lists
