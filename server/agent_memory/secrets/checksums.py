"""Checksums and inner structures that vendors document, by the names that the kinds use.

Each function of :data:`CHECKS` takes the whole token and returns True (valid), False (no token) or
None (the shape is right, but the checksum is not: perhaps an example). The expression of the kind
has matched the token before, so its characters and its length are right.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import math
import zlib
from typing import TYPE_CHECKING, Any

from agent_memory.base.lazy_regex import lazy_compile

if TYPE_CHECKING:
    from collections.abc import Callable

_DIGIT = lazy_compile(r"[0-9]")
_LETTER = lazy_compile(r"[A-Za-z]")
_WORDS = lazy_compile(r"[A-Z]?[a-z]{4,}|[A-Z]{4,}")
"""Runs of letters in the case of a word, which may be words."""
_VOWEL = lazy_compile(r"[aeiouyAEIOUY]")
_CAPITALS = lazy_compile(r"[A-Z]{2,}")
"""Several capitals in a row."""
_CHANGE = lazy_compile(r"[a-z](?=[A-Z0-9])|[A-Z](?=[a-z0-9])|[0-9](?=[A-Za-z])")
"""A character before one of another kind: lower case, upper case, digit."""
_CLAIMS = frozenset({"iss", "sub", "aud", "exp", "nbf", "iat", "jti"})
"""The registered claims of a JSON web token (RFC 7519, section 4.1)."""
_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_BECH32_STEPS = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
"""The constants of BIP 173 for the bits that are shifted out, the lowest first."""
_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
PASSWORD_ENTROPY = 2.5
"""The least entropy of a password, in bits per character."""
TOKEN_ENTROPY = 3.0
"""The least entropy of another value with the name of a secret, in bits per character."""


def entropy(value: str) -> float:
    """Return the Shannon entropy of ``value`` in bits per character."""
    if not value:
        return 0.0
    size = len(value)
    counts = [value.count(char) for char in set(value)]
    return math.log2(size) - sum(count * math.log2(count) for count in counts) / size


def is_random(value: str, floor: float) -> bool:
    """Whether ``value`` looks generated, not made of words.

    A generated value has letters and an entropy of at least ``floor`` bits per character. If it has
    digits, the kind of character changes often, and at most half of the value are words. If its
    letters have one case and the changes are very many, words do not matter. For a value without
    digits, see :func:`_mixes_cases`.
    """
    if not _LETTER.search(value) or entropy(value) < floor:
        return False
    changes = case_changes(value)
    if not _DIGIT.search(value):
        return _mixes_cases(value, changes)
    if changes * 6 < len(value):  # fewer than one change in six characters
        return False
    # In one case, letters between many digits are no words, though they may be pronounceable.
    has_one_case = value.islower() or value.isupper()
    if has_one_case and changes * 4 >= len(value):  # at least one change in four characters
        return True
    letters_in_words = sum(len(run) for run in _WORDS.findall(value) if _is_pronounceable(run))
    return letters_in_words * 2 <= len(value)


def case_changes(value: str) -> int:
    """Return how often lower case, upper case and digits follow each other in ``value``."""
    return len(_CHANGE.findall(value))


def _mixes_cases(value: str, changes: int) -> bool:
    """Whether the case of ``value`` changes more often than in a name such as HTTPServerURL.

    ``value`` has no digits; ``changes`` is the number of its :func:`case_changes`. A name has fewer
    of them, more vowels, and seldom several runs of capitals.
    """
    if len(value) < 14:  # too short to tell
        return False
    changes_often = changes * 5 >= len(value) * 2  # at least two in five characters
    has_few_vowels = len(_VOWEL.findall(value)) * 5 < len(value) * 2  # under two in five
    runs_of_capitals = len(_CAPITALS.findall(value))
    return changes_often and has_few_vowels and runs_of_capitals > 1


def _is_pronounceable(run: str) -> bool:
    """Whether a run of letters can be a word: at least one letter in four is a vowel."""
    return len(_VOWEL.findall(run)) * 4 >= len(run)


def base62(number: int, width: int) -> str:
    """Return ``number`` in base 62 (digits, upper case, lower case), with zeros up to ``width``."""
    digits = ""
    for _ in range(width):
        number, digit = divmod(number, 62)
        digits = _BASE62[digit] + digits
    return digits


def crc_tail(token: str) -> bool | None:
    """Check the last six characters: the CRC-32, in base 62, of the text after the prefix.

    GitHub describes it in "Behind GitHub's new authentication token formats"; npm uses it too.
    """
    payload = token[token.index("_") + 1 : -6]
    return True if base62(zlib.crc32(payload.encode()), 6) == token[-6:] else None


def jwt(token: str) -> bool | None:
    """Check that the header is JSON with an algorithm (RFC 7515, section 4.1.1); False if not.

    False also for a token that is public (Supabase's ``anon`` role) or part of every local
    installation (issuer ``supabase-demo``). None for one without a registered claim (RFC 7519,
    section 4.1), which may be an example.
    """
    header, payload = (decode_json(part) for part in token.split(".")[:2])
    if not isinstance(header, dict) or "alg" not in header:
        return False
    if not isinstance(payload, dict) or _CLAIMS.isdisjoint(payload):
        return None
    is_public = payload.get("role") == "anon" or payload.get("iss") == "supabase-demo"
    return not is_public


def pem(token: str) -> bool | None:
    """Check that the Base64 begins with the header of a private key in PEM form (RFC 7468).

    The header is in the first 80 characters, which are 60 bytes. Without it the result is False.
    """
    return "PRIVATE KEY-----" in decode_base64(token[:80])


def bech32(token: str) -> bool | None:
    """Check the six characters at the end (BIP 173); age and Nostr keys have them."""
    name, _, data = token.lower().rpartition("1")
    # The checksum covers the name, expanded to the upper bits, a zero and the lower five bits.
    values = [ord(char) >> 5 for char in name] + [0] + [ord(char) & 31 for char in name]
    values += [_BECH32.find(char) for char in data]
    return True if bech32_sum(values) == 1 else None


def bech32_sum(values: list[int]) -> int:
    """Return the checksum of ``values``, numbers of five bits (BIP 173); 1 if they are valid.

    The checksum has 30 bits. Each value is shifted in from below; for each of the five bits that
    are shifted out, the constant of BIP 173 for that bit is added by XOR if the bit is 1.
    """
    checksum = 1
    for value in values:
        shifted_out = checksum >> 25
        checksum = (checksum & 0x1FFFFFF) << 5 ^ value
        for bit, constant in enumerate(_BECH32_STEPS):
            if shifted_out >> bit & 1:
                checksum ^= constant
    return checksum


def base58check(token: str) -> bool | None:
    """Check the four bytes at the end: SHA-256, twice, of the rest (BIP 32)."""
    number = 0
    for char in token:
        number = number * 58 + _BASE58.index(char)
    raw = number.to_bytes(82, "big")  # an extended key of 78 bytes, and the checksum
    checksum = hashlib.sha256(hashlib.sha256(raw[:-4]).digest()).digest()[:4]
    return True if raw[-4:] == checksum else None


def nkey(token: str) -> bool | None:
    """Check the CRC-16 at the end of a NATS seed, in little-endian order (NKeys).

    Unlike the other checksums, a wrong one is False, not None.
    """
    raw = base64.b32decode(token + "=" * (-len(token) % 8))
    return binascii.crc_hqx(raw[:-2], 0) == int.from_bytes(raw[-2:], "little")


def decode_base64(text: str) -> str:
    """Return ``text`` decoded from Base64 or its URL form; '' if it is neither, or not UTF-8."""
    plain = text.rstrip("=").translate(str.maketrans("-_", "+/"))
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True).decode()
    except (binascii.Error, ValueError):
        return ""


def decode_json(text: str) -> Any:
    """Return the JSON value that ``text`` contains in Base64; None if it is not JSON in Base64."""
    try:
        return json.loads(decode_base64(text))
    except (ValueError, RecursionError):
        return None


CHECKS: dict[str, Callable[[str], bool | None]] = {
    "crc-tail": crc_tail,
    "jwt": jwt,
    "pem": pem,
    "bech32": bech32,
    "base58check": base58check,
    "nkey": nkey,
}
"""The functions by the name in the field `check` of a kind."""
