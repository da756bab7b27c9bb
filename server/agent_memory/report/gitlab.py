"""GitLab's code quality report (docs.gitlab.com/ci/testing/code_quality): a list of issues."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from agent_memory.base.model import Severity
from agent_memory.lint.baseline import fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.base.model import Finding
    from agent_memory.lint.engine import Report
    from agent_memory.report import RenderContext

_LEVELS = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.INFO: "info"}


def render(report: Report, view: RenderContext) -> Iterator[str]:
    """Yield the report as one list. Fingerprints are unique, as the format requires."""
    counts: dict[str, int] = {}
    issues = [_issue(finding, view, counts) for finding in report.findings]
    yield json.dumps(issues, ensure_ascii=False, indent=2) + "\n"


def _issue(finding: Finding, view: RenderContext, counts: dict[str, int]) -> dict[str, Any]:
    """Return the issue of one finding.

    Findings on equal lines of a file have the same ``base`` of a fingerprint, so a number is added.
    ``counts`` is the number of issues so far by base; this issue is added to it.
    """
    path = view.shown(finding.path)
    base = f"{fingerprint(finding, view.ctx.store.read(finding.path).lines)}-{path}"
    counts[base] = counts.get(base, 0) + 1
    return {
        "description": finding.message,
        "check_name": f"{finding.code} {finding.name}",
        "fingerprint": f"{base}-{counts[base]}",
        "severity": _LEVELS[finding.severity],
        "location": {
            "path": path,
            "lines": {"begin": finding.span.line + 1, "end": finding.span.end_line + 1},
        },
    }
