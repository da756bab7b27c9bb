"""A finding is a short fact that a list of problems can show, then advice in whole sentences."""

import ast
from pathlib import Path

import pytest

from agent_memory import lint
from agent_memory.base.model import Finding, Severity
from agent_memory.base.text import Span
from agent_memory.runtimes.agents import claude_conditions

WORDS = 12
# Messages in an `__init__` are about names of rules in settings and options, not findings.
MODULES = [
    *(path for path in sorted(Path(lint.__file__).parent.rglob("*.py")) if path.stem != "__init__"),
    Path(claude_conditions.__file__),
]


def messages():
    """Return (place, fact, advice) of each literal message with advice, or with several words."""
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            if node.func.id in ("t", "untranslated") and isinstance(node.args[0], ast.Constant):
                fact, _, advice = node.args[0].value.partition("\n")
                yield f"{path.name}:{node.lineno}", fact, advice


def test_facts_fit_a_row_of_the_problems_panel():
    assert [(at, fact) for at, fact, _ in messages() if len(fact.split()) > WORDS] == []


def test_facts_are_one_sentence_without_a_period():
    found = [(at, fact) for at, fact, advice in messages() if advice and fact.endswith((".", "?"))]
    assert found == []
    assert [(at, fact) for at, fact, _ in messages() if ". " in fact and "{0}. " not in fact] == []


def test_advice_is_whole_sentences():
    ends = (".", "?", "}")
    assert [(at, text) for at, _, text in messages() if text and not text.endswith(ends)] == []


@pytest.mark.parametrize(
    ("advice", "message"),
    [
        ("", "A fact"),
        ("Do this.", "A fact. Do this."),
        ("Move it", "A fact. Move it."),
        ("Is it `b`?", "A fact. Is it `b`?"),
    ],
)
def test_the_message_is_the_fact_and_the_advice(advice, message):
    finding = Finding(
        "AM000", "x", Severity.INFO, "A fact", Path("a"), Span(0, 0, 0, 0), advice=advice
    )
    assert finding.message == message
