"""``agent-memory skills``: the skills that the runtime lists, and why others are not loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from agent_memory.base.model import Status
from agent_memory.cli import options
from agent_memory.runtimes.selection import choose

if TYPE_CHECKING:
    import argparse

    from agent_memory.skills.discovery import Skill


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    options.add_project(parser)
    options.add_format(parser)


def run(args: argparse.Namespace) -> int:
    """Print the skills that the prompt lists, in its order, then all others; return 0.

    Raises:
        UsageError: the runtime or agent is not valid.

    """
    ctx, choice = choose(options.context(args), args.runtime)
    skills = choice.runtime.skills(ctx)
    if args.format == "json":
        rows = [as_json(skill) for skill in skills]
        options.print_json(
            {"runtime": choice.runtime.id, "runtimeReason": choice.runtime_reason, "skills": rows}
        )
        return 0
    print(f"runtime {choice.runtime.id} ({choice.runtime_reason})")
    listed = [skill for skill in skills if skill.status is Status.LISTED]
    others = [skill for skill in skills if skill.status is not Status.LISTED]
    for number, skill in enumerate(listed, 1):
        print(f"\n{number:>3}. {skill.name}  ({skill.folder.label})\n     {skill.path}")
        if skill.warning:
            print(f"     warning: {skill.warning}")
    for skill in others:
        print(f"\n  -  {skill.name}  {skill.status}\n     {skill.path}\n     {skill.reason}")
    print(f"\n{len(listed)} listed, {len(others)} not")
    return 0


def as_json(skill: Skill) -> dict[str, Any]:
    """Return ``skill`` as JSON."""
    return {
        "name": skill.name,
        "description": skill.file.description,
        "path": str(skill.path),
        "folder": skill.folder.label,
        "scope": str(skill.folder.scope),
        "status": str(skill.status),
        "reason": skill.reason,
        "warning": skill.warning,
    }
