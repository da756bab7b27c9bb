"""The security page names a test for each promise, and only tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")
PROMISES = re.findall(
    r"^\| (.+?) \| (.+) \|$",
    PAGE.partition("## Promises and their tests")[2].partition("\n## ")[0],
    re.MULTILINE,
)[2:]


def test_every_promise_has_a_test():
    assert len(PROMISES) > 10
    assert [promise for promise, tests in PROMISES if "`test_" not in tests] == []


def test_every_named_test_exists():
    sources = [path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    defined = {name for text in sources for name in re.findall(r"def (test_\w+)", text)}
    assert sorted(set(re.findall(r"`(test_\w+)`", PAGE)) - defined) == []


def test_every_named_file_exists():
    named = re.findall(r"\btests/[\w/]+\.py", PAGE)
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_reporting_is_described():
    policy = (ROOT / "SECURITY.md").read_text("utf-8")
    assert "private security advisory" in policy
    assert "docs/security.md" in policy
