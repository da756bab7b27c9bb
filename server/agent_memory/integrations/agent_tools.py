"""Memory as plain Python functions that agent frameworks take as tools (docs/frameworks.md).

    from agent_memory import Memory
    from agent_memory.integrations.agent_tools import agent_tools
    agent = create_agent(model, tools=agent_tools(Memory("project")))

The functions have the names, parameters and rules of the MCP tools. Requires ``pydantic``, which
the frameworks bring.
"""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING, Any

from agent_memory.base.errors import UsageError
from agent_memory.integrations.encodable import encodable
from agent_memory.integrations.tools.powers import POWERS
from agent_memory.integrations.tools.signature import declare
from agent_memory.integrations.tools.table import tools_of
from agent_memory.integrations.tools.toolbox import Toolbox
from agent_memory.secrets import shown, shown_json

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from agent_memory.api import Memory
    from agent_memory.integrations.tools.table import Tool


def agent_tools(memory: Memory, *, allow: Collection[str] = ()) -> list[Callable[..., Any]]:
    """Return the tools for ``memory``; ``allow`` are the powers that a person gives the agent.

    A power is a key of ``POWERS``. The tools read the disk on each call and may run in any thread.
    A refused call returns a dictionary with ``error``, a sentence that says what to do. Secrets in
    answers are masked.

    Raises:
        UsageError: a power is unknown.

    """
    unknown = ", ".join(sorted(set(allow) - POWERS.keys()))
    if unknown:
        raise UsageError(f"unknown: {unknown}. Known: {', '.join(POWERS)}")
    box = Toolbox(memory.context, memory.runtime, allow)
    return [_plain(tool) for tool in tools_of(box)]


def _plain(tool: Tool) -> Callable[..., Any]:
    """Return the function that frameworks call for ``tool``; its answer is a dictionary.

    It has the name, docstring and parameters of the tool, except ``granted``.
    """

    def run(**arguments: Any) -> Any:
        """Return the result of the tool with secrets masked; if it refuses, {"error": message}."""
        # TypeError for an unknown argument, also for ``granted``: only a person may give it.
        declared.bind(**arguments)
        try:
            return encodable(shown_json(tool.run(**arguments)))
        except UsageError as error:
            return {"error": encodable(shown(str(error)))}

    declare(run, tool.run)
    # A dictionary of any shape, because the type of the tool's own answer lacks ``error``.
    declared = signature(run).replace(return_annotation=dict[str, Any])
    vars(run)["__signature__"] = declared
    run.__annotations__["return"] = dict[str, Any]
    return run
