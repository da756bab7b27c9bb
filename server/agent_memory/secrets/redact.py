"""Hide secrets: for display (with the same number of lines) and for memory (as a reference)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.secrets.known_values import KNOWN
from agent_memory.secrets.scanner import find, may_hold_secret

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

_BREAK = lazy_compile(r"\r\n|\r|\n")


class _Hidden(NamedTuple):
    """A part of a text that is hidden, and the ``label`` that is shown in its place."""

    start: int
    end: int
    label: str


def mask(text: str, allowed: Collection[str] = frozenset()) -> str:
    """Return ``text`` with each secret replaced by its redaction; the number of lines stays.

    A piece of a known secret becomes an ellipsis. Values whose SHA-256 is in ``allowed`` are shown.
    """
    return mask_parts([text], allowed)[0]


def mask_parts(parts: Sequence[str], allowed: Collection[str] = frozenset()) -> list[str]:
    """Return ``parts``, pieces of one text, masked as in :func:`mask`.

    A secret can span several parts. Its redaction is then in the first of these, and an ellipsis in
    each other one.
    """
    text = "".join(parts)
    hidden = _hidden_spans(text, allowed)
    out: list[str] = []
    part_start = 0
    first = 0  # the index in `hidden` of the first span that overlaps the part
    for part in parts:
        part_end = part_start + len(part)
        while first < len(hidden) and hidden[first].end <= part_start:
            first += 1
        after = first  # the index of the first span after the part
        while after < len(hidden) and hidden[after].start < part_end:
            after += 1
        out.append(_masked_part(text, part_start, part_end, hidden[first:after]))
        part_start = part_end
    return out


def _masked_part(text: str, part_start: int, part_end: int, hidden: Iterable[_Hidden]) -> str:
    """Return ``text[part_start:part_end]`` masked; ``hidden`` are the spans that overlap it."""
    pieces: list[str] = []
    copied_to = part_start
    for start, end, label in hidden:
        start_in_part, end_in_part = max(start, part_start), min(end, part_end)
        is_continued = start < part_start  # the label is in an earlier part
        shown = "\u2026" if is_continued else label
        masked = _with_lines_of(text[start_in_part:end_in_part], shown)
        pieces += [text[copied_to:start_in_part], masked]
        copied_to = end_in_part
    return "".join([*pieces, text[copied_to:part_end]])


def _hidden_spans(text: str, allowed: Collection[str]) -> list[_Hidden]:
    """Return what is hidden of ``text``, in order.

    These are the secrets that are not ``allowed``, and the pieces of known ones, such as the rest
    of a token that a runtime has cut.
    """
    secrets = find(text)
    hidden = [
        _Hidden(secret.start, secret.end, secret.redacted)
        for secret in secrets
        if secret.sha256 not in allowed
    ]
    following = 0  # the index of the first secret that does not end before the piece
    known_pieces = KNOWN.spans(text, allowed) if KNOWN else ()
    for start, end in known_pieces:
        while following < len(secrets) and secrets[following].end <= start:
            following += 1
        overlaps_secret = following < len(secrets) and secrets[following].start < end
        if not overlaps_secret:
            hidden.append(_Hidden(start, end, "\u2026"))
    return sorted(hidden)


def redact_for_memory(text: str, allowed: Collection[str] = frozenset()) -> str:
    """Return ``text`` with each secret replaced by a reference such as ``$GITHUB_TOKEN``.

    Values whose SHA-256 is in ``allowed`` stay. So does a piece of a known secret, if the whole
    secret is not in the text; :func:`mask` hides such a piece.
    """
    out: list[str] = []
    copied_to = 0
    for secret in find(text):
        if secret.sha256 not in allowed:
            out += [text[copied_to : secret.start], f"${secret.variable}"]
            copied_to = secret.end
    return "".join([*out, text[copied_to:]])


def without_secrets(text: str) -> str:
    """Return ``text`` with a space in place of each secret, wherever its value occurs."""
    if not may_hold_secret(text):
        return text
    for value in {text[secret.start : secret.end] for secret in find(text)}:
        text = text.replace(value, " ")
    return text


def _with_lines_of(value: str, label: str) -> str:
    """Return ``label`` with as many lines as ``value``: each further one is an ellipsis."""
    return label + "".join(f"{ending}\u2026" for ending in _BREAK.findall(value))
