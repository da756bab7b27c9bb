"""The end of a value in a sentence: a final ``.`` or ``)`` belongs to the value or the sentence.

Between quotes it belongs to the value. :func:`without_sentence_end` returns
the part that decides whether the value is a secret, :func:`full_value` the part to hide.
"""

from __future__ import annotations

from agent_memory.base.lazy_regex import lazy_compile

LOOK_BACK = 200
"""Code points before a value that are searched for an opening quote, bracket or emphasis."""

WIDE_STOPS = "\u3001\u3002\uff0c\uff01\uff1b\uff1a\uff1f\uff09\uff0e\uff61\u300b\u300d\u300f\u3011"
"""Full-width punctuation; no value contains it."""

_AROUND = ".:!?)]}*_"
"""Characters at the end of a value that can belong to the sentence."""
_SENTENCE = ".:?"  # not "!", which can be the last character of a password
_OPENS = {")": "(", "]": "[", "}": "{"}
"""The opening bracket of each closing one."""
_QUOTED_WORD = lazy_compile(r"([\"'])[^\s\"'`]*\Z")
"""A quote, and the part of its word before the value."""
_IN_WORD = lazy_compile(r"(?<=[^\W_])_+(?=[^\W_])")
"""Underscores inside of a word, such as that of `api_key`."""


def without_sentence_end(value: str) -> str:
    """Return ``value`` without the punctuation and emphasis marks at its end.

    These can belong to the sentence around the value.
    """
    return value.rstrip(_AROUND)


def full_value(text: str, start: int, value: str) -> str:
    """Return the part of ``value``, at ``start`` of ``text``, that is the secret.

    This is all of it between quotes or in a code span. Elsewhere it is without the period, colon
    or question mark of its sentence, without a closing bracket that it does not open itself, and
    without the marks of emphasis that begins before it.
    """
    if without_sentence_end(value) == value:
        return value
    line_before = text[max(0, start - LOOK_BACK) : start].rpartition("\n")[2]
    end = start + len(value)
    after = text[end : end + 1]
    quoted_word = _QUOTED_WORD.search(line_before)
    if after == "`" or (quoted_word and quoted_word[1] == after):
        return value
    # Remove the last character, or all equal emphasis marks, until the last is part of the value.
    while value:
        last = value[-1]
        shorter = value.rstrip(last) if last in "*_" else value[:-1]
        if _is_part_of_value(value, len(value) - len(shorter), line_before):
            break
        value = shorter
    return value


def _is_part_of_value(value: str, count: int, line_before: str) -> bool:
    """Whether the last ``count`` characters of ``value`` belong to it and not to its sentence.

    These characters are equal. ``line_before`` is the text of the line before the value.
    """
    last = value[-1]
    if last in _OPENS:  # a bracket that the value opens itself
        return value.count(_OPENS[last]) >= value.count(last)
    if last in "*_":
        return not _is_open(line_before, last, count)
    return last not in _SENTENCE


def _is_open(line_before: str, mark: str, count: int) -> bool:
    """Whether ``line_before`` opens emphasis of ``count`` times ``mark`` without closing it."""
    if mark == "_":  # in a word, as in `api_key`, it is not emphasis
        line_before = _IN_WORD.sub("", line_before)
    # emphasis that is closed has `count` marks on both sides
    return line_before.count(mark) % (2 * count) != 0
