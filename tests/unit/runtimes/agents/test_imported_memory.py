"""A memory file that another one imports is sent as its import only."""

from __future__ import annotations

import pytest

from agent_memory.prompt.compose import compose
from kit import project


@pytest.mark.parametrize(
    ("runtime", "importer", "imported"),
    [
        ("claude-code", "CLAUDE.md", "AGENTS.md"),
        ("gemini-cli", "GEMINI.md", "AGENTS.md"),
        ("gemini-cli", "GEMINI.md", "docs/CLAUDE.md"),
        ("copilot-cli", "AGENTS.md", "docs/CLAUDE.md"),
        ("copilot-cli", "CLAUDE.md", "docs/GEMINI.md"),
        ("qwen-code", "QWEN.md", "docs/AGENTS.md"),
    ],
)
def test_an_imported_memory_file_is_sent_once(runtime, importer, imported, tmp_path):
    ctx = project(tmp_path, {importer: f"see @{imported}\n", imported: "Use tabs.\n"}, {})
    assert compose(ctx, runtime).text.count("Use tabs.") == 1
