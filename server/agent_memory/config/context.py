"""What every question about memory depends on: who asks, from where, under which settings."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from agent_memory.config.settings import Settings
from agent_memory.fs.overlay import Store
from agent_memory.l10n import t

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

AGENT_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


class UsageError(ValueError):
    """A request that cannot be answered as asked. Its message is shown to the user as it is."""


@dataclass(frozen=True)
class Context:
    """Where a question is asked from. Immutable; derive another with :meth:`with_`.

    ``home`` holds ``.deepagents``; ``cwd`` is where the agent would be started; ``agent`` and
    ``run`` are ids or None for the runtime's default; ``entries`` is a drover store.
    """

    home: Path
    cwd: Path
    store: Store = field(default_factory=Store)
    settings: Settings = field(default_factory=Settings)
    env: Mapping[str, str] = field(default_factory=lambda: os.environ)
    agent: str | None = None
    run: str | None = None
    entries: Path | None = None

    def with_(self, **changes: Any) -> Context:
        """Return a copy with ``changes``; the store is shared."""
        return replace(self, **changes)

    @property
    def user_folder(self) -> Path:
        """The folder of all user memory, ``~/.deepagents``."""
        return self.home / ".deepagents"

    @property
    def given_root(self) -> Path | None:
        """The project root from the settings, None where it is left to the runtime."""
        configured = self.settings.project_root
        try:
            return (self.cwd / configured).resolve() if configured else None
        except (OSError, RuntimeError, ValueError):  # a symlink loop, a NUL in the name
            return None


def check_agent(agent: str) -> str:
    """Return ``agent`` if it is a valid agent id.

    Raises:
        UsageError: it could name a path outside the memory folder (decision X12).

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
