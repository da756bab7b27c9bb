"""Runs the rules: per line, per file, per project; then suppressions and severities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from agent_memory import secrets
from agent_memory.base.errors import UsageError
from agent_memory.base.model import (
    Edit,
    Finding,
    Fix,
    Severity,
)
from agent_memory.base.parallel import mapped
from agent_memory.base.text import Span
from agent_memory.fs.file_index import FileIndex
from agent_memory.l10n import t
from agent_memory.lint import baseline, several, suppressions
from agent_memory.lint.isolation import FAILED, Failures
from agent_memory.lint.line_cache import FAILURE, LineCache
from agent_memory.lint.many_entries import summarized
from agent_memory.lint.memory_file import MemoryFile
from agent_memory.lint.project import Project
from agent_memory.lint.rule import (
    FileCheck,
    FileRule,
    Hit,
    LineHit,
    LineRule,
    ProjectCheck,
    ProjectRule,
    Registry,
    Rule,
    SuppressionRule,
)
from agent_memory.lint.rules import BY_KEY, RULES
from agent_memory.lint.same_cause import joined
from agent_memory.prompt.compose import compose_chosen
from agent_memory.prompt.unread_files import unread_files
from agent_memory.runtimes.classify import classify
from agent_memory.runtimes.selection import choose
from agent_memory.runtimes.several import Listed, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from agent_memory.base.model import Role, Source
    from agent_memory.config.context import Context
    from agent_memory.config.settings import Settings
    from agent_memory.lint.baseline import Baseline
    from agent_memory.prompt.unread_files import UnreadFile


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a check: the checked files and their findings, in order.

    ``accepted`` findings are left out because the baseline has them; ``stale`` entries of the
    baseline no longer match a finding.
    """

    files: tuple[Path, ...]
    findings: tuple[Finding, ...]
    accepted: int = 0
    stale: int = 0


def open_project(
    ctx: Context,
    runtime_id: str | None = None,
    paths: Sequence[Path] | None = None,
    *,
    alone: bool = False,
) -> Project:
    """Return the project to check: all sources of the listed runtimes, and ``paths``.

    ``alone``: only those of the one runtime.

    Raises:
        UsageError: the runtime is not known or the agent's id is not valid.

    """
    given = ctx
    ctx, choice = choose(ctx, runtime_id)
    found = Listed({}) if alone else listed(given, runtime_id)
    names = () if found.note else found.reasons  # agents that are only assumed are not judged
    others = tuple(name for name in names if name != choice.runtime.id)
    failures = Failures()
    sources: tuple[Source, ...] = ()
    unread: list[UnreadFile] = []
    try:
        sources = tuple(choice.runtime.sources(ctx))
        unread = unread_files(ctx, sources)
    except UsageError:
        raise
    except Exception as error:  # noqa: BLE001 -- the given paths are still checked
        failures.add(choice.runtime.id, error)
    known = {source.path: source for source in (*sources, *(item.source for item in unread))}
    files: dict[Path, MemoryFile] = {}
    opened = (_open_other(given, name) for name in others)
    more = [path for other in opened if other for path in other.files]
    for path in dict.fromkeys([*known, *more, *(paths or ())]):
        content = ctx.store.read(path)
        if content.failure == "missing":
            continue
        files[path] = MemoryFile(path, content, known.get(path) or classify(path, ctx))
    root = choice.runtime.root(ctx)
    accepted = baseline.load(baseline.root_of(ctx.cwd), ctx.store)
    return Project(
        ctx,
        choice,
        root,
        sources,
        files,
        lambda: compose_chosen(ctx, choice, sources=sources),
        accepted,
        tuple(unread),
        FileIndex(root or ctx.cwd),
        others,
        failures.found,
    )


def _open_other(ctx: Context, runtime_id: str) -> Project | None:
    """Return the project of another listed runtime, None if the agent's id is not valid for it."""
    try:
        return open_project(ctx, runtime_id, alone=True)
    except UsageError:
        return None


