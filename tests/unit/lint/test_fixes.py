from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from agent_memory.base.model import (
    Edit,
    Finding,
    Fix,
    Severity,
)
from agent_memory.base.text import Span, apply_edits
from agent_memory.entries.entry_file import Entry, render
from agent_memory.lint.engine import check
from agent_memory.lint.fixes import edits_together, fix_all, fix_of
from agent_memory.lint.many_entries import MOST
from kit import project, with_settings

FILE = Path("agent.md").absolute()
LINES = ["0123456789\n", "0123456789\n"]
spans = st.tuples(st.integers(0, 9), st.integers(0, 3)).map(lambda p: Span(0, p[0], 0, sum(p)))


def finding(*fixes: Fix, path: Path = FILE) -> Finding:
    return Finding("AM000", "x", Severity.INFO, "", path, Span(0, 0, 0, 0), fixes)


def fix(*spans: Span, text: str = "", safe: bool = True, path: Path = FILE) -> Fix:
    return Fix("t", tuple(Edit(path, span, text) for span in spans), safe=safe)


@given(st.lists(spans, max_size=12))
def test_selected_edits_never_overlap(many):
    edits, count = edits_together([finding(fix(span, text="x")) for span in many], LINES)
    text = apply_edits(LINES, [(edit.span, edit.text) for edit in edits])
    backwards = apply_edits(LINES, [(edit.span, edit.text) for edit in reversed(edits)])
    assert text == backwards, "their order does not matter"
    assert count >= len(edits)
    assert bool(edits) == bool(many), "the first is always taken"


def test_fix_is_applied_atomically():
    first = finding(fix(Span(0, 4, 0, 6)))
    second = finding(fix(Span(0, 0, 0, 1), Span(0, 5, 0, 7)))
    edits, count = edits_together([first, second], LINES)
    assert [edit.span for edit in edits] == [Span(0, 4, 0, 6)]
    assert count == 1


def test_adjacent_removals_combine_but_insertions_at_one_position_do_not():
    whole = [finding(fix(Span(n, 0, n + 1, 0))) for n in (0, 1)]
    assert len(edits_together(whole, LINES)[0]) == 2
    here = [finding(fix(Span(0, 0, 0, 0), text=text)) for text in "ab"]
    assert len(edits_together(here, LINES)[0]) == 1


def test_two_findings_with_the_same_fix_are_both_fixed():
    same = [finding(fix(Span(0, 0, 0, 3))), finding(fix(Span(0, 0, 0, 3)))]
    edits, count = edits_together(same, LINES)
    assert (len(edits), count) == (1, 2)


def test_inserted_lines_use_the_line_ending_of_the_file():
    item = finding(fix(Span(1, 0, 1, 0), text="a\nb\r\n"))
    (edit,), _ = edits_together([item], ["x\r\n", "y\r\n"])
    assert edit.text == "a\r\nb\r\n"


def test_fix_of_skips_unsafe_fixes_and_fixes_of_other_files():
    away = fix(Span(0, 0, 0, 1), path=Path("other.md").absolute())
    unsafe = fix(Span(0, 0, 0, 1), safe=False)
    assert fix_of(finding(away, unsafe)) is None
    assert fix_of(finding(away, unsafe), unsafe=True) is unsafe


def test_fix_all_returns_fixed_text_and_writes_nothing(tmp_path):
    before = "- tabs\u200b, not spaces\r\n- ok \u2764\ufe0f\r\n"
    ctx = project(tmp_path, {".deepagents/agent.md": before}, {})
    (fixed,) = fix_all(ctx)
    assert fixed.before == before
    assert fixed.after == before.replace("\u200b", "")
    assert fixed.applied == 1
    assert fixed.path.read_bytes().decode() == before
    fixed.path.write_bytes(fixed.after.encode())
    assert fix_all(ctx) == []
    assert [item for item in check(ctx).findings if item.code == "AM107"] == []


def test_fix_all_fixes_every_place_of_one_cause(tmp_path):
    text = "# A\n\nRun `npm run biuld` first.\n"
    files = {
        "package.json": '{"scripts": {"build": "tsc"}}',
        "AGENTS.md": text,
        "api/AGENTS.md": f"{text}Then test.\n",
    }
    ctx = project(tmp_path, files, {})
    paths = [ctx.cwd / "AGENTS.md", ctx.cwd / "api/AGENTS.md"]
    assert [item.code for item in check(ctx, paths).findings] == ["AM503"]
    fixed = fix_all(ctx, paths, unsafe=True)
    assert [(file.path, file.applied) for file in fixed] == [(path, 1) for path in paths]
    assert ["npm run build" in file.after for file in fixed] == [True, True]


def test_fix_all_fixes_every_entry_of_a_summary(tmp_path):
    entries = [
        Entry(f"{number:026d}", "global", "project", "a fact", "tabs\u200b", number)
        for number in range(MOST + 1)
    ]
    files = {f".memory/global/{entry.id}.md": render(entry) for entry in entries}
    ctx = with_settings(project(tmp_path, files, {}), rules={"AM107": "info"})
    paths = [ctx.cwd / name for name in files]
    assert [item.code for item in check(ctx, paths).findings].count("AM107") == 1
    assert len(fix_all(ctx, paths)) == len(paths)
