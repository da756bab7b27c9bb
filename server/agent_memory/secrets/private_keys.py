"""Private keys in PEM form, on several lines or in one string with escaped newlines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.l10n import t
from agent_memory.secrets.checksums import entropy
from agent_memory.secrets.model import Confidence, Group, Secret
from agent_memory.secrets.placeholders import digest, is_placeholder

if TYPE_CHECKING:
    from collections.abc import Iterator

BLOCK_MAX = 32_768
"""Code points of one key that are examined; an RSA key of 16,384 bits has 12,700."""

_BEGIN = "-----BEGIN "
_LABEL = lazy_compile(r"((?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY)(?: BLOCK)?-----")
"""The rest of the first line; the group is the label, such as ``RSA PRIVATE KEY``."""
# Between the lines: white space, Markdown quote markers, indentation, escapes, and the headers
# of old PEM files and of PGP.
_GAP = r"(?:[ \t\r\n>|\"'+,`]|\\[nr])"
_BODY = lazy_compile(
    rf"(?:{_GAP}|(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash): [^\r\n\\]{{0,120}}+"
    r"|[A-Za-z0-9+/=]++)++"
)
_END = lazy_compile(r"-----END [A-Z0-9 ]{0,48}-----")
_WORD = lazy_compile(r"[A-Za-z0-9+/=]{16,}+")
"""Base64 that is longer than most words of prose."""


def find(text: str) -> Iterator[Secret]:
    """Yield the private keys of ``text``, also those without an end line."""
    start = text.find(_BEGIN)
    while start >= 0:
        end = start + len(_BEGIN)  # of what was examined
        label = _LABEL.match(text, end)
        if label:
            body = _BODY.match(text, label.end(), label.end() + BLOCK_MAX)
            end = body.end() if body else label.end()
            if body and _is_key(body[0]):
                closing = _END.match(text, end)
                end = closing.end() if closing else label.end() + _end_of_last_word(body[0])
                yield _secret(text[start:end], start, label[1])
        start = text.find(_BEGIN, end)


def _is_key(body: str) -> bool:
    """Whether ``body`` has at least 64 characters of Base64 that look random and are no example.

    The entropy is in bits per character; Base64 has 6 at most. An example says so in its first 256
    characters and has at most 512: in a longer key, the word can occur by chance.
    """
    base64 = "".join(_WORD.findall(body))
    if len(base64) < 64 or entropy(base64) < 4.0:
        return False
    is_example = len(base64) <= 512 and is_placeholder(base64[:256])
    return not is_example


def _end_of_last_word(body: str) -> int:
    """Return the offset in ``body`` after its last long word: prose can follow a truncated key."""
    return max(word.end() for word in _WORD.finditer(body))


def _secret(value: str, start: int, label: str) -> Secret:
    """Return the secret for the key ``value`` at ``start``; ``label`` is that of its header."""
    algorithm = label.removesuffix("PRIVATE KEY").rstrip()  # RSA, or '' for any
    return Secret(
        start,
        start + len(value),
        kind="private-key",
        title=t("{0} private key", algorithm) if algorithm else t("Private key"),
        redacted=f"private key\u2026({len(value)})",
        confidence=Confidence.LIKELY,
        group=Group.PRIVATE_KEY,
        variable="PRIVATE_KEY",
        sha256=digest(value),
    )
