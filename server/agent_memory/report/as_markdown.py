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
"""Rows; GitHub truncates a job summary at 1 MiB, a comment at 65,536 characters."""


def render(report: Report, view: RenderContext) -> Iterator[str]:
    """Yield the summary, then the table."""
    if not view.quiet:
        yield f"{text.summary(report)}\n"
    if not report.findings:
        return
    yield "\n| place | severity | rule | finding |\n|---|---|---|---|\n"
    for item in report.findings[:MOST]:
        place = f"{view.shown(item.path)}:{item.span.line + 1}"
        rule = f"[{item.code}]({href(item.code)}) {item.name}"
        yield f"| {_cell(place)} | {item.severity} | {rule} | {_cell(item.message)} |\n"
    more = len(report.findings) - MOST
    if more > 0:
        yield f"\n{more:,} more findings are not listed.\n"


def _cell(value: str) -> str:
    """Return ``value`` as plain text in a cell."""
    return literal(visible.text(value))
