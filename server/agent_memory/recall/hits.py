"""What a search returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_memory.entries.entry_file import Entry

BY_SCORE = "drover"
"""The ranking by drover's formula."""
RANKINGS = ("relevance", BY_SCORE)
"""The rankings of a search; the first one is the default."""


@dataclass(frozen=True, slots=True)
class SearchHit:
    """An entry that was found.

    ``relevance`` is from 0 to 1, ``score`` is drover's; both are 0 if the query was blank.
    ``relevant`` is False for a weak match, which is probably no answer.
    """

    entry: Entry
    score: float
    relevance: float = 0.0
    relevant: bool = True


def recall_advice(hits: Sequence[SearchHit]) -> str:
    """Return what to do if ``hits`` probably do not answer the query; '' if one may answer it."""
    if not hits:
        return "No entry matches. Search again with other words, or with fewer."
    if any(hit.relevant for hit in hits):
        return ""
    return (
        "No entry matches well, and the entries found probably do not answer. "
        "Search again with other words, or with fewer."
    )
