"""JUnit XML: one suite per file, one case per finding; a clean file has one passing case."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from agent_memory.report import visible

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agent_memory.base.model import Finding
    from agent_memory.lint.engine import Report
    from agent_memory.report import RenderContext


def render(report: Report, view: RenderContext) -> Iterator[str]:
    """Yield the report as one document. A finding below ``--fail-on`` is a passing case."""
    by_path: dict[Path, list[Finding]] = defaultdict(list)
    for item in report.findings:
        by_path[item.path].append(item)
    failed = sum(view.failing(item.severity) for item in report.findings)
    paths = list(dict.fromkeys((*report.files, *by_path)))
    cases = sum(max(1, len(by_path[path])) for path in paths)
    yield '<?xml version="1.0" encoding="utf-8"?>\n'
    yield f'<testsuites name="agent-memory" tests="{cases}" failures="{failed}">\n'
    for path in paths:
        yield from _suite(view.shown(path), by_path[path], view)
    yield "</testsuites>\n"


def _suite(path: str, findings: list[Finding], view: RenderContext) -> Iterator[str]:
    """Yield the lines of the test suite of one file; each finding is a case."""
    failed = sum(view.failing(item.severity) for item in findings)
    name = _attribute(path)
    yield f'  <testsuite name={name} tests="{max(1, len(findings))}" failures="{failed}">\n'
    for item in findings:
        position = f"{item.span.line + 1}:{item.span.start + 1}"
        case = _attribute(f"{item.code} {item.name} {position}")
        yield f"    <testcase classname={name} name={case}>\n"
        text = f"{visible.text(path)}:{position}: {item.severity}: {visible.text(item.message)}"
        if view.failing(item.severity):
            short = f"type={_attribute(str(item.severity))} message={_attribute(item.message)}"
            yield f"      <failure {short}>{escape(text)}</failure>\n"
        else:
            yield f"      <system-out>{escape(text)}</system-out>\n"
        yield "    </testcase>\n"
    if not findings:
        yield f'    <testcase classname={name} name="no findings"/>\n'
    yield "  </testsuite>\n"


def _attribute(text: str) -> str:
    return quoteattr(visible.text(text))
