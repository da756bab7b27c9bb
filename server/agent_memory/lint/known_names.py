"""The runtime and rule names that settings are checked against."""

from __future__ import annotations

from agent_memory.config.settings_merge import KnownNames


def _runtimes() -> tuple[str, ...]:
    """Return the ids of all runtimes."""
    from agent_memory.runtimes import BY_ID  # noqa: PLC0415 -- only settings that name one need it

    return tuple(BY_ID)


def _why_unknown_rule(name: str) -> str | None:
    """Return a message about the unknown rule ``name``; None if the rule exists."""
    from agent_memory.lint.rules import BY_KEY, why_unknown  # noqa: PLC0415 -- imports every rule

    return None if name in BY_KEY else why_unknown(name)


KNOWN_NAMES = KnownNames(_runtimes, _why_unknown_rule)
