"""JSON: ``{"version": 1, "files": N, "findings": [...], ...}`` (docs/cli.md)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from agent_memory import serialize

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.engine import Report
    from agent_memory.report import RenderContext


def render(report: Report, view: RenderContext) -> Iterator[str]:
    """Yield the report as one indented object, in one piece."""
    read = view.ctx.store.read
    findings = [
        serialize.finding_json(finding, lambda path: read(path).lines)
        for finding in report.findings
    ]
    value = {
        "version": 1,
        "files": len(report.files),
        "findings": findings,
        "accepted": report.accepted,
        "stale": report.stale,
    }
    yield json.dumps(value, ensure_ascii=False, indent=2) + "\n"
