"""Secrets that are recognized by their name: ``name = value`` with a name such as ``api_key``.

This is much less certain than a known shape, so a value that looks like words, code, a path, a
reference or a placeholder is not reported. If the name contains that of a vendor and the value has
the vendor's shape, the report names the kind.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.l10n import t
from agent_memory.secrets import catalog
from agent_memory.secrets.anchors import long_words
from agent_memory.secrets.checksums import PASSWORD_ENTROPY, TOKEN_ENTROPY, entropy, is_random
from agent_memory.secrets.model import Confidence, Group, NamedKind, Secret
from agent_memory.secrets.placeholders import (
    digest,
    is_abbreviated,
    is_dummy,
    is_name_of_hash,
)
from agent_memory.secrets.value_bounds import WIDE_STOPS, full_value, without_sentence_end
from agent_memory.secrets.vendor_tokens import as_one_secret

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME_MAX = 64
"""Code points before a long word that are searched for the name."""

NESTING_MAX = 16
"""Names that may be nested: each in what could be the value of the one before."""

_SECRET_NAME = lazy_compile(
    r"passw(?:or[dt]|d)|passphrase|kennwort|token|credential|authorization|[_-]key\b|"
    r"(?:api|access|auth|account|private|secret|encryption|signing|master|service|storage|license)"
    r"[ -]?key|secret"
)
"""The part of a name in lower case that shows that its value is a secret."""
_PASSWORD = lazy_compile(r"passw(?:or[dt]|d)|passphrase|kennwort")
_PASSWORD_PARTS = ("passw", "passphrase", "kennwort")
"""Every match of :data:`_PASSWORD` contains one; searching them takes a tenth of the time."""
# Passwords and keys in other languages. The separator must follow, or it is another name.
_NAME_IN_OTHER_SCRIPTS = lazy_compile(
    "(?:密码|密碼|口令|密钥|密鑰|パスワード|비밀번호|пароль|contraseña|hasło|şifre)"
    "[\"'`*]{0,4}(?:为|為|是|は|는)?(?=[\"'`*]{0,4}[ \t]{0,8}[:=|\uff1a])"
)
# From the name to the value: the rest of the name, its owner, a separator, a quote. After KEY of
# MY_API_KEY these are in turn: `_2 for *bob*: "value`, `**=value`, ` is Bearer value`.
_OWNER = r"(?: (?:for|of|für) (?P<owner>[\w ./@'`*-]{1,40}?)(?= is |[\"'`*]{0,4}[:=]))?"
_ASSIGNED = lazy_compile(
    rf"(?P<rest>[\w.\]-]{{0,32}}+)[\"'`*]{{0,4}}{_OWNER}[\"'`*]{{0,4}}[ \t]{{0,8}}"
    r"(?::=|=>|->|[:=|\uff1a]|\bis\b)[\"'`*]{0,4}[ \t]{0,8}"
    r"(?:(?:[Bb]earer|[Bb]asic|[Tt]oken)[ ]{1,2})?"
    r"(?P<quote>[\"'`]?)(?P<value>[^\s\"'`<>|,;\\"
    rf"{WIDE_STOPS}]{{8,200}}+)(?P<after>.?)"
)
_NAME_BEFORE = lazy_compile(r"[A-Za-z][\w-]{0,48}\Z")
"""The start of a name before the match that names a secret: ``MY_API`` of ``MY_API_KEY``."""
_NAME_BEFORE_MAX = 49
"""Code points that :data:`_NAME_BEFORE` can match."""
# Suffixes of names that are not secrets: token_count, secrets.
_HARMLESS_SUFFIX = lazy_compile(
    r"[a-z]|.*(?i:id|ids|name|names|file|path|url|uri|endpoint|type|count|limit|length|size|"
    r"budget|hash|version|prefix|suffix|pattern|regex|format|expir\w*|ttl|ref|arn|field|header|"
    r"scope|blob|fingerprint|checksum)\Z"
)
# Names of values that are not secrets: max_tokens, public_key, next_page_token, primary_key.
_HARMLESS_NAME = lazy_compile(
    r"\bmax|(?:\b|_)(?:min|num)_|public|publishable|anon|[cx]srf|test|sha\d|digest|checksum|etag|"
    r"(?:next|page|continuation|client|request|lock|change|update|purchase|idempotency|cursor|"
    r"verification|resume|lifecycle|action|design|sync|nextpage|clientrequest)[_-]?token|"
    r"(?:primary|foreign|cache|sort|partition|dedup|idempotency|experiment|ssh|host|site|shortcut)"
    r"[_-]?key"
)
# Owners of values that are not secrets: the token for the next page.
_HARMLESS_OWNER = lazy_compile(
    r"\b(?:(?:page|commit|revision|build|release|package|version|image|hash|digest|checksum)s?|"
    r"public|etag|sha\d*|id|uuid|cursor|cache|lock|example|is|are|and|in|at|with|from)\b",
    re.IGNORECASE,
)
_NAME_JOINT = lazy_compile(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z0-9]+")
"""What is between the words of a name: ``apiKey``, ``api-key``."""


def find(text: str) -> Iterator[Secret]:
    """Yield the secrets of ``text`` that follow the name of a secret, in no particular order.

    If more than :data:`NESTING_MAX` names are nested, the text from the last one to the next white
    space is reported as one secret, so that the time stays linear.
    """
    value_end = 0  # of the last value
    nested = 0  # names so far that are each in the value of the one before
    hidden_from = hidden_to = 0  # the last part that was reported as a whole
    for name_start, name_end in _names(text):
        if hidden_from <= name_start < hidden_to:
            continue
        assigned = _ASSIGNED.match(text, name_end)
        if not assigned:
            continue
        nested = nested + 1 if name_start < value_end else 0
        value_end = assigned.end("value")
        if nested > NESTING_MAX:
            word = _WORD.search(text, name_end)  # always a match, perhaps an empty one
            hidden_from, hidden_to = name_end, word.end() if word else name_end
            yield as_one_secret(text, hidden_from, hidden_to, Group.CONTEXT)
        else:
            yield from _assigned_secret(text, name_start, name_end, assigned)


def _names(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each word that names a secret, once.

    First come the names at long words, then those of passwords and those in other scripts.
    """
    yielded: set[int] = set()  # the starts
    for start, end in chain(_names_at_long_words(text), _names_anywhere(text)):
        if start not in yielded:
            yielded.add(start)
            yield start, end


