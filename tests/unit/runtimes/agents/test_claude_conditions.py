"""Conditions of Claude Code's rules that are not what they look like."""

from __future__ import annotations

import pytest

from agent_memory.runtimes.agents.claude_conditions import odd_condition


@pytest.mark.parametrize(
    ("front", "line"),
    [("paths: []", 1), ("a: 1\npaths: []", 2), ("\n\npaths: []", 3), ("a: 1\r\npaths: []", 2)],
)
def test_the_line_is_that_of_the_key(front, line):
    found = odd_condition(f"---\n{front}\n---\ntext")
    assert found is not None
    assert found.line == line


def test_invalid_yaml_of_another_agent_is_an_ignored_condition():
    """Cursor writes its globs without quotes; Claude Code has no `paths` to take for a pattern."""
    found = odd_condition("---\nglobs: *.ts, *.tsx\nalwaysApply: false\n---\ntext")
    assert found is not None
    assert found.message.startswith("Claude Code ignores `globs` and always loads this rule")


def test_invalid_yaml_with_paths_is_a_pattern_without_quotes():
    found = odd_condition("---\nglobs: *.ts\npaths: *.ts\n---\ntext")
    assert found is not None
    assert found.message.startswith("This front matter is not valid YAML")
