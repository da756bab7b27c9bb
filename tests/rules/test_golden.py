"""Each rule against its examples: findings, messages, and the text after its fixes.

AGENT_MEMORY_WRITE_GOLDEN=1 rewrites the golden files; read the difference afterwards.
"""

from __future__ import annotations

import os
import re
import shutil
from typing import TYPE_CHECKING

import pytest

from agent_memory.lint.rules import RULES
from rules.harness import CASES, Case, apply, as_text, build, cases, findings

if TYPE_CHECKING:
    from pathlib import Path

MAX_FACT = 17
"""Words of a fact, which editors list in one line; the style asks for 12."""
WORDS_OF_OTHERS = {"AM105", "AM107", "AM131", "AM134", "AM702", "AM705", "AM801"}
"""Rules whose fact ends with a list, a path or the message of a parser."""

WRITE = os.environ.get("AGENT_MEMORY_WRITE_GOLDEN") == "1"
ALL = cases()


def _name(case: Case) -> str:
    return f"{case.rule}/{case.path.name}"


def _steady(text):
    """Replace figures that depend on the length of the test folder's path in the prompt."""
    return re.sub(r"(about|runtime's own text) [\d,]+( tokens, \d+ (?:%|times))?", r"\1 N", text)


def test_every_rule_has_an_ok_and_a_bad_example():
    kinds = {(case.rule, case.kind) for case in ALL}
    missing = [
        (rule.name, kind)
        for rule in RULES
        for kind in ("ok", "bad")
        if (rule.name, kind) not in kinds and not rule.code.startswith("AM2")
    ]
    assert missing == []


def test_every_case_belongs_to_a_rule():
    assert {path.name for path in CASES.iterdir()} <= {rule.name for rule in RULES}


@pytest.mark.parametrize("case", [case for case in ALL if case.kind == "ok"], ids=_name)
def test_ok_examples_have_no_finding(case, tmp_path):
    ctx = build(case, tmp_path)
    assert as_text(findings(case, ctx), tmp_path) == ""


@pytest.mark.parametrize("case", [case for case in ALL if case.kind == "bad"], ids=_name)
def test_facts_are_short_and_begin_with_the_problem(case, tmp_path):
    for finding in findings(case, build(case, tmp_path)):
        fact = finding.fact.split(". ")[0]
        if finding.code in WORDS_OF_OTHERS:
            fact = re.split(r": | \(", fact)[0]
        assert len(fact.split()) <= MAX_FACT, finding.fact


@pytest.mark.parametrize("case", [case for case in ALL if case.kind == "bad"], ids=_name)
def test_findings_of_bad_examples_match_the_golden_files(case, tmp_path):
    ctx = build(case, tmp_path)
    text = as_text(findings(case, ctx), tmp_path)
    if WRITE:
        case.expected.write_text(text, "utf-8")
    assert text
    assert _steady(text) == _steady(case.expected.read_text("utf-8"))


FIXABLE = [case for case in ALL if case.kind == "bad" and (WRITE or case.fixed.exists())]


@pytest.mark.parametrize("case", FIXABLE, ids=_name)
def test_fixed_bad_examples_match_the_golden_files(case, tmp_path):
    ctx = build(case, tmp_path)
    for _ in range(5):
        found = findings(case, ctx)
        if not apply(found, safe_only=False):
            break
    if case.path.is_dir():
        _compare_folders(case, tmp_path)
        return
    place = tmp_path / case.options.get("place", "project/AGENTS.md")
    if WRITE and place.read_bytes() != case.path.read_bytes():
        case.fixed.write_bytes(place.read_bytes())
    if case.fixed.exists():
        assert place.read_bytes() == case.fixed.read_bytes()


def _compare_folders(case: Case, tmp_path: Path) -> None:
    made = tmp_path / "made"
    made.mkdir()
    for name in ("home", "project"):
        if (case.path / name).exists():
            shutil.copytree(
                tmp_path / name, made / name, symlinks=True, ignore=shutil.ignore_patterns(".git")
            )
    if WRITE and not case.options.get("sparse") and _files(made) != _files(case.path):
        shutil.rmtree(case.fixed, ignore_errors=True)
        shutil.copytree(made, case.fixed, symlinks=True)
    if case.fixed.exists():
        assert _files(made) == _files(case.fixed)


def _files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".txt"
    }
