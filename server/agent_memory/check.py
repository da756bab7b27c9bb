"""Running the rules: per line, per file, per project, then suppressions and severities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agent_memory import baseline, suppress
from agent_memory.choice import choose
from agent_memory.model import Edit, Finding, Fix, Severity
from agent_memory.prompt import compose
from agent_memory.resolve import classify
from agent_memory.rules import RULES
from agent_memory.rules.base import Hit, LineHit, MemoryFile, Project, Rule
from agent_memory.text import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from agent_memory.context import Context
    from agent_memory.settings import Settings

_LINE_CACHE_MAX = 50_000
_line_cache: dict[tuple[str, str], tuple[LineHit, ...]] = {}


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a check: the files that were looked at and their findings, in order."""

    files: tuple[Path, ...]
    findings: tuple[Finding, ...]


def open_project(
    ctx: Context, runtime_id: str | None = None, paths: Sequence[Path] | None = None
) -> Project:
    """Gather the files of a check: all the runtime's sources, and ``paths`` beside them.

    Raises:
        UsageError: the runtime is not known or the agent's id is not valid.

    """
    ctx, choice = choose(ctx, runtime_id)
    sources = tuple(choice.runtime.sources(ctx))
    known = {source.path: source for source in sources}
    files: dict[Path, MemoryFile] = {}
    for path in dict.fromkeys([*known, *(paths or ())]):
        content = ctx.store.read(path)
        if content.failure == "missing":
            continue
        files[path] = MemoryFile(path, content, known.get(path) or classify(path, ctx))
    root = choice.runtime.root(ctx)
    accepted = baseline.load(baseline.root_of(ctx.cwd), ctx.store)
    return Project(
        ctx, choice, root, sources, files, lambda: compose(ctx, choice.runtime.id), accepted
    )


def check(
    ctx: Context,
    paths: Sequence[Path] | None = None,
    runtime_id: str | None = None,
    *,
    accepted: bool = False,
) -> Report:
    """Check ``paths``, or every file the runtime reads.

    Findings in the project's baseline are left out unless ``accepted`` asks for them.

    Raises:
        UsageError: the runtime is not known or the agent's id is not valid.

    """
    project = open_project(ctx, runtime_id, paths)
    if accepted:
        project = replace(project, baseline=None)
    wanted = list(dict.fromkeys(paths)) if paths is not None else list(project.files)
    across = project_findings(project)
    findings = [
        finding for path in wanted for finding in file_findings(project, path, across.get(path, ()))
    ]
    return Report(tuple(path for path in wanted if path in project.files), tuple(findings))


def project_findings(project: Project) -> dict[Path, list[Finding]]:
    """Run the rules that look at several files; return what they found, by file."""
    out: dict[Path, list[Finding]] = {}
    for rule, severity in _active(project.ctx.settings):
        if rule.project:
            for hit in rule.project(project):
                if hit.path:
                    out.setdefault(hit.path, []).append(_finding(rule, severity, hit, hit.path))
    return out


def file_findings(project: Project, path: Path, across: Iterable[Finding] = ()) -> list[Finding]:
    """Run the line and file rules on ``path``; add ``across``; apply suppressions; sort."""
    file = project.files.get(path)
    if file is None:
        return list(across)
    findings = list(across)
    for rule, severity in _active(project.ctx.settings):
        if file.source.role not in rule.roles or (rule.readable and not file.content.ok):
            continue
        if rule.line:
            findings += _line_findings(rule, severity, file)
        elif rule.file:
            findings += [_finding(rule, severity, hit, path) for hit in rule.file(file, project)]
    allowed = project.ctx.settings.allowed_secrets
    findings = [
        item
        for item in findings
        if item.data.get("sha256") not in allowed and not _suppressed(item, file)
    ]
    findings = sorted(findings, key=lambda item: (item.span, item.code))
    if project.baseline is None:
        return findings
    return project.baseline.remaining(path, findings, file.lines)


def _active(settings: Settings) -> Iterator[tuple[Rule, Severity | None]]:
    """Yield the rules that are on, with the severity the settings give (None: the rule's)."""
    for rule in RULES:
        chosen = settings.rules.get(rule.code, settings.rules.get(rule.name))
        if chosen == "off" or (chosen is None and not rule.on):
            continue
        yield rule, Severity(chosen) if chosen else None


def _line_findings(rule: Rule, severity: Severity | None, file: MemoryFile) -> Iterator[Finding]:
    for number, line in enumerate(file.lines):
        key = (rule.code, line)
        hits = _line_cache.get(key)
        if hits is None:
            if len(_line_cache) >= _LINE_CACHE_MAX:
                _line_cache.clear()
            assert rule.line is not None  # noqa: S101 -- told to the type checker
            hits = _line_cache[key] = tuple(rule.line(line))
        for hit in hits:
            yield _from_line(rule, severity, hit, file.path, number)


def _from_line(
    rule: Rule, severity: Severity | None, hit: LineHit, path: Path, line: int
) -> Finding:
    fixes = tuple(
        Fix(
            fix.title,
            tuple(Edit(path, Span.on_line(line, *at), text) for *at, text in fix.edits),
            safe=fix.safe,
        )
        for fix in hit.fixes
    )
    span = Span.on_line(line, hit.start, hit.end)
    whole = Hit(span, hit.message, fixes, severity=hit.severity, data=hit.data)
    return _finding(rule, severity, whole, path)


def _finding(rule: Rule, severity: Severity | None, hit: Hit, path: Path) -> Finding:
    return Finding(
        rule.code,
        rule.name,
        severity or hit.severity or rule.severity,
        hit.message,
        path,
        hit.span,
        hit.fixes,
        hit.related,
        hit.unnecessary,
        hit.data,
    )


def _suppressed(finding: Finding, file: MemoryFile) -> bool:
    keys = (finding.code, finding.name)
    directives = file.facts.get("suppressions")
    if directives is None:
        directives = file.facts["suppressions"] = suppress.parse(file.markdown)
    for item in directives:
        if item.covers(finding.span.line, keys):
            item.used.update(keys)
            return True
    return False
