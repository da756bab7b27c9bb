"""All ways of finding secrets together: no two answers overlap, the surer one stays."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from agent_memory.secrets import anchors, contextual, private_keys, tokens, urls
from agent_memory.secrets.placeholders import DOCUMENTED

if TYPE_CHECKING:
    from agent_memory.secrets.model import Secret


def find(text: str) -> list[Secret]:
    """Return the secrets of ``text`` in order of their start; none overlaps another.

    Positions are in code points. The values themselves are not in the answer.
    """
    found: list[Secret] = []
    for way in (private_keys.find, tokens.find, urls.find, contextual.find):
        for secret in way(text):
            if secret.sha256 not in DOCUMENTED and not _overlaps(found, secret):
                found.append(secret)
    return sorted(found, key=lambda item: item.start)


@lru_cache(maxsize=16_384)
def find_line(line: str) -> tuple[Secret, ...]:
    """Return the secrets of one line. Kept per text of a line, so a keystroke costs one line."""
    return tuple(find(line)) if len(line) >= anchors.MIN_WORD else ()


def _overlaps(found: list[Secret], secret: Secret) -> bool:
    return any(item.start < secret.end and secret.start < item.end for item in found)
