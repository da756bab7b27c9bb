from __future__ import annotations

import pytest

from agent_memory import suppress
from agent_memory.check import check, open_project
from agent_memory.markdown import scan
from agent_memory.text import split_lines
from kit import project

HIDDEN = "- a\u200bb\n"


def covered(text: str, keys: tuple[str, ...] = ("AM107", "hidden-unicode")) -> list[int]:
    """Return the lines on which a finding of the rule would be silent."""
    lines = split_lines(text)
    found = suppress.parse(scan(lines))
    return [n for n in range(len(lines)) if any(item.covers(n, keys) for item in found)]


@pytest.mark.parametrize("rule", ["AM107", "hidden-unicode", "AM201, AM107", "AM201 AM107 why", ""])
def test_the_next_line_is_silent(rule):
    assert covered(f"a\n<!-- agent-memory: disable-next-line {rule} -->\nb\nc\n") == [2]


@pytest.mark.parametrize(
    "rule", ["AM201", "secret-token", "shadowed", "because it is an example", "AM1 x", "Am107"]
)
def test_what_names_no_such_rule_silences_nothing_of_it(rule):
    assert covered(f"<!-- agent-memory: disable-next-line {rule} -->\nb\n") == []


@pytest.mark.parametrize("rest", ["-- AM201 is fine", "(all of it)"])
def test_a_reason_alone_means_all_rules(rest):
    assert covered(f"<!-- agent-memory: disable-next-line {rest} -->\nb\n") == [1]


def test_names_of_one_word_are_rules():
    text = "<!-- agent-memory: disable-next-line empty -->\nb\n"
    assert covered(text) == []
    assert covered(text, ("AM104", "empty")) == [1]
    both = "<!-- agent-memory: disable-next-line AM107, empty so -->\nb\n"
    assert covered(both, ("AM104", "empty")) == covered(both) == [1]


def test_a_range_ends_where_it_is_enabled():
    text = "a\n<!-- agent-memory: disable AM107 -->\nb\n<!-- agent-memory: enable AM107 -->\nc\n"
    assert covered(text) == [1, 2, 3]
    assert covered(text.replace("enable AM107", "enable")) == [1, 2, 3]
    assert covered(text.replace("enable AM107", "enable AM201")) == [1, 2, 3, 4]


def test_part_of_a_range_can_be_enabled():
    text = (
        "<!-- agent-memory: disable AM107 AM201 -->\na\n"
        "<!-- agent-memory: enable AM107 -->\nb\n"
        "<!-- agent-memory: enable -->\nc\n"
    )
    assert covered(text) == [0, 1, 2]
    assert covered(text, ("AM201",)) == [0, 1, 2, 3, 4]


def test_a_file_is_silent_from_its_start():
    assert covered("a\nb\n<!-- agent-memory: disable-file AM107 reason -->\n") == [0, 1, 2]


@pytest.mark.parametrize(
    "text",
    [
        "<!-- agent-memory: disable-nextline AM107 -->\nb\n",
        "<!-- agent-memory: disable-next AM107 -->\nb\n",
        "<!-- see agent-memory: disable AM107 -->\nb\n",
        "```\n<!-- agent-memory: disable AM107 -->\n```\nb\n",
        "`<!-- agent-memory: disable AM107 -->`\nb\n",
    ],
)
def test_what_is_no_directive_silences_nothing(text):
    assert covered(text) == []


def test_a_directive_over_several_lines_counts_from_its_end():
    text = "<!-- agent-memory: disable-next-line AM107\nbecause\n-->\nb\nc\n"
    assert covered(text) == [3]


def test_silenced_findings_are_left_out_and_the_others_stay(tmp_path):
    text = f"{HIDDEN}<!-- agent-memory: disable-next-line AM107 -->\n{HIDDEN}"
    ctx = project(tmp_path, {".deepagents/agent.md": text}, {})
    assert [item.span.line for item in check(ctx).findings if item.code == "AM107"] == [0]


def test_the_offered_comments_silence_the_finding(tmp_path):
    ctx = project(tmp_path, {".deepagents/agent.md": f"# A\n\n  {HIDDEN}"}, {})
    (finding,) = [item for item in check(ctx).findings if item.code == "AM107"]
    file = open_project(ctx).files[finding.path]
    for way in suppress.ways("AM107", finding.span, file):
        (edit,) = way.edits
        lines = list(file.lines)
        lines.insert(edit.span.line, edit.text)
        assert covered("".join(lines))[-1] == lines.index(f"  {HIDDEN}")
        assert not way.safe
