"""The folders that may be written to when a runtime finds the project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.config.settings import Settings
from agent_memory.config.write_roots import write_roots

if TYPE_CHECKING:
    from agent_memory.config.context import Context
    from agent_memory.fs.write_roots import WriteRoots
    from agent_memory.runtimes.base import Runtime


def write_scope(ctx: Context, runtime: Runtime) -> WriteRoots:
    """Return the folders of ``ctx`` and the project's root by the rule of ``runtime``.

    The settings have no say in the root, because a project's settings could name any folder.
    """
    return write_roots(ctx, runtime.root(ctx.with_(settings=Settings())))
