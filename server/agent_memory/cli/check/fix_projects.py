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


def apply(ctx: Context, args: argparse.Namespace, projects: Projects) -> tuple[int, Projects]:
    """Write the fixed files, or show the changes with ``--diff``.

    Return (exit code of ``--diff``, else 0; ``projects`` with the new paths of renamed files).

    Raises:
        UsageError: files could not be written; the message names each.

    """
    fixed: list[Fixed] = []
    for project, paths in projects:
        accepted = baseline_of(project, args)
        of_project = fix_all(project, paths, args.runtime, unsafe=args.unsafe, known=accepted)
        if args.diff:
            fix.show(project, of_project)
        fixed += of_project
    if args.diff:
        return int(bool(fixed)), projects
    # Without paths from the user, the files are those of the runtime, also with --changed-since.
    fix.write(ctx, fixed, args.runtime, named=bool(args.paths))
    new_paths = {file.path: file.rename for file in fixed if file.rename}

    def renamed(paths: list[Path] | None) -> list[Path] | None:
        """Return ``paths`` with the new paths of renamed files; None (all files) stays None."""
        return [new_paths.get(path, path) for path in paths] if paths is not None else None

    return 0, [(project, renamed(paths)) for project, paths in projects]
