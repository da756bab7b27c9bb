"""ULIDs: 26 upper-case characters of Crockford's base 32, 10 for the time and 16 random."""

from __future__ import annotations

import hashlib
import os
import re
import time

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's digits: without the letters I, L, O and U."""
_ULID = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")


def is_ulid(text: object) -> bool:
    """Whether ``text`` is a ULID; lower case does not count."""
    return isinstance(text, str) and _ULID.fullmatch(text) is not None


def new_ulid(now_ms: int | None = None) -> str:
    """Return a new ULID for the time ``now_ms`` (milliseconds since the epoch; None: now)."""
    milliseconds = int(time.time() * 1000) if now_ms is None else now_ms
    # A character stands for 5 bits: `& 31` takes the last 5 bits of a number.
    time_part = "".join(
        _ALPHABET[(milliseconds >> shift) & 31]
        for shift in range(45, -1, -5)  # 10 characters, the highest bits first
    )
    random_part = "".join(_ALPHABET[byte & 31] for byte in os.urandom(16))
    return time_part + random_part


def stable_ulid(path: str) -> str:
    """Return the id of drover's entry that mirrors the instruction file ``path`` (absolute).

    It has the form of a ULID, but no time: it depends only on the path.
    """
    digest = hashlib.sha256(path.encode("utf-8", "surrogatepass")).digest()
    return "".join(_ALPHABET[byte & 31] for byte in digest[:26])
