"""Values that only their name gives away: ``name = value`` with a telling name.

Far less sure than a known shape, so everything that looks like words, code, a path, a
reference or a stand-in is left alone. Where a vendor's name stands there too and the value has
that vendor's shape, it is named.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.l10n import t
from agent_memory.secrets import catalog
from agent_memory.secrets.anchors import long_words
from agent_memory.secrets.checksums import entropy, is_random
from agent_memory.secrets.model import Confidence, Group, NamedKind, Secret
from agent_memory.secrets.placeholders import (
    digest,
    is_cut,
    is_hash_of,
    is_stand_in,
)
from agent_memory.secrets.value_bounds import WIDE_STOPS, bare, whole
from agent_memory.secrets.vendor_tokens import crowd

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME_MAX = 64
"""Code points before a long word that are searched for its name."""

DEEP = 16
"""Names that may stand in the values of names before them."""

_TELLING = lazy_compile(
    r"passw(?:or[dt]|d)|passphrase|kennwort|token|credential|authorization|[_-]key\b|"
    r"(?:api|access|auth|account|private|secret|encryption|signing|master|service|storage|license)"
    r"[ -]?key|secret"
)
_PASSWORD = lazy_compile(r"passw(?:or[dt]|d)|passphrase|kennwort")
# The same in other scripts, up to the separator; what else follows makes it another name.
_ELSEWHERE = lazy_compile(
    "(?:密码|密碼|口令|密钥|密鑰|パスワード|비밀번호|пароль|contraseña|hasło|şifre)"
    "[\"'`*]{0,4}(?:为|為|是|は|는)?(?=[\"'`*]{0,4}[ \t]{0,8}[:=|\uff1a])"
)
# From the telling word to the value: the rest of the name, whose it is, a separator, a quote.
_WHOSE = r"(?: (?:for|of|für) (?P<whose>[\w ./@'`*-]{1,40}?)(?= is |[\"'`*]{0,4}[:=]))?"
_ASSIGNED = lazy_compile(
    rf"(?P<rest>[\w.\]-]{{0,32}}+)[\"'`*]{{0,4}}{_WHOSE}[\"'`*]{{0,4}}[ \t]{{0,8}}"
    r"(?::=|=>|->|[:=|\uff1a]|\bis\b)[\"'`*]{0,4}[ \t]{0,8}"
    r"(?:(?:[Bb]earer|[Bb]asic|[Tt]oken)[ ]{1,2})?"
    r"(?P<quote>[\"'`]?)(?P<value>[^\s\"'`<>|,;\\"
    rf"{WIDE_STOPS}]{{8,200}}+)(?P<after>.?)"
)
_NAME_BEFORE = lazy_compile(r"[A-Za-z][\w-]{0,48}\Z")
# What follows the telling word makes the name one of something else: token_count, secrets.
_OTHER_REST = lazy_compile(
    r"[a-z]|.*(?i:id|ids|name|names|file|path|url|uri|endpoint|type|count|limit|length|size|"
    r"budget|hash|version|prefix|suffix|pattern|regex|format|expir\w*|ttl|ref|arn|field|header|"
    r"scope|blob|fingerprint|checksum)\Z"
)
_OTHER_NAME = lazy_compile(
    r"\bmax|(?:\b|_)(?:min|num)_|public|publishable|anon|[cx]srf|test|sha\d|digest|checksum|etag|"
    r"(?:next|page|continuation|client|request|lock|change|update|purchase|idempotency|cursor|"
    r"verification|resume|lifecycle|action|design|sync|nextpage|clientrequest)[_-]?token|"
    r"(?:primary|foreign|cache|sort|partition|dedup|idempotency|experiment|ssh|host|site|shortcut)"
    r"[_-]?key"
)
# What the name belongs to makes it the name of something else: the token for the next page.
_OTHER_WHOSE = lazy_compile(
    r"\b(?:(?:page|commit|revision|build|release|package|version|image|hash|digest|checksum)s?|"
    r"public|etag|sha\d*|id|uuid|cursor|cache|lock|example|is|are|and|in|at|with|from)\b",
    re.IGNORECASE,
)
_NAME_JOINT = lazy_compile(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z0-9]+")


def find(text: str) -> Iterator[Secret]:
    """Yield the values of ``text`` that stand behind a telling name, in no order.

    Where more than :data:`DEEP` names stand in what each other's values could be, nothing is
    told apart any more: the rest of that word counts as one secret, so the time stays linear.
    """
    reach = deep = begun = done = 0
    for at, end in _names(text):
        if begun <= at < done:
            continue
        found = _ASSIGNED.match(text, end)
        if not found:
            continue
        deep = deep + 1 if at < reach else 0
        reach = found.end("value")
        if deep > DEEP:
            word = _WORD.search(text, end)
            begun, done = end, word.end() if word else end
            yield crowd(text, begun, done, Group.CONTEXT)
        else:
            yield from _value(text, at, end, found)


def _names(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of telling words, each once.

    That is those before or in a long word with a digit, which could be the value, and any word
    for a password, whose value may be short.
    """
    tried: set[int] = set()
    for start, end in long_words(text):
        if not _DIGIT.search(text, start, end):
            continue
        low = max(start - NAME_MAX, text.rfind("\n", 0, start) + 1)
        for telling in _TELLING.finditer(lower(text[low:end])):
            at = low + telling.start()
            if at not in tried:
                tried.add(at)
                yield at, low + telling.end()
    for names in (_PASSWORD,) if text.isascii() else (_PASSWORD, _ELSEWHERE):
        for telling in names.finditer(lower(text)):
            if telling.start() not in tried:
                yield telling.span()


