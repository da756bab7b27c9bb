"""``check --fix`` and ``--diff`` over several projects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.cli.check import fix
from agent_memory.cli.check.run_check import baseline_of
from agent_memory.lint.fixes import fix_all

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from agent_memory.cli.check.run_check import Projects
    from agent_memory.config.context import Context
    from agent_memory.lint.fixes import Fixed


def show(args: argparse.Namespace, projects: Projects) -> int:
    """Print what fixes would change in the files of ``projects``; write nothing.

    Return the exit code: 1 if a fix would change or rename a file, else 0.
    """
    code = 0
    for project, paths in projects:
        fixed = _fixed(args, project, paths)
        fix.show(project, fixed)
        if fixed:
            code = 1
    return code


def write(ctx: Context, args: argparse.Namespace, projects: Projects) -> Projects:
    """Fix the files of ``projects``; return ``projects`` with the new paths of renamed files.

    ``ctx`` is the context of the command, which decides what files may be written.

    Raises:
        UsageError: files could not be written; the message names each.

    """
    fixed = [file for project, paths in projects for file in _fixed(args, project, paths)]
    # Only paths that the user passed are named; --changed-since selects from the runtime's files.
    fix.write(ctx, fixed, args.runtime, named=bool(args.paths))
    new_paths = {file.path: file.rename for file in fixed if file.rename}

    def renamed(paths: list[Path] | None) -> list[Path] | None:
        """Return ``paths`` with the new paths of renamed files; None (all files) stays None."""
        return [new_paths.get(path, path) for path in paths] if paths is not None else None

    return [(project, renamed(paths)) for project, paths in projects]


def _fixed(args: argparse.Namespace, project: Context, paths: list[Path] | None) -> list[Fixed]:
    """Return the files of ``project`` that fixes change; nothing is written.

    ``paths`` None stands for all files of the project. Accepted findings are not fixed.
    """
    accepted = baseline_of(project, args)
    return fix_all(project, paths, args.runtime, unsafe=args.unsafe, known=accepted)
