"""A new memory file has no findings: it waits to be filled in."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from agent_memory.lint.engine import check
from agent_memory.runtimes import BY_ID
from kit import cli, project

EXTENSION = Path(__file__).parents[3] / "vscode-extension/src/openMemory.ts"


@pytest.mark.parametrize("scope", ["project", "user"])
@pytest.mark.parametrize("runtime", BY_ID)
def test_fresh_file_is_clean(tmp_path, runtime, scope):
    ctx = project(tmp_path, {}, {})
    made = cli(ctx, "init", "--runtime", runtime, "--scope", scope)
    if made.code:
        assert "has no user memory" in made.err
        return
    found = check(ctx, None, runtime).findings  # agents look above the project too
    assert [item.code for item in found if item.path.is_relative_to(tmp_path)] == []
    again = cli(ctx, "check", made.out.split(" (")[0], "--runtime", runtime)
    assert "1 file checked, no findings" in again.out


def test_file_of_the_extension_is_clean(tmp_path):
    (text,) = re.findall(
        r"^const TEMPLATE = (\".*\");$", EXTENSION.read_text("utf-8"), re.MULTILINE
    )
    ctx = project(tmp_path, {"AGENTS.md": json.loads(text)}, {})
    assert check(ctx, None, "deepagents-code").findings == ()


def test_other_headings_without_text_are_reported(tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": "# Project memory\n\n## Ports\n\n## Style\n"}, {})
    assert [item.code for item in check(ctx, None, "deepagents-code").findings] == ["AM406"]
