"""Every rule has a page, and the generated files are current."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from agent_memory.lint.rules import BY_KEY, RULES

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "rules"
SECTIONS = ["What", "Why", "Bad", "Good", "Fix", "Options", "Since", "Measured"]
IDS = [rule.code for rule in RULES]


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("rule_docs", ROOT / "tools" / "rule_docs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_codes_and_names_are_used_once():
    assert len(BY_KEY) == 2 * len(RULES)
    assert [rule.code for rule in RULES] == sorted(rule.code for rule in RULES)


def test_overview_page_is_current(tool):
    assert (PAGES / "README.md").read_text("utf-8") == tool.overview()


@pytest.mark.parametrize("rule", RULES, ids=IDS)
def test_rule_page_is_complete_and_current(rule, tool):
    text = (PAGES / f"{rule.code}.md").read_text("utf-8")
    assert text.startswith(f"# {rule.code} {rule.name}\n\n{rule.summary}.")
    head = text.split("\n## ", 1)[0]
    assert f"Severity: {rule.severity}" in head
    assert ("off by default" in head) is not rule.on
    outside = re.sub(r"^(`{3,}).*?^\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    assert re.findall(r"^## (.+)$", outside, re.MULTILINE) == SECTIONS
    assert text == tool.with_rate(rule, text)


def test_every_page_has_a_rule():
    assert {path.stem for path in PAGES.glob("AM*.md")} == set(IDS)
