"""Agent Memory: see, check and safely write what an AI agent remembers.

The core uses only the standard library; nothing here imports the language server. The names
below are the public API (docs/api.md); each is imported on first use.
"""

from __future__ import annotations

import importlib

from agent_memory.base.version import __version__ as __version__

# Not from typing, whose import would delay the answer to an editor (lsp/boot.py).
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from agent_memory.api import Memory
    from agent_memory.base.errors import UsageError
    from agent_memory.base.model import (
        Exactness,
        Finding,
        Fix,
        Role,
        Scope,
        Severity,
        Source,
        Status,
    )
    from agent_memory.config.settings import Settings
    from agent_memory.entries.entry_file import Entry
    from agent_memory.integrations.async_memory import AsyncMemory
    from agent_memory.lint.engine import Report
    from agent_memory.lint.fixes import Fixed
    from agent_memory.prompt.compose import Prompt
    from agent_memory.recall.hits import SearchHit
    from agent_memory.remember.entry_planner import EntryTarget
    from agent_memory.remember.plan import Outcome, Plan

__all__ = [
    "AsyncMemory",
    "Entry",
    "EntryTarget",
    "Exactness",
    "Finding",
    "Fix",
    "Fixed",
    "Memory",
    "Outcome",
    "Plan",
    "Prompt",
    "Report",
    "Role",
    "Scope",
    "SearchHit",
    "Settings",
    "Severity",
    "Source",
    "Status",
    "UsageError",
]

# The module of each public name that is not in ``base.model``.
_HOMES = {
    "AsyncMemory": "integrations.async_memory",
    "Entry": "entries.entry_file",
    "EntryTarget": "remember.entry_planner",
    "Fixed": "lint.fixes",
    "Memory": "api",
    "Outcome": "remember.plan",
    "Plan": "remember.plan",
    "Prompt": "prompt.compose",
    "Report": "lint.engine",
    "SearchHit": "recall.hits",
    "Settings": "config.settings",
    "UsageError": "base.errors",
}


def __getattr__(name: str) -> Any:
    """Import the module of the public name ``name``; return its value."""
    if name not in __all__:
        raise AttributeError(f"module 'agent_memory' has no attribute '{name}'")
    home = importlib.import_module(f"agent_memory.{_HOMES.get(name, 'base.model')}")
    return getattr(home, name)


def __dir__() -> list[str]:
    """Return the names of the module, with the public ones that are not imported yet."""
    return [*globals(), *__all__]
