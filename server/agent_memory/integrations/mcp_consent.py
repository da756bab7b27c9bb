"""Registers tools for MCP: a person is asked (elicitation) for what they have not allowed yet."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Annotated, Any

from mcp.server.elicitation import ElicitationResult
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resolve import Elicit, Resolve
from pydantic import BaseModel, Field

from agent_memory.base.errors import UsageError
from agent_memory.integrations.tools.powers import question
from agent_memory.integrations.tools.signature import declare

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_memory.integrations.tools.table import Tool


class Consent(BaseModel):
    """The answer of a person."""

    allow: bool = Field(default=False, description="Allow it once")


def as_registered(tool: Tool) -> Callable[..., Any]:
    """Return the function of ``tool`` for the server: the client asks a person where it can.

    Its parameter ``granted`` is hidden from agents.
    """
    needed = tool.asks

    def ask(context: Any, **arguments: Any) -> Any:
        missing: dict[str, str] = {}
        with contextlib.suppress(UsageError, OSError, ValueError):  # the tool reports it
            missing = needed(**arguments) if needed and _can_ask(context) else missing
        return Elicit(question(missing), Consent) if missing else Consent()

    def run(**arguments: Any) -> Any:
        if needed:
            consent = arguments.pop("consent")
            arguments["granted"] = consent.action == "accept" and consent.data.allow
        try:
            return tool.run(**arguments)
        except UsageError as error:
            raise ToolError(str(error)) from error

    more = {}
    if needed:
        declare(ask, needed, context=Context)
        more["consent"] = Annotated[ElicitationResult[Consent], Resolve(ask)]
    declare(run, tool.run, **more)
    return run


def _can_ask(context: Any) -> bool:
    capabilities = context.session.client_capabilities
    elicitation = capabilities and capabilities.elicitation
    return bool(elicitation) and (elicitation.form is not None or elicitation.url is None)
