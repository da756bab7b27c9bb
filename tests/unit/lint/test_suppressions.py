"""Suppression comments: what they cover, and reports of those without effect."""

from __future__ import annotations

import pytest

from agent_memory.base.text import apply_edits, split_lines
from agent_memory.lint.engine import check
from kit import project, with_settings

HIDDEN = "- a\u200bb"


def _codes(tmp_path, text, **settings):
    ctx = with_settings(project(tmp_path, {"AGENTS.md": text}, {}), **settings)
    found = check(ctx, runtime_id="deepagents-code").findings
    return [(item.code, item.span.line) for item in found]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<!-- agent-memory: disable-next-line AM107 -->", ""),
        ("<!-- agent-memory: disable-next-line hidden-unicode the logo needs it -->", ""),
        ("<!-- agent-memory: disable-next-line -->", ""),
        ("<!-- agent-memory: disable AM107 -->", "<!-- agent-memory: enable AM107 -->"),
        ("<!-- agent-memory: disable AM403, AM107 -->", "<!-- agent-memory: enable -->"),
        ("<!-- agent-memory: disable-file AM107 -->", ""),
        ("<!-- agent-memory: disable-next-line AM107: it is well-known here -->", ""),
        ("<!-- agent-memory: disable-next-line: AM107 the logo needs it -->", ""),
        ("<!-- agent-memory: disable-next-line AM403, AM107: note: hiden-unicode -->", ""),
        ("<!-- agent-memory: disable-next-line (needed) -->", ""),
    ],
)
def test_directive_suppresses_its_rule(tmp_path, before, after):
    assert _codes(tmp_path, f"{before}\n{HIDDEN}\n{after}\n") == []


def test_enable_ends_a_range(tmp_path):
    text = (
        f"<!-- agent-memory: disable AM107 -->\n{HIDDEN}\n<!-- agent-memory: enable -->\n{HIDDEN}\n"
    )
    assert _codes(tmp_path, text) == [("AM107", 3)]


def test_directive_does_not_suppress_other_rules(tmp_path):
    text = f"<!-- agent-memory: disable-next-line AM403 -->\n{HIDDEN}\n"
    assert _codes(tmp_path, text) == [("AM902", 0), ("AM107", 1)]


@pytest.mark.parametrize("said", ["needed for the logo", "needed: for the logo"])
def test_unknown_first_word_suppresses_nothing(tmp_path, said):
    text = f"<!-- agent-memory: disable-next-line {said} -->\n{HIDDEN}\n"
    assert _codes(tmp_path, text) == [("AM901", 0), ("AM107", 1)]


def test_directive_that_is_ended_in_parts_is_reported_once_if_no_part_is_used(tmp_path):
    start, end = (
        "<!-- agent-memory: disable AM107, AM403 -->",
        "<!-- agent-memory: enable AM403 -->",
    )
    assert _codes(tmp_path, f"{start}\n- text\n{end}\n{HIDDEN}\n") == []
    assert _codes(tmp_path, f"{start}\n- text\n{end}\n- text\n") == [("AM902", 0)]


def test_no_fix_lets_a_comment_that_is_ended_in_parts_cover_more(tmp_path):
    lines = [
        "<!-- agent-memory: disable AM107, AM403 -->",
        "<!-- agent-memory: enable AM403 -->",
        "<!-- agent-memory: disable AM201 -->",
        "<!-- agent-memory: enable AM107, AM201 -->",
    ]
    text = "\n- text\n".join([*lines, HIDDEN]) + "\n"
    ctx = project(tmp_path, {"AGENTS.md": text}, {})
    found = check(ctx, runtime_id="deepagents-code").findings
    unused = [item for item in found if item.code == "AM902"]
    assert [item.span.line for item in unused] == [0, 4]
    for number, finding in enumerate(unused):
        edits = [(edit.span, edit.text) for edit in finding.fixes[0].edits]
        fixed = apply_edits(split_lines(text), edits)
        codes = [code for code, _ in _codes(tmp_path / str(number), fixed)]
        assert "AM107" in codes


def test_text_after_the_colon_is_the_reason(tmp_path):
    text = f"<!-- agent-memory: disable-next-line AM403: hidden-unicode is fine -->\n{HIDDEN}\n"
    assert ("AM107", 1) in _codes(tmp_path, text)


def test_directive_for_a_rule_that_is_off_is_not_reported_as_unused(tmp_path):
    text = f"<!-- agent-memory: disable-next-line AM107 -->\n{HIDDEN}\n"
    assert _codes(tmp_path, text, rules={"AM107": "off"}) == []
    text = "<!-- agent-memory: disable-next-line -->\n- text\n"
    assert _codes(tmp_path, text, rules={"hidden-unicode": "off"}) == []


def test_directive_for_a_varying_rule_is_not_reported_as_unused(tmp_path):
    assert _codes(tmp_path, "<!-- agent-memory: disable-next-line AM106 -->\n- text\n") == []


@pytest.mark.parametrize(
    "line",
    [
        "- a tag: </project_memory>",
        "- see `AGENTS.md`",
        "- see AGENTS.md",
        "- @AGENTS.md",
        "- uses React 18",
    ],
)
def test_bare_directive_is_not_reported_where_a_varying_rule_may_need_it(tmp_path, line):
    before, after = "# A\n\n<!-- agent-memory: disable -->", "<!-- agent-memory: enable -->"
    assert _codes(tmp_path, f"{before}\n{line}\n{after}\n") == []
    assert _codes(tmp_path, f"{before}\n- plain\n{after}\n{line}\n") == [("AM902", 2)]


def test_bare_directive_at_the_position_of_findings_about_the_file_is_not_reported(tmp_path):
    assert _codes(tmp_path, "<!-- agent-memory: disable-file -->\n- plain\n") == []
    assert _codes(tmp_path, "# A\n\n<!-- agent-memory: disable -->\n- plain\n") == [("AM902", 2)]


def test_unused_suppression_is_suppressed_only_by_name(tmp_path):
    unused = "<!-- agent-memory: disable-next-line AM107 -->\n- text\n"
    assert _codes(tmp_path, f"<!-- agent-memory: disable-file -->\n{unused}") == [("AM902", 1)]
    assert _codes(tmp_path, f"<!-- agent-memory: disable-file AM902 -->\n{unused}") == []


def test_use_is_reset_for_each_check(tmp_path):
    ctx = project(
        tmp_path, {"AGENTS.md": f"<!-- agent-memory: disable-next-line -->\n{HIDDEN}\n"}, {}
    )
    assert check(ctx, runtime_id="deepagents-code").findings == ()
    (ctx.cwd / "AGENTS.md").write_text("<!-- agent-memory: disable-next-line -->\n- plain\n")
    assert [item.code for item in check(ctx, runtime_id="deepagents-code").findings] == ["AM902"]


def test_directive_in_code_is_ignored(tmp_path):
    text = f"```\n<!-- agent-memory: disable-file -->\n```\n{HIDDEN}\n"
    assert _codes(tmp_path, text) == [("AM107", 3)]
