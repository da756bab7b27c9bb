"""SARIF 2.1.0 (OASIS) for code scanning services.

Columns count UTF-16 units from 1. Paths of the project are relative to ``SRCROOT``. Only safe fixes
are included, and none whose text contains a secret.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from agent_memory import serialize
from agent_memory.base.model import Severity
from agent_memory.base.version import REPOSITORY, __version__
from agent_memory.lint.baseline import fingerprint
from agent_memory.lint.pages import href, page
from agent_memory.lint.rules import BY_KEY
from agent_memory.secrets import shown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agent_memory.base.model import Finding, Fix
    from agent_memory.base.text import Span
    from agent_memory.lint.engine import Report
    from agent_memory.report import RenderContext

_SECURITY = {"AM106": "7.0", "AM107": "8.0", "AM201": "9.0"}
"""CVSS-like scores (``security-severity``) of the rules that GitHub lists as security alerts."""
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def render(report: Report, view: RenderContext) -> Iterator[str]:
    """Yield the report as one log with one run, in one piece.

    The run contains the rules that have findings, and the findings as results.
    """
    codes = sorted({finding.code for finding in report.findings})
    rule_index = {code: number for number, code in enumerate(codes)}
    run = {
        "tool": {
            "driver": {
                "name": "agent-memory",
                "version": __version__,
                "semanticVersion": __version__,
                "informationUri": REPOSITORY,
                "rules": [_rule(code) for code in codes],
            }
        },
        "invocations": [{"executionSuccessful": True}],
        "originalUriBaseIds": {"SRCROOT": {"uri": view.root.as_uri().rstrip("/") + "/"}},
        "columnKind": "utf16CodeUnits",
        "results": [
            _result(finding, rule_index[finding.code], view) for finding in report.findings
        ],
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    yield json.dumps(log, ensure_ascii=False, indent=2) + "\n"


def _rule(code: str) -> dict[str, Any]:
    """Return the rule ``code`` as a reportingDescriptor, with its page as help."""
    rule = BY_KEY[code]
    text = page(code) or rule.summary  # an installation can lack the pages
    properties: dict[str, Any] = {"tags": ["agent-memory"]}
    score = _SECURITY.get(code)
    if score:
        properties = {"tags": ["agent-memory", "security"], "security-severity": score}
    return {
        "id": code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.summary},
        "help": {"text": rule.summary, "markdown": text},
        "helpUri": href(code),
        "defaultConfiguration": {"level": _LEVELS[rule.severity], "enabled": rule.on},
        "properties": properties,
    }


def _result(finding: Finding, rule_index: int, view: RenderContext) -> dict[str, Any]:
    """Return ``finding`` as a result of SARIF.

    ``rule_index`` is the position of its rule in the driver's ``rules``.
    """
    lines = view.ctx.store.read(finding.path).lines
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule_index,
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [_location(finding.path, finding.span, view)],
        "partialFingerprints": {"agentMemory/v1": fingerprint(finding, lines)},
        "properties": {"fixable": bool(finding.fixes)},
    }
    if finding.related:
        result["relatedLocations"] = [
            {"id": number, "message": {"text": related.message}}
            | _location(related.path, related.span, view)
            for number, related in enumerate(finding.related)
        ]
    # SARIF has only changes of text: a fix without edits renames or creates files.
    fixes = [_fix(fix, view) for fix in finding.fixes if fix.safe and fix.edits and _is_public(fix)]
    if fixes:
        result["fixes"] = fixes
    return result


def _is_public(fix: Fix) -> bool:
    """Whether no new text of ``fix`` contains a secret. A masked text would be a wrong fix."""
    return all(shown(edit.text) == edit.text for edit in fix.edits)


def _fix(fix: Fix, view: RenderContext) -> dict[str, Any]:
    """Return ``fix`` in the form of SARIF: one ``artifactChange`` with the edits of each file."""
    by_path: dict[Path, list[dict[str, Any]]] = {}
    for edit in fix.edits:
        region = _location(edit.path, edit.span, view)["physicalLocation"]["region"]
        replacement = {"deletedRegion": region, "insertedContent": {"text": edit.text}}
        by_path.setdefault(edit.path, []).append(replacement)
    changes = [
        {"artifactLocation": _artifact(path, view), "replacements": replacements}
        for path, replacements in by_path.items()
    ]
    return {"description": {"text": fix.title}, "artifactChanges": changes}


def _location(path: Path, span: Span, view: RenderContext) -> dict[str, Any]:
    """Return ``span`` of ``path`` as a location of SARIF.

    Lines and columns count from 1, columns in UTF-16 units.
    """
    lsp_range = serialize.range_json(span, view.ctx.store.read(path).lines)
    start, end = lsp_range["start"], lsp_range["end"]
    region = {
        "startLine": start["line"] + 1,
        "startColumn": start["character"] + 1,
        "endLine": end["line"] + 1,
        "endColumn": end["character"] + 1,
    }
    return {"physicalLocation": {"artifactLocation": _artifact(path, view), "region": region}}


def _artifact(path: Path, view: RenderContext) -> dict[str, str]:
    """Return the artifactLocation of ``path``: its URI, relative to ``SRCROOT`` if it is below."""
    if view.inside(path):
        return {"uri": quote(os.fsencode(view.shown(path))), "uriBaseId": "SRCROOT"}
    return {"uri": path.as_uri()}
