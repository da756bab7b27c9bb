# ruff: noqa: INP001 -- a standalone script
"""Remove docstrings and comments of bundled code, to make the extension smaller.

usage: strip_docstrings.py PATH...

Lines keep their numbers, so tracebacks stay right. Comments above the first statement, and
docstrings that mention a copyright or license, are kept. Each changed file of a library says so at
its end, as the licenses require.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

NOTICE = "# Docstrings and comments were removed for the bundle of Agent Memory.\n"
OWN = "agent_memory"
"""The package whose files need no notice: it is ours, and the notices would take 30 KB."""
LEGAL = re.compile("copyright|licen[sc]e", re.IGNORECASE)
OWNERS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def stripped(source: str) -> str:
    """Return ``source`` without docstrings and comments, with the same line numbers."""
    lines = [line.encode() for line in source.split("\n")]
    tree = ast.parse(source)
    for text in docstrings(tree):
        first, last = text.lineno - 1, text.end_lineno - 1
        tail = lines[last][text.end_col_offset :]
        lines[first] = lines[first][: text.col_offset] + b'""' + tail
        lines[first + 1 : last + 1] = [b""] * (last - first)
    code = b"\n".join(lines).decode()
    start = tree.body[0].lineno if tree.body else sys.maxsize
    return without_comments(code, start)


def docstrings(tree: ast.Module) -> Iterator[ast.Expr]:
    """Yield the strings of ``tree`` that are statements."""
    for node in ast.walk(tree):
        for item in node.body if isinstance(node, OWNERS) else ():
            value = item.value if isinstance(item, ast.Expr) else None
            text = value.value if isinstance(value, ast.Constant) else None
            if isinstance(text, str) and not LEGAL.search(text):
                yield item


def without_comments(code: str, start: int) -> str:
    """Return ``code`` without the comments from line ``start`` (from 1)."""
    lines = code.split("\n")
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        line, column = token.start
        if token.type == tokenize.COMMENT and line >= start:
            lines[line - 1] = lines[line - 1][:column].rstrip()
    return "\n".join(lines).rstrip("\n") + "\n"


def main(names: list[str]) -> None:
    """Strip the Python files ``names``, and those in the folders ``names``, in place."""
    parts = [Path(name) for name in names]
    files = [path for part in parts for path in ([part] if part.is_file() else part.rglob("*.py"))]
    for path in (path for path in files if path.suffix == ".py"):
        source = path.read_text("utf-8")
        result = stripped(source) + ("" if OWN in path.parts else NOTICE)
        before, after = ast.parse(source), ast.parse(result)
        if len(before.body) != len(after.body):
            sys.exit(f"strip_docstrings: {path} would change")
        path.write_text(result, "utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
