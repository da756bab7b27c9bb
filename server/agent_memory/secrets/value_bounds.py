"""Where a value ends that only its surroundings give away, and where its sentence does.

What ends there belongs to the value between quotes, and may belong to either elsewhere:
:func:`bare` is what a value is judged by, :func:`whole` what is hidden of it.
"""

from __future__ import annotations

from agent_memory.base.lazy_regex import lazy_compile

NEAR = 200
"""Code points before a value that are searched for what is opened there."""

WIDE_STOPS = "\u3001\u3002\uff0c\uff01\uff1b\uff1a\uff1f\uff09\uff0e\uff61\u300b\u300d\u300f\u3011"
"""Full-width punctuation that ends a value: none can hold it."""

_AROUND = ".:!?)]}*_"
_SENTENCE = ".:?"
_OPENS = {")": "(", "]": "[", "}": "{"}
_QUOTED_WORD = lazy_compile(r"([\"'])[^\s\"'`]*\Z")
_IN_WORD = lazy_compile(r"(?<=[^\W_])_+(?=[^\W_])")


def bare(value: str) -> str:
    """Return ``value`` without what may end the sentence around it."""
    return value.rstrip(_AROUND)


def whole(text: str, start: int, value: str) -> str:
    """Return as much of ``value``, which stands at ``start`` of ``text``, as is the secret.

    All of it between quotes or before a closing code mark; elsewhere not the full stop, colon or
    question mark of its sentence, no bracket that was opened before it, no mark of emphasis.
    """
    if bare(value) == value:
        return value
    head = text[max(0, start - NEAR) : start].rpartition("\n")[2]
    after = text[start + len(value) : start + len(value) + 1]
    opened = _QUOTED_WORD.search(head)
    if after == "`" or (opened and opened[1] == after):
        return value
    while value:
        last = value[-1]
        rest = value.rstrip(last) if last in "*_" else value[:-1]
        if last in _OPENS:
            own = value.count(_OPENS[last]) >= value.count(last)
        elif last in "*_":
            own = not _is_open(head, last, len(value) - len(rest))
        else:
            own = last not in _SENTENCE
        if own:
            break
        value = rest
    return value


def _is_open(head: str, mark: str, count: int) -> bool:
    """Whether emphasis with ``count`` of ``mark`` is begun in ``head`` and not ended there."""
    marks = (_IN_WORD.sub("", head) if mark == "_" else head).count(mark)
    return marks % (2 * count) != 0
