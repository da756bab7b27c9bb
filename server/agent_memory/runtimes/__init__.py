"""The runtimes, in the order they are listed to people. A new one is one file and one line."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError
from agent_memory.l10n import t
from agent_memory.runtimes.claude_mpm import ClaudeMpm
from agent_memory.runtimes.deepagents import Deepagents
from agent_memory.runtimes.deepagents_cli import DeepagentsCli
from agent_memory.runtimes.deepagents_code import DeepagentsCode
from agent_memory.runtimes.deepagentsdk import Deepagentsdk
from agent_memory.runtimes.drover import Drover

if TYPE_CHECKING:
    from agent_memory.runtimes.base import Runtime

RUNTIMES: tuple[Runtime, ...] = (
    DeepagentsCode(),
    DeepagentsCli(),
    Deepagents(),
    Deepagentsdk(),
    Drover(),
    ClaudeMpm(),
)
BY_ID: dict[str, Runtime] = {runtime.id: runtime for runtime in RUNTIMES}


def get(runtime_id: str) -> Runtime:
    """Return the runtime ``runtime_id``.

    Raises:
        UsageError: it is not known; the message lists the known ones.

    """
    try:
        return BY_ID[runtime_id]
    except KeyError:
        near = difflib.get_close_matches(runtime_id, BY_ID, 1)
        hint = t(" Did you mean '{0}'?", near[0]) if near else ""
        known = ", ".join(BY_ID)
        raise UsageError(
            t("unknown runtime '{0}'.{1} Known: {2}", runtime_id, hint, known)
        ) from None
