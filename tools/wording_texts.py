"""The passages of each kind of file that tools/check_wording.py checks."""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

PROSE = frozenset({"docstring", "comment", "test", "message", "docs"})
HELP = {"help", "description", "epilog"}


@dataclass(frozen=True)
class Text:
    """A passage to check: its kind and its lines, each with its number."""

    kind: str
    lines: tuple[tuple[int, str], ...]


def python(source: str, *, test: bool = False) -> Iterator[Text]:
    """Yield docstrings, comments, help texts, exception messages and names that it defines."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        yield from _defined(node)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _docstring(node)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and test:
            if node.name.startswith("test_"):
                name = node.name.removeprefix("test_").replace("_", " ")
                yield Text("test", ((node.lineno, name),))
        elif not test:
            yield from _messages(node)
    yield from _comments(source)


def _defined(node: ast.AST) -> Iterator[Text]:
    if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        yield _name(node.name, node.lineno)
    elif isinstance(node, ast.arg):
        yield _name(node.arg, node.lineno)
    elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield _name(node.id, node.lineno)


def _name(name: str, line: int) -> Text:
    """Return the words of the identifier ``name``: "is labeled" for ``isLabeled``."""
    return Text("name", ((line, re.sub(r"_|(?<=[a-z])(?=[A-Z])", " ", name)),))


def _docstring(node: ast.AST) -> Iterator[Text]:
    body = getattr(node, "body", [])
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        value = body[0].value
        if isinstance(value.value, str):
            yield from _paragraphs("docstring", value.value, value.lineno)


def _messages(node: ast.AST) -> Iterator[Text]:
    values: list[ast.expr] = []
    if isinstance(node, ast.keyword) and node.arg in HELP:
        values = [node.value]
    elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        values = node.exc.args
    for value in values:
        for part in ast.walk(value):
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield from _paragraphs("message", part.value, part.lineno)


def _comments(source: str) -> Iterator[Text]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    yield from _blocks([(t.start[0], t.string) for t in tokens if t.type == tokenize.COMMENT])


def _blocks(comments: list[tuple[int, str]]) -> Iterator[Text]:
    """Yield each run of comments on consecutive lines as one passage."""
    block: list[tuple[int, str]] = []
    for number, line in comments:
        if block and number != block[-1][0] + 1:
            yield Text("comment", tuple(block))
            block = []
        block.append((number, line.strip().lstrip("#/ ")))
    if block:
        yield Text("comment", tuple(block))


def _paragraphs(kind: str, text: str, first: int) -> Iterator[Text]:
    """Yield the paragraphs of ``text``, whose first line has the number ``first``."""
    block: list[tuple[int, str]] = []
    for number, line in enumerate([*text.split("\n"), ""], first):
        if line.strip():
            block.append((number, line))
        elif block:
            yield Text(kind, tuple(block))
            block = []


def markdown(source: str) -> Iterator[Text]:
    """Yield the paragraphs outside of fences; code spans are left out."""
    fence, prose = "", []
    for line in source.split("\n"):
        mark = re.match(r"\s*(`{3,}|~{3,})", line)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) else fence
            prose.append("")
        elif mark:
            fence = mark[1]
            prose.append("")
        else:
            prose.append(re.sub(r"(`+).+?\1", "`code`", line))
    yield from _paragraphs("docs", "\n".join(prose), 1)


def catalog(source: str, *, keys: bool) -> Iterator[Text]:
    """Yield the English texts of a JSON catalog: its keys, or else its values."""
    numbers = {}
    for number, line in enumerate(source.split("\n"), 1):
        if key := re.match(r'\s*("(?:[^"\\]|\\.)*")\s*:', line):
            numbers.setdefault(json.loads(key[1]), number)
    for key, value in json.loads(source).items():
        text = key if keys else value
        yield Text("message", ((numbers.get(key, 1), str(text)),))


_TYPESCRIPT = re.compile(
    r"""(?P<line>//[^\n]*)|(?P<block>/\*.*?\*/)|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`""",
    re.DOTALL,
)


_DEFINED = re.compile(r"\b(?:class|const|enum|function|interface|let|type)\s+(\w+)")
"""The definition of a name in TypeScript."""


def typescript(source: str) -> Iterator[Text]:
    """Yield the comments and the names that it defines."""
    for match in _DEFINED.finditer(source):
        yield _name(match[1], source.count("\n", 0, match.start()) + 1)
    lines: list[tuple[int, str]] = []
    for match in _TYPESCRIPT.finditer(source):
        number = source.count("\n", 0, match.start()) + 1
        if match["block"]:
            text = re.sub(r"(?m)^\s*/?\*+/?|\*/$", "", match["block"])
            yield from _paragraphs("comment", text, number)
        elif match["line"]:
            lines.append((number, match["line"]))
    yield from _blocks(lines)


def texts(path: str, source: str) -> Iterator[Text]:
    """Yield what is checked of the file ``path``, relative to the repository."""
    name = path.rpartition("/")[2]
    if path.endswith(".py") or re.match(r"#!.*python", source):
        yield from python(source, test=path.startswith("tests/"))
    elif path.endswith(".md"):
        yield from markdown(source)
    elif path.endswith((".ts", ".mjs")):
        yield from typescript(source)
    elif path == "server/agent_memory/l10n/de.json":
        yield from catalog(source, keys=True)
    elif name in ("package.nls.json", "bundle.l10n.json"):
        yield from catalog(source, keys=False)
    elif source.startswith("#!/") or name == "Makefile":
        lines = enumerate(source.split("\n"), 1)
        yield from _blocks([(n, line) for n, line in lines if re.match(r"\s*#(?!!)", line)])
