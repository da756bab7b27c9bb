"""``agent-memory init``: create a memory file with headings to fill in."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from agent_memory.base.model import Scope
from agent_memory.cli import options
from agent_memory.fs.atomic_write import update
from agent_memory.remember.scopes import memory_path
from agent_memory.runtimes.selection import choose
from agent_memory.runtimes.write_scope import write_scope

if TYPE_CHECKING:
    import argparse

_FOR_PROJECT = ("Commands", "Architecture", "Conventions", "Mistakes to avoid")
_HEADINGS = {
    Scope.PROJECT: ("Project memory", _FOR_PROJECT),
    Scope.USER: ("User memory", ("Preferences", "Style", "Tools")),
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--scope", choices=("user", "project"), default="project")
    options.add_project(parser)


def run(args: argparse.Namespace) -> int:
    """Create the file; return 1 if it already exists."""
    ctx, choice = choose(options.context(args), args.runtime)
    scope = Scope(args.scope)
    path = memory_path(ctx, choice, scope)
    title, headings = _HEADINGS[scope]
    text = f"# {title}\n" + "".join(f"\n## {heading}\n" for heading in headings)
    roots = write_scope(ctx, choice.runtime)
    roots.check(path)
    if path.exists():
        print(f"agent-memory init: {path} already exists; left unchanged", file=sys.stderr)
        return 1
    update(path, lambda content: content.text if content.ok else text, roots)
    print(f"{path} ({choice.runtime.title}: {choice.runtime_reason})")
    return 0
