"""All finders together: of overlapping secrets, the most certain one is reported."""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING

from agent_memory import l10n
from agent_memory.base.text_cache import TextCache
from agent_memory.secrets import (
    anchors,
    named_values,
    passwords_in_prose,
    private_keys,
    tables,
    url_credentials,
    vendor_tokens,
)
from agent_memory.secrets.known_values import KNOWN
from agent_memory.secrets.model import Group
from agent_memory.secrets.placeholders import DOCUMENTED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from agent_memory.secrets.model import Secret


_FINDERS = (
    *(private_keys.find, vendor_tokens.find, url_credentials.find),
    *(named_values.find, passwords_in_prose.find, tables.find),
)
"""The functions that find secrets, the most certain first."""

_LONG = 400
"""Code points; a text of this length or more is searched without the prefilter."""
_BY_CONTEXT = (Group.CONTEXT, Group.URL)
"""The groups whose secrets are recognized by what is around them."""
_START = 8
"""Code points by which a repeated value is searched; shorter values are not searched."""
_CUT_AROUND = 1000
"""Code points around a cut that are searched for a secret."""
_LINES_MAX = 1 << 18
"""Lines whose secrets are cached: those of 5,000 files, whose rules ask after all were scanned."""
_SAME_START_MAX = 16
"""Values with the same start that are searched, so that the time stays linear."""


def may_hold_secret(text: str) -> bool:
    """Return False for a text in which no secret can be found: a prefilter of :func:`find`.

    A secret needs a word long enough for a token, a word for a password, or a URL; letters that
    are not ASCII can be a word for a password in another script.
    """
    if len(text) >= _LONG or not text.isascii() or "://" in text:
        return True
    lowered = text.lower()
    if "passw" in lowered or "passphrase" in lowered or "kennwort" in lowered:
        return True
    if max(map(len, text.split()), default=0) >= anchors.MIN_WORD:
        return True
    return passwords_in_prose.may_contain_password(text)


def without_secret(lines: Sequence[str]) -> Iterator[str]:
    """Yield those of ``lines`` in which no secret can be found, except some that have a word.

    These are lines that :func:`may_hold_secret` excludes. For all of them together, each word that
    can be next to a password is searched once: most files have none or a few.
    """
    lowered = "".join(lines).lower()
    words = [word for word in ("://", *passwords_in_prose.ASCII_WORDS) if word in lowered]
    for line in lines:
        if len(line) >= _LONG or not line.isascii():
            continue
        if max(map(len, line.split()), default=0) >= anchors.MIN_WORD:
            continue
        lowered = line.lower() if words else ""
        if not any(word in lowered for word in words):
            yield line


def find(text: str) -> list[Secret]:
    """Return the secrets of ``text`` by position, without overlaps and without their values.

    From then on they are known: :data:`~agent_memory.secrets.known_values.KNOWN` has their pieces.
    """
    secrets: list[Secret] = []
    for finder in _FINDERS:
        more = list(finder(text))
        if more:  # most texts have no secret
            secrets = _merged(secrets, more)
    if secrets:
        secrets = _merged(secrets, _repeated(text, secrets))
        _remember(text, secrets)
    return secrets


def learn(text: str, lines: Sequence[str]) -> None:
    """Remember the secrets of ``text``, so that they are masked where their context is missing.

    ``lines`` are the lines of ``text``. Their secrets are cached, so a keystroke scans one line.
    """
    find_line.found_in(lines)  # for its effect: `find` makes the secrets of a line known
    for finder in (private_keys.find, tables.find):  # which look at several lines
        _remember(text, finder(text))


def cut(text: str, limit: int) -> str:
    """Return the first ``limit`` code points of ``text``, as a runtime cuts it.

    They are not masked here. What is left of a secret at the end is masked on output, although it
    is only a piece.
    """
    if len(text) > limit:  # this makes the whole secret known, so that its pieces are masked
        find(text[max(0, limit - _CUT_AROUND) : limit + _CUT_AROUND])
    return text[:limit]


def _remember(text: str, secrets: Iterable[Secret]) -> None:
    """Make the values of ``secrets`` known, except a rest of the text that was too dense."""
    for secret in secrets:
        if secret.kind != vendor_tokens.TOO_DENSE:
            KNOWN.add(secret.sha256, text[secret.start : secret.end])


def _find_in_line(line: str) -> tuple[Secret, ...]:
    """Return the secrets of one line, cached by its text: a keystroke costs one line."""
    return tuple(find(line)) if may_hold_secret(line) else ()


find_line: TextCache[str, tuple[Secret, ...]] = TextCache(
    _find_in_line, _LINES_MAX, bulk=lambda lines: dict.fromkeys(without_secret(lines), ())
)
l10n.on_language_change(find_line.clear)  # the title of a secret is a message


def has_secret(line: str) -> bool:
    """Whether :func:`find_line` finds a secret in ``line``; its result is cached."""
    return bool(find_line(line))


def _repeated(text: str, found: Iterable[Secret]) -> Iterator[Secret]:
    """Yield a secret for each occurrence of the values that were recognized by their context.

    Their context in ``found`` is a name or a URL, which other occurrences need not have: only the
    value identifies these. Values shorter than ``_START`` are skipped, and so are those after the
    first ``_SAME_START_MAX`` with the same start. The occurrences in ``found`` are included; the
    order is by position.
    """
    by_start: dict[str, dict[str, Secret]] = {}  # {first code points: {value: its secret}}
    for secret in found:
        if secret.group not in _BY_CONTEXT or secret.kind == vendor_tokens.TOO_DENSE:
            continue  # TOO_DENSE is the rest of the text, which cannot occur again
        value = text[secret.start : secret.end]
        if len(value) < _START:
            continue
        same_start = by_start.setdefault(value[:_START], {})
        if len(same_start) < _SAME_START_MAX:
            same_start[value] = secret
    if by_start:
        for start in range(len(text) - _START + 1):
            for value, secret in by_start.get(text[start : start + _START], {}).items():
                if text.startswith(value, start):
                    yield secret._replace(start=start, end=start + len(value))


def _merged(surer: list[Secret], more: Iterable[Secret]) -> list[Secret]:
    """Return ``surer`` and the secrets of ``more`` that overlap none of them, by position.

    Of overlapping secrets of ``more``, the first one counts. Those that vendors document as
    examples are left out. ``surer`` is in order.
    """
    ordered = sorted(more, key=lambda secret: secret.start)
    starts = [secret.start for secret in surer] if ordered else []
    added: list[Secret] = []
    last_end = 0  # of the last added one
    for secret in ordered:
        # the number of surer ones that start before this one ends; only the last can overlap it
        before = bisect.bisect_left(starts, secret.end)
        is_free = not before or surer[before - 1].end <= secret.start
        if is_free and secret.start >= last_end and secret.sha256 not in DOCUMENTED:
            added.append(secret)
            last_end = secret.end
    return sorted([*surer, *added], key=lambda secret: secret.start) if added else surer
