"""SARIF 2.1.0 (OASIS) for code scanning services.

Columns count UTF-16 units from 1. Paths of the project are relative to ``SRCROOT``. Fixes are
omitted because their text could reveal the content of the memory file.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from agent_memory import serialize
from agent_memory.base.model import Severity
from agent_memory.base.version import __version__
from agent_memory.lint.baseline import fingerprint
from agent_memory.lint.pages import HOME, href
from agent_memory.lint.rules import BY_KEY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agent_memory.base.model import Finding
    from agent_memory.base.text import Span
    from agent_memory.lint.engine import Report
    from agent_memory.report import RenderContext

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def render(report: Report, view: RenderContext) -> Iterator[str]:
    """Yield the report as one log with one run."""
    codes = sorted({item.code for item in report.findings})
    index = {code: number for number, code in enumerate(codes)}
    run = {
        "tool": {
            "driver": {
                "name": "agent-memory",
                "version": __version__,
                "semanticVersion": __version__,
                "informationUri": HOME,
                "rules": [_rule(code) for code in codes],
            }
        },
        "invocations": [{"executionSuccessful": True}],
        "originalUriBaseIds": {"SRCROOT": {"uri": view.root.as_uri().rstrip("/") + "/"}},
        "columnKind": "utf16CodeUnits",
        "results": [_result(item, index[item.code], view) for item in report.findings],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    yield json.dumps(log, ensure_ascii=False, indent=2) + "\n"


def _rule(code: str) -> dict[str, Any]:
    rule = BY_KEY[code]
    return {
        "id": code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.summary},
        "helpUri": href(code),
        "defaultConfiguration": {"level": _LEVELS[rule.severity], "enabled": rule.on},
    }


def _result(item: Finding, index: int, view: RenderContext) -> dict[str, Any]:
    lines = view.ctx.store.read(item.path).lines
    result: dict[str, Any] = {
        "ruleId": item.code,
        "ruleIndex": index,
        "level": _LEVELS[item.severity],
        "message": {"text": item.message},
        "locations": [_location(item.path, item.span, view)],
        "partialFingerprints": {"agentMemory/v1": fingerprint(item, lines)},
        "properties": {"fixable": bool(item.fixes)},
    }
    if item.related:
        result["relatedLocations"] = [
            {"id": number, "message": {"text": other.message}}
            | _location(other.path, other.span, view)
            for number, other in enumerate(item.related)
        ]
    return result


def _location(path: Path, span: Span, view: RenderContext) -> dict[str, Any]:
    shape = serialize.range_json(span, view.ctx.store.read(path).lines)
    start, end = shape["start"], shape["end"]
    artifact = (
        {"uri": quote(os.fsencode(view.shown(path))), "uriBaseId": "SRCROOT"}
        if view.inside(path)
        else {"uri": path.as_uri()}
    )
    region = {
        "startLine": start["line"] + 1,
        "startColumn": start["character"] + 1,
        "endLine": end["line"] + 1,
        "endColumn": end["character"] + 1,
    }
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}
