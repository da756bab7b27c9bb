"""Tokens of a known shape: a literal anchor, then one bounded match at its place.

Nothing is searched freely, a judged stretch is not looked at twice, and the number of places
that turn out to be none has a limit, so the time is linear in the text whatever the text is.
Behind the limit nothing is told apart any more: the rest counts as one secret.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.l10n import t
from agent_memory.secrets import anchors, catalog
from agent_memory.secrets.checksums import CHECKS, entropy
from agent_memory.secrets.model import Confidence, Group, Secret, SecretKind
from agent_memory.secrets.placeholders import digest, is_cut, is_placeholder

if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD_MAX = 80
"""Code points before an anchor that can belong to a token."""

SPARSE = 32
"""Code points for each place that may turn out to be none. No honest file has them so dense."""

AT_ONE_PLACE = 16
"""Tries that a token which is found gives back: as many kinds begin alike, at most."""

CROWDED = "crowded"
"""The kind of what is left where there were too many places."""


def find(text: str) -> Iterator[Secret]:
    """Yield the tokens of ``text`` in order; they do not overlap."""
    table = catalog.by_anchor()
    done = 0
    attempts = 256 + len(text) // SPARSE
    for at, anchor in anchors.find(text):
        if at < done:
            continue
        free = starts_word(text, at)
        for kind in table[anchor]:
            if not (free or kind.head):
                continue
            attempts -= 1
            place = _match(text, at, anchor, kind, done)
            if place is None:
                continue
            done = max(done, place[1])
            secret = _judge(text, *place, anchor, kind)
            if secret:
                attempts += AT_ONE_PLACE
                yield secret
                break
        if attempts < 0:
            start = max(at, done)
            yield crowd(text, start, max(start, len(text.rstrip("\r\n"))), Group.TOKEN)
            return


def crowd(text: str, start: int, end: int, group: Group) -> Secret:
    """Return the stretch of ``text`` in which nothing is told apart, as one secret."""
    return Secret(
        start,
        end,
        CROWDED,
        t("Text with too many beginnings of secrets"),
        f"\u2026({end - start})",
        Confidence.DOUBTFUL,
        group,
        "SECRET",
        digest(text[start:end]),
    )


def starts_word(text: str, start: int) -> bool:
    r"""Whether a token can start here: no letter or digit before it but ``\n`` or ``%3D``."""
    if not start or not text[start - 1].isalnum():
        return True
    before = text[max(0, start - 3) : start]
    return before[-2:] in ("\\n", "\\t", "\\r") or before[0] == "%"


def _match(text: str, at: int, anchor: str, kind: SecretKind, done: int) -> tuple[int, int] | None:
    """Return where a token of ``kind`` starts and ends, if the shape at ``at`` is one."""
    tail = catalog.tail_of(kind).match(text, at + len(anchor))
    if not tail:
        return None
    start, end = at, tail.end()
    if text[end : end + 1].isalnum():
        return None
    if kind.head:
        head = catalog.head_of(kind).search(text, max(done, at - HEAD_MAX), at)
        if not head or not starts_word(text, head.start()):
            return None
        start = head.start()
    return (at + len(anchor) if kind.label else start), end


def _judge(text: str, start: int, end: int, anchor: str, kind: SecretKind) -> Secret | None:
    value = text[start:end]
    payload = value if kind.head or kind.label else value[len(anchor) :]
    if entropy(payload) < kind.entropy or is_placeholder(payload) or is_word(payload):
        return None
    verdict: bool | None = CHECKS[kind.check](value) if kind.check else None
    if verdict is False or (verdict is None and is_cut(text, end)):
        return None
    confidence = Confidence.LIKELY
    if kind.check:
        confidence = Confidence.CERTAIN if verdict else Confidence.DOUBTFUL
    shown = "" if kind.head or kind.label else anchor
    return Secret(
        start,
        end,
        kind.id,
        kind.title,
        f"{shown}\u2026({len(value)})",
        confidence,
        Group.TOKEN,
        kind.variable,
        digest(value),
    )


def is_word(payload: str) -> bool:
    """Whether ``payload`` is lower-case letters only, as a name in code is."""
    return payload.translate(_DROP_JOINTS).isalpha() and payload.islower()


_DROP_JOINTS = str.maketrans("", "", "-_.")
