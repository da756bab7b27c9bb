"""Values that stand where a secret would: examples, masks, runs, sequences."""

from __future__ import annotations

import hashlib
import re

_MARKERS = re.compile(
    r"example|sample|dummy|placeholder|your|x{4}|redacted|changeme|change_me|insert|replace|"
    r"fake|_here|-here|todo|foobar|notreal|not-real|not_real|deadbeef|cafebabe|lorem|"
    r"0123456|1234567|abcdefg|qwertyu|987654|(.)\1{4}",
    re.IGNORECASE,
)
_ELLIPSIS = ("...", "\u2026", "***", "\u2022\u2022")

DOCUMENTED: frozenset[str] = frozenset()
"""SHA-256 of keys that vendors publish in their documentation and that open nothing."""


def is_placeholder(value: str) -> bool:
    """Whether ``value``, of a structured token, says that it is none."""
    return _MARKERS.search(value) is not None


def is_cut(text: str, end: int) -> bool:
    """Whether the value that ends at ``end`` goes on with an ellipsis or a mask."""
    return text.startswith(_ELLIPSIS, end)


def digest(value: str) -> str:
    """Return the SHA-256 of ``value`` in hexadecimal."""
    return hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()
