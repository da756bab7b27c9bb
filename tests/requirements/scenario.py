"""Scenarios: rows that take several questions, each asked of the interfaces that can show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from requirements.face import Face

    Ask = Callable[[Face], Awaitable[None]]

READERS = ("command line", "server", "API")
"""The interfaces that every row is asked of, unless a scenario says why not."""
ALL = (*READERS, "MCP")
WRITERS = (*READERS, "learn")
"""Those that save a learning of Claude MPM; ``learn`` is a second command. MCP saves as the API."""


@dataclass(frozen=True)
class Scenario:
    """Questions about ``rows``; ``why`` says why an interface of READERS is not asked."""

    rows: str
    faces: tuple[str, ...]
    why: str
    ask: Ask

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.ask.__name__


SCENARIOS: list[Scenario] = []


def asks(rows: str, *faces: str, why: str = "") -> Callable[[Ask], Ask]:
    """Register a function that asks one interface about ``rows``, to be called with each face."""
    assert why or set(READERS) <= set(faces), rows

    def register(ask: Ask) -> Ask:
        SCENARIOS.append(Scenario(rows, faces, why, ask))
        return ask

    return register
