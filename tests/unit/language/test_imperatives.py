"""Statements that say opposite things, and the prefilters before the expressions."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agent_memory.base.toml_tables import read_tables
from agent_memory.language import exclusive_choices, imperatives
from agent_memory.language.imperatives import claims_in, may_claim, opposed
from agent_memory.language.similarity import normalized

CHOICES = read_tables(exclusive_choices.DATA)
WORDS = st.sampled_from(
    [
        *("never", "always", "do not", "don't", "avoid", "no longer", "no", "must", "please", "do"),
        *("use", "using", "prefer", "with", "over", "instead of", "not", "and", "then", "because"),
        *("tabs", "2 spaces", "npm", "pnpm", "python 3.11", "pytest", "rebase", "merge commits"),
        *("the user", "prefers", "we", "i", "want", "the team", "repo", "in german", "answers"),
        *("lines", "100", "short", ",", ", but", "(web)", "(because it is fast)", "- ", "`npm`"),
        *("single quotes", "for indentation", "commit", "to main", "indent", "by", "code style:"),
    ]
)
STATEMENTS = st.lists(WORDS, max_size=9).map(" ".join)


@given(STATEMENTS)
@example(", (web) use never")
def test_no_prefilter_hides_a_claim(text):
    text = normalized(text)
    if list(imperatives._claims(text)):
        assert may_claim(text)


@given(STATEMENTS)
def test_no_prefilter_hides_a_choice(text):
    found = [choice for choice in exclusive_choices._choices() if choice.pattern.search(text)]
    assert not found or exclusive_choices.names_option(text)


@pytest.mark.parametrize("about", CHOICES)
def test_examples_of_a_choice_conflict(about):
    one, other = CHOICES[about]["one"], CHOICES[about]["other"]
    assert opposed(one, other)
    assert opposed(other, one)
    assert not opposed(one, one)
    assert {claim.about[1] for claim in claims_in(one) if claim.about[0] == "choice"} >= {about}


OPPOSED = [
    ("All code must use tabs for indentation", "Use spaces for indentation"),
    ("Code style: use tabs", "Use spaces for indentation"),
    ("Python: use tabs", "Python: use spaces"),
    ("Tests must use pytest", "Write tests with unittest"),
    ("Commits must use rebasing", "Use merge commits"),
    ("Use tabs, not spaces", "Use spaces, not tabs"),
    ("Indent with tabs", "Indent with spaces, not tabs"),
    ("Use spaces, never tabs, for indentation", "Always use tabs for indentation"),
    ("Use npm", "Use pnpm, never npm"),
    ("Use npm to install", "Use pnpm, never npm"),
    ("Target Python 3.11", "Target Python 3.13"),
    ("Never commit to main", "Commit to main directly"),
    ("Never edit passwords in `settings.h`", "Edit the password in `settings.h`"),
    ("Prefer composition over inheritance", "Prefer inheritance over composition"),
    ("No semicolons", "Use semicolons"),
    ("2-space indentation", "Indentation is 4 spaces"),
    ("Python 3.10+ is required", "Requires Python 3.12 or newer"),
    ("Node 18 is required", "Use Node 22"),
    ("Use pytest for all tests", "Tests are written with unittest"),
    ("Use semicolons in TypeScript", "No semicolons in TypeScript"),
    ("Format code with black", "Use ruff for formatting"),
    ("Format with Prettier", "Use Biome to format the code"),
    ("Use camelCase for variables", "Use snake_case for variables"),
    ("Use PostgreSQL", "The database is MySQL"),
    ("Never edit files in `generated/`", "Edit files in `generated/` by hand"),
    ("Use Jest for unit tests", "Unit tests use Vitest"),
    ("We use bun as the package manager", "Use `npm` for all packages"),
    ("Keep lines under 80 characters", "Maximum line length is 120"),
    ("Write comments in English", "Write comments in Spanish"),
    ("Keep responses short", "Give detailed explanations"),
]


@pytest.mark.parametrize(("one", "other"), OPPOSED)
def test_statements_that_contradict_each_other(one, other):
    one, other = normalized(one), normalized(other)
    assert opposed(one, other) or opposed(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Use tabs, not spaces", "Use tabs"),
        ("Use pnpm, not npm", "Use pnpm"),
        ("Python: use tabs", "Use spaces"),
        ("Use spaces around operators", "Use tabs"),
        ("Avoid mocks in tests", "Use mocks in integration tests"),
        ("Use npm or pnpm", "Use npm"),
        ("Always run the tests before a commit", "Never run the tests after a commit"),
        ("Use Python 3.11 or newer", "Use Python 3.12"),
        ("Use ruff for linting", "Format code with black"),
        ("Use SQLite for tests", "Use PostgreSQL"),
        ("Use camelCase for variables", "Use PascalCase for classes"),
        ("Never use emojis", "Use emojis in commit messages"),
        ("Write tests for every change", "Don't write tests unless asked"),
    ],
)
def test_statements_that_do_not_contradict_each_other(one, other):
    one, other = normalized(one), normalized(other)
    assert not opposed(one, other)
    assert not opposed(other, one)
