"""Helpers for tests of remember: a project's memory, and saving an item to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.remember import planner
from agent_memory.remember.plan import Outcome
from agent_memory.remember.snippet import Snippet

if TYPE_CHECKING:
    from agent_memory.config.context import Context

PROJECT = ".deepagents/agent.md"
USER = ".deepagents/agent/agent.md"
MEMORY = "# Project\n\n## Commands\n\n- Run `make test`\n\n## Style\n\n- Tabs\n"


def save(ctx: Context, text: str, **options: object) -> str:
    """Save ``text`` to project memory; return the file's new text."""
    plan = planner.plan(ctx, Snippet(text), "project", **options)
    assert plan.outcome is Outcome.READY, plan.message
    planner.apply(plan)
    return plan.path.read_text()


def read(ctx: Context, name: str = PROJECT) -> str:
    """Return the text of a file of the project."""
    return (ctx.cwd / name).read_text()


def user_memory(ctx: Context) -> str:
    """Return the text of user memory."""
    return (ctx.home / USER).read_text()
