"""The word lists that decide, as data: one pattern and one example per line (lint/words/).

The patterns are in lower case. Texts are put in lower case, because a list takes three times as
long to compile with ``re.IGNORECASE``: up to 4 ms, of which each first check would need several.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text_cache import TextCache
from agent_memory.base.toml_tables import read_tables

FOLDER = Path(__file__).parents[1] / "words"
PRESCRIBED = "prescribed"
"""The list of words for headings of sections that say what each part of a project must have."""
PLANS = ("section_hedges", PRESCRIBED)
"""Lists of words for headings: below a heading with such a word, paths need not exist."""
AS_EXAMPLE = lazy_compile(r"\be\.g\.|\bfor example\b|\bsuch as\b|\betc\b")
"""Words which mark that only some of several things are named.

They are removed before a search for other hedges.
"""


@cache
def words_of(name: str) -> dict[str, str]:
    """Return {pattern or plain name: its example} of the word list ``name``."""
    tables = read_tables(FOLDER / f"{name}.toml")
    return {pattern: example for rows in tables.values() for pattern, example in rows.items()}


@TextCache
def says(question: tuple[str, str]) -> bool:
    """Return whether a pattern of a word list matches in a text, in any letter case.

    ``question`` is (name of the list, text): a tuple, because it is the key of the cache.
    """
    name, text = question
    return bool(word_list(name).search(text.lower()))


@cache
def word_list(name: str) -> re.Pattern[str]:
    """Return an expression that matches any pattern of the list ``name`` in a lower-case text.

    The list is read and the expression compiled at first use.
    """
    return re.compile("|".join(words_of(name)))
