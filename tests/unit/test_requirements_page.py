"""The page of requirements answers every row and names only what exists."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "internal" / "requirements.md"
GROUPS = {
    "A": range(1, 49),
    "B": range(1, 24),
    "C": range(1, 25),
    "D": [*range(1, 44), *range(50, 59)],
    "E": range(1, 53),
    "X": range(1, 42),
}


def rows():
    found = re.findall(
        r"^\| ([A-EX]\d+) \| (.+?) \| (.+?) \| (.+) \|$", PAGE.read_text(), re.MULTILINE
    )
    assert found
    return found


def test_every_requirement_has_one_row_in_order():
    wanted = [f"{group}{number}" for group, numbers in GROUPS.items() for number in numbers]
    assert [row[0] for row in rows()] == wanted


def test_every_row_has_a_test():
    assert [row[0] for row in rows() if "`test_" not in row[3]] == []


def test_every_row_is_shown_by_a_probe_or_by_the_words_of_its_test(monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    spec = importlib.util.spec_from_file_location("rows_tool", ROOT / "tools/requirement_rows.py")
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert tool.unshown() == []


def test_every_file_that_is_named_exists():
    missing = []
    for name, _, built, _ in rows():
        for path in re.findall(r"`([^`]+)`", built):
            base = ROOT if path.startswith("docs/") else ROOT / "server" / "agent_memory"
            if not (base / path).exists():
                missing.append((name, path))
    assert missing == []


def test_every_test_that_is_named_exists():
    sources = [path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    defined = {name for text in sources for name in re.findall(r"def (test_\w+)", text)}
    named = {(row[0], name) for row in rows() for name in re.findall(r"`(test_\w+)`", row[3])}
    assert sorted(row for row, name in named if name not in defined) == []
