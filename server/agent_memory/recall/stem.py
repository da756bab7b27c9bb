"""A light stemmer: word forms of one word get the same stem in most cases, in any language.

It removes the longest ending of words.toml that leaves enough of the word. The language is not
detected, because an entry may mix several.
"""

from __future__ import annotations

from functools import lru_cache

from agent_memory.recall.word_lists import endings

# Letters. The `_SHORTEST...` are what an ending must leave of a word.
_SHORTEST = 3  # a stem of so many also keeps two equal letters at its end
_LONG_ENDING = 3  # an ending of at least so many must leave _SHORTEST_OF_LONG
_SHORTEST_OF_LONG = 4
_HANGUL = ("\uac00", "\ud7a3")  # the first and the last syllable
_SHORTEST_HANGUL = 2
_LONGEST_ENDING = 10


@lru_cache(65_536)
def stem(word: str) -> str:
    """Return the stem of ``word`` (lower case, without accents).

    A word with anything but letters is its own stem. Stems are only compared with each other: they
    need not be words.
    """
    if not word.isalpha():
        return word
    known_endings = endings()
    hangul = _HANGUL[0] <= word[0] <= _HANGUL[1]
    for length in range(min(_LONGEST_ENDING, len(word) - 1), 0, -1):  # the longest ending first
        rest, ending = word[:-length], word[-length:]
        if ending in known_endings and len(rest) >= _least_rest(length, hangul=hangul):
            word = rest
            break
    if len(word) > _SHORTEST and word[-1] == word[-2] and not hangul:
        word = word[:-1]  # "stopp" of "stopped" and "stop" are one; so "bill" loses a letter, too
    return word


def _least_rest(length: int, *, hangul: bool) -> int:
    """Return the least number of letters that must be left without an ending of ``length``."""
    if hangul:
        return _SHORTEST_HANGUL
    return _SHORTEST_OF_LONG if length >= _LONG_ENDING else _SHORTEST
