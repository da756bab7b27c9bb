"""Every kind is found in all contexts of memory files, with both searches for anchors."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from agent_memory import secrets
from agent_memory.secrets import anchors, catalog
from agent_memory.secrets.checksums import CHECKS
from unit.secrets.generate import Maker

if TYPE_CHECKING:
    from agent_memory.secrets.model import NamedKind, SecretKind

EVERY: tuple[SecretKind | NamedKind, ...] = (*catalog.kinds(), *catalog.named_kinds())
PLACES = {
    "bullet": "- {}",
    "inline code": "Deploys use `{}`.",
    "table": "| production | {} | since May |",
    "fence": "```sh\n{}\n```",
    "prose": "When it asks, paste {}, then go on.",
    "sentence end": "The one that works is {}.",
    "parentheses": "the old one ({}) is gone",
    "bold": "**{}**",
    "quotes": 'value: "{}"',
    "escaped newline": '{{"run": "set -e\\n{}\\n"}}',
}


def values(kind: SecretKind | NamedKind, count: int) -> list[str]:
    maker = Maker(kind.id)
    return [maker.make(spec) for spec in kind.examples for _ in range(count)]


def test_there_are_at_least_150_kinds_with_unique_ids():
    assert len(catalog.kinds()) >= 150
    assert max(Counter(kind.id for kind in EVERY).values()) == 1


@pytest.mark.parametrize("place", PLACES)
def test_recall_over_all_kinds_is_at_least_98_percent(place: str):
    found = total = 0
    missed: Counter[str] = Counter()
    for kind in EVERY:
        for value in values(kind, 4):
            hits = [item.kind for item in secrets.find(PLACES[place].format(value))]
            found += kind.id in hits
            total += 1
            missed[kind.id] += kind.id not in hits
    assert found / total >= 0.98, missed.most_common(5)


@pytest.mark.parametrize("kind", EVERY, ids=lambda kind: kind.id)
def test_each_kind_is_found_by_name(kind: SecretKind | NamedKind):
    seen = [[item.kind for item in secrets.find(f"- `{value}`")] for value in values(kind, 12)]
    assert sum(kind.id in hits for hits in seen) >= 0.75 * len(seen)


@pytest.mark.parametrize("kind", catalog.kinds(), ids=lambda kind: kind.id)
def test_a_report_shows_no_more_of_a_token_than_its_anchor(kind: SecretKind):
    for value in values(kind, 2):
        for item in secrets.find(value):
            shown = item.redacted.partition("\u2026")[0]
            assert item.group is secrets.Group.CONTEXT or shown in ("", *kind.anchors)
            assert not any(value[at : at + 12] in repr(item) for at in range(20, len(value) - 12))


def test_a_scan_without_the_extra_has_the_same_results(monkeypatch: pytest.MonkeyPatch):
    text = "\n".join(
        form.format(value)
        for kind in EVERY
        for value in values(kind, 1)
        for form in PLACES.values()
    )
    fast = secrets.find(text)
    monkeypatch.setattr(anchors, "ahocorasick_rs", None)
    assert secrets.find(text) == fast
    assert len(fast) > 3000


def test_kinds_are_well_formed():
    for kind in catalog.kinds():
        assert kind.check in ("", *CHECKS), kind.id
        assert all(len(anchor) >= 2 for anchor in kind.anchors), kind.id
        assert kind.examples, kind.id
        assert kind.variable.replace("_", "").isalnum(), kind.id
        assert ":" in kind.doc, kind.id
    for name in catalog.named_kinds():
        assert all(word == word.lower() for word in name.names), name.id


def test_no_kind_is_shorter_than_a_candidate_word():
    for kind in catalog.kinds():
        assert min(map(len, values(kind, 2))) >= anchors.MIN_WORD, kind.id
