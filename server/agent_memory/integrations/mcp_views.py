"""The resources and prompts of the MCP server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

from mcp.server.mcpserver.exceptions import ResourceError
from pydantic import Field

from agent_memory.base.errors import UsageError
from agent_memory.integrations.encodable import encodable
from agent_memory.integrations.tools.memory_files import MemoryFileTools
from agent_memory.integrations.tools.parameters import LIST_MAX
from agent_memory.integrations.tools.stored_entries import StoredEntryTools
from agent_memory.recall.engine import LIMIT_MAX

if TYPE_CHECKING:
    from collections.abc import Callable

    from mcp.server import MCPServer

    from agent_memory.integrations.tools.toolbox import Toolbox

_JSON = "application/json"
_REVIEW = """\
Review what was learned in this project. Below are the learned entries as data.

1. Group entries that say the same, contradict each other or are outdated. Read one with get_entry
   before you judge it, and check facts against the project where you can.
2. Propose for each group what to do: update_entry, forget, promote_entry (what most sessions need
   belongs in a memory file), or nothing.
3. Ask the person which proposals to carry out, then do only these.
"""
_SAVE = """\
Look back at this session and save what the next one should know.

1. Collect facts that are not obvious from the project, will be useful again and were confirmed:
   corrections by the person, decisions with their reason, commands that work, pitfalls.
2. Call recall for each. If an entry says it already, do nothing; if it is wrong, call update_entry.
3. Save the others one at a time: remember for what most sessions need, remember_entry for the
   rest. Save no keys, tokens or passwords, and nothing that was only true today.
4. Tell the person what you saved and what you left out.
"""


def register(mcp: MCPServer[Any], box: Toolbox) -> None:
    """Add the resources and prompts for ``box`` to ``mcp``."""
    _add_resources(mcp, box)
    _add_prompts(mcp, box)


def _add_resources(mcp: MCPServer[Any], box: Toolbox) -> None:
    """Add the resources, each with the answer of a tool as JSON."""
    files, stored = MemoryFileTools(box), StoredEntryTools(box)

    def view(uri: str, title: str, about: str, read: Callable[..., Any]) -> None:
        """Add a resource; its name is that of the function ``read``, which returns its JSON."""
        name = read.__name__
        resource = mcp.resource(uri, name=name, title=title, description=about, mime_type=_JSON)
        resource(read)

    # The four resources: `view` takes their names from the functions.

    def prompt_block() -> str:
        """Return the memory in the prompt as JSON, without its sources."""
        return _text(lambda: _without(files.prompt(), "sources"))

    def sources() -> str:
        """Return the sources of the prompt as JSON, without its text."""
        return _text(lambda: _without(files.prompt(), "text", "tokens"))

    def entries() -> str:
        """Return the latest ``LIST_MAX`` entries as JSON, without bodies."""
        return _text(lambda: stored.list_entries(limit=LIST_MAX))

    def entry(entry_id: str) -> str:
        """Return one entry as JSON, with its body."""
        return _text(lambda: stored.get_entry(entry_id))

    view("memory://prompt", "Memory in the prompt", "What the agent receives.", prompt_block)
    view("memory://sources", "Memory files", "Files that are read or not, and why.", sources)
    view("memory://entries", "Learned entries", "The latest ones, without bodies.", entries)
    view("memory://entries/{entry_id}", "A learned entry", "With its body.", entry)


def _add_prompts(mcp: MCPServer[Any], box: Toolbox) -> None:
    """Add the prompts that a person can choose; their docstrings are the descriptions."""
    stored = StoredEntryTools(box)

    @mcp.prompt(title="Review what was learned")
    def review_learned(
        topic: Annotated[str, Field(description="Only entries about this; empty: all.")] = "",
    ) -> str:
        """Find entries that are outdated, doubled or belong in a memory file."""
        entries = (
            stored.recall(topic, limit=LIMIT_MAX) if topic else stored.list_entries(limit=LIST_MAX)
        )
        return f"{_REVIEW}\n{_json(entries)}"

    @mcp.prompt(title="Save what this session taught")
    def save_session() -> str:
        """Save what the next session should know."""
        return _SAVE


def _text(read: Callable[[], Any]) -> str:
    """Return the answer of ``read`` as JSON text.

    Raises:
        ResourceError: ``read`` raises UsageError, which has the same message.

    """
    try:
        return _json(read())
    except UsageError as error:
        raise ResourceError(str(error)) from error


def _json(value: Any) -> str:
    """Return ``value`` as JSON text; lone surrogates are escaped (:func:`encodable`)."""
    return json.dumps(encodable(value), ensure_ascii=False, indent=1)


def _without(answer: Any, *names: str) -> dict[str, Any]:
    """Return the fields of ``answer`` except ``names``."""
    return {key: value for key, value in answer.items() if key not in names}
