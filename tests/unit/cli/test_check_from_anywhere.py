"""``check PATH`` judges a file in its own project, from wherever it is named."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.config.context import Context
from effort import scaled
from kit import cli, write
from rules.harness import Case, build, cases

pytestmark = pytest.mark.slow

FOLDERS = [case for case in cases() if case.path.is_dir() and case.kind == "bad"]


def _name(case: Case) -> str:
    return f"{case.rule}/{case.path.name}"


@pytest.mark.parametrize("case", FOLDERS, ids=_name)
def test_findings_are_the_same_from_inside_from_the_parent_and_by_absolute_path(case, tmp_path):
    ctx = build(case, tmp_path)
    inside = _findings(ctx, tmp_path, ctx.cwd, ".")
    assert _findings(ctx, tmp_path, tmp_path, "project") == inside
    assert _findings(ctx, tmp_path, ctx.home, str(ctx.cwd)) == inside


def _findings(ctx: Context, base: Path, cwd: Path, *paths: str, runtime: str = "") -> list[str]:
    """Return the findings of ``check PATHS`` in ``cwd`` as JSON, paths relative to ``base``."""
    options = ("--runtime", runtime) if runtime not in ("", "auto") else ()
    done = cli(
        ctx.with_(cwd=cwd), "check", *paths, "--format", "json", "--fail-on", "never", *options
    )
    assert done.code == 0, done.err
    found = json.loads(done.out)["findings"]
    for item in found:
        item["path"] = str(Path(os.path.relpath(cwd / item["path"], base)))
    return sorted(json.dumps(item, sort_keys=True) for item in found)


PLACES = (
    *("AGENTS.md", "CLAUDE.md", "GEMINI.md", ".deepagents/AGENTS.md", ".cursorrules"),
    *("api/AGENTS.md", "api/v1/AGENTS.md", "api/CLAUDE.md", "web/AGENTS.md"),
    *(".claude/rules/tests.md", ".github/copilot-instructions.md", "web/.cursor/rules/ui.mdc"),
    *(".agents/skills/x/SKILL.md", ".claude/skills/x/SKILL.md", "web/.claude/skills/x/SKILL.md"),
    *("inner/.git/HEAD", "inner/AGENTS.md", "inner/.deepagents/agent.md", "inner/src/a.py"),
)
LINES = (
    *("# Tides", "## Rules", "- Use tabs for indentation.", "- Use spaces for indentation."),
    *("- See `src/a.py` and `src/gone.py`.", "- Read [x](docs/gone.md) and [y](#none).", ""),
    *("- Run `make lint`, then `make tset`.", "@docs/gone.md", "- Always write tests first."),
    *("- Never write tests first.", "```", "</agent_memory>", "- Work in `/home/mira/src`.", "---"),
    *("name: x", "description: d", "- The file `only_here.md` explains it."),
)
TEXTS = st.lists(st.sampled_from(LINES), max_size=9).map("\n".join)
TREES = st.dictionaries(st.sampled_from(PLACES), TEXTS, min_size=1, max_size=7)
FIXED = {"src/a.py": "", "Makefile": "lint:\n\techo\ntest:\n\techo\n", ".git/HEAD": "x"}


@settings(max_examples=scaled(40), deadline=None)
@given(TREES, st.sampled_from(["auto", "deepagents-code", "codex", "claude-code"]))
def test_random_trees_have_the_same_findings_from_anywhere(tree, runtime):
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder).resolve()
        root = write(base / "project", {**FIXED, **tree})
        ctx = Context(write(base / "home", {".keep": ""}), root, env={})
        inside = _findings(ctx, base, root, ".", runtime=runtime)
        assert _findings(ctx, base, base, "project", runtime=runtime) == inside
        assert _findings(ctx, base, ctx.home, str(root), runtime=runtime) == inside
        split = sorted({path.partition("/")[0] for path in tree})
        assert _findings(ctx, base, root, *split, runtime=runtime) == inside
