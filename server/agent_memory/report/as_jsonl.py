"""JSON Lines: one finding per line, in the form of the JSON report."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from agent_memory import serialize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.engine import Report
    from agent_memory.report import RenderContext


def render(report: Report, view: RenderContext) -> Iterator[str]:
    """Yield each finding as one line."""
    read = view.ctx.store.read
    for item in report.findings:
        value = serialize.finding_json(item, lambda path: read(path).lines)
        yield json.dumps(value, ensure_ascii=False) + "\n"
