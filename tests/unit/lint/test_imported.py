"""Findings in memory files that another memory file imports."""

from __future__ import annotations

import pytest

from kit import cli, project


@pytest.mark.parametrize(
    ("runtime", "importer"),
    [("claude-code", "CLAUDE.md"), ("gemini-cli", "GEMINI.md"), ("copilot-cli", "CLAUDE.md")],
)
def test_imported_agents_md_is_judged_like_any_memory_file(runtime, importer, tmp_path):
    files = {importer: "@AGENTS.md\n", "AGENTS.md": "- See [a](gone.md).\n"}
    ctx = project(tmp_path, files, {})
    assert "AGENTS.md:1:11: warning AM502" in cli(ctx, "check", "--runtime", runtime).out