def check(
    ctx: Context,
    paths: Sequence[Path] | None = None,
    runtime_id: str | None = None,
    *,
    known: Baseline | None = None,
    jobs: int = 1,
    tick: Callable[[int, int], None] | None = None,
) -> Report:
    """Check ``paths``, or every file the runtime reads or ignores next to them.

    Findings in the baseline ``known`` (by default the project's) are left out, an info in very many
    entries is reported once, and so are findings with the same cause, unless it is
    :data:`~agent_memory.lint.baseline.NOTHING`. Many files are distributed over ``jobs`` processes.
    ``tick`` is called with (files done, all files).

    Raises:
        UsageError: the runtime is not known or the agent's id is not valid.

    """
    project = open_project(ctx, runtime_id, paths)
    known = known or project.baseline or baseline.NOTHING
    project = replace(project, baseline=None)
    across = project_findings(project)
    selected = list(dict.fromkeys(paths if paths is not None else [*project.files, *across]))
    findings: list[Finding] = []
    look = partial(_of_file, project, across, new_line_cache())
    matched = 0
    for done, found in enumerate(mapped(look, selected, jobs), 1):
        path = selected[done - 1]
        new = known.remaining(path, found, ctx.store.read(path).lines)
        matched += len(found) - len(new)
        findings += new
        if tick:
            tick(done, len(selected))
    if known is not baseline.NOTHING:
        findings = joined(summarized(findings, project.files), project.files)
    files = tuple(path for path in selected if path in project.files)
    return Report(files, tuple(findings), matched, known.stale(files, matched))


def _of_file(
    project: Project, across: Mapping[Path, list[Finding]], cache: LineCache, path: Path
) -> list[Finding]:
    return file_findings(project, path, across.get(path, ()), line_cache=cache)


def new_line_cache() -> LineCache:
    """Return an empty cache for :func:`file_findings`, to be kept from one call to the next."""
    return LineCache(RULES)


def project_findings(
    project: Project, run: Callable[[str, ProjectCheck, Project], Iterable[Hit]] | None = None
) -> dict[Path, list[Finding]]:
    """Run the project rules; return their findings by file.

    ``run`` (code, check, project) replaces the call of a check, such as to defer a slow one.
    """
    out: dict[Path, list[Finding]] = {}
    failures = Failures(dict(project.failures))
    for file in project.files.values():
        try:
            _learn(file)
        except Exception as error:  # noqa: BLE001 -- any error about this file
            failures.add(t("the check"), error)
    for rule, severity in _active(project.ctx.settings):
        check = _project_check(rule)
        if check:
            code = rule.code
            call = partial(run, code, check, project) if run else partial(check, project)
            for hit in failures.hits(code, call):
                if hit.path:
                    out.setdefault(hit.path, []).append(_finding(rule, severity, hit, hit.path))
    for finding in _of_others(project, run, failures):
        out.setdefault(finding.path, []).append(finding)
    first = next(iter(project.files), project.root or project.ctx.cwd)
    for finding in failures.findings(first):
        out.setdefault(first, []).append(finding)
    return out


_OTHERS = "other runtimes"


def _of_others(
    project: Project,
    run: Callable[[str, ProjectCheck, Project], Iterable[Hit]] | None,
    failures: Failures,
) -> Iterator[Finding]:
    """Yield the findings of the rules for the other runtimes of the settings."""
    if not project.others:
        return
    severities = {rule.code: (rule, severity) for rule, severity in _active(project.ctx.settings)}
    rules = [rule for rule, _ in severities.values()]

    def check(project: Project) -> Iterator[Hit]:
        other = partial(_open_other, project.ctx)
        for rule, name, hit in several.hits_of_others(other, project, rules):
            about = {several.RUNTIMES: [name], "code": rule.code}
            yield replace(hit, data={**hit.data, **about})

    call = partial(run, _OTHERS, check, project) if run else partial(check, project)
    for hit in failures.hits(_OTHERS, call):
        code = hit.data["code"]
        if hit.path:
            data = {key: value for key, value in hit.data.items() if key != "code"}
            yield _finding(*severities[code], replace(hit, data=data), hit.path)


def file_findings(
    project: Project,
    path: Path,
    across: Iterable[Finding] = (),
    run: Callable[[str, FileCheck, MemoryFile, Project], Iterable[Hit]] | None = None,
    *,
    line_cache: LineCache | None = None,
) -> list[Finding]:
    """Run the line and file rules on ``path``; add ``across``; apply suppressions; sort.

    ``run`` (code, check, file, project) replaces the call of a check, as for project rules. An
    error of a rule, or of anything else about this file, becomes a finding.
    """
    file = project.files.get(path)
    if file is None:
        return list(across)
    failures = Failures()
    cache = new_line_cache() if line_cache is None else line_cache
    try:
        findings = _checked(project, file, across, run, cache, failures)
    except Exception as error:  # noqa: BLE001 -- any error about this file
        failures.add(t("the check"), error)
        findings = list(across)
    if any(FAILED in item.data for item in findings):
        return findings
    return [*findings, *failures.findings(path)]


