"""Every interface by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from requirements.faces import Api, CommandLine, LearnCommand
from requirements.mcp_face import Mcp
from requirements.server_face import Server

if TYPE_CHECKING:
    from agent_memory.config.context import Context
    from lsp_kit import Editor
    from requirements.face import Face


def face(name: str, ctx: Context, editor: Editor) -> Face:
    """Return the interface ``name`` for the project of ``ctx``; ``editor`` has a server."""
    if name == Server.name:
        return Server(ctx, editor)
    (found,) = (item for item in (CommandLine, Api, Mcp, LearnCommand) if item.name == name)
    return found(ctx)
