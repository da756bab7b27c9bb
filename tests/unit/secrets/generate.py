"""Token-shaped values, generated from a seed during the tests: no file contains one."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import random
import re
import string
import zlib

from agent_memory.secrets.checksums import base62, bech32_sum

ALPHABETS = {
    "an": string.ascii_letters + string.digits,
    "lan": string.ascii_lowercase + string.digits,
    "uan": string.ascii_uppercase + string.digits,
    "l": string.ascii_lowercase,
    "U": string.ascii_uppercase,
    "d": string.digits,
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "b64": string.ascii_letters + string.digits + "+/",
    "b64u": string.ascii_letters + string.digits + "-_",
    "b32": string.ascii_uppercase + "234567",
    "b32l": string.ascii_lowercase + "234567",
    "b58": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    "bech32": "023456789ACDEFGHJKLMNPQRSTUVWXYZ",
}
_PART = re.compile(r"\{(\w+)(?::(\d+))?\}")


class Maker:
    """Makes values from specifications such as ``ghp_{an:36}``."""

    def __init__(self, seed: int | str) -> None:
        self.random = random.Random(seed)

    def make(self, spec: str) -> str:
        """Return a value of ``spec``: its literal text and random parts."""
        return _PART.sub(lambda part: self._part(part[1], int(part[2] or 0)), spec)

    def _part(self, name: str, size: int) -> str:
        if name in ALPHABETS:
            # No value begins or ends with a dash: a word would end there.
            text = "".join(self.random.choices(ALPHABETS[name], k=size))
            return re.sub(r"^[-_]|[-_]$", "K", text)
        if name == "x":
            return "x" * size
        if name == "crc":
            return self._crc(size)
        if name.isupper():  # the name of a variable: ${TOKEN}
            return f"{{{name}}}"
        own = getattr(self, f"_{name}")
        return str(own())

    def _crc(self, size: int) -> str:
        payload = self._part("an", size)
        return payload + base62(zlib.crc32(payload.encode()), 6)

    def _uuid(self) -> str:
        digits = self._part("hex", 32)
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))

    def _jwt(self) -> str:
        header = {"alg": "HS256", "typ": "JWT"}
        payload = {"sub": self._part("d", 10), "iat": 1_700_000_000 + self.random.randrange(9**8)}
        return ".".join([_b64url(header), _b64url(payload), self._part("b64u", 43)])

    def _age(self) -> str:
        return self._bech32("AGE-SECRET-KEY-").upper()

    def _nsec(self) -> str:
        return self._bech32("nsec")

    def _bech32(self, name: str) -> str:
        values = [self.random.randrange(32) for _ in range(52)]
        head = [ord(c) >> 5 for c in name.lower()] + [0] + [ord(c) & 31 for c in name.lower()]
        total = bech32_sum([*head, *values, 0, 0, 0, 0, 0, 0]) ^ 1
        values += [total >> 5 * (5 - i) & 31 for i in range(6)]
        return name + "1" + "".join("qpzry9x8gf2tvdw0s3jn54khce6mua7l"[v] for v in values)

    def _xprv(self) -> str:
        raw = b"\x04\x88\xad\xe4" + self.random.randbytes(74)
        raw += hashlib.sha256(hashlib.sha256(raw).digest()).digest()[:4]
        number, text = int.from_bytes(raw, "big"), ""
        while number:
            number, digit = divmod(number, 58)
            text = ALPHABETS["b58"][digit] + text
        return text

    def _nkey(self) -> str:
        raw = bytes([149, 0]) + self.random.randbytes(32)  # a seed, of a user
        raw += binascii.crc_hqx(raw, 0).to_bytes(2, "little")
        return base64.b32encode(raw).decode().rstrip("=")

    def _pem64(self) -> str:
        return base64.b64encode(private_key(self.random.randrange(9**9)).encode()).decode()


def private_key(seed: int, label: str = "RSA PRIVATE KEY", lines: int = 12) -> str:
    """Return a key in PEM form with random content."""
    maker = Maker(seed)
    return as_pem(label, "\n".join(maker.make("{b64:64}") for _ in range(lines)))


def as_pem(label: str, body: str) -> str:
    """Return ``body`` between its PEM begin and end lines."""
    dashes = "-" * 5
    return f"{dashes}BEGIN {label}{dashes}\n{body}\n{dashes}END {label}{dashes}"


def _b64url(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")
