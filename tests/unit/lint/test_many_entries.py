"""A large store of entries gives a summary, not a list."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from agent_memory.base.model import Finding, Role, Severity
from agent_memory.base.text import Span
from agent_memory.cli import main
from agent_memory.config.context import Context
from agent_memory.entries.entry_file import Entry, render
from agent_memory.lint.baseline import NOTHING
from agent_memory.lint.engine import check
from agent_memory.lint.many_entries import MOST, summarized
from kit import write


@pytest.fixture
def project(tmp_path):
    def build(count):
        entries = [
            Entry(f"{number:026d}", "global", "project", f"fact {number}", "body", number)
            for number in range(count)
        ]
        write(tmp_path, {f".memory/global/{item.id}.md": render(item) for item in entries})
        return write(tmp_path, {".git/HEAD": "x", "home/.keep": ""})

    return build


def found(root, **options):
    report = check(Context(root / "home", root), None, "drover", **options)
    assert len(report.files) >= MOST
    return [item for item in report.findings if item.code in ("AM804", "AM805")]


def test_few_entries_are_reported_one_by_one(project):
    assert len(found(project(MOST))) == MOST


def test_repetitions_are_counted(project):
    [reason, starved] = sorted(found(project(60)), key=lambda item: item.code)
    assert reason.fact.endswith(". 59 more entries have this finding")
    assert starved.fact.endswith(". 29 more entries have this finding")


@pytest.mark.parametrize(
    ("entries", "end"),
    [
        (1, "is not used"),
        (2, ". 1 more entry has this finding"),
        (3, ". 2 more entries have this finding"),
    ],
)
def test_an_entry_with_several_findings_is_one_entry(entries, end):
    paths = [Path(f"{number}.md") for number in range(entries)]
    file = SimpleNamespace(source=SimpleNamespace(role=Role.ENTRY))
    info = Finding("AM1", "a", Severity.INFO, "It is not used", Path("a"), Span(0, 0, 0, 1))
    repeated = [replace(info, path=path) for path in paths] * (MOST + 1)
    (first,) = summarized(repeated, dict.fromkeys(paths, file))
    assert first.fact.endswith(end)


def test_all_are_reported_for_a_baseline(project):
    assert len(found(project(60), known=NOTHING)) == 90


def test_sources_are_counted(project, capsys):
    root = project(60)
    where = ("--cwd", str(root), "--home", str(root / "home"), "--runtime", "drover")
    assert main(["sources", *where]) == 0
    out = capsys.readouterr().out
    assert "10 more entries are ignored; `agent-memory entries list`" in out
    assert out.count("ignored") == MOST + 1
