"""Cost of all default rules on one file, measured in work instead of seconds where possible."""

from __future__ import annotations

import time

import pytest

from agent_memory.base.model import Severity
from agent_memory.fs.reader import FileText
from agent_memory.lint.engine import file_findings, project_findings
from agent_memory.lint.line_cache import LineCache
from agent_memory.lint.open_project import open_project
from agent_memory.lint.rule import LineRule
from agent_memory.lint.rules import RULES
from agent_memory.markdown.section_parser import SectionParser
from kit import project

LINE = "- Item {n} says what `api.file_{n}.handler` does, where it is used, and why it is there\n"


@pytest.fixture
def large(tmp_path):
    text = "".join(f"## Part {n}\n\n" if n % 20 == 0 else LINE.format(n=n) for n in range(800))
    ctx = project(tmp_path, {"AGENTS.md": text, "src/api/a.py": ""}, {})
    return open_project(ctx, "deepagents-code"), ctx.cwd / "AGENTS.md"


def test_after_a_change_only_the_changed_line_is_checked(large):
    opened, path = large
    checked = []
    counting = LineRule(
        "AM999", "counts", Severity.INFO, "", check=lambda line: checked.append(line) or ()
    )
    cache = LineCache((*RULES, counting))
    file_findings(opened, path, line_cache=cache)
    checked.clear()
    old = opened.files[path]
    text = old.content.text.replace("Item 7 says", "Item 7 tells")
    opened.files[path] = old.edited(FileText(path, text, len(text)))
    file_findings(opened, path, line_cache=cache)
    assert checked == [LINE.format(n=7).replace("says", "tells")]


def test_second_check_uses_the_cached_scan(large, monkeypatch):
    opened, path = large
    file_findings(opened, path)
    monkeypatch.setattr(SectionParser, "parse", None)
    assert file_findings(opened, path) == file_findings(opened, path)


@pytest.mark.slow
def test_a_64_kb_file_takes_milliseconds(large):
    opened, path = large
    assert opened.files[path].content.size > 60_000
    best = min(_seconds(opened, path) for _ in range(20))
    assert best < 0.05  # ten times the time on an idle machine


def test_list_of_10_000_items_takes_linear_time(tmp_path):
    text = "# Gauges\n\n" + "".join(
        f"- Gauge {n} is read from pier {n % 7}\n" for n in range(10_000)
    )
    ctx = project(tmp_path, {"AGENTS.md": text}, {})
    opened = open_project(ctx, "deepagents-code")
    # Returning to the start of the list for each item takes 20 seconds, one pass takes one.
    assert _seconds(opened, ctx.cwd / "AGENTS.md") < 5


def _seconds(opened, path) -> float:
    start = time.process_time()
    file_findings(opened, path, project_findings(opened).get(path, ()))
    return time.process_time() - start


@pytest.mark.parametrize("line", ["## " + "-" * 20_000, "until friday every " * 10_000])
def test_very_long_line_takes_linear_time(tmp_path, line):
    ctx = project(tmp_path, {"AGENTS.md": f"- text\n\n{line}\n\n- text\n"}, {})
    opened = open_project(ctx, "deepagents-code")
    assert _seconds(opened, ctx.cwd / "AGENTS.md") < 5
