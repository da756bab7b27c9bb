"""Text for people: each finding with its source line, then a summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Severity
from agent_memory.report import visible
from agent_memory.report.frames import frame

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.base.model import Finding
    from agent_memory.lint.engine import Report
    from agent_memory.report import RenderContext

_COLORS = {Severity.ERROR: "31;1", Severity.WARNING: "33;1", Severity.INFO: "36;1"}


def render(report: Report, view: RenderContext) -> Iterator[str]:
    """Yield each finding with its source line, then the summary."""
    for finding in report.findings:
        yield "\n".join(_finding(finding, view)) + "\n\n"
    if not view.quiet:
        yield summary(report) + "\n"


def summary(report: Report) -> str:
    """Return one line: the files, the findings by severity, how many can be fixed or are accepted.

    If no file was checked, it names the command that lists where the agent looks for files.
    """
    files = len(report.files)
    checked = f"{files:,} file{'s' * (files != 1)} checked"
    if not files:
        return "no memory files found; `agent-memory sources` lists where the agent looks for them"
    accepted = f"; {report.accepted:,} accepted in the baseline" if report.accepted else ""
    if not report.findings:
        return f"{checked}, no findings{accepted}"
    counts = {
        severity: sum(item.severity is severity for item in report.findings)
        for severity in Severity
    }
    fixable = sum(any(fix.safe for fix in item.fixes) for item in report.findings)
    found = ", ".join(_counted(number, severity) for severity, number in counts.items() if number)
    help_ = f" ({fixable:,} can be fixed with --fix)" if fixable else ""
    return f"{checked}: {found}{help_}{accepted}"


def _counted(number: int, severity: Severity) -> str:
    plural = "s" * (number != 1 and severity is not Severity.INFO)
    return f"{number:,} {severity}{plural}"


def _finding(finding: Finding, view: RenderContext) -> Iterator[str]:
    """Yield the lines of one finding: message, source line, related places, first fix."""

    def paint(text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if view.color else text

    line, column = finding.span.line + 1, finding.span.start + 1
    position = paint(f"{visible.text(view.shown(finding.path))}:{line}:{column}", "1")
    what = paint(str(finding.severity), _COLORS[finding.severity])
    message = visible.text(finding.message)
    yield f"{position}: {what} {finding.code} [{finding.name}] {message}"
    gutter = max(5, len(str(line)))
    content = view.ctx.store.read(finding.path)
    allowed = view.ctx.settings.allowed_secrets
    found = frame(content, finding.span, allowed, view.width - gutter - 4)
    if found:
        text, carets = found
        bar = paint("|", "34;1")
        yield f"{line:>{gutter}} {bar} {text}"
        yield f"{'':>{gutter}} {bar} {paint(carets, _COLORS[finding.severity])}"
    for item in finding.related:
        where = f"{visible.text(view.shown(item.path))}:{item.span.line + 1}"
        yield f"{'':>{gutter}} = see {where}: {visible.text(item.message)}"
    for fix in finding.fixes[:1]:
        how = "--fix" if fix.safe else "--fix --unsafe"
        yield f"{'':>{gutter}} = {how}: {visible.text(fix.title)}"
    sha256 = finding.data.get("sha256")
    if sha256:
        yield f"{'':>{gutter}} = Not a secret? Add its SHA-256 to secrets.allowed: {sha256}"
