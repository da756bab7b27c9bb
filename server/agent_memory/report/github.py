"""Annotations for GitHub Actions: ``::error file=...,line=...::message`` per finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.engine import Report
    from agent_memory.report import RenderContext

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(report: Report, view: RenderContext) -> Iterator[str]:
    """Yield a workflow command for each finding; lines and columns count from 1.

    A finding of several lines has no columns.
    """
    for finding in report.findings:
        span = finding.span
        properties = {
            "file": view.shown(finding.path),
            "line": str(span.line + 1),
            "endLine": str(span.end_line + 1),
            "col": str(span.start + 1),
            "endColumn": str(span.end + 1),
            "title": f"{finding.code} {finding.name}",
        }
        if span.end_line != span.line:  # GitHub accepts columns only within one line
            del properties["col"], properties["endColumn"]
        text = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
        yield f"::{_LEVELS[finding.severity]} {text}::{_data(finding.message)}\n"


def _data(text: str) -> str:
    """Return ``text`` escaped as the message of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Return ``text`` escaped as the value of a property, which ``:`` or ``,`` would end."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
