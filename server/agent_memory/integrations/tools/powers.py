"""What agents may do with the tools beyond adding to memory of the project and of their own.

A person allows it when the server starts (``--allow``), or when the client asks them (elicitation).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

POWERS = {
    "user": "save to the user's own memory, which is read in every project",
    "create": "create a folder for memory in the project",
    "evict": "move old items to the archive to make room",
    "forget": "remove learned entries",
}
"""By the name that ``--allow`` accepts: the sentence for a person."""


class NotAllowedError(UsageError):
    """No person has allowed the agent ``power``; ``detail`` says what it would do."""

    def __init__(self, power: str, detail: str = "") -> None:
        self.power = power
        self.detail = detail
        super().__init__(
            f"{detail} Nothing was changed: an agent may not {POWERS[power]} by itself. Ask the "
            f"user to do it, or to allow it (--allow {power})".strip()
        )


class Powers:
    """The powers that a person has given with a switch: ``allow`` are their names."""

    def __init__(self, allow: Collection[str]) -> None:
        self._allow = frozenset(allow)

    def missing(self, needed: Mapping[str, str]) -> dict[str, str]:
        """Return those of the ``needed`` powers, with what each would do, that are not given."""
        return {power: detail for power, detail in needed.items() if power not in self._allow}

    def require(
        self, needed: Mapping[str, str], agreed: Mapping[str, bool], *, granted: bool
    ) -> None:
        """Check that a person allows the ``needed`` powers: now (``granted``) or by a switch.

        ``needed`` has a sentence on what each power would do. ``agreed`` has the value of the
        tool's parameter of the same name, for powers with one. A power that is given by a switch
        also needs this value to be true: the agent passes it after it has asked the person.

        Raises:
            NotAllowedError: no person has allowed a power.
            UsageError: the agent has not passed such a parameter as true.

        """
        if granted:
            return
        for power, detail in self.missing(needed).items():  # the first one is enough to refuse
            raise NotAllowedError(power, detail)
        for power, detail in needed.items():
            if not agreed.get(power, True):  # only some powers have a parameter
                raise UsageError(
                    f"{detail} Nothing was written yet. Ask the user, then pass {power}=true"
                )


def question(needed: dict[str, str]) -> str:
    """Return the question to a person; ``needed`` are powers with what each would do."""
    rows = [f"- {POWERS[power]}. {detail}".rstrip() for power, detail in needed.items()]
    return "\n".join(("An agent asks for your permission to:", *rows))
