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
    """Yield the report as one document, in pieces.

    A finding below the severity of ``--fail-on`` is a passing case.
    """
    by_path: dict[Path, list[Finding]] = defaultdict(list)
    for finding in report.findings:
        by_path[finding.path].append(finding)
    failed = sum(view.failing(finding.severity) for finding in report.findings)
    # A project rule can report a path that is not among the checked files.
    paths = list(dict.fromkeys((*report.files, *by_path)))
    cases = sum(max(1, len(by_path[path])) for path in paths)  # a clean file has one
    yield '<?xml version="1.0" encoding="utf-8"?>\n'
    yield f'<testsuites name="agent-memory" tests="{cases}" failures="{failed}">\n'
    for path in paths:
        yield from _suite(view.shown(path), by_path[path], view)
    yield "</testsuites>\n"


def _suite(path: str, findings: list[Finding], view: RenderContext) -> Iterator[str]:
    """Yield the lines of the test suite of one file; each finding is a case.

    Positions (line:column) count from 1.
    """
    failed = sum(view.failing(finding.severity) for finding in findings)
    name = _attribute(path)
    yield f'  <testsuite name={name} tests="{max(1, len(findings))}" failures="{failed}">\n'
    for finding in findings:
        position = f"{finding.span.line + 1}:{finding.span.start + 1}"
        case = _attribute(f"{finding.code} {finding.name} {position}")
        yield f"    <testcase classname={name} name={case}>\n"
        severity, message = str(finding.severity), finding.message
        text = f"{visible.text(path)}:{position}: {severity}: {visible.text(message)}"
        if view.failing(finding.severity):
            attributes = f"type={_attribute(severity)} message={_attribute(message)}"
            yield f"      <failure {attributes}>{escape(text)}</failure>\n"
        else:
            yield f"      <system-out>{escape(text)}</system-out>\n"
        yield "    </testcase>\n"
    if not findings:
        yield f'    <testcase classname={name} name="no findings"/>\n'
    yield "  </testsuite>\n"


def _attribute(text: str) -> str:
    """Return ``text`` in visible form, escaped and quoted as the value of an XML attribute."""
    return quoteattr(visible.text(text))
