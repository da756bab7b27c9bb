"""Makes findings of the hits of rules, with secrets masked in everything that is shown."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agent_memory import secrets
from agent_memory.base.model import Edit, Finding, Fix
from agent_memory.base.text import Span
from agent_memory.lint.rule import Hit

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.base.model import Severity
    from agent_memory.lint.rule import LineFix, LineHit, Rule


def from_line(
    rule: Rule, severity: Severity | None, hit: LineHit, path: Path, line: int
) -> Finding:
    """Return the finding of ``hit``, one of a line rule in ``line`` (from 0) of the file ``path``.

    ``severity`` is as in :func:`new_finding`.
    """
    fixes = tuple(_fix_of_line(fix, path, line) for fix in hit.fixes)
    span = Span.on_line(line, hit.start, hit.end)
    whole = Hit(span, hit.message, fixes, severity=hit.severity, data=hit.data)
    return new_finding(rule, severity, whole, path)


def _fix_of_line(fix: LineFix, path: Path, line: int) -> Fix:
    """Return ``fix``, whose edits replace columns of ``line``, as a fix of the file ``path``."""
    edits = (Edit(path, Span.on_line(line, start, end), text) for start, end, text in fix.edits)
    return Fix(fix.title, tuple(edits), safe=fix.safe)


def new_finding(rule: Rule, severity: Severity | None, hit: Hit, path: Path) -> Finding:
    """Return the finding of ``hit`` in the file ``path``; ``severity`` is that of the settings.

    If ``severity`` is None, the finding has that of the hit, or else that of the rule. The finding
    is cached in the hit for these arguments, until the known secrets change: it has to mask them.
    """
    key = (rule.code, severity, path, secrets.revision())
    if hit.made and hit.made[0] == key:
        return hit.made[1]
    finding = _new(rule, severity, hit, path)
    object.__setattr__(hit, "made", (key, finding))  # a hit is frozen, apart from its cache
    return finding


def _new(rule: Rule, severity: Severity | None, hit: Hit, path: Path) -> Finding:
    """Return :func:`new_finding` without its cache; only the edits of fixes show secrets."""
    fact, _, advice = secrets.shown(hit.message).partition("\n")
    return Finding(
        code=rule.code,
        name=rule.name,
        severity=severity or hit.severity or rule.severity,
        fact=fact,
        path=path,
        span=hit.span,
        fixes=tuple(replace(fix, title=secrets.shown(fix.title)) for fix in hit.fixes),
        related=tuple(replace(item, message=secrets.shown(item.message)) for item in hit.related),
        unnecessary=hit.unnecessary,
        data=secrets.shown_json(hit.data),
        advice=advice,
    )
