"""Applying the patches of a prompt gives the prompt."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agent_memory.lsp.features.prompt_patch import Patches, utf16_length

TEXTS = st.lists(st.text(st.sampled_from("ab\n\u00e4\u20ac\U0001f30a"), max_size=12), max_size=4)


def answer(parts: list[str]) -> dict[str, Any]:
    segments = [{"kind": "user", "text": part, "label": ""} for part in parts]
    text = "".join(parts)
    blocks = [{"role": "system", "text": text}]
    return {"hash": "h", "text": text, "blocks": blocks, "segments": segments}


def cut(text: str, start: int, end: int) -> str:
    """Return units ``start`` to ``end`` of ``text``, as JavaScript slices."""
    raw = text.encode("utf-16-le", "surrogatepass")
    return raw[2 * start : 2 * end].decode("utf-16-le", "surrogatepass")


def applied(known: dict[str, str], told: dict[str, Any]) -> str:
    patch = told["patch"]
    old = known[patch["base"]]
    behind = cut(old, patch["at"] + patch["removed"], utf16_length(old))
    return cut(old, 0, patch["at"]) + patch["text"] + behind


@given(st.lists(TEXTS, min_size=1, max_size=8))
def test_patch_applied_to_its_base_is_the_new_text(states):
    patches, known, since = Patches(), {"": ""}, ""
    for parts in states:
        told = patches.compact(answer(parts), since)
        text = applied(known, told)
        assert text == "".join(parts)
        at = 0
        for part, segment in zip(parts, told["segments"], strict=True):
            assert cut(text, at, at := at + segment["units"]) == part
        since = told["patch"]["id"]
        known[since] = text


def test_patch_of_one_keystroke_is_one_character():
    lines = [f"- item {number}\n" for number in range(10_000)]
    patches = Patches()
    first = patches.compact(answer(["".join(lines)]), "")
    lines[5_000] = "- item 5000!\n"
    told = patches.compact(answer(["".join(lines)]), first["patch"]["id"])
    assert (told["patch"]["removed"], told["patch"]["text"]) == (0, "!")
    assert "text" not in told
    assert "text" not in told["segments"][0]


def test_patch_of_an_uncached_base_is_the_complete_text():
    patches = Patches()
    first = patches.compact(answer(["old"]), "")["patch"]["id"]
    for number in range(10):
        patches.compact(answer([f"newer {number}"]), "")
    told = patches.compact(answer(["newest"]), first)
    assert told["patch"] | {"id": ""} == {
        "id": "",
        "base": "",
        "at": 0,
        "removed": 0,
        "text": "newest",
    }
