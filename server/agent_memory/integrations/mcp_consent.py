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
from agent_memory.integrations.encodable import encodable
from agent_memory.integrations.tools.powers import question
from agent_memory.integrations.tools.signature import declare

if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_memory.integrations.tools.table import Tool


class Consent(BaseModel):
    """The answer of a person."""

    allow: bool = Field(default=False, description="Allow it once")


def as_registered(tool: Tool) -> Callable[..., Any]:
    """Return the function of ``tool`` for the server.

    If the tool can need a power (``missing_powers``), the function has a parameter ``consent``. The
    server resolves it before the call: the client asks a person where it can. The tool gets the
    answer as ``granted``, which agents do not see among its parameters.
    """

    def run(**arguments: Any) -> Any:
        """Return the result of the tool; the answer of the person becomes ``granted``.

        Raises:
            ToolError: the tool refuses; the message is for the agent.

        """
        if "consent" in arguments:
            consent = arguments.pop("consent")
            # A declined or canceled question has no `data`.
            arguments["granted"] = consent.action == "accept" and consent.data.allow
        try:
            # Here, because the SDK encodes the result before any middleware could do it.
            return encodable(tool.run(**arguments))
        except UsageError as error:
            raise ToolError(str(error)) from error

    if tool.missing_powers:
        ask = _asking(tool.missing_powers)
        type_of_consent = Annotated[ElicitationResult[Consent], Resolve(ask)]
        declare(run, tool.run, consent=type_of_consent)
    else:
        declare(run, tool.run)
    return run


def _asking(missing_powers: Callable[..., dict[str, str]]) -> Callable[..., Any]:
    """Return the function that resolves ``consent``, with the parameters of ``missing_powers``.

    It asks a person for the powers that ``missing_powers`` returns for the arguments of the call.
    """

    def ask(context: Any, **arguments: Any) -> Any:
        """Return the question for the person, or without one the answer "not allowed".

        There is no question if the client cannot show a form or if no power is missing.
        """
        missing: dict[str, str] = {}
        if _can_ask(context):
            with contextlib.suppress(UsageError, OSError, ValueError):  # the tool raises it too
                missing = missing_powers(**arguments)
        if not missing:
            return Consent()  # not allowed: only switches give powers to this call
        return Elicit(encodable(question(missing)), Consent)

    declare(ask, missing_powers, context=Context)
    return ask


def _can_ask(context: Any) -> bool:
    """Whether the client can show a form, by what it says about elicitation.

    The modes are forms and URLs. A client of an older protocol names no mode and has forms.
    """
    capabilities = context.session.client_capabilities
    elicitation = capabilities and capabilities.elicitation
    if not elicitation:
        return False
    has_only_urls = elicitation.form is None and elicitation.url is not None
    return not has_only_urls
