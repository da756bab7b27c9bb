"""Secrets in any density are masked, and undecidable text is masked as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agent_memory import secrets
from agent_memory.lint.shared.secrets import message
from agent_memory.secrets import anchors, catalog
from agent_memory.secrets.vendor_tokens import TOO_DENSE
from effort import scaled
from unit.secrets.generate import Maker
from unit.secrets.test_kinds import EVERY

if TYPE_CHECKING:
    from agent_memory.secrets.model import NamedKind, SecretKind


pytestmark = pytest.mark.slow


@pytest.fixture(params=[False, True], ids=["automaton", "pure"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch):
    if request.param:
        monkeypatch.setattr(anchors, "ahocorasick_rs", None)


def unmasked(values: list[str], joint: str) -> int:
    """Count the values that are masked alone, but shown in dense text."""
    shown = secrets.mask(joint.join(values))
    return sum(value in shown and value not in secrets.mask(value) for value in values)


@pytest.mark.parametrize("joint", [" ", "\n"], ids=["one line", "one a line"])
def test_two_thousand_secrets_of_all_kinds_are_masked(joint: str, way: None):
    make, kinds = Maker("dense").make, catalog.kinds()
    values = [make(kinds[n % len(kinds)].examples[0]) for n in range(2_000)]
    assert unmasked(values, joint) == 0


@pytest.mark.parametrize("kind", EVERY, ids=lambda kind: kind.id)
def test_many_of_one_kind_are_masked(kind: SecretKind | NamedKind):
    make = Maker(kind.id).make
    values = [make(kind.examples[0]) for _ in range(scaled(50))]
    assert unmasked(values, "\n") == 0


@pytest.mark.parametrize(
    "template", ["password: {an:12}7", "https://ci:{an:12}7@git.acme.io/x", "API_KEY={an:24}7"]
)
def test_two_thousand_named_values_are_masked(template: str):
    make = Maker(template).make
    values = [make(template) for _ in range(2_000)]
    assert unmasked(values, " ") == unmasked(values, "\n") == 0


def test_a_word_with_too_many_nested_names_is_masked():
    value = Maker("deep").make("{an:24}7")
    text = f"- {'authorization=a1.' * 40}password={value} and password: {value}\n"
    shown = secrets.mask(text)
    assert value not in shown
    assert shown.endswith(")\n")
    assert " and password: " in shown


def test_text_after_too_many_false_candidates_is_masked(way: None):
    token = Maker("behind").make("{an:36}")
    key = "gh" + "p_" + token
    text = "- " + "sk-" * 20_000 + " " + key + "\n"
    found = secrets.find(text)
    assert found[-1].kind == TOO_DENSE
    assert found[-1].end == len(text) - 1
    assert token not in secrets.mask(text)
    assert "masked as a whole" in message(found[-1])
