"""Agent ids: they become folder names, so what they may contain is limited."""

from __future__ import annotations

import re

from agent_memory.base.errors import UsageError
from agent_memory.l10n import t

AGENT_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def check_agent(agent: str) -> str:
    """Return ``agent`` if it is a valid agent id.

    Raises:
        UsageError: it could name a path outside the memory folder.

    """
    if not AGENT_ID.fullmatch(agent):
        raise UsageError(
            t(
                "{0!r} is not an agent id: use 1 to 64 letters, digits, '.', '_' or '-', "
                "beginning with a letter or digit",
                agent,
            )
        )
    return agent
