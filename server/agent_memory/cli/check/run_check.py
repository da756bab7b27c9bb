"""The projects of a ``check``, the files of each, and how each is checked."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.base.gc_pause import gc_paused
from agent_memory.cli.check import file_selection
from agent_memory.cli.check.by_project import by_project
from agent_memory.cli.check.file_selection import in_runtime_spelling
from agent_memory.cli.check.progress import Progress
from agent_memory.cli.check.report_options import with_rules
from agent_memory.fs.reader import decode
from agent_memory.lint import baseline
from agent_memory.lint.baseline import Baseline
from agent_memory.lint.engine import check
from agent_memory.lint.open_project import open_project

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from agent_memory.config.context import Context
    from agent_memory.lint.engine import Report

    Projects = list[tuple[Context, list[Path] | None]]
    """Each with the files to check, None for all that its runtime reads or ignores."""


@gc_paused()
def projects(ctx: Context, args: argparse.Namespace) -> Projects:
    """Return the projects to check, each with its files.

    Each file of the given paths, or of ``--changed-since``, is checked in its own project. For
    standard input, or if the options select no files, only the project of ``ctx`` is returned.
    """
    paths = _paths(ctx, args)
    # The text of standard input is only in ``ctx``, so it is not checked in another project.
    if not paths or args.stdin_filename:
        return [(ctx, paths)]
    found: Projects = []
    for project, files in by_project(ctx, paths):
        is_own = project is ctx  # then the files have the spelling of its runtime already
        spelled = files if is_own else in_runtime_spelling(project, files, args.runtime)
        found.append((with_rules(project, args), spelled))
    return found


def _paths(ctx: Context, args: argparse.Namespace) -> list[Path] | None:
    """Return the files to check; None for every file the runtime reads or ignores.

    With ``--stdin-filename``, the text of standard input overlays that file. With
    ``--changed-since``, only files that have changed are returned.
    """
    if args.stdin_filename:
        path = Path(os.path.abspath(ctx.cwd / args.stdin_filename))  # noqa: PTH100 -- keeps symlinks
        (path,) = in_runtime_spelling(ctx, [path], args.runtime)
        content = decode(path, sys.stdin.buffer.read())
        ctx.store.overlay(path, lambda: content)
        return [path]
    paths = file_selection.given(ctx, args.paths, args.runtime) if args.paths else None
    if args.changed_since:
        candidates = paths if paths is not None else files_of(ctx, args, None)
        return file_selection.changed_since(ctx, args.changed_since, candidates)
    return paths


def files_of(
    ctx: Context, args: argparse.Namespace, paths: Sequence[Path] | None
) -> Sequence[Path]:
    """Return ``paths``; for None all files of the project, see :func:`open_project`.

    These are the files that its runtime, and the other listed ones, read or ignore.
    """
    return list(open_project(ctx, args.runtime).files) if paths is None else paths


def baseline_of(ctx: Context, args: argparse.Namespace) -> Baseline:
    """Return the baseline of the project of ``ctx``, an empty one with ``--no-baseline``."""
    if args.no_baseline:
        return Baseline(baseline.root_of(ctx.cwd))
    file = Path(os.path.abspath(args.baseline.expanduser())) if args.baseline else None  # noqa: PTH100 -- keeps symlinks
    return baseline.load(baseline.root_of(ctx.cwd), ctx.store, file)


@gc_paused()
def checked(
    ctx: Context, args: argparse.Namespace, paths: Sequence[Path] | None, accepted: Baseline
) -> Report:
    """Check ``paths`` of the project ``ctx`` (None: all its files) with a progress bar.

    Findings that are in the baseline ``accepted`` are left out of the report.
    """
    progress = Progress(quiet=args.quiet)
    try:
        return check(
            ctx,
            paths,
            args.runtime,
            known=accepted,
            jobs=os.cpu_count() or 1,
            tick=progress.show,
        )
    finally:
        progress.close()