_DIGIT = lazy_compile(r"[0-9]")
_WORD = lazy_compile(r"\S*")
_ASCII_LOWER = {at: at + 32 for at in range(65, 91)}


def lower(text: str) -> str:
    """Return ``text`` in lower case, with every character where it was."""
    lowered = text.lower()
    return lowered if len(lowered) == len(text) else text.translate(_ASCII_LOWER)


def _value(text: str, start: int, end: int, found: re.Match[str]) -> Iterator[Secret]:
    """Yield the secret that the telling word at ``start`` to ``end`` names, if there is one."""
    if found["quote"] and found["after"] != found["quote"]:
        return
    value, rest = bare(found["value"]), found["rest"]
    before = _NAME_BEFORE.search(text, max(0, start - 49), start)
    name = text[before.start() if before else start : end] + rest
    plain = name.lower()
    if found["whose"] and _OTHER_WHOSE.search(found["whose"]):
        return
    if _OTHER_REST.match(rest) or _OTHER_NAME.search(plain) or is_stand_in(value):
        return
    if is_cut(text, found.start("value") + len(value)) or is_hash_of(text, start):
        return
    vendor = _vendor(plain, value)
    if vendor or _is_secret(value, plain):
        start = found.start("value")
        yield named_value(start, whole(text, start, found["value"]), name, vendor)


def _vendor(name: str, value: str) -> NamedKind | None:
    """Return the kind whose vendor stands in ``name`` and whose shape ``value`` has."""
    for kind in catalog.named():
        if any(word in name for word in kind.names):
            shape = catalog.shape_of(kind)
            if shape.fullmatch(value) and entropy(value) >= kind.entropy:
                return kind
    return None


def _is_secret(value: str, name: str) -> bool:
    """Whether ``value`` is long and random enough for what ``name`` promises."""
    if is_identifier(value):
        return False
    if _PASSWORD.search(name) or _ELSEWHERE.match(f"{name}:"):
        return is_random(value, 2.5)
    return len(value) >= (16 if "secret" in name else 20) and is_random(value, 3.0)


def is_telling(heading: str) -> bool:
    """Whether ``heading``, all of it, names a secret: *Admin password*, and not *Token limit*."""
    name = lower(heading).rstrip(" :\uff1a")
    if _OTHER_NAME.search(name):
        return False
    for found in _TELLING.finditer(name):
        if found.end() == len(name):
            return not is_hash_of(name, found.start())
    return _ELSEWHERE.match(f"{name}:") is not None


def is_named_secret(value: str, name: str) -> bool:
    """Whether ``value`` is random enough to be what ``name`` promises, and stands for no other."""
    return not is_stand_in(value) and _is_secret(value, lower(name))


def is_identifier(value: str) -> bool:
    """Whether ``value`` is a UUID or a short number in hexadecimal, such as a commit's."""
    return bool(_UUID.fullmatch(value) or (len(value) < 24 and _HEX.fullmatch(value)))


_UUID = lazy_compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_HEX = lazy_compile(r"[0-9a-fA-F]+")


def named_value(start: int, value: str, name: str, vendor: NamedKind | None = None) -> Secret:
    """Return the secret ``value`` at ``start``, known by its ``name``."""
    return Secret(
        start,
        start + len(value),
        vendor.id if vendor else "named-value",
        vendor.title if vendor else t("Value of {0}", name),
        f"\u2026({len(value)})",
        Confidence.CONTEXT,
        Group.CONTEXT,
        _NAME_JOINT.sub("_", name).strip("_").upper() or "PASSWORD",
        digest(value),
    )
