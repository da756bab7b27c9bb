"""``check --fix`` and ``--diff`` over several projects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.cli.check import fix
from agent_memory.lint.fixes import fix_all

if TYPE_CHECKING:
    import argparse

    from agent_memory.cli.check.run_check import Projects
    from agent_memory.config.context import Context


def apply(ctx: Context, args: argparse.Namespace, projects: Projects) -> tuple[int, Projects]:
    """Write the fixed files, or show the changes with ``--diff``.

    Return the exit code of ``--diff``, and ``projects`` with the new paths of renamed files.

    Raises:
        UsageError: files could not be written; the message names each.

    """
    fixed = [
        item
        for project, paths in projects
        for item in fix_all(project, paths, args.runtime, unsafe=args.unsafe)
    ]
    if args.diff:
        return fix.show(ctx, fixed), projects
    named = any(paths is not None for _, paths in projects)  # None: the files of the runtime
    fix.write(ctx, fixed, args.runtime, named=named)
    renamed = {item.path: item.rename for item in fixed if item.rename}
    return 0, [
        (project, paths and [renamed.get(path, path) for path in paths])
        for project, paths in projects
    ]
