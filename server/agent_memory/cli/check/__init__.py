"""``agent-memory check [PATH...]``: exit 0, 1 (findings at or above --fail-on) or 2."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.base.model import Severity
from agent_memory.cli import options
from agent_memory.cli.check import file_selection, report_options, run_check
from agent_memory.cli.check.check_options import check_combination
from agent_memory.cli.check.check_options import configure as configure
from agent_memory.cli.check.output import output, root_of_report
from agent_memory.lint.engine import Report
from agent_memory.report import RenderContext
from agent_memory.runtimes.selection import choose

if TYPE_CHECKING:
    import argparse
    from collections.abc import Collection

    from agent_memory.cli.check.run_check import Projects
    from agent_memory.config.context import Context


def run(args: argparse.Namespace) -> int:
    """Do what the options say: explain a rule, list files, fix, accept findings, or report.

    Return the exit code: 1 for findings at or above ``--fail-on``, for changes with ``--diff``, and
    for no files with ``--fail-on-empty``; 2 for a report although settings or baselines have
    problems; else 0.

    Raises:
        UsageError: options exclude each other, a rule, path or revision does not exist, a file
            cannot be written, or files would be written although settings or baselines have
            problems.

    """
    if args.explain:
        from agent_memory.cli import rules  # noqa: PLC0415 -- only for --explain

        return rules.explain(args.explain)
    if args.paths == [Path("-")]:  # the same as --stdin-filename AGENTS.md
        args.paths, args.stdin_filename = [], args.stdin_filename or Path("AGENTS.md")
    check_combination(args)
    ctx, problems = options.context_and_problems(args)
    _complain_of(problems)
    projects = run_check.projects(report_options.with_rules(ctx, args), args)
    ignored_baselines = _baseline_problems(projects, args)
    _complain_of(ignored_baselines)
    has_problems = bool(problems or ignored_baselines)
    if has_problems and (args.fix or args.write_baseline):
        raise UsageError("no changes written: fix the settings or the baseline first")
    if args.list_files:
        return _list(projects, args)
    if args.diff or args.fix:
        from agent_memory.cli.check import fix_projects  # noqa: PLC0415 -- only for fixes

        if args.diff:
            return fix_projects.show(args, projects)
        projects = fix_projects.write(ctx, args, projects)
    if args.write_baseline:
        from agent_memory.cli.check.write_baseline import write_baseline  # noqa: PLC0415 -- only for writing

        for project, paths in projects:
            write_baseline(project, args, paths)
        return 0
    code = _report(ctx, args, projects)
    return 2 if has_problems else code


def _report(ctx: Context, args: argparse.Namespace, projects: Projects) -> int:
    """Check all ``projects``, print the findings as one report and return the exit code.

    It is 1 for findings at or above ``--fail-on``; without a file to check it is 0, or 1 with
    ``--fail-on-empty``.
    """
    reports = [
        run_check.checked(project, args, paths, run_check.baseline_of(project, args))
        for project, paths in projects
    ]
    report = Report(
        files=tuple(path for each in reports for path in each.files),
        findings=tuple(finding for each in reports for finding in each.findings),
        accepted=sum(each.accepted for each in reports),
        stale=0 if _is_partial(args) else sum(each.stale for each in reports),
    )
    fail_on = None if args.fail_on == "never" else Severity(args.fail_on)
    display = report_options.display(args)
    root = root_of_report(ctx, args.format)
    since = args.changed_since or ""
    allowed = _allowed_by_file(projects, reports)
    view = RenderContext(
        ctx, root, display.color, display.columns, fail_on, args.quiet, since, allowed
    )
    output(report, view, args)
    if not report.files:
        _complain_of_unread(ctx, args)
        return int(args.fail_on_empty)
    return int(any(view.failing(finding.severity) for finding in report.findings))


def _allowed_by_file(projects: Projects, reports: list[Report]) -> dict[Path, Collection[str]]:
    """Return the hashes of the secrets that may be shown, for each file with findings.

    ``reports`` are those of ``projects``; each project allows its own.
    """
    return {
        finding.path: project.settings.allowed_secrets
        for (project, _), report in zip(projects, reports, strict=True)
        for finding in report.findings
    }


def _complain_of(problems: list[str]) -> None:
    """Print each of ``problems`` to standard error."""
    for problem in problems:
        options.complain(problem)


def _baseline_problems(projects: Projects, args: argparse.Namespace) -> list[str]:
    """Return why baselines of ``projects`` are ignored, each once: --baseline is one for all."""
    problems = (run_check.baseline_of(project, args).problem for project, _ in projects)
    return list(dict.fromkeys(filter(None, problems)))


def _is_partial(args: argparse.Namespace) -> bool:
    """Whether the options hide findings, so that an accepted finding could wrongly count as stale.

    Paths as arguments are no such options: an accepted finding in an existing file that is not
    checked never counts as stale.
    """
    return bool(args.stdin_filename or args.changed_since or args.select or args.ignore)


def _list(projects: Projects, args: argparse.Namespace) -> int:
    """Print the files to check, one per line; return the exit code.

    It is 1 if no file was found and ``--fail-on-empty`` was passed, else 0.
    """
    count = 0
    for project, paths in projects:
        for path in run_check.files_of(project, args, paths):
            print(path)
            count += 1
    return int(args.fail_on_empty and not count)


def _complain_of_unread(ctx: Context, args: argparse.Namespace) -> None:
    """Print to standard error how many memory files below the folder the runtime does not read.

    Called if no file was checked. If there are no such files, nothing is printed.
    """
    # Then no file was checked because the paths contain no memory files or none has changed.
    if args.paths or args.changed_since:
        return
    below = sum(1 for _ in file_selection.walk(ctx.cwd))
    if below:
        _, choice = choose(ctx, args.runtime)
        files = options.counted(below, "memory file")
        options.complain(
            f"{choice.runtime.id} reads none of the {files} below this folder: check all with "
            "`agent-memory check .`"
        )
