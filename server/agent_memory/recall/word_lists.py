"""The word lists of words.toml: stop words of questions, and endings of word forms."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from agent_memory.base.toml_tables import read_tables

DATA = Path(__file__).with_name("words.toml")


@cache
def stop_words() -> frozenset[str]:
    """Return the stop words: a query that has other words is searched without them."""
    return frozenset(_words_of("stop"))


@cache
def dense_stop_words() -> tuple[str, ...]:
    """Return the stop words of Chinese and Japanese, the longest first."""
    return tuple(sorted(_words_of("dense"), key=lambda word: (-len(word), word)))


@cache
def endings() -> frozenset[str]:
    """Return the endings that the stemmer removes."""
    return frozenset(_words_of("endings"))


def _words_of(name: str) -> list[str]:
    """Return the words of all keys that begin with ``name``, in the tables of all languages."""
    tables = read_tables(DATA).values()
    return [
        word
        for rows in tables
        for key, text in rows.items()  # the text is words, separated by spaces
        if key.startswith(name)
        for word in text.split()
    ]
