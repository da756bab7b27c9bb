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
        """Return those of the ``needed`` powers that no switch gives, with what each would do."""
        return {power: detail for power, detail in needed.items() if power not in self._allow}

    def require(
        self, needed: Mapping[str, str], agreed: Mapping[str, bool], *, granted: bool
    ) -> None:
        """Check that a person allows the ``needed`` powers: now (``granted``) or by a switch.

        ``needed`` has a sentence on what each power would do. ``agreed`` has the values of tool
        parameters that are named after a power, such as ``evict``. If a switch gives this power,
        its value must also be true: the agent passes true after it has asked the person.

        Raises:
            NotAllowedError: no person has allowed a power.
            UsageError: the value of such a parameter is not true.

        """
        if granted:
            return
        missing = self.missing(needed)
        if missing:
            first_power, its_detail = next(iter(missing.items()))  # one is enough to refuse
            raise NotAllowedError(first_power, its_detail)
        for power, detail in needed.items():
            if not agreed.get(power, True):  # True: the tool has no parameter for this power
                raise UsageError(
                    f"{detail} Nothing was written yet. Ask the user, then pass {power}=true"
                )


def question(needed: dict[str, str]) -> str:
    """Return the question to a person; ``needed`` are powers with what each would do."""
    rows = [f"- {POWERS[power]}. {detail}".rstrip() for power, detail in needed.items()]
    return "\n".join(("An agent asks for your permission to:", *rows))
