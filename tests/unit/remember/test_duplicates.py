"""Duplicates of a new item, near duplicates, and conflicts."""

from __future__ import annotations

import pytest

from agent_memory.remember import planner
from agent_memory.remember.plan import Outcome
from agent_memory.remember.snippet import Snippet
from kit import project


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("run `make test`.", True),
        ("RUN make   test", False),
        ("tabs", True),
    ],
)
def test_duplicate_names_the_existing_line(ctx, text, exact):
    plan = planner.plan(ctx, Snippet(text), "project")
    if plan.outcome is Outcome.READY:
        assert not exact
        return
    assert plan.outcome is Outcome.DUPLICATE
    assert plan.line == (8 if text == "tabs" else 4)
    assert plan.edits == ()
    assert f"line {plan.line + 1}" in plan.message


def test_near_duplicate_can_be_allowed(tmp_path):
    text = "# A\n\n- Always run the whole test suite with make before a commit\n"
    ctx = project(tmp_path, {".deepagents/agent.md": text}, {})
    snippet = Snippet("always run the whole test suite with make before you commit")
    plan = planner.plan(ctx, snippet, "project")
    assert (plan.outcome, plan.line) == (Outcome.DUPLICATE, 2)
    assert "Line 3 of agent.md already says nearly the same" in plan.message
    assert planner.plan(ctx, snippet, "project", allow_duplicate=True).outcome is Outcome.READY


@pytest.mark.parametrize(
    "other",
    [
        "The dev server listens on port 8081 of the loopback",
        "The dev server never listens on port 8080 of the loopback",
        "The dev server 8080 listens on port of the loopback 1",
    ],
)
def test_other_number_or_negation_is_not_a_duplicate(tmp_path, other):
    text = "- The dev server listens on port 8080 of the loopback\n"
    ctx = project(tmp_path, {".deepagents/agent.md": text}, {})
    assert planner.plan(ctx, Snippet(other), "project").outcome is Outcome.READY


@pytest.mark.parametrize(
    ("existing", "other"),
    [
        ("Use pnpm, never npm", "Use npm, never pnpm"),
        ("Use spaces, not tabs", "Use tabs, not spaces"),
        ("Copy from staging to production", "Copy from production to staging"),
        ("Run lint before test", "Run test before lint"),
        ("Merge main into release branches", "Merge release branches into main"),
        ("billing reviews the requests of shipping", "shipping reviews the requests of billing"),
        ("The billing service calls shipping", "The shipping service calls billing"),
        ("Use tabs in Python and spaces in Go", "Use spaces in Python and tabs in Go"),
        ("Tabs in Python, spaces in Go", "In Python spaces, in Go tabs"),
        (
            "Run the lint step of the pipeline before the unit test step",
            "Run the lint step of the pipeline after the unit test step",
        ),
        ("Nutze pnpm, nie npm", "Nutze npm, nie pnpm"),
        (
            "Den Release-Zweig nach jedem Merge in der Pipeline bauen",
            "Den Release-Zweig vor jedem Merge in der Pipeline bauen",
        ),
        (
            "Die Tabellen der Testdatenbank beim Start löschen",
            "Die Tabellen der Testdatenbank beim Start nicht löschen",
        ),
    ],
)
def test_swapped_words_are_not_a_duplicate(tmp_path, existing, other):
    for first, second in ((existing, other), (other, existing)):
        ctx = project(tmp_path / str(first == existing), {"AGENTS.md": f"# A\n\n- {first}\n"}, {})
        plan = planner.plan(ctx, Snippet(second), "project", create=True)
        assert plan.outcome is Outcome.READY


TESTS_FIRST = "- Run the tests with `make test` before you commit.\n"


@pytest.mark.parametrize(
    "again",
    [
        "Before you commit, run the tests with make test",
        "Always run our tests with `make test` before the commit.",
        "Run the tests with `make test`",
    ],
)
def test_moved_or_omitted_clause_is_a_duplicate(tmp_path, again):
    ctx = project(tmp_path, {".deepagents/agent.md": TESTS_FIRST}, {})
    plan = planner.plan(ctx, Snippet(again), "project")
    assert (plan.outcome, plan.line) == (Outcome.DUPLICATE, 0)


@pytest.mark.parametrize(
    "again",
    [
        "Always run the tests with make test before committing",
        "Run tests with 'make test' before you commit!",
        "running the test with `make test`, before commits",
    ],
)
def test_other_inflection_and_punctuation_is_a_duplicate(tmp_path, again):
    ctx = project(tmp_path, {".deepagents/agent.md": TESTS_FIRST}, {})
    plan = planner.plan(ctx, Snippet(again), "project")
    assert (plan.outcome, plan.line) == (Outcome.DUPLICATE, 0)


@pytest.mark.parametrize("other", ["make lint", "make", "npm test"])
def test_other_command_is_not_a_duplicate(tmp_path, other):
    ctx = project(tmp_path, {".deepagents/agent.md": TESTS_FIRST}, {})
    text = f"Run the tests with `{other}` before you commit"
    assert planner.plan(ctx, Snippet(text), "project").outcome is Outcome.READY


def test_list_between_thematic_breaks_is_searched(tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": "---\n\n## Rules\n\n- Use pnpm here\n\n---\n"}, {})
    plan = planner.plan(ctx, Snippet("use pnpm here"), "project", create=True)
    assert (plan.outcome, plan.line) == (Outcome.DUPLICATE, 4)


@pytest.mark.parametrize(
    ("new", "line"),
    [
        ("Use spaces for indentation", "line 2 of agent.md"),
        ("Push to main", "line 3 of agent.md"),
        ("Never write to the log", "line 5 of agent.md"),
        ("Prefer inheritance over composition", "line 4 of agent.md"),
        ("Respond in English", "line 1 of agent.md"),
        ("Use spaces around operators", ""),
    ],
)
def test_conflict_with_memory_is_noted(tmp_path, new, line):
    text = "# A\n- Use tabs for indentation.\n- Never push to main.\n"
    text += "- Prefer composition over inheritance\n- Write to the log\n"
    home = {".deepagents/agent/agent.md": "- Respond in German\n"}
    ctx = project(tmp_path, {".deepagents/agent.md": text}, home)
    plan = planner.plan(ctx, Snippet(new), "project")
    assert plan.outcome is Outcome.READY
    assert plan.message.endswith(f"It conflicts with {line}: keep one") == bool(line)


def test_duplicate_is_found_in_other_loaded_files(tmp_path):
    home = {".deepagents/agent/agent.md": "- I like short answers\n"}
    ctx = project(tmp_path, {".deepagents/agent.md": "# A\n"}, home)
    plan = planner.plan(ctx, Snippet("I like short answers"), "project")
    assert plan.outcome is Outcome.DUPLICATE
    assert plan.path == ctx.home / ".deepagents/agent/agent.md"


def test_same_code_with_another_origin_is_a_duplicate(ctx):
    first = planner.plan(ctx, Snippet("x = 1\ny = 2", ctx.cwd / "a.py", 1, 2), "project")
    planner.apply(first)
    again = planner.plan(ctx, Snippet("x = 1\ny = 2", ctx.cwd / "b.py", 7, 8), "project")
    assert again.outcome is Outcome.DUPLICATE
