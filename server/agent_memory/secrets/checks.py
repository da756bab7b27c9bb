"""Checksums and inner structures that vendors document, by the name kinds use for them.

Each function takes the whole token and returns True (it holds), False (it cannot be one) or
None (the shape is right, the checksum is not: perhaps an example).
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import zlib
from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def entropy(value: str) -> float:
    """Return the Shannon entropy of ``value`` in bits per character."""
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in Counter(value).values()) if size else 0.0


def base62(number: int, width: int) -> str:
    """Return ``number`` in base 62 (digits, upper case, lower case), padded with zeros."""
    digits = ""
    for _ in range(width):
        number, digit = divmod(number, 62)
        digits = _BASE62[digit] + digits
    return digits


def crc_tail(token: str) -> bool | None:
    """Check the last six characters: CRC-32 in base 62 of what stands behind the prefix.

    GitHub describes it in "Behind GitHub's new authentication token formats"; npm uses it too.
    """
    payload = token[token.index("_") + 1 : -6]
    return True if base62(zlib.crc32(payload.encode()), 6) == token[-6:] else None


def jwt(token: str) -> bool | None:
    """Check that the header is JSON with an algorithm (RFC 7515, section 4.1.1).

    A token whose payload says that it is made for the public (Supabase's ``anon`` role) is none.
    """
    header, payload = (decode_json(part) for part in token.split(".")[:2])
    if not isinstance(header, dict) or "alg" not in header:
        return False
    return not (isinstance(payload, dict) and payload.get("role") == "anon")


def basic_auth(token: str) -> bool | None:
    """Check that the Base64 holds ``user:password`` (RFC 7617) with a password."""
    text = decode_base64(token.rsplit(maxsplit=1)[-1])
    name, colon, password = text.partition(":")
    return bool(colon and name.isprintable() and password.isprintable() and len(password) >= 6)


def decode_base64(text: str) -> str:
    """Return what ``text`` holds in Base64 or its URL form; '' where that is no UTF-8."""
    plain = text.rstrip("=").translate(str.maketrans("-_", "+/"))
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True).decode()
    except (binascii.Error, ValueError):
        return ""


def decode_json(text: str) -> Any:
    """Return the JSON value that ``text`` holds in Base64; None where there is none."""
    try:
        return json.loads(decode_base64(text))
    except (ValueError, RecursionError):
        return None


CHECKS: dict[str, Callable[[str], bool | None]] = {
    "crc-tail": crc_tail,
    "jwt": jwt,
    "basic-auth": basic_auth,
}
