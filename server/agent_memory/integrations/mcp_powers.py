"""What agents may do over MCP beyond adding to memory of the project and of their own."""

from __future__ import annotations

from agent_memory.base.errors import UsageError

POWERS = {
    "user": "save to the user's own memory, which is read in every project",
    "create": "create the project's memory folder",
    "evict": "move old items to the archive to make room",
    "forget": "remove learned entries",
}
"""By the name that ``--allow`` accepts: the sentence for a person."""


class NotAllowedError(UsageError):
    """The person has not allowed the agent ``power``."""

    def __init__(self, power: str, detail: str = "") -> None:
        self.power = power
        self.detail = detail if not detail or detail.endswith("?") else f"{detail}."
        super().__init__(
            f"{self.detail} Nothing was changed: an agent may not {POWERS[power]} by itself. Ask the "
            f"user to do it, or to start the server with --allow {power}".strip()
        )