def _names_at_long_words(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each name of a secret before or in a long word with a digit.

    The word could be the value. A name before two such words is yielded twice.
    """
    words = long_words(text) if _DIGIT.search(text) else ()
    for word_start, word_end in words:
        if not _DIGIT.search(text, word_start, word_end):
            continue
        line_start = text.rfind("\n", 0, word_start) + 1
        search_start = max(word_start - NAME_MAX, line_start)
        for name in _SECRET_NAME.finditer(lower(text[search_start:word_end])):
            yield search_start + name.start(), search_start + name.end()


def _names_anywhere(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of all names of passwords, then of all names in other scripts.

    Their values can be shorter than a long word.
    """
    lowered = lower(text)
    patterns = [] if text.isascii() else [_NAME_IN_OTHER_SCRIPTS]
    if any(map(lowered.__contains__, _PASSWORD_PARTS)):  # a prefilter
        patterns.insert(0, _PASSWORD)
    for pattern in patterns:
        for name in pattern.finditer(lowered):
            yield name.span()


_DIGIT = lazy_compile(r"[0-9]")
_WORD = lazy_compile(r"\S*")
"""The text up to the next white space, '' before white space."""
_ASCII_LOWER = {at: at + 32 for at in range(65, 91)}


def lower(text: str) -> str:
    """Return ``text`` in lower case, with every character at its position.

    If a letter has another length in lower case, only ASCII letters are converted.
    """
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text.translate(_ASCII_LOWER)


def _assigned_secret(
    text: str, name_start: int, name_end: int, assigned: re.Match[str]
) -> Iterator[Secret]:
    """Yield the secret whose name is at ``name_start`` to ``name_end``, if its value is a secret.

    ``assigned`` is the match of :data:`_ASSIGNED` after the name, with the possible value.
    """
    if assigned["quote"] and assigned["after"] != assigned["quote"]:
        return  # the quoted text continues after the value: it is not one value
    value, suffix = without_sentence_end(assigned["value"]), assigned["rest"]
    value_start = assigned.start("value")
    before = _NAME_BEFORE.search(text, max(0, name_start - _NAME_BEFORE_MAX), name_start)
    name = text[before.start() if before else name_start : name_end] + suffix  # MY_API_KEY_2
    lowered_name = name.lower()
    if assigned["owner"] and _HARMLESS_OWNER.search(assigned["owner"]):
        return
    if _HARMLESS_SUFFIX.match(suffix) or _HARMLESS_NAME.search(lowered_name) or is_dummy(value):
        return
    if is_abbreviated(text, value_start + len(value)) or is_name_of_hash(text, name_start):
        return
    vendor = _kind_of_vendor(lowered_name, value)
    if vendor or _is_secret(value, lowered_name):
        whole_value = full_value(text, value_start, assigned["value"])
        yield named_value(value_start, whole_value, name, vendor)


def _kind_of_vendor(name: str, value: str) -> NamedKind | None:
    """Return the kind whose vendor ``name`` contains, and whose shape and entropy ``value`` has.

    None without one.
    """
    for kind in catalog.named_kinds():
        if any(word in name for word in kind.names):
            shape = catalog.shape_of(kind)
            if shape.fullmatch(value) and entropy(value) >= kind.entropy:
                return kind
    return None


def _is_secret(value: str, name: str) -> bool:
    """Whether ``value`` is long and random enough for a secret called ``name``.

    ``name`` is in lower case. A UUID or a short hexadecimal number is no secret. A password can be
    short. Any other value has at least 20 characters, or 16 if its name contains "secret".
    """
    if is_identifier(value):
        return False
    # The pattern of names in other scripts ends with the separator after the name.
    if _PASSWORD.search(name) or _NAME_IN_OTHER_SCRIPTS.match(f"{name}:"):
        return is_random(value, PASSWORD_ENTROPY)
    least = 16 if "secret" in name else 20
    return len(value) >= least and is_random(value, TOKEN_ENTROPY)


def is_secret_name(heading: str) -> bool:
    """Whether ``heading`` ends with the name of a secret: *Admin password*, not *Token limit*.

    In another script, the whole heading must be that name. False for a hash, and for a heading that
    ``_HARMLESS_NAME`` matches, such as *Public key*.
    """
    name = lower(heading).rstrip(" :\uff1a")
    if _HARMLESS_NAME.search(name):
        return False
    for secret_name in _SECRET_NAME.finditer(name):
        if secret_name.end() == len(name):  # the last word counts
            return not is_name_of_hash(name, secret_name.start())
    return _NAME_IN_OTHER_SCRIPTS.match(f"{name}:") is not None


def is_named_secret(value: str, name: str) -> bool:
    """Whether ``value`` is a secret called ``name`` and no placeholder."""
    return not is_dummy(value) and _is_secret(value, lower(name))


def is_identifier(value: str) -> bool:
    """Whether ``value`` is a UUID or fewer than 24 hexadecimal digits, such as a commit's id."""
    return bool(_UUID.fullmatch(value) or (len(value) < 24 and _HEX.fullmatch(value)))


_UUID = lazy_compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_HEX = lazy_compile(r"[0-9a-fA-F]+")


def named_value(start: int, value: str, name: str, vendor: NamedKind | None = None) -> Secret:
    """Return the secret ``value`` at ``start``, recognized by its ``name``.

    ``vendor`` is the kind of the value, None if it has no shape of its own.
    """
    variable = _NAME_JOINT.sub("_", name).strip("_").upper()
    return Secret(
        start,
        start + len(value),
        kind=vendor.id if vendor else "named-value",
        title=vendor.title if vendor else t("Value of {0}", name),
        redacted=f"\u2026({len(value)})",
        confidence=Confidence.CONTEXT,
        group=Group.CONTEXT,
        variable=variable or "PASSWORD",  # a name in another script has no such letters
        sha256=digest(value),
    )
