"""Sizes: the user's own text counts, an unchosen limit is advice, and pages of skills are free."""

from __future__ import annotations

import pytest

from agent_memory.base.model import Severity
from agent_memory.config.context import Context
from agent_memory.config.settings import Settings
from agent_memory.lint.engine import check


def _findings(tmp_path, files, **settings):
    for name, text in files.items():
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    (tmp_path / "project/.git").mkdir(exist_ok=True)
    given = Settings(runtime="deepagents-code", **settings)
    ctx = Context(tmp_path / "home", tmp_path / "project", settings=given, env={})
    found = check(ctx, [ctx.cwd / name for name in files]).findings
    return [(item.code, item.severity) for item in found if item.code.startswith("AM30")]


def _memory(size: int) -> str:
    return "# Handbook\n\n" + "".join(
        f"- Page {number} has a summary of two sentences.\n" for number in range(size // 44)
    )


def test_the_text_of_the_runtime_does_not_count_as_memory(tmp_path):
    assert _findings(tmp_path, {"AGENTS.md": _memory(13_000)}) == []


@pytest.mark.parametrize(
    ("budget", "size", "said"),
    [
        (4000, 24_000, [("AM302", Severity.INFO)]),
        (3900, 24_000, [("AM302", Severity.WARNING)]),
        (5000, 18_500, [("AM302", Severity.INFO)]),
        (4000, 14_500, []),
    ],
)
def test_a_budget_that_nobody_chose_is_advice(tmp_path, budget, size, said):
    files = {"AGENTS.md": _memory(size)}
    assert _findings(tmp_path, files, budget_tokens=budget) == said


@pytest.mark.parametrize(
    ("name", "limit", "size", "said"),
    [
        ("AGENTS.md", 32768, 30_000, []),
        ("AGENTS.md", 32768, 32_500, [("AM301", Severity.INFO)]),
        ("AGENTS.md", 32000, 30_000, [("AM301", Severity.INFO)]),
        ("AGENTS.md", 32000, 25_000, []),
        ("AGENTS.md", 32768, 40_000, [("AM301", Severity.WARNING)]),
        ("CLAUDE.md", 32768, 30_000, []),
        ("CLAUDE.md", 32768, 40_000, [("AM301", Severity.INFO)]),
        ("CLAUDE.md", 32000, 40_000, [("AM301", Severity.WARNING)]),
    ],
)
def test_the_default_limit_of_bytes_is_that_of_agents_md(tmp_path, name, limit, size, said):
    files = {name: _memory(size)}
    assert _findings(tmp_path, files, file_bytes=limit, budget_tokens=0) == said


def test_a_page_of_a_skill_is_no_memory_of_its_folder(tmp_path):
    files = {
        "AGENTS.md": "# A\n\n- Use the handbook.\n",
        "skills/pages/SKILL.md": "---\nname: pages\ndescription: all pages\n---\n# P\n\nRead it.\n",
        "skills/pages/AGENTS.md": _memory(40_000),
    }
    assert _findings(tmp_path, files) == []


def test_the_prompt_of_a_subagent_has_no_limit_of_memory(tmp_path):
    assert _findings(tmp_path, {".claude/agents/review.md": _memory(40_000)}) == []
