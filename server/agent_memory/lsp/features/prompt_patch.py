"""A prompt told by what is new of it: a key in 10,000 lines changes one of them."""

from __future__ import annotations

import hashlib
from typing import Any

_KEPT = 4
"""Texts that clients may build on; the panel is one of them."""

_CHUNK = 1 << 16


class Patches:
    """The texts that were last answered, by the id they were given."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def compact(self, answer: dict[str, Any], since: str) -> dict[str, Any]:
        """Return ``answer`` with a patch in place of its texts.

        ``since`` is the id of a text that the client has, '' for none. Where it is not known any
        more the patch is one of the empty text.
        """
        new = answer["text"]
        base = since if since in self._texts else ""
        old = self._texts.get(base, "")
        same = new if old == new else _common(old, new)
        ended = "" if old == new else _common_end(old[len(same) :], new[len(same) :])
        text_id = hashlib.sha256(new.encode("utf-8", "surrogatepass")).hexdigest()
        patch = {
            "id": text_id,
            "base": base,
            "at": units(same),
            "removed": units(old[len(same) : len(old) - len(ended)]),
            "text": new[len(same) : len(new) - len(ended)],
        }
        self._keep(text_id, new)
        segments = [
            {
                **{key: value for key, value in item.items() if key != "text"},
                "units": units(item["text"]),
            }
            for item in answer["segments"]
        ]
        rest = {key: value for key, value in answer.items() if key != "text"}
        return {**rest, "segments": segments, "patch": patch}

    def _keep(self, text_id: str, text: str) -> None:
        self._texts.pop(text_id, None)
        self._texts[text_id] = text
        for oldest in list(self._texts)[:-_KEPT]:
            del self._texts[oldest]


def units(text: str) -> int:
    """Return the length of ``text`` in UTF-16 units, as JavaScript counts."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _common(old: str, new: str) -> str:
    """Return the beginning that both have. Compares pieces, which is done in C."""
    most = min(len(old), len(new))
    at, step = 0, _CHUNK
    while step:
        if at + step <= most and old[at : at + step] == new[at : at + step]:
            at += step
        else:
            step //= 2
    return new[:at]


def _common_end(old: str, new: str) -> str:
    """Return the end that both have."""
    return _common(old[::-1], new[::-1])[::-1]
