"""Findings of hits, which a keystroke keeps."""

from __future__ import annotations

from pathlib import Path

from agent_memory import secrets
from agent_memory.base.text import Span
from agent_memory.lint.new_finding import new_finding
from agent_memory.lint.rule import Hit
from agent_memory.lint.rules import BY_KEY

RULE = BY_KEY["AM501"]
PATH = Path("/p/AGENTS.md")
VALUE = "".join(f"{letter}{number}" for letter, number in zip("qwrtzpsdfg", range(10), strict=True))


def test_a_hit_gives_the_same_finding_again():
    hit = Hit(Span(0, 0, 0, 4), "docs/a.md does not exist\nCorrect it.")
    assert new_finding(RULE, None, hit, PATH) is new_finding(RULE, None, hit, PATH)
    assert new_finding(RULE, None, hit, PATH.parent / "CLAUDE.md").path.name == "CLAUDE.md"


def test_a_secret_that_is_found_later_is_masked():
    hit = Hit(Span(0, 0, 0, 4), f"docs/{VALUE}.md does not exist")
    assert VALUE in new_finding(RULE, None, hit, PATH).fact
    text = f"password: {VALUE}\n"
    secrets.learn(text, [text])
    assert VALUE not in new_finding(RULE, None, hit, PATH).fact
