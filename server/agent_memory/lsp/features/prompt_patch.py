"""A prompt as a patch of the text sent before: a keystroke in 10,000 lines sends one of them."""

from __future__ import annotations

import hashlib
from typing import Any

from agent_memory.base.text_diff import common_ends
from agent_memory.secrets import Exact

_CACHED_TEXTS = 4
"""Texts that ``since`` may name: a client can show several prompts at the same time."""


class Patches:
    """The texts of the latest answers, to send the next ones as patches of them."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}  # by id, the newest last

    def compact(self, answer: dict[str, Any], since: str) -> dict[str, Any]:
        """Return ``answer``, the JSON of a prompt, with a patch in place of its texts.

        ``since`` is the id of a text that the client has, '' for none. If that text is no longer
        cached, the patch has the base '' and applies to the empty text. To get the text ``id``, the
        client replaces ``removed`` units at ``at`` in the text ``base`` by ``text``. A segment has
        its length in place of its text, a block only its role. Offsets and lengths are in UTF-16
        units.
        """
        new = answer["text"]
        base = since if since in self._texts else ""
        old = self._texts.get(base, "")
        head, tail = common_ends(old, new)  # lengths in code points
        text_id = hashlib.sha256(new.encode("utf-8", "surrogatepass")).hexdigest()
        patch = {
            "id": text_id,
            "base": base,
            "at": utf16_length(new[:head]),
            "removed": utf16_length(old[head : len(old) - tail]),
            # Not masked once more: that could change the length, and offsets would be wrong.
            "text": Exact(new[head : len(new) - tail]),
        }
        self._cache(text_id, new)
        segments = [
            {
                **{key: value for key, value in segment.items() if key != "text"},
                "units": utf16_length(segment["text"]),
            }
            for segment in answer["segments"]
        ]
        without_text = {key: value for key, value in answer.items() if key != "text"}
        blocks = [{"role": block["role"]} for block in answer["blocks"]]
        return {**without_text, "blocks": blocks, "segments": segments, "patch": patch}

    def _cache(self, text_id: str, text: str) -> None:
        """Store ``text`` as the newest one, and drop the oldest above the limit."""
        self._texts.pop(text_id, None)  # to move it to the end
        self._texts[text_id] = text
        for oldest in list(self._texts)[:-_CACHED_TEXTS]:
            del self._texts[oldest]


def utf16_length(text: str) -> int:
    """Return the length of ``text`` in UTF-16 units, as JavaScript counts."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
