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
    path = view.shown(item.path)
    own = f"{fingerprint(item, view.ctx.store.read(item.path).lines)}-{path}"
    seen[own] = seen.get(own, 0) + 1
    return {
        "description": item.message,
        "check_name": f"{item.code} {item.name}",
        "fingerprint": f"{own}-{seen[own]}",
        "severity": _LEVELS[item.severity],
        "location": {
            "path": path,
            "lines": {"begin": item.span.line + 1, "end": item.span.end_line + 1},
        },
    }
