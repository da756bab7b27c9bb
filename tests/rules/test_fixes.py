"""Guarantees of safe fixes, on all examples and on generated files."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_memory.base.text import BOM, split_lines
from agent_memory.config.context import Context
from agent_memory.config.settings import Settings
from agent_memory.lint.engine import check
from kit import project
from rules.harness import Case, apply, build, cases

BAD = [case for case in cases() if case.kind == "bad"]
LINES = st.lists(
    st.sampled_from(
        [
            "# Title",
            "## Part",
            "- Run the whole test suite before every commit",
            "- Zero\u200bwidth and \u00ad soft",
            "- tag \U000e0041\U000e0042",
            "```sh",
            "~~~~",
            "  ```",
            "- ```",
            "1. ~~~",
            "text",
            "",
            "<!-- agent-memory: disable-next-line AM107 -->",
            "text <!-- agent-memory: disable unclosed-fence -->",
            "<!-- agent-memory: disable-file -->",
            "<!-- agent-memory: disable-next-line",
            "AM403 -->",
            "> quote",
            "</agent_memory>",
        ]
    ),
    max_size=12,
)


def _text(ctx: Context) -> dict[str, bytes]:
    root = ctx.home.parent
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def _safe_rounds(ctx: Context) -> None:
    """Apply safe fixes until none is left; overlapping fixes are applied in later rounds."""
    for _ in range(10):
        if not apply(check(ctx).findings, safe_only=True):
            return
    raise AssertionError("safe fixes never come to an end")


@pytest.mark.parametrize("case", BAD, ids=lambda case: f"{case.rule}/{case.path.name}")
def test_safe_fixes_terminate(case: Case, tmp_path):
    ctx = build(case, tmp_path)
    _safe_rounds(ctx)
    before = _text(ctx)
    assert apply(check(ctx).findings, safe_only=True) == set()
    assert _text(ctx) == before


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(LINES, st.sampled_from(["\n", "\r\n"]), st.booleans(), st.booleans())
def test_safe_fixes_are_idempotent(tmp_path_factory, lines, newline, mark, ended):
    root = tmp_path_factory.mktemp("safe")
    (root / "home").mkdir()
    (root / "project" / ".git").mkdir(parents=True)
    text = (BOM if mark else "") + newline.join(lines) + (newline if ended else "")
    (root / "project" / "AGENTS.md").write_bytes(text.encode())
    ctx = Context(root / "home", root / "project", settings=Settings("deepagents-code"), env={})
    _safe_rounds(ctx)
    fixed = _text(ctx)
    assert apply(check(ctx).findings, safe_only=True) == set()
    assert _text(ctx) == fixed
    kept = fixed["project/AGENTS.md"].decode().lstrip(BOM)  # it stays where a comment says so
    assert [word for word in kept.split() if word in {"text", "Part", "quote", "suite"}] == [
        word for word in text.lstrip(BOM).split() if word in {"text", "Part", "quote", "suite"}
    ]


@pytest.mark.parametrize("newline", ["", "\n"])
def test_a_fix_up_to_the_last_line_replaces_its_newline(tmp_path, newline):
    """An editor would otherwise keep the newline after the new text."""
    conflict = f"<<<<<<< a\n- one\n=======\n- two\n>>>>>>> b{newline}"
    ctx = project(tmp_path, {"AGENTS.md": conflict, "CLAUDE.md": conflict}, {})
    fixes = {
        item.code: item.fixes[0]
        for item in check(ctx, runtime_id="claude-code").findings
        if item.code in ("AM115", "AM408")
    }
    assert fixes.keys() == {"AM115", "AM408"}
    lines = split_lines(conflict)
    for fix in fixes.values():
        span = fix.edits[0].span
        assert (span.end_line, span.end) == ((5, 0) if newline else (4, len(lines[4])))
