"""The agents that ``agent-memory verify`` starts, as the other tests call them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.verify import starts

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conformance.agents.programs import Start


def writing(start: starts.Starter) -> Callable[[int, Path, Path], Start]:
    """Return a function that writes the files of ``start``."""

    def started(port: int, home: Path, _cwd: Path) -> Start:
        arguments, env, files = start(port, home, {})
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return arguments, env

    return started


claude, codex, gemini, opencode, copilot = map(
    writing, (starts.claude, starts.codex, starts.gemini, starts.opencode, starts.copilot)
)
