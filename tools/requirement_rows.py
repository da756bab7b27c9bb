"""List the rows of docs/internal/requirements.md that their test does not show.

Usage: python tools/requirement_rows.py

A row is shown by a probe of tests/requirements, or by a named test: one in `make test` whose source
contains the words of the row in tests/requirements/words.txt. The source of a test is its function
with decorators, and what it uses of its module. For a golden file of the rules it is the case.
"""

from __future__ import annotations

import ast
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests")]

from requirements import table  # noqa: E402

WORDS = ROOT / "tests" / "requirements" / "words.txt"
GOLDEN = "test_findings_of_bad_examples_match_the_golden_files"
PROBED = "test_every_face_gives_the_answer_of_the_row"
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Assign | ast.AnnAssign | ast.ClassDef


def main() -> int:
    """Print the rows and return 1 if there are any."""
    found = unshown()
    for row, why in found:
        print(f"{row}: {why}")
    print(f"{len(table.rows())} rows, {len(found)} not shown")
    return 1 if found else 0


def unshown() -> list[tuple[str, str]]:
    """Return the rows that are not shown, each with the reason."""
    found = []
    known = words()
    for row in table.rows():
        if row.kind == "probed":
            continue
        tests = [name for name in row.tests if name in sources()]
        text = "\n".join(sources()[name] for name in tests)
        if GOLDEN in tests:
            text += golden()
        if not tests:
            found.append((row.id, "no test that `make test` runs"))
        elif row.id not in known:
            found.append((row.id, "no words in words.txt"))
        else:
            missing = [word for word in known[row.id] if word not in text]
            if missing:
                found.append((row.id, f"{', '.join(tests)} does not contain {missing}"))
    return found


def words() -> dict[str, list[str]]:
    """Return the words of each row that has no probe."""
    lines = WORDS.read_text("utf-8").splitlines()
    pairs = [line.split(" ", 1) for line in lines if line and not line.startswith("#")]
    return {row: rest.split(" | ") for row, rest in pairs}


@cache
def golden() -> str:
    """Return the expected findings of all rules."""
    files = sorted((ROOT / "tests" / "rules" / "cases").rglob("*.txt"))
    return "\n".join(path.read_text("utf-8") for path in files)


@cache
def sources() -> dict[str, str]:
    """Return the source of each test that `make test` runs, by its name."""
    found: dict[str, str] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        if {"conformance", "e2e"} & set(path.parts):
            continue
        module = ast.parse(text := path.read_text("utf-8"))
        parts = {name: node for node in module.body for name in _names(node)}
        for name in parts:
            if name.startswith("test_"):
                found[name] = found.get(name, "") + _closure(name, parts, text)
    return found


def _names(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return [item.id for target in targets for item in ast.walk(target) if _is_name(item)]
    return []


def _is_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Name)


def _closure(name: str, parts: dict[str, ast.stmt], text: str) -> str:
    """Return the source of ``name`` and of everything of its module that it uses."""
    seen: list[str] = []
    pending = [name]
    while pending:
        one = pending.pop()
        if one in seen or one not in parts:
            continue
        seen.append(one)
        for node in ast.walk(parts[one]):
            if isinstance(node, ast.Name):
                pending.append(node.id)
            elif isinstance(node, ast.arg):
                pending.append(node.arg)
    lines = text.split("\n")
    return "\n".join("\n".join(lines[_first(parts[one]) : parts[one].end_lineno]) for one in seen)


def _first(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", [])
    return min([node.lineno, *(item.lineno for item in decorators)]) - 1


if __name__ == "__main__":
    sys.exit(main())
