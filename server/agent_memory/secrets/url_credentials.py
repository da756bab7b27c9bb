"""Passwords in URLs: ``scheme://user:password@host``. Only the password is the secret."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.l10n import t
from agent_memory.secrets.checksums import entropy
from agent_memory.secrets.model import Confidence, Group, Secret
from agent_memory.secrets.placeholders import digest, is_dummy

if TYPE_CHECKING:
    from collections.abc import Iterator

_SCHEME = lazy_compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}\Z")
_USER_INFO = lazy_compile(
    r"(?P<user>[^\s/:@?#\"'`<>|(){}\\]{0,64}):(?P<password>[^\s/@\"'`<>|\\]{6,200}+)@"
    r"(?P<host>[^\s/:?#\"'`<>|()\\,]{1,253})"
)
_NO_HOST = lazy_compile(
    r"localhost|127\.|0\.0\.0\.0|10\.|192\.168\.|\[?::1|host\.docker|.*example|.*\.(?:local|test)\Z"
    r"|.*\.invalid\Z|[^.]*\Z|.*[${%*]",
    re.IGNORECASE,
)
_ANYONE = frozenset({"user", "username", "usr", "name", "login", "foo", "me", "someone"})
_VARIABLES = {"http": "HTTP_PASSWORD", "https": "HTTP_PASSWORD"}


def find(text: str) -> Iterator[Secret]:
    """Yield the passwords in URLs of ``text``."""
    at = text.find("://") if "@" in text else -1
    while at >= 0:  # a match ends before the next "://", so the time is linear
        found = _USER_INFO.match(text, at + 3)
        scheme = _SCHEME.search(text, max(0, at - 22), at) if found else None
        if found and scheme and _is_real(found):
            name = scheme[0].lower().split("+", maxsplit=1)[0]
            value = found["password"]
            yield Secret(
                found.start("password"),
                found.end("password"),
                "url-password",
                t("Password in a URL ({0})", name),
                f"\u2026({len(value)})",
                Confidence.LIKELY,
                Group.URL,
                _VARIABLES.get(name) or f"{re.sub('[^A-Z0-9]', '_', name.upper())}_PASSWORD",
                digest(value),
            )
        at = text.find("://", found.end() if found else at + 3)


def _is_real(found: re.Match[str]) -> bool:
    password = found["password"]
    user = found["user"].lower()
    if password.lower() == user or user in _ANYONE or _NO_HOST.match(found["host"]):
        return False
    if not user and ":" in password:  # cvs://:pserver:name@host
        return False
    # The position shows that it is a password, so two kinds of characters are enough.
    kinds = sum(bool(re.search(kind, password)) for kind in ("[a-z]", "[A-Z]", r"\d", r"[^\w]"))
    return kinds >= 2 and entropy(password) >= 2.5 and not is_dummy(password)
