"""Hide secrets: for display (with the same number of lines) and for memory (as a reference)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.secrets.known_values import KNOWN
from agent_memory.secrets.scanner import find, may_hold_secret

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_BREAK = lazy_compile(r"\r\n|\r|\n")


def mask(text: str, allowed: Collection[str] = frozenset()) -> str:
    """Return ``text`` with each secret replaced by its redaction; the number of lines stays.

    Values whose SHA-256 is in ``allowed`` are shown.
    """
    return mask_parts([text], allowed)[0]


def mask_parts(parts: Sequence[str], allowed: Collection[str] = frozenset()) -> list[str]:
    """Return ``parts``, pieces of one text, masked; a secret can span several of them."""
    text = "".join(parts)
    hidden = _hidden_spans(text, allowed)
    out: list[str] = []
    begin = 0  # of the part
    current = 0  # the index in `hidden` of the first one that does not end before the part
    for part in parts:
        end = begin + len(part)
        pieces, at = [], begin
        while current < len(hidden) and hidden[current][0] < end:
            start, stop, label = hidden[current]
            low, high = max(start, begin), min(stop, end)
            head = label if low == start else "\u2026"  # the label is in the part before
            pieces += [text[at:low], _hidden(head, text[low:high])]
            at = high
            if stop > end:
                break  # it goes on in the next part
            current += 1
        out.append("".join([*pieces, text[at:end]]))
        begin = end
    return out


def _hidden_spans(text: str, allowed: Collection[str]) -> list[tuple[int, int, str]]:
    """Return what is hidden of ``text``: start, end and label of each part, in order.

    These are the secrets, and the pieces of known ones, such as the rest of a token that a
    runtime has cut.
    """
    found = find(text)
    hidden = [(item.start, item.end, item.redacted) for item in found if item.sha256 not in allowed]
    following = 0  # the index of the first secret that does not end before the piece
    for start, end in KNOWN.spans(text, allowed) if KNOWN else ():
        while following < len(found) and found[following].end <= start:
            following += 1
        if following == len(found) or found[following].start >= end:  # no secret overlaps it
            hidden.append((start, end, "\u2026"))
    return sorted(hidden)


def redact_for_memory(text: str, allowed: Collection[str] = frozenset()) -> str:
    """Return ``text`` with each secret replaced by a reference such as ``$GITHUB_TOKEN``.

    Values whose SHA-256 is in ``allowed`` stay.
    """
    out: list[str] = []
    at = 0
    for item in find(text):
        if item.sha256 not in allowed:
            out += [text[at : item.start], f"${item.variable}"]
            at = item.end
    return "".join([*out, text[at:]])


def without_secrets(text: str) -> str:
    """Return ``text`` with a space in place of each secret, wherever its value occurs."""
    if not may_hold_secret(text):
        return text
    for value in {text[item.start : item.end] for item in find(text)}:
        text = text.replace(value, " ")
    return text


def _hidden(head: str, value: str) -> str:
    """Return ``head``, then an ellipsis for each further line of ``value``."""
    return head + "".join(f"{ending}\u2026" for ending in _BREAK.findall(value))
