"""A LangChain middleware that adds memory to the system prompt of every model call.

    from agent_memory.integrations.langchain import AgentMemory
    agent = create_deep_agent(model=..., middleware=[AgentMemory(project)])

The text is the output of ``agent-memory prompt``, before or after the system prompt as the runtime
does it. LangChain's own memory middleware reads files once; this one checks them on every call, so
an edit takes effect with the next call. Requires langchain >= 1.0; no other module imports it.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import SystemMessage

from agent_memory.config.context import Context
from agent_memory.config.settings import Settings
from agent_memory.config.settings_files import load_project, load_user
from agent_memory.lint.known_names import KNOWN_NAMES
from agent_memory.prompt.compose import around_base, compose
from agent_memory.runtimes.selection import choose

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

_BASE = "system prompt"
"""Stands for the system prompt, which composing only places; its segment is left out."""


class AgentMemory(AgentMiddleware):  # type: ignore[misc] # langchain is not installed for mypy
    """Adds the memory of ``cwd`` to the system message of each model call.

    ``home`` contains ``.deepagents`` (default: the user's), ``runtime`` and ``agent`` are ids
    (None: detected from the project). ``settings`` replace those in the files of the user and the
    project (None: the files apply, without invalid values).

    Raises:
        UsageError: the runtime is unknown, or the agent's id is not valid.

    """

    def __init__(
        self,
        cwd: str | Path = ".",
        *,
        home: str | Path | None = None,
        runtime: str | None = None,
        agent: str | None = None,
        settings: Settings | None = None,
    ) -> None:
        super().__init__()
        folder = Path(cwd).expanduser().absolute()
        user_home = Path(home).expanduser().absolute() if home else Path.home()
        if settings is None:
            # `_` are the problems of the files. They are not reported; invalid values do not apply.
            user_settings, _ = load_user(user_home, Settings(), KNOWN_NAMES)
            settings, _ = load_project(folder, user_settings, KNOWN_NAMES)
        self._ctx = Context(user_home, folder, settings=settings, agent=agent)
        self._runtime = runtime
        self._lock = threading.Lock()  # the store of the context is not thread-safe
        choose(self._ctx, runtime)  # raises now, not at the first call

    def wrap_model_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        """Return the answer of the model, called with memory in the system message."""
        return handler(self._with_memory(request))

    async def awrap_model_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """Return the answer of the model, called with memory in the system message."""
        return await handler(self._with_memory(request))

    def block(self) -> tuple[str, str]:
        """Return the memory before and after the system prompt; '' on a side without any."""
        with self._lock:
            return around_base(compose(self._ctx, self._runtime, _BASE).segments)

    def _with_memory(self, request: Any) -> Any:
        """Return ``request`` with memory around its system message, which may be missing."""
        before, after = self.block()
        existing = list(request.system_message.content_blocks) if request.system_message else []
        if not existing:  # no text to separate memory from
            before, after = before.rstrip("\n"), after.lstrip("\n")
        block_before, block_after = ({"type": "text", "text": text} for text in (before, after))
        blocks = [block_before, *existing, block_after]
        # Memory may be on one side only; a block of another type, such as an image, has no text.
        not_empty = [block for block in blocks if block.get("text") != ""]
        return request.override(system_message=SystemMessage(content_blocks=not_empty))