def _checked(
    project: Project,
    file: MemoryFile,
    across: Iterable[Finding],
    run: Callable[[str, FileCheck, MemoryFile, Project], Iterable[Hit]] | None,
    cache: LineCache,
    failures: Failures,
) -> list[Finding]:
    """Return the findings of ``file``; add the rules that fail to ``failures``."""
    path = file.path
    _learn(file)
    coverage = suppressions.of(file)
    coverage.forget_use()
    configured = tuple(project.ctx.settings.rules.items())
    active = _active_for(configured, file.source.role, file.content.ok)
    findings = [*across, *_line_findings(file, active, cache, failures)]
    for rule, severity in active:
        check = _file_check(rule)
        if check:
            code = rule.code
            call = (
                partial(run, code, check, file, project) if run else partial(check, file, project)
            )
            findings += [_finding(rule, severity, hit, path) for hit in failures.hits(code, call)]
    allowed = project.ctx.settings.allowed_secrets
    findings = [
        item
        for item in findings
        if item.data.get("sha256") not in allowed
        and not coverage.covers(item.span.line, (item.code, item.name))
    ]
    coverage.mark_used()
    findings += _last_findings(file, active)
    findings = several.joined(findings, project, BY_KEY)
    findings = sorted(findings, key=lambda item: (item.span, item.code))
    if project.baseline is None:
        return findings
    return project.baseline.remaining(path, findings, file.lines)


def _learn(file: MemoryFile) -> None:
    """Recognize the secrets of ``file`` in messages that quote it."""
    content = file.content
    content.once(secrets.learn, content.text, content.lines)


def _active(settings: Settings) -> tuple[tuple[Rule, Severity | None], ...]:
    """Return the active rules, each with its severity in the settings (None: the rule's own)."""
    return _active_for(tuple(settings.rules.items()), None, True)  # noqa: FBT003


@lru_cache(maxsize=64)
def _active_for(
    configured: tuple[tuple[str, str], ...],
    role: Role | None,
    ok: bool,  # noqa: FBT001
) -> tuple[tuple[Rule, Severity | None], ...]:
    """Return the rules that ``configured`` turns on for files of ``role`` (None: any role).

    ``ok``: the file can be read.
    """
    rules = dict(configured)
    out: list[tuple[Rule, Severity | None]] = []
    for rule in RULES:
        setting = rules.get(rule.code, rules.get(rule.name))
        if setting == "off" or (setting is None and not rule.on):
            continue
        if role is None or (role in rule.roles and (ok or not rule.readable)):
            out.append((rule, Severity(setting) if setting else None))
    return tuple(out)


def _project_check(rule: Rule) -> ProjectCheck | None:
    if isinstance(rule, ProjectRule):
        return rule.check
    return rule.in_project if isinstance(rule, FileRule) else None


def _file_check(rule: Rule) -> FileCheck | None:
    if isinstance(rule, FileRule):
        return rule.check
    return rule.in_file if isinstance(rule, LineRule) else None


def _line_findings(
    file: MemoryFile,
    active: Sequence[tuple[Rule, Severity | None]],
    cache: LineCache,
    failures: Failures,
) -> Iterator[Finding]:
    """Run the line rules; the cache holds the hits of all of them by the text of a line."""
    severities = {rule.code: severity for rule, severity in active if isinstance(rule, LineRule)}
    cache.follow_language()
    for number, hits in enumerate(map(cache.__getitem__, file.lines)):
        for rule, hit in hits:
            if FAILURE in hit.data:
                failures.found.setdefault(rule.code, hit.data[FAILURE])
            elif rule.code in severities:
                yield _from_line(rule, severities[rule.code], hit, file.path, number)


def _last_findings(
    file: MemoryFile, active: Sequence[tuple[Rule, Severity | None]]
) -> Iterator[Finding]:
    """Run the suppression rules; only a directive that names such a rule covers it."""
    coverage = suppressions.of(file)
    if not coverage.directives:
        return
    registry = Registry(BY_KEY, frozenset(rule.code for rule, _ in active))
    for rule, severity in active:
        if isinstance(rule, SuppressionRule):
            for hit in rule.check(file, coverage.directives, registry):
                finding = _finding(rule, severity, hit, file.path)
                keys = (finding.code, finding.name)
                if not coverage.covers(finding.span.line, keys, named=True):
                    yield finding
            coverage.mark_used()


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
        secrets.shown(hit.message),
        path,
        hit.span,
        tuple(replace(fix, title=secrets.shown(fix.title)) for fix in hit.fixes),
        tuple(replace(item, message=secrets.shown(item.message)) for item in hit.related),
        hit.unnecessary,
        secrets.shown_json(hit.data),
    )
