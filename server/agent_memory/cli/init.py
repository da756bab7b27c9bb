"""``agent-memory init``: create a memory file with headings to fill in."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from agent_memory.base.model import Scope
from agent_memory.cli import options
from agent_memory.fs.atomic_write import update
from agent_memory.learnings.store import Learnings
from agent_memory.remember.scopes import memory_path
from agent_memory.runtimes.fresh_file import fresh_text
from agent_memory.runtimes.selection import choose
from agent_memory.runtimes.write_scope import write_scope

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--scope", choices=("user", "project"), default="project")
    options.add_project(parser)


def run(args: argparse.Namespace) -> int:
    """Create the memory file of ``--scope`` and print its path; return 0, or 1 if it exists.

    Raises:
        UsageError: the runtime is unknown or has no memory of this scope, or the file cannot or
            must not be created.

    """
    ctx, choice = choose(options.context(args), args.runtime)
    scope = Scope(args.scope)
    path = memory_path(ctx, choice, scope)
    stores_learnings = choice.runtime.stores_learnings  # Claude MPM, with sections of its own
    text = Learnings(ctx).fresh_text(path) if stores_learnings else fresh_text(scope)
    roots = write_scope(ctx, choice.runtime)
    roots.check(path)
    if path.exists():
        print(f"agent-memory init: {path} already exists; left unchanged", file=sys.stderr)
        return 1
    # Another program may have created it since the check: then its text stays.
    update(path, lambda content: content.text if content.ok else text, roots)
    print(f"{path} ({choice.runtime.title}: {choice.runtime_reason})")
    return 0
