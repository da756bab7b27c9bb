"""The size limit of a chain of AGENTS.md files depends on the tool, so it is a setting."""

from dataclasses import replace

import pytest

from agent_memory.lint.engine import check
from kit import project


@pytest.mark.parametrize(
    ("limit", "found"), [(32_768, []), (1_000, ["AM304"]), (1_300, []), (0, [])]
)
def test_chain_limit_is_a_setting(tmp_path, limit, found):
    text = "- one more line of notes\n" * 24  # 600 bytes
    files = {"AGENTS.md": f"# Root\n{text}", "api/AGENTS.md": f"# Api\n{text}"}
    ctx = project(tmp_path, files, {})
    ctx = ctx.with_(settings=replace(ctx.settings, chain_bytes=limit))
    findings = check(ctx, [ctx.cwd / "api/AGENTS.md"], "deepagents-code").findings
    assert [item.code for item in findings if item.code == "AM304"] == found
