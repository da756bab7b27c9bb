"""Tokens of a known shape: a literal anchor, then one bounded match at its position.

The time is linear in the length of any text: no expression is searched, no token is examined
twice, and the number of false candidates has a limit. After the limit, the rest of the text is
reported as one secret.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.l10n import t
from agent_memory.secrets import anchors, catalog
from agent_memory.secrets.checksums import CHECKS, entropy
from agent_memory.secrets.model import Confidence, Group, Secret, SecretKind
from agent_memory.secrets.placeholders import digest, is_abbreviated, is_placeholder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HEAD_MAX = 80
"""Code points before an anchor that can belong to the token."""

CHARACTERS_PER_ATTEMPT = 32
"""Budget: one false candidate per 32 characters. Denser text is masked as a whole."""

ATTEMPTS_MIN = 256
"""Budget of a short text: false candidates besides those for its length."""

REFUND_PER_TOKEN = 16
"""Budget refunded per confirmed token: more than the kinds that share an anchor."""

TOO_DENSE = "too-dense"
"""The kind of the rest of a text after too many false candidates."""


def find(text: str) -> Iterator[Secret]:
    """Yield the tokens of ``text`` in order; they do not overlap.

    After too many attempts without a token, the rest of the text is yielded as one secret.
    """
    last_end = 0  # of the last match
    budget = ATTEMPTS_MIN + len(text) // CHARACTERS_PER_ATTEMPT  # attempts to match a kind
    for anchor_start, anchor in anchors.find(text):
        if anchor_start < last_end:
            continue
        for kind in _possible_kinds(text, anchor_start, anchor):
            budget -= 1
            span = _match(text, anchor_start, anchor, kind, last_end)
            if span is None:
                continue
            last_end = max(last_end, span[1])  # even of a placeholder, which is not examined again
            secret = _as_secret(text, *span, anchor, kind)
            if secret:
                budget += REFUND_PER_TOKEN
                yield secret
                break  # the other kinds with this anchor are not tried
        if budget < 0:
            start = max(anchor_start, last_end)
            end = max(start, len(text.rstrip("\r\n")))
            yield as_one_secret(text, start, end, Group.TOKEN)
            return


def _possible_kinds(text: str, anchor_start: int, anchor: str) -> Sequence[SecretKind]:
    """Return the kinds of ``anchor`` that a token with it at ``anchor_start`` can have.

    If no token can start there, these are the kinds with a head, which is before the anchor.
    """
    kinds = catalog.by_anchor()[anchor]
    if starts_word(text, anchor_start):
        return kinds
    return [kind for kind in kinds if kind.head]


def as_one_secret(text: str, start: int, end: int, group: Group) -> Secret:
    """Return a part of ``text`` that is too dense to examine, as one secret to mask."""
    return Secret(
        start,
        end,
        kind=TOO_DENSE,
        title=t("Text with too many possible secrets"),
        redacted=f"\u2026({end - start})",
        confidence=Confidence.DOUBTFUL,
        group=group,
        variable="SECRET",
        sha256=digest(text[start:end]),
    )


def starts_word(text: str, start: int) -> bool:
    r"""Whether a token can start at ``start``: there is no letter or digit before it.

    Those of an escape such as ``\n`` or ``%3D`` are allowed.
    """
    if not start or not text[start - 1].isalnum():
        return True
    before = text[max(0, start - 3) : start]
    return before[-2:] in ("\\n", "\\t", "\\r") or before[0] == "%"


def _match(
    text: str, anchor_start: int, anchor: str, kind: SecretKind, last_end: int
) -> tuple[int, int] | None:
    """Return (start, end) of a token of ``kind`` with its ``anchor`` at ``anchor_start``, or None.

    A head before the anchor begins at ``last_end`` at the earliest, the end of the last token. The
    span leaves out an anchor that is only a label: ``apiKey: ``.
    """
    after_anchor = anchor_start + len(anchor)
    tail = catalog.tail_of(kind).match(text, after_anchor)
    if not tail:
        return None
    start, end = anchor_start, tail.end()
    if text[end : end + 1].isalnum():  # the word continues, so it is not a token
        return None
    if kind.head:
        look_back = max(last_end, anchor_start - HEAD_MAX)
        head = catalog.head_of(kind).search(text, look_back, anchor_start)
        if not head or not starts_word(text, head.start()):
            return None
        start = head.start()
    return (after_anchor if kind.label else start), end


def _as_secret(text: str, start: int, end: int, anchor: str, kind: SecretKind) -> Secret | None:
    """Return the token ``text[start:end]`` as a secret of ``kind``; None if it is not a secret.

    A value of little entropy, an example and a name in lower case are not secrets. Of the others,
    the check of the kind decides: False is not a secret, True is certain, and None is doubtful. A
    kind without a check is likely. Unless the check returns True, a value with an ellipsis after it
    is not a secret.
    """
    value = text[start:end]
    prefix = "" if kind.head or kind.label else anchor  # the anchor, if the value starts with it
    payload = value[len(prefix) :]
    if entropy(payload) < kind.entropy or is_placeholder(payload) or is_lower_case_name(payload):
        return None
    is_valid = CHECKS[kind.check](value) if kind.check else None  # None: no answer
    if is_valid is False or (is_valid is None and is_abbreviated(text, end)):
        return None
    confidence = Confidence.LIKELY
    if kind.check:
        confidence = Confidence.CERTAIN if is_valid else Confidence.DOUBTFUL
    return Secret(
        start,
        end,
        kind=kind.id,
        title=kind.title,
        redacted=f"{prefix}\u2026({len(value)})",
        confidence=confidence,
        group=Group.TOKEN,
        variable=kind.variable,
        sha256=digest(value),
    )


def is_lower_case_name(payload: str) -> bool:
    """Whether ``payload`` is like a name: only lower-case letters, ``-``, ``_`` and ``.``.

    A payload without letters is not a name.
    """
    return payload.translate(_DROP_JOINTS).isalpha() and payload.islower()


_DROP_JOINTS = str.maketrans("", "", "-_.")
"""Removes the characters between the words of a name."""
