"""Words that mean the same for recall, from synonyms.toml."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from pathlib import Path

from agent_memory.base.toml_tables import read_tables
from agent_memory.recall.stem import stem

DATA = Path(__file__).with_name("synonyms.toml")


def synonym_stems(word: str) -> frozenset[str]:
    """Return the stems of the synonyms of ``word``; empty without any."""
    return _synonyms_by_stem().get(stem(word), frozenset())


@cache
def _synonyms_by_stem() -> dict[str, frozenset[str]]:
    """Return {stem: stems of its synonyms}; a word in several lines has the synonyms of each."""
    out: dict[str, set[str]] = defaultdict(set)
    for rows in read_tables(DATA).values():
        for first, others in rows.items():  # error = "failure fault"
            group = {stem(word) for word in (first, *others.split())}
            for word_stem in group:
                out[word_stem] |= group - {word_stem}
    return {word_stem: frozenset(synonyms) for word_stem, synonyms in out.items()}
