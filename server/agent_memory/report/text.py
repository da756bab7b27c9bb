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

# Styles of ANSI terminals: red, yellow and cyan; all are bold.
_COLORS = {Severity.ERROR: "31;1", Severity.WARNING: "33;1", Severity.INFO: "36;1"}
_BLUE, _BOLD = "34;1", "1"


def render(report: Report, view: RenderContext) -> Iterator[str]:
    """Yield each finding with its source line, then the summary unless the view is quiet."""
    for finding in report.findings:
        yield "\n".join(_finding(finding, view)) + "\n\n"
    if not view.quiet:
        yield summary(report, view.since) + "\n"


def summary(report: Report, since: str) -> str:
    """Return one line: the numbers of files, of findings by severity, of fixable and accepted ones.

    Numbers of 0 are left out. Only findings with a safe fix count as fixable. If no file was
    checked, the line says that no file has changed since the revision ``since``; for '', that none
    was found.
    """
    files = len(report.files)
    if not files and since:
        return f"no memory files have changed since {since}"
    if not files:
        return "no memory files found; `agent-memory sources` lists where the agent looks for them"
    checked = "1 file checked" if files == 1 else f"{files:,} files checked"
    accepted = f"; {report.accepted:,} accepted in the baseline" if report.accepted else ""
    if not report.findings:
        return f"{checked}, no findings{accepted}"
    counts = {
        severity: sum(finding.severity is severity for finding in report.findings)
        for severity in Severity
    }
    fixable = sum(any(fix.safe for fix in finding.fixes) for finding in report.findings)
    totals = ", ".join(_counted(number, severity) for severity, number in counts.items() if number)
    how_to_fix = f" ({fixable:,} can be fixed with --fix)" if fixable else ""
    return f"{checked}: {totals}{how_to_fix}{accepted}"


def _counted(number: int, severity: Severity) -> str:
    """Return a count such as "2 errors" or "2 info", which has no plural."""
    plural = "" if number == 1 or severity is Severity.INFO else "s"
    return f"{number:,} {severity}{plural}"


def _finding(finding: Finding, view: RenderContext) -> Iterator[str]:
    """Yield the lines of one finding, without newlines: message, source line, related, first fix.

    For a secret, a last line says how to allow it. Line and column numbers count from 1.
    """

    def paint(text: str, color: str) -> str:
        """Return ``text`` in ``color``, the number of an ANSI style such as "31;1"."""
        return f"\x1b[{color}m{text}\x1b[0m" if view.color else text

    line, column = finding.span.line + 1, finding.span.start + 1
    position = paint(f"{visible.text(view.shown(finding.path))}:{line}:{column}", _BOLD)
    severity = paint(str(finding.severity), _COLORS[finding.severity])
    message = visible.text(finding.message)
    yield f"{position}: {severity} {finding.code} [{finding.name}] {message}"
    gutter = max(5, len(str(line)))  # the columns of the line number, left of the bar
    content = view.ctx.store.read(finding.path)
    columns = view.width - gutter - len(" |  ")
    framed = frame(content, finding.span, view.allowed(finding.path), columns)
    if framed:
        bar = paint("|", _BLUE)
        yield f"{line:>{gutter}} {bar} {framed.source_line}"
        yield f"{'':>{gutter}} {bar} {paint(framed.carets, _COLORS[finding.severity])}"
    for related in finding.related:
        location = f"{visible.text(view.shown(related.path))}:{related.span.line + 1}"
        yield f"{'':>{gutter}} = see {location}: {visible.text(related.message)}"
    for fix in finding.fixes[:1]:
        options = "--fix" if fix.safe else "--fix --unsafe"
        yield f"{'':>{gutter}} = {options}: {visible.text(fix.title)}"
    sha256 = finding.data.get("sha256")
    if sha256:  # of the secret that the finding is about
        yield f"{'':>{gutter}} = Not a secret? Add its SHA-256 to secrets.allowed: {sha256}"
