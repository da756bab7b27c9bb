"""Markdown for job summaries and comments: a table of the findings with links to the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.lint.pages import href
from agent_memory.markdown.inline import literal
from agent_memory.report import text, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.engine import Report
    from agent_memory.report import RenderContext

MOST = 200
"""Rows of the table; GitHub truncates a job summary at 1 MiB, a comment at 65,536 characters."""


def render(report: Report, view: RenderContext) -> Iterator[str]:
    """Yield the summary, then a table of the first ``MOST`` findings, in pieces.

    There is no table without findings, and no summary if the view is quiet.
    """
    if not view.quiet:
        yield f"{text.summary(report, view.since)}\n"
    if not report.findings:
        return
    yield "\n| place | severity | rule | finding |\n|---|---|---|---|\n"
    for finding in report.findings[:MOST]:
        location = f"{view.shown(finding.path)}:{finding.span.line + 1}"
        rule = f"[{finding.code}]({href(finding.code)}) {finding.name}"
        message = _cell(finding.message)
        yield f"| {_cell(location)} | {finding.severity} | {rule} | {message} |\n"
    not_listed = len(report.findings) - MOST
    if not_listed > 0:
        yield f"\n{not_listed:,} more findings are not listed.\n"


def _cell(value: str) -> str:
    """Return ``value`` escaped, so that a table cell shows it as plain text on one line."""
    return literal(visible.text(value))
