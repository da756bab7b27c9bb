"""Passwords in URLs: ``scheme://user:password@host``. Only the password is the secret.

On a private host, or for a user such as ``user``, many passwords are defaults of a development
database. There, only a random password is reported.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.l10n import t
from agent_memory.secrets.checksums import PASSWORD_ENTROPY, case_changes, entropy, is_random
from agent_memory.secrets.model import Confidence, Group, Secret
from agent_memory.secrets.placeholders import digest, is_dummy

if TYPE_CHECKING:
    from collections.abc import Iterator

_SCHEME = lazy_compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}\Z")
_SCHEME_LOOK_BACK = 22
"""Code points before ``://`` that are searched for the scheme, which has at most 21."""
# The host may be a placeholder: `<host>`.
_USER_INFO = lazy_compile(
    r"(?P<user>[^\s/:@?#\"'`<>|(){}\\]{0,64}):(?P<password>[^\s/@\"'`<>|\\]{6,200}+)@"
    r"(?P<host>[^\s/:?#\"'`<>|()\\,]{1,253}|<)"
)
# A host that only its own network reaches, that has no dot, or that is a placeholder: ${HOST}.
_PRIVATE_HOST = lazy_compile(
    r"localhost|127\.|0\.0\.0\.0|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[?::1|host\.docker"
    r"|.*\.(?:local|test)\Z|[^.]*\Z|.*[${%*]",
    re.IGNORECASE,
)
_NO_HOST = lazy_compile(r".*example|.*\.invalid\Z", re.IGNORECASE)  # RFC 2606
# One pattern for each kind of character.
_KINDS = tuple(map(lazy_compile, ("[a-z]", "[A-Z]", r"\d", r"[^\w]")))
# User names that stand for any user.
_ANYONE = frozenset({"user", "username", "usr", "name", "login", "foo", "me", "someone"})
# The variable for the password by scheme; that of any other scheme is called after it.
_VARIABLES = {"http": "HTTP_PASSWORD", "https": "HTTP_PASSWORD"}


def find(text: str) -> Iterator[Secret]:
    """Yield the passwords in URLs of ``text``, in order."""
    scheme_end = text.find("://") if "@" in text else -1
    while scheme_end >= 0:  # a match ends before the next "://", so the time is linear
        examined_to = scheme_end + len("://")
        login = _USER_INFO.match(text, examined_to)
        if login:
            examined_to = login.end()
            look_back = max(0, scheme_end - _SCHEME_LOOK_BACK)
            scheme = _SCHEME.search(text, look_back, scheme_end)
            if scheme and _is_real(login):
                yield _secret(login, scheme[0])
        scheme_end = text.find("://", examined_to)


def _secret(login: re.Match[str], scheme: str) -> Secret:
    """Return the secret for the password of ``login``, a match of :data:`_USER_INFO`."""
    name = scheme.lower().split("+", maxsplit=1)[0]  # postgresql+psycopg
    value = login["password"]
    return Secret(
        login.start("password"),
        login.end("password"),
        kind="url-password",
        title=t("Password in a URL ({0})", name),
        redacted=f"\u2026({len(value)})",
        confidence=Confidence.LIKELY,
        group=Group.URL,
        variable=_VARIABLES.get(name) or f"{re.sub('[^A-Z0-9]', '_', name.upper())}_PASSWORD",
        sha256=digest(value),
    )


def _is_real(login: re.Match[str]) -> bool:
    """Whether the password of ``login`` seems real: no example, default or plain word."""
    password = login["password"]
    user = login["user"].lower()
    if password.lower() == user:
        return False
    if not user and ":" in password:  # cvs://:pserver:name@host
        return False
    if _NO_HOST.match(login["host"]):
        return False
    # The position shows that it is a password, so two kinds of characters are enough.
    kinds = sum(bool(kind.search(password)) for kind in _KINDS)
    if kinds < 2 or entropy(password) < PASSWORD_ENTROPY or is_dummy(password):
        return False
    may_be_default = user in _ANYONE or _PRIVATE_HOST.match(login["host"])
    return not may_be_default or _is_random(password)


def _is_random(password: str) -> bool:
    """Whether ``password`` looks generated, not made of words and a number.

    Such a password has at least 8 characters. In addition to what :func:`is_random` accepts, the
    kind of character may change so often (35 % of the length) that there can be no words.
    """
    if len(password) < 8:
        return False
    changes_often = case_changes(password) * 20 >= len(password) * 7
    return changes_often or is_random(password, PASSWORD_ENTROPY)
