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
    seen: dict[str, int] = {}
    issues = [_issue(item, view, seen) for item in report.findings]
    yield json.dumps(issues, ensure_ascii=False, indent=2) + "\n"


def _issue(item: Finding, view: RenderContext, seen: dict[str, int]) -> dict[str, Any]:
    """Return the issue of one finding.

    ``seen`` counts equal fingerprints. The count distinguishes findings on equal lines of a file.
    """
    path = view.shown(item.path)
    base = f"{fingerprint(item, view.ctx.store.read(item.path).lines)}-{path}"
    seen[base] = seen.get(base, 0) + 1
    return {
        "description": item.message,
        "check_name": f"{item.code} {item.name}",
        "fingerprint": f"{base}-{seen[base]}",
        "severity": _LEVELS[item.severity],
        "location": {
            "path": path,
            "lines": {"begin": item.span.line + 1, "end": item.span.end_line + 1},
        },
    }
