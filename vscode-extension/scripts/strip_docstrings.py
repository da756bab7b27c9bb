# ruff: noqa: INP001 -- a standalone script
"""Remove docstrings, comments and types of bundled code: the extension is smaller.

usage: strip_docstrings.py PATH...

Types are the imports below ``if TYPE_CHECKING:`` and, in our own code, the annotations of
functions. Lines keep their numbers, so tracebacks stay right. Comments above the first statement,
and docstrings that mention a copyright or license, are kept. Each changed file of a library says so
at its end, as the licenses require.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

NOTICE = "# Docstrings, comments and imports for types were removed for Agent Memory.\n"
OWN = "agent_memory"
"""The package whose files need no notice: it is ours, and the notices would take 30 KB."""
INSPECTED = {"api.py", "integrations", "lsp"}
"""Parts of that package whose annotations are needed: pygls and the MCP tools look at them."""
LEGAL = re.compile("copyright|licen[sc]e", re.IGNORECASE)
OWNERS = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def stripped(source: str) -> str:
    """Return ``source`` without docstrings, comments and imports for types, on the same lines."""
    lines = [line.encode() for line in source.split("\n")]
    tree = ast.parse(source)
    for text in docstrings(tree):
        first, last = text.lineno - 1, text.end_lineno - 1
        tail = lines[last][text.end_col_offset :]
        lines[first] = lines[first][: text.col_offset] + b'""' + tail
        lines[first + 1 : last + 1] = [b""] * (last - first)
    for block in blocks_for_types(tree):
        first, last = block[0].lineno - 1, block[-1].end_lineno
        lines[first] = b" " * block[0].col_offset + b"pass"
        lines[first + 1 : last] = [b""] * (last - first - 1)
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


def blocks_for_types(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    """Yield the imports below ``if TYPE_CHECKING:``, which is False at run time."""
    for item in tree.body:
        is_for_types = isinstance(item, ast.If) and ast.unparse(item.test) == "TYPE_CHECKING"
        if is_for_types and not item.orelse:
            yield item.body


def without_annotations(source: str) -> str:
    """Return ``source`` without annotations of functions, except those on several lines."""
    lines = [line.encode() for line in source.split("\n")]
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    for function in (node for node in ast.walk(ast.parse(source)) if isinstance(node, functions)):
        # From the end of a line to its start, so that columns stay right.
        for line, start, end in sorted(annotation_spans(function, lines), reverse=True):
            lines[line] = lines[line][:start] + lines[line][end:]
    return b"\n".join(lines).decode()


def annotation_spans(
    function: ast.FunctionDef | ast.AsyncFunctionDef, lines: list[bytes]
) -> Iterator[tuple[int, int, int]]:
    """Yield (line from 0, first byte, byte after the end) of each annotation of ``function``."""
    args = function.args
    for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg):
        note = arg.annotation if arg else None
        if note and note.end_lineno == arg.lineno:
            yield note.end_lineno - 1, arg.col_offset + len(arg.arg.encode()), note.end_col_offset
    note = function.returns
    if note and note.end_lineno == note.lineno:
        before = lines[note.lineno - 1][: note.col_offset]
        start = len(before.rstrip().removesuffix(b"->").rstrip())
        yield note.lineno - 1, start, note.end_col_offset


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
        is_own = OWN in path.parts
        has_types = not is_own or INSPECTED.intersection(path.parts)
        result = stripped(source if has_types else without_annotations(source))
        result += "" if is_own else NOTICE
        before, after = ast.parse(source), ast.parse(result)
        if len(before.body) != len(after.body):
            sys.exit(f"strip_docstrings: {path} would change")
        path.write_text(result, "utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
