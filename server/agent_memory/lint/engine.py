"""Runs the rules: per line, per file, per project; then suppressions and severities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from agent_memory import secrets
from agent_memory.base.parallel import mapped
from agent_memory.l10n import t
from agent_memory.lint import baseline, several, suppressions
from agent_memory.lint.active_rules import active_rules, file_check, project_check, rules_for
from agent_memory.lint.isolation import FAILED, Failures
from agent_memory.lint.line_cache import FAILURE, LineCache
from agent_memory.lint.many_entries import summarized
from agent_memory.lint.new_finding import from_line, new_finding
from agent_memory.lint.open_project import open_other, open_project
from agent_memory.lint.rule import LineRule, Registry, SuppressionRule
from agent_memory.lint.rules import BY_KEY, RULES
from agent_memory.lint.same_cause import joined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from agent_memory.base.model import Finding, Severity
    from agent_memory.config.context import Context
    from agent_memory.lint.baseline import Baseline
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project
    from agent_memory.lint.rule import FileCheck, Hit, ProjectCheck, Rule


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a check: the checked files, and the findings file by file.

    A finding can also be in a file that is not memory, such as settings. ``accepted`` is the number
    of findings that are left out because the baseline has them, ``stale`` the number of findings of
    these files and of missing files that the baseline has, but that no longer occur.
    """

    files: tuple[Path, ...]
    findings: tuple[Finding, ...]
    accepted: int = 0
    stale: int = 0


def check(
    ctx: Context,
    paths: Sequence[Path] | None = None,
    runtime_id: str | None = None,
    *,
    known: Baseline | None = None,
    jobs: int = 1,
    tick: Callable[[int, int], None] | None = None,
) -> Report:
    """Check ``paths``, or every file of the project (:func:`open_project`).

    Findings in the baseline ``known`` (by default the project's) are left out, an info in very many
    entries is reported once, and so are findings with the same cause. With ``known``
    :data:`~agent_memory.lint.baseline.NOTHING`, every finding is reported. Many files are
    distributed over ``jobs`` processes. ``tick`` is called with (files done, all files).

    Raises:
        UsageError: the runtime is not known or the agent's id is not valid.

    """
    project = open_project(ctx, runtime_id, paths)
    report = _every_finding(project, paths, known, jobs, tick)
    if known is baseline.NOTHING:
        return report
    collapsed = joined(summarized(report.findings, project.files), project.files)
    return replace(report, findings=tuple(collapsed))


def check_each(
    ctx: Context,
    paths: Sequence[Path] | None = None,
    runtime_id: str | None = None,
    *,
    known: Baseline | None = None,
) -> Report:
    """Check as :func:`check` does, but report every finding that the baseline does not have.

    A finding stays separate from others with the same cause: each of them has fixes of its own.

    Raises:
        UsageError: the runtime is not known or the agent's id is not valid.

    """
    return _every_finding(open_project(ctx, runtime_id, paths), paths, known)


def _every_finding(
    project: Project,
    paths: Sequence[Path] | None,
    known: Baseline | None = None,
    jobs: int = 1,
    tick: Callable[[int, int], None] | None = None,
) -> Report:
    """Return the report of :func:`check` with each finding that the baseline does not have.

    Infos in many entries and findings with the same cause are separate.
    """
    known = known or project.baseline or baseline.NOTHING
    project = replace(project, baseline=None)  # applied below, where its matches are counted
    across = project_findings(project)  # also of files that are not memory, such as settings
    selected = list(dict.fromkeys(paths if paths is not None else [*project.files, *across]))
    check_one = partial(_findings_of, project, across, new_line_cache())
    new: list[Finding] = []  # not in the baseline
    matched = 0  # the number of findings that the baseline has
    for index, found in enumerate(mapped(check_one, selected, jobs)):
        path = selected[index]
        new_in_file = known.remaining(path, found, project.ctx.store.read(path).lines)
        matched += len(found) - len(new_in_file)
        new += new_in_file
        if tick:
            tick(index + 1, len(selected))
    files = tuple(path for path in selected if path in project.files)
    return Report(files, tuple(new), matched, known.stale(files, matched))


def _findings_of(
    project: Project, across: Mapping[Path, list[Finding]], cache: LineCache, path: Path
) -> list[Finding]:
    """Return :func:`file_findings` of ``path``, with those of the project rules in ``across``.

    ``path`` is the last parameter, for ``partial``.
    """
    return file_findings(project, path, across.get(path, ()), line_cache=cache)


