"""All finders together: of overlapping secrets, the most certain one is reported."""

from __future__ import annotations

import bisect
from functools import lru_cache
from typing import TYPE_CHECKING

from agent_memory import l10n
from agent_memory.secrets import (
    anchors,
    named_values,
    passwords_in_prose,
    private_keys,
    tables,
    url_credentials,
    vendor_tokens,
)
from agent_memory.secrets.placeholders import DOCUMENTED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_memory.secrets.model import Secret


_FINDERS = (
    *(private_keys.find, vendor_tokens.find, url_credentials.find),
    *(named_values.find, passwords_in_prose.find, tables.find),
)
"""The functions that find secrets, the most certain first."""


def find(text: str) -> list[Secret]:
    """Return the secrets of ``text`` by position, without overlaps and without their values."""
    found: list[Secret] = []
    for way in _FINDERS:
        found = _merged(found, way(text))
    return found


@lru_cache(maxsize=16_384)
def find_line(line: str) -> tuple[Secret, ...]:
    """Return the secrets of one line, cached by its text: a keystroke costs one line."""
    return tuple(find(line)) if len(line) >= anchors.MIN_WORD else ()


l10n.on_language_change(find_line.cache_clear)  # the title of a secret is a message


def _merged(surer: list[Secret], more: Iterable[Secret]) -> list[Secret]:
    """Return ``surer`` and the items of ``more`` that overlap none of them, by position."""
    starts = [item.start for item in surer]
    added: list[Secret] = []
    end = 0
    for secret in sorted(more, key=lambda item: item.start):
        at = bisect.bisect_left(starts, secret.end)
        free = at == 0 or surer[at - 1].end <= secret.start
        if free and secret.start >= end and secret.sha256 not in DOCUMENTED:
            added.append(secret)
            end = secret.end
    return sorted([*surer, *added], key=lambda item: item.start) if added else surer
