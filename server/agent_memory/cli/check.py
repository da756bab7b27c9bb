"""``agent-memory check [PATH...]``: exit 0, 1 (findings at or above --fail-on) or 2."""

from __future__ import annotations

import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.base.model import Severity
from agent_memory.cli import file_selection, options
from agent_memory.cli.progress import Progress
from agent_memory.cli.projects import by_project
from agent_memory.config.write_roots import write_roots
from agent_memory.fs.reader import decode
from agent_memory.lint import baseline
from agent_memory.lint.engine import Report, check
from agent_memory.report import FORMATS, RenderContext, render
from agent_memory.runtimes.selection import choose

if TYPE_CHECKING:
    import argparse

    from agent_memory.config.context import Context

    _Projects = list[tuple[Context, list[Path] | None]]

EPILOG = """exit codes: 0 no findings at or above --fail-on, 1 findings (with --diff: something
would change), 2 invalid options or project settings"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = EPILOG
    parser.add_argument(
        "paths",
        nargs="*",
        type=Path,
        metavar="PATH",
        help="files or folders (default: every file the runtime reads or ignores here)",
    )
    options.add_project(parser)
    parser.add_argument("--format", choices=FORMATS, default="text")
    levels = ("error", "warning", "info", "never")
    parser.add_argument("--fail-on", choices=levels, default="warning", help="default: warning")
    parser.add_argument(
        "--fail-on-empty", action="store_true", help="exit with 1 if there is no file to check"
    )
    which = parser.add_argument_group("which files")
    which.add_argument(
        "--changed-since", metavar="REV", help="only files that differ from this git revision"
    )
    which.add_argument(
        "--stdin-filename",
        type=Path,
        metavar="PATH",
        help="check standard input as PATH",
    )
    actions = parser.add_argument_group("actions")
    actions.add_argument("--fix", action="store_true", help="apply the safe fixes, then check")
    actions.add_argument("--unsafe", action="store_true", help="with --fix, --diff: all fixes")
    actions.add_argument("--diff", action="store_true", help="show what --fix would change")
    actions.add_argument(
        "--write-baseline", action="store_true", help=f"accept all findings in {baseline.FILE}"
    )
    actions.add_argument("--explain", metavar="CODE", help="print the page of a rule")


def run(args: argparse.Namespace) -> int:
    """Check and report; return the exit code."""
    if args.explain:
        from agent_memory.cli import rules  # noqa: PLC0415 -- only for --explain

        return rules.explain(args.explain)
    ctx, problems = options.opened(args)
    known = baseline.load(baseline.root_of(ctx.cwd), ctx.store)
    problems += [known.problem] if known.problem else []
    for problem in problems:
        options.complain(problem)
    if problems and (args.fix or args.write_baseline):
        raise UsageError("no changes written: fix the settings first")
    _check_combination(args)
    projects = _projects(ctx, args)
    if args.fix or args.diff:
        from agent_memory.cli import fix  # noqa: PLC0415 -- only for writing
        from agent_memory.lint.fixes import fix_all  # noqa: PLC0415

        fixed = [
            item
            for project, paths in projects
            for item in fix_all(project, paths, args.runtime, unsafe=args.unsafe)
        ]
        if args.diff:
            return fix.show(ctx, fixed)
        named = any(paths is not None for _, paths in projects)
        fix.write(ctx, fixed, args.runtime, named=named)
        renamed = {item.path: item.rename for item in fixed if item.rename}
        projects = [
            (project, paths and [renamed.get(path, path) for path in paths])
            for project, paths in projects
        ]
    if args.write_baseline:
        from agent_memory.cli.write_baseline import write_baseline  # noqa: PLC0415 -- only for writing

        for project, paths in projects:
            checked = partial(_checked, project, args, paths, accepted=True)
            write_baseline(project, paths, checked, write_roots(ctx))
        return 0
    code = _report(ctx, args, projects)
    return 2 if problems else code


def _report(ctx: Context, args: argparse.Namespace, projects: _Projects) -> int:
    """Check, print the findings and return the exit code."""
    reports = [_checked(project, args, paths) for project, paths in projects]
    report = Report(
        tuple(path for each in reports for path in each.files),
        tuple(finding for each in reports for finding in each.findings),
    )
    fails = None if args.fail_on == "never" else Severity(args.fail_on)
    view = RenderContext(ctx, ctx.cwd, *_terminal(), fails)
    for piece in render(args.format, report, view):
        sys.stdout.write(piece)
    if not report.files:
        _complain_of_unread(ctx, args)
        return int(args.fail_on_empty)
    return int(any(view.failing(finding.severity) for finding in report.findings))


def _check_combination(args: argparse.Namespace) -> None:
    if args.stdin_filename and (args.paths or args.fix or args.diff or args.write_baseline):
        raise UsageError(
            "--stdin-filename checks only standard input: omit PATH, --fix, --diff and "
            "--write-baseline"
        )
    if args.unsafe and not (args.fix or args.diff):
        raise UsageError("--unsafe requires --fix or --diff")


def _projects(ctx: Context, args: argparse.Namespace) -> _Projects:
    """Return the files to check by project, as :func:`_paths` does for each."""
    paths = _paths(ctx, args)
    if not paths or args.stdin_filename:
        return [(ctx, paths)]
    return [
        (project, file_selection.as_known(project, files, args.runtime))
        for project, files in by_project(ctx, paths)
    ]


def _paths(ctx: Context, args: argparse.Namespace) -> list[Path] | None:
    """Return the files to check; None for every file the runtime reads or ignores."""
    if args.stdin_filename:
        path = Path(os.path.abspath(ctx.cwd / args.stdin_filename))  # noqa: PTH100 -- keeps symlinks
        (path,) = file_selection.as_known(ctx, [path], args.runtime)
        content = decode(path, sys.stdin.buffer.read())
        ctx.store.overlay(path, lambda: content)
        return [path]
    paths = file_selection.given(ctx, args.paths, args.runtime) if args.paths else None
    if args.changed_since:
        everything = paths if paths is not None else check(ctx, None, args.runtime).files
        return file_selection.changed_since(ctx, args.changed_since, everything)
    return paths


def _checked(
    ctx: Context, args: argparse.Namespace, paths: list[Path] | None, *, accepted: bool = False
) -> Report:
    progress = Progress()
    jobs = os.cpu_count() or 1
    try:
        return check(ctx, paths, args.runtime, accepted=accepted, jobs=jobs, tick=progress.show)
    finally:
        progress.close()


def _complain_of_unread(ctx: Context, args: argparse.Namespace) -> None:
    """Say how many memory files below the folder the runtime does not read."""
    below = sum(1 for _ in file_selection.walk(ctx.cwd)) if not args.paths else 0
    if below:
        runtime = choose(ctx, args.runtime)[1].runtime.id
        files = options.counted(below, "memory file")
        options.complain(
            f"{runtime} reads none of the {files} below this folder: check all with "
            "`agent-memory check .`"
        )


def _terminal() -> tuple[bool, int]:
    """Return whether to use colors, and the number of columns."""
    if not sys.stdout.isatty():
        return False, 120
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    try:
        columns = os.get_terminal_size(sys.stdout.fileno()).columns
    except OSError:
        columns = 0
    return not plain, columns or 120