def new_line_cache() -> LineCache:
    """Return an empty cache for :func:`file_findings`, to be kept from one call to the next."""
    return LineCache(RULES)


def project_findings(
    project: Project, run: Callable[[str, ProjectCheck, Project], Iterable[Hit]] | None = None
) -> dict[Path, list[Finding]]:
    """Run the checks of the whole project, also for the other runtimes; return findings by path.

    The finding about checks that failed is in the first file of the project; without files, at the
    root or the current folder. ``run`` (code, check, project) replaces the call of a check, such as
    to defer a slow one.
    """
    failures = Failures(dict(project.failures))
    # Secrets are learned before all rules: a message about one file may quote another one.
    for file in project.files.values():
        try:
            _learn_secrets(file)
        except Exception as error:  # noqa: BLE001 -- any error about this file
            failures.add(t("the check"), error)
    findings = [*_of_chosen(project, run, failures), *_of_others(project, run, failures)]
    first = next(iter(project.files), project.root or project.ctx.cwd)
    findings += failures.findings(first)
    by_path: dict[Path, list[Finding]] = {}
    for finding in findings:
        by_path.setdefault(finding.path, []).append(finding)
    return by_path


def _of_chosen(
    project: Project,
    run: Callable[[str, ProjectCheck, Project], Iterable[Hit]] | None,
    failures: Failures,
) -> Iterator[Finding]:
    """Yield the findings of the active rules that check a project, for the chosen runtime.

    A rule that fails is added to ``failures``. ``run`` is as in :func:`project_findings`.
    """
    for rule, severity in active_rules(project.ctx.settings):
        check = project_check(rule)
        if check is None:
            continue
        code = rule.code
        call = partial(run, code, check, project) if run else partial(check, project)
        for hit in failures.hits(code, call):
            if hit.path:  # always, in a check of a project
                yield new_finding(rule, severity, hit, hit.path)


_OTHERS = "other runtimes"
"""Stands for the code of a rule in the one check of all rules for the other runtimes."""


def _of_others(
    project: Project,
    run: Callable[[str, ProjectCheck, Project], Iterable[Hit]] | None,
    failures: Failures,
) -> Iterator[Finding]:
    """Yield the findings for the other listed runtimes (``others`` of ``project``).

    All rules for all of these runtimes run as one check: if a rule fails for one runtime, no
    finding is yielded and ``failures`` gets the error. ``run`` is as in :func:`project_findings`.
    """
    if not project.others:
        return
    by_code = {rule.code: (rule, severity) for rule, severity in active_rules(project.ctx.settings)}
    rules = [rule for rule, _ in by_code.values()]

    def check(project: Project) -> Iterator[Hit]:
        """Yield the hits of all rules for all other runtimes.

        The data of a hit names its rule and its runtime.
        """
        hits = several.hits_of_others(partial(_other, project), project, rules)
        for rule, runtime_id, hit in hits:
            about = {several.RUNTIMES: [runtime_id], "code": rule.code}
            yield replace(hit, data={**hit.data, **about})

    call = partial(run, _OTHERS, check, project) if run else partial(check, project)
    for hit in failures.hits(_OTHERS, call):
        rule, severity = by_code[hit.data["code"]]
        if hit.path:  # always, in a check of a project
            data = {key: value for key, value in hit.data.items() if key != "code"}
            yield new_finding(rule, severity, replace(hit, data=data), hit.path)


def _other(project: Project, runtime_id: str) -> Project | None:
    """Return the project of another runtime, opened at first use; None if it cannot be opened.

    The result is cached, also None. An edit of one of its files removes the project from the cache
    (:meth:`Project.edited`), but not None.
    """
    opened = project.opened_others
    if runtime_id not in opened:
        other = open_other(project.ctx, runtime_id)
        opened[runtime_id] = replace(other, of_check=project.files) if other else None
    return opened[runtime_id]


def file_findings(
    project: Project,
    path: Path,
    across: Iterable[Finding] = (),
    run: Callable[[str, FileCheck, MemoryFile, Project], Iterable[Hit]] | None = None,
    *,
    line_cache: LineCache | None = None,
) -> list[Finding]:
    """Return the findings of ``path``, in order, without suppressed and accepted ones.

    These are the findings of the line and file rules, and ``across``, those of the project rules.
    The baseline of ``project`` and the secrets that its settings allow say what is accepted.
    ``run`` (code, check, file, project) replaces the call of a check, as for project rules. An
    error of a rule, or of anything else about this file, becomes a finding. For a path that is not
    a file of the project, the result is ``across``.
    """
    file = project.files.get(path)
    if file is None:
        return list(across)
    failures = Failures()
    cache = new_line_cache() if line_cache is None else line_cache
    try:
        findings = _without_failures(project, file, across, run, cache, failures)
    except Exception as error:  # noqa: BLE001 -- any error about this file
        failures.add(t("the check"), error)
        findings = list(across)
    if any(FAILED in finding.data for finding in findings):  # one about failures is enough
        return findings
    return [*findings, *failures.findings(path)]


