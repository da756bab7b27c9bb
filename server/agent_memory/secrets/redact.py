"""Hide secrets: for display (with the same number of lines) and for memory (as a reference)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.secrets.known_values import KNOWN
from agent_memory.secrets.scanner import find, may_hold_secret

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from agent_memory.secrets.model import Secret

_BREAK = re.compile(r"\r\n|\r|\n")


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
    offset = number = 0
    for part in parts:
        end = offset + len(part)
        pieces, at = [], offset
        while number < len(hidden) and hidden[number][0] < end:
            start, stop, label = hidden[number]
            low, high = max(start, offset), min(stop, end)
            head = label if low == start else "\u2026"
            pieces += [text[at:low], _hidden(head, text[low:high])]
            at = high
            if stop > end:
                break  # it goes on in the next part
            number += 1
        out.append("".join([*pieces, text[at:end]]))
        offset = end
    return out


def _hidden_spans(text: str, allowed: Collection[str]) -> list[tuple[int, int, str]]:
    """Return what is hidden of ``text``: start, end and label of each part, in order.

    These are the secrets, and the pieces of known ones, such as the rest of a token that a
    runtime has cut.
    """
    found = find(text)
    hidden = [(item.start, item.end, item.redacted) for item in found if item.sha256 not in allowed]
    at = 0
    for start, end in KNOWN.spans(text, allowed) if KNOWN else ():
        while at < len(found) and found[at].end <= start:
            at += 1
        if at == len(found) or found[at].start >= end:
            hidden.append((start, end, "\u2026"))
    return sorted(hidden)


def redact_for_memory(text: str, allowed: Collection[str] = frozenset()) -> str:
    """Return ``text`` with each secret replaced by a reference such as ``$GITHUB_TOKEN``."""
    return _replace(text, find(text), allowed, lambda item, _: f"${item.variable}")


def without_secrets(text: str) -> str:
    """Return ``text`` with a space in place of each secret, wherever its value occurs."""
    if not may_hold_secret(text):
        return text
    for value in {text[item.start : item.end] for item in find(text)}:
        text = text.replace(value, " ")
    return text


def _replace(
    text: str,
    secrets: Sequence[Secret],
    allowed: Collection[str],
    new: Callable[[Secret, str], str],
) -> str:
    out: list[str] = []
    at = 0
    for item in secrets:
        if item.sha256 in allowed:
            continue
        out += [text[at : item.start], new(item, text[item.start : item.end])]
        at = item.end
    return "".join([*out, text[at:]])


def _hidden(head: str, value: str) -> str:
    """Return ``head``, then an ellipsis for each further line of ``value``."""
    return head + "".join(f"{ending}\u2026" for ending in _BREAK.findall(value))
