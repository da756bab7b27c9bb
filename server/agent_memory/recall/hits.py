"""What a search returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent_memory.entries.entry_file import Entry

RANKINGS = ("relevance", "drover")


@dataclass(frozen=True, slots=True)
class SearchHit:
    """An entry that was found.

    ``relevance`` is from 0 to 1, ``score`` is drover's; both are 0 if there was no query.
    ``relevant`` is False for a weak match, which is probably no answer.
    """

    entry: Entry
    score: float
    relevance: float = 0.0
    relevant: bool = True
