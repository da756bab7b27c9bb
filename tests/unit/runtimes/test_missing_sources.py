"""A location that is listed as missing is read once the file is there."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from agent_memory import runtimes
from agent_memory.base.model import Status
from agent_memory.lint.engine import check
from agent_memory.prompt.compose import compose
from kit import project, write

TREES: dict[str, tuple[str, ...]] = {
    "nothing": (),
    "deepagents": (".deepagents/agent.md", ".deepagents/AGENTS.md"),
    "root": ("agent.md", "AGENTS.md"),
    "claude": ("CLAUDE.md", "CLAUDE.local.md"),
    "gemini": ("GEMINI.md",),
    "mpm": (".claude-mpm/memories/engineer_agent.md", ".claude-mpm/memories/qa.md"),
    "all": (".deepagents/agent.md", "agent.md", "AGENTS.md", "CLAUDE.md", "GEMINI.md"),
}
READ = (Status.LOADED, Status.LISTED, Status.TRUNCATED)


@pytest.mark.parametrize("runtime", runtimes.BY_ID)
@pytest.mark.parametrize("tree", TREES)
@pytest.mark.parametrize("home", [(), (".deepagents/agent/agent.md", ".claude/CLAUDE.md")])
def test_a_missing_source_is_read_once_it_exists(runtime, tree, home, tmp_path):
    files = dict.fromkeys(TREES[tree], "- Words\n")
    ctx = project(tmp_path, files, dict.fromkeys(home, "- Words\n"))
    missing = [item for item in compose(ctx, runtime).sources if item.status is Status.MISSING]
    for source in missing:
        write(source.path.parent, {source.path.name: "- New words\n"})
        after = compose(ctx.with_(store=ctx.store.on_disk()), runtime)
        found = [item for item in after.sources if item.path == source.path]
        assert found, source.path
        assert found[0].status in READ, (source.path, found[0].reason)
        source.path.unlink()


EDITOR = Path(__file__).parents[3] / "vscode-extension" / "src" / "openMemory.ts"


def test_a_file_created_by_the_editor_has_no_findings(tmp_path):
    found = re.search(r"^const TEMPLATE = (\".*\");$", EDITOR.read_text(), re.MULTILINE)
    assert found
    ctx = project(tmp_path, {".deepagents/agent.md": json.loads(found[1])}, {})
    assert [(item.code, item.message) for item in check(ctx).findings] == []