def _without_failures(
    project: Project,
    file: MemoryFile,
    across: Iterable[Finding],
    run: Callable[[str, FileCheck, MemoryFile, Project], Iterable[Hit]] | None,
    cache: LineCache,
    failures: Failures,
) -> list[Finding]:
    """Return the findings of :func:`file_findings`, except the one about failures.

    A rule that fails is added to ``failures``. Any other error is raised.
    """
    _learn_secrets(file)
    coverage = suppressions.coverage_of(file)
    coverage.forget_use()
    configured = tuple(project.ctx.settings.rules.items())
    active = rules_for(configured, file.source.role, is_text=file.is_text)
    findings = [
        *across,
        *_line_findings(file, active, cache, failures),
        *_whole_file_findings(project, file, active, run, failures),
    ]
    allowed = project.ctx.settings.allowed_secrets  # SHA-256 of values
    findings = [
        finding
        for finding in findings
        if finding.data.get("sha256") not in allowed
        and not coverage.covers(finding.span.line, (finding.code, finding.name))
    ]
    coverage.mark_used()  # before the suppression rules, which report the unused ones
    findings += _suppression_findings(file, active)
    findings = several.joined(findings, project, BY_KEY)  # equal ones of several runtimes
    findings = sorted(findings, key=lambda finding: (finding.span, finding.code))
    if project.baseline is None:
        return findings
    return project.baseline.remaining(file.path, findings, file.lines)


def _whole_file_findings(
    project: Project,
    file: MemoryFile,
    active: Sequence[tuple[Rule, Severity | None]],
    run: Callable[[str, FileCheck, MemoryFile, Project], Iterable[Hit]] | None,
    failures: Failures,
) -> Iterator[Finding]:
    """Yield the findings of the checks that the ``active`` rules do once per file.

    A rule that fails is added to ``failures``. ``run`` is as in :func:`file_findings`.
    """
    for rule, severity in active:
        check = file_check(rule)
        if check is None:
            continue
        code = rule.code
        call = partial(run, code, check, file, project) if run else partial(check, file, project)
        for hit in failures.hits(code, call):
            yield new_finding(rule, severity, hit, file.path)


def _learn_secrets(file: MemoryFile) -> None:
    """Remember the secrets of ``file``, which messages mask from then on; once per text."""
    content = file.content
    content.once(secrets.learn, content.text, content.lines)


def _line_findings(
    file: MemoryFile,
    active: Sequence[tuple[Rule, Severity | None]],
    cache: LineCache,
    failures: Failures,
) -> Iterator[Finding]:
    """Yield the findings of the active line rules; add each rule that fails to ``failures``.

    ``cache`` has the hits and failures of all line rules, also inactive ones, by the text of a
    line.
    """
    severities = {rule.code: severity for rule, severity in active if isinstance(rule, LineRule)}
    cache.follow_language()
    for number, hits in cache.found_in(file.lines):
        for rule, hit in hits:
            if rule.code not in severities:
                continue  # the settings turn it off, or it is not for files of this role
            if FAILURE in hit.data:
                failures.errors.setdefault(rule.code, hit.data[FAILURE])
            else:
                yield from_line(rule, severities[rule.code], hit, file.path, number)


def _suppression_findings(
    file: MemoryFile, active: Sequence[tuple[Rule, Severity | None]]
) -> Iterator[Finding]:
    """Yield the findings of the suppression rules; nothing without suppression comments.

    Only a comment that names such a rule suppresses its findings.
    """
    coverage = suppressions.coverage_of(file)
    if not coverage.directives:
        return
    registry = Registry(BY_KEY, frozenset(rule.code for rule, _ in active))
    for rule, severity in active:
        if isinstance(rule, SuppressionRule):
            for hit in rule.check(file, coverage.directives, registry):
                finding = new_finding(rule, severity, hit, file.path)
                keys = (finding.code, finding.name)
                if not coverage.covers(finding.span.line, keys, named=True):
                    yield finding
            coverage.mark_used()  # the next suppression rule reads `used`
