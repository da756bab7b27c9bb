"""Agent ids, which become folder names and are therefore restricted."""

from __future__ import annotations

from agent_memory.base.errors import UsageError
from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.l10n import t

AGENT_ID = lazy_compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""Matches a valid id as a whole."""


def check_agent(agent: str) -> str:
    """Return ``agent`` unchanged.

    Raises:
        UsageError: it is not a valid id; it could name a path outside the memory folder.

    """
    if not AGENT_ID.fullmatch(agent):
        raise UsageError(
            t(
                "{0!r} is not an agent id. Use 1 to 64 letters, digits, '.', '_' or '-', "
                "with a letter or digit first",
                agent,
            )
        )
    return agent
