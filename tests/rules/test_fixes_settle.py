"""Applying all fixes twice equals applying them once, and raises no new error."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from itertools import count

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from agent_memory.base.model import Severity
from agent_memory.base.text import BOM
from agent_memory.config.context import Context
from agent_memory.config.settings import Settings
from agent_memory.fs.overlay import Store
from agent_memory.fs.reader import decode
from agent_memory.learnings.eviction import NotAdded
from agent_memory.learnings.store import Learnings
from agent_memory.lint.engine import check
from agent_memory.lint.fixes import fix_all
from agent_memory.lint.rules import RULES
from effort import EFFORT, scaled
from kit import write
from rules.harness import Case, build, cases

pytestmark = pytest.mark.slow

ULID = "01" + "A" * 24
PLACES = {
    "deepagents-code": "AGENTS.md",
    "claude-mpm": ".claude-mpm/memories/qa_agent.md",
    "deepagentsdk": ".deepagents/skills/s/SKILL.md",
    "drover": f".memory/global/{ULID}.md",
}
FILES = {
    ".git/HEAD": "ref: refs/heads/main\n",
    "Makefile": "lint:\n\techo\n",
    "docs/guide.md": "# Guide\n",
    "src/app/main.py": "",
}
LINES = st.sampled_from(
    [
        *("# Title", "## Part", "## Part (Max: 15 items)", "### Deep", "## Recent Learnings", ""),
        *("## Project Architecture", "# Add To Memory:", "Type: patern", "Content: a fact", "#"),
        *("- Run the tests before every commit", "- run the tests before every commit.", "  - a"),
        *("- Zero\u200bwidth", "\u200b\u202e\U000e0041", "- `make lnt`", "[a](docs/guid.md)", "-"),
        *("`src/app/mian.py`", "```sh", "```", "~~~~", "  ```", "- ```", "1. ~~~", "> ```", "***"),
        *(
            "---",
            "===",
            "name: s",
            "description: a: b",
            "name: other",
            "> quote",
            "\t- tab",
            "text",
        ),
        *("<!--", "-->", "text <!-- open", "<!-- a -->", "</agent_memory>", "</project_memory>"),
        *("<!-- agent-memory: disable-next-line AM107 -->", "<!-- agent-memory: disable AM403"),
        *("<!-- agent-memory: disable -->", "<!-- agent-memory: enable AM107 -->", "AM403 -->"),
        *("<!-- agent-memory: disable-file -->", "<!-- agent-memory: disble AM17 -->"),
        *(f"id: {ULID}", "scope: global", "kind: project", "summary: a", "createdAt: 1"),
    ]
)
DOCUMENTS = st.builds(
    lambda lines, newline, mark, ended: mark + newline.join(lines) + newline * ended,
    st.lists(LINES, max_size=14),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from(["", BOM]),
    st.booleans(),
)
NUMBERS = count()
NOT_LOADED = ("AM701", "AM702", "AM703")
"""Of these only the first reason is reported."""


def _errors(ctx: Context) -> Counter[str]:
    """Return the number of errors by code, of the first reason not to load a skill as one code.

    A fix of the first reason shows the next one, which was an error before.
    """
    found = [item.code for item in check(ctx).findings if item.severity is Severity.ERROR]
    return Counter("not loaded" if code in NOT_LOADED else code for code in found)


def _with(ctx: Context, fixed: list) -> Context:
    """Return ``ctx`` with the contents of ``fixed`` in place of those on disk."""
    store = Store()
    for item in fixed:
        content = decode(item.path, item.after.encode("utf-8", "surrogatepass"))
        store.overlay(item.path, lambda content=content: content)
    return ctx.with_(store=store)


def _check_settled(ctx: Context, *, unsafe: bool) -> None:
    fixed = fix_all(ctx, unsafe=unsafe)
    assert _errors(_with(ctx, fixed)) <= _errors(ctx)
    for item in fixed:
        item.path.write_bytes(item.after.encode("utf-8", "surrogatepass"))
        if item.rename:
            item.rename.parent.mkdir(parents=True, exist_ok=True)
            item.path.rename(item.rename)
    again = fix_all(ctx, unsafe=unsafe)
    assert [(item.path, item.before, item.after) for item in again] == []


@pytest.mark.parametrize("unsafe", [False, True] if EFFORT == "all" else [True])
@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.rule}/{case.path.name}")
def test_fixes_of_every_case_settle(case: Case, tmp_path, unsafe):
    _check_settled(build(case, tmp_path), unsafe=unsafe)


@pytest.mark.parametrize("runtime", PLACES)
@settings(
    max_examples=scaled(15),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(text=DOCUMENTS, unsafe=st.booleans())
@example(text="```\n```\n## Steps\n```\n", unsafe=False)
@example(text="<!--\n-->\n## Steps\n<!--\n", unsafe=False)
def test_fixes_of_generated_documents_settle(tmp_path, runtime, text, unsafe):
    root = tmp_path / str(next(NUMBERS))
    project = write(root / "project", {**FILES, PLACES[runtime]: text})
    every = {rule.code: str(rule.severity) for rule in RULES}
    ctx = Context(root / "home", project, settings=Settings(runtime, rules=every), env={})
    _check_settled(ctx, unsafe=unsafe)


def test_missing_sections_are_not_added_to_an_open_code_block(tmp_path):
    text = "```\n```\n## Steps\n```\n"
    write(tmp_path / "project", {**FILES, PLACES["claude-mpm"]: text})
    ctx = Context(tmp_path / "home", tmp_path / "project", settings=Settings("claude-mpm"), env={})
    assert fix_all(ctx) == []


@settings(
    max_examples=scaled(10),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(text=DOCUMENTS)
def test_cleaning_learnings_settles(tmp_path, text):
    path = tmp_path / str(next(NUMBERS)) / PLACES["claude-mpm"]
    write(path.parents[2], {".git/HEAD": "x", PLACES["claude-mpm"]: text})
    home = tmp_path / "home"
    ctx = Context(home, path.parents[2], settings=Settings("claude-mpm"), env={})
    try:
        Learnings(ctx, clock=lambda: datetime(2026, 1, 2, tzinfo=UTC)).clean("qa")
    except NotAdded:
        assert path.read_bytes() == text.encode()
        return
    once = path.read_bytes()
    assert Learnings(ctx).clean("qa").notes == ()
    assert path.read_bytes() == once
