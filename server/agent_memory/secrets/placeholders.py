"""Values in the place of a secret that are none: examples, masks, runs, sequences, hashes."""

from __future__ import annotations

import hashlib
import re

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.secrets.checksums import decode_base64

SHORT_MARKERS_MAX = 64
"""Characters of a value; a longer one can contain a short marker by chance."""


_MARKERS = (
    *("example", "placeholder", "redacted", "changeme", "change_me", "notreal", "not_real"),
    *("not-real", "dummy", "sample", "insert", "replace", "foobar", "abcdefg", "qwerty", "xxxxxx"),
    *("0123456", "1234567", "987654", "deadbeef", "cafebabe"),
)
"""Parts of an example, in lower case."""
_SHORT_MARKERS = ("your", "fake", "todo", "xxxx", "_here", "-here", "lorem")
"""Parts of an example that long random values contain by chance."""
_RUN = lazy_compile(r"(.)\1{5}")
"""Six equal characters."""
# A word of a default or an example, a sign of code (`()`, `${`), or the start of a reference.
_DUMMY = lazy_compile(
    r"test|demo|seed|local|sandbox|pass|secret|token|admin|default|user|none|null|undefined|change|my[_-]|real|"
    r"abc123|abcd|12345|qwerty|letmein|hunter|value|string|key[_-]|[_-]key|hidden|"
    r"config|process|vault|xxxx|(?<![a-z0-9])(?:env|ssm|foo|bar)(?![a-z0-9])|"
    r"(?:private|public)key|\.\.\.|\u2026|"
    r"\A[$%{<(\[/~.@*&!]|\$\{|\{\{|\$\(|://|[()\[\]{}]|\A0x|\Asha\d|\Adata:",
    re.IGNORECASE,
)
# A type or an attribute such as module2.Name. Random values have more digits.
_CODE = lazy_compile(r"[A-Za-z_]+\d{0,3}[A-Za-z_]*(?:\.[A-Za-z_]+\d{0,3}[A-Za-z_]*)+")
# A JSON web token without a signature, or with a word for one: it grants no access.
_UNSIGNED = lazy_compile(r"eyJ[\w-]+\.[\w-]*(?:\.[\w-]{0,20})?")
LEET_MAX = 24
"""Characters of a value; only shorter ones are read as words with digits for letters."""
_LEET = str.maketrans("013457@$!", "oleastasi")
# "hash of the", before the name of a secret. Two dashes begin an option of a command.
_HASH_OF = lazy_compile(
    r"(?<![a-z])(?:sha-?\d{1,3}|md[45]|hash(?:es|ed)?|hash-?wert|digest|check-?sum|fingerprint"
    r"|prüfsumme|fingerabdruck)[\"'`*)]{0,2}"
    r"(?:[ \t]{1,4}(?:of|for|from|von|des|der|für)"
    r"(?:[ \t]{1,4}(?!(?:is|in|as|and|und|ist)\b)[\w\"'`*-]{1,24}){0,4})?"
    r"(?:[ \t\"'`*]|[_-](?!-)){0,4}\Z",
    re.IGNORECASE,
)
_HASH_FUNCTIONS = lazy_compile(
    r"(?:(?:argon2(?:id|[di])?|bcrypt|scrypt|yescrypt|pbkdf2|hmac|sha[-_]?\d{1,3})(?:[/+|&_-]|\Z))+",
    re.IGNORECASE,
)
"""Names of functions that hash passwords: ``Argon2id/BCrypt``."""
_HASH_LOOK_BACK = 64
"""Code points before a name that are searched for :data:`_HASH_OF`."""
_ELLIPSIS = ("...", "\u2026", "***", "\u2022\u2022")
"""Characters in place of the rest of a value."""

DOCUMENTED = frozenset(
    {
        # Azurite and the storage emulator (Microsoft: Use the Azurite emulator)
        "0011cc25eb4320717494d2703e8cba85743e71b500283c21c8b88147992f9059",
        # the Cosmos DB emulator (Microsoft: Develop with the emulator)
        "aa6547439583c3a275d4542a0df6c1ad6a863971be9f2a2220f027cc02aef615",
        # the examples of the Stripe API reference
        "2cafc0970149a84f3b9e62eaf169f36f59907a3b3e31f7b82e68c69cd27f7326",
        # the older examples of the Stripe API reference
        "f2d6ca16515033e5dce14eba840b979d27b5cbae24bb3e5bf484339667f86397",
        # the first page of jwt.io
        "7f75367e7881255134e1375e723d1dea8ad5f6a4fdb79d938df1f1754a830606",
        # the seed of the key URI format of Google Authenticator
        "8be5d113c0871ce1a122d68a7dff940ab7b09ad8dfcfd9a85aa5c1acc026279e",
    }
)
"""SHA-256 of keys from the documentation of vendors. They grant no access."""


def is_placeholder(value: str) -> bool:
    """Whether ``value``, part of a token, contains a word or pattern of an example."""
    if _RUN.search(value) or _has_marker(value, _MARKERS):
        return True
    return len(value) <= SHORT_MARKERS_MAX and _has_marker(value, _SHORT_MARKERS)


def _has_marker(value: str, markers: tuple[str, ...]) -> bool:
    """Whether ``value`` contains a marker in lower, upper or title case.

    Other mixtures of cases occur in random values by chance.
    """
    lowered = value.lower()
    for marker in markers:
        if marker not in lowered:  # a prefilter: faster than the three searches below
            continue
        if marker in value or marker.upper() in value or marker.title() in value:
            return True
    return False


def is_dummy(value: str) -> bool:
    """Whether ``value`` is a reference, code or a word in the place of a secret.

    Such a word in Base64 counts too, and so do JSON or a number in Base64, a word with digits for
    letters (``p4ssw0rd``), names of hash functions, and a JSON web token without a signature.
    """
    if _DUMMY.search(value) or _CODE.fullmatch(value) or is_placeholder(value):
        return True
    if _UNSIGNED.fullmatch(value) or _HASH_FUNCTIONS.fullmatch(value):
        return True
    if len(value) < LEET_MAX and _DUMMY.search(value.translate(_LEET)):
        return True
    decoded = decode_base64(value)  # '' if it is not Base64
    if decoded.isdigit():
        return True  # an encoded number, such as a page token
    if not decoded.isprintable():  # bytes, not a text
        return False
    is_json = decoded[:1] in ("{", "[")
    return is_json or _DUMMY.search(decoded) is not None


def is_abbreviated(text: str, end: int) -> bool:
    """Whether an ellipsis or a mask follows the value that ends at ``end``."""
    return text.startswith(_ELLIPSIS, end)


def is_name_of_hash(text: str, name_start: int) -> bool:
    """Whether the name at ``name_start`` is that of a hash, as in "hash of the password"."""
    line_before = text[max(0, name_start - _HASH_LOOK_BACK) : name_start].rpartition("\n")[2]
    return _HASH_OF.search(line_before) is not None


def digest(value: str) -> str:
    """Return the SHA-256 of ``value`` in hexadecimal."""
    return hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()
