"""``agent-memory migrate --to AGENTS.md|agent.md``: rename memory files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.cli import options
from agent_memory.cli.plan_text import shown_path
from agent_memory.remember import migrate
from agent_memory.remember.migrate_links import find_linking_files, update_links
from agent_memory.runtimes.deepagents_family import FOLDER

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.remember.migrate_links import LinkingFile


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--to", choices=migrate.NAMES, required=True)
    parser.add_argument(
        "--scope",
        choices=migrate.SCOPES,
        default="project",
        help="whose files: the project's (default), your own, or all",
    )
    parser.add_argument("--dry-run", action="store_true", help="show what would be done")
    options.add_project(parser)


def run(args: argparse.Namespace) -> int:
    """Rename the files, update links to them, and print which files keep their name.

    Return 0, or 1 if no file is to be renamed. With ``--dry-run``, only print what would be done.

    Raises:
        UsageError: a file cannot be renamed or written, or a symlink would break.

    """
    ctx = options.context(args)
    migrations = migrate.plan(ctx, args.to, args.scope)
    for migration in migrations:
        if not args.dry_run:
            migrate.apply(migration)
        print(migration.message)
    # After the renames, because a renamed file can contain links.
    linking_files = list(find_linking_files(ctx, migrations)) if migrations else []
    for file in linking_files:
        if file.is_memory and not args.dry_run:
            update_links(file, migrations[0].roots)  # all migrations have the same roots
        _print_links(ctx, file, args)
    for path in migrate.left_out(ctx, args.to, args.scope):
        print(f"{path} keeps its name: {_why(ctx, path)}")
    if not migrations:
        print("nothing to migrate")
    return 0 if migrations else 1


def _print_links(ctx: Context, file: LinkingFile, args: argparse.Namespace) -> None:
    """Print how many links of ``file`` were updated, or that a person must update them.

    Only links in memory files are updated.
    """
    path = shown_path(file.path, ctx.cwd)
    count = options.counted(len(file.edits), "link")
    if file.is_memory:
        print(f"{path}: {count} {'would be updated' if args.dry_run else 'updated'}")
    else:
        lines = ", ".join(str(span.line + 1) for span, _ in file.edits)
        print(f"{path} is not a memory file: update its {count} yourself (line {lines})")


def _why(ctx: Context, path: Path) -> str:
    """Return why the memory file ``path``, one of ``migrate.left_out``, was not renamed."""
    if path.is_relative_to(ctx.user_folder):  # and the scope is that of the project
        return "it is read in every project; pass --scope user or --scope all to rename it"
    if path.parent.name != FOLDER and path.name == "AGENTS.md":  # at the project's root
        return "other agents read it"
    # A file of the project's memory folder: the scope is that of the user.
    return "pass --scope project or --scope all to rename it"
