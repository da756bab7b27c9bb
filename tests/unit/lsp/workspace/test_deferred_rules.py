"""Slow rules wait, and what they found moves with its lines."""

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.base.model import Edit, Fix
from agent_memory.base.text import Span, split_lines
from agent_memory.fs.reader import FileText
from agent_memory.lint.engine import open_project
from agent_memory.lint.memory_file import MemoryFile
from agent_memory.lint.rule import Hit
from agent_memory.lsp.workspace.deferred_rules import SLOW, DeferredRules, _Move
from kit import project

LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n"]), max_size=40)


@settings(max_examples=500, deadline=None)
@given(head=LINES, old=LINES, new=LINES, tail=LINES)
def test_a_span_that_is_kept_stands_on_the_same_text(head, old, new, tail):
    before, after = head + old + tail, head + new + tail
    move = _Move(before, after)
    for number in range(len(before)):
        span = move.span(Span.on_line(number, 0, 1))
        if span is not None:
            assert after[span.line] == before[number]
    kept = sum(move.span(Span.on_line(number, 0, 1)) is not None for number in range(len(before)))
    assert kept >= len(head) + len(tail) - max(0, len(head) + len(tail) - len(after))


@pytest.mark.parametrize("size", [255, 256, 257, 1000])
def test_only_the_line_that_was_changed_is_left_out_of_a_long_file(size):
    before = [f"line {number}\n" for number in range(size)]
    after = [*before[: size // 2], "new\n", "newer\n", *before[size // 2 + 1 :]]
    move = _Move(before, after)
    assert move.span(Span.on_line(size // 2, 0, 1)) is None
    assert move.span(Span.on_line(size // 2 - 1, 0, 1)) == (size // 2 - 1, 0, size // 2 - 1, 1)
    assert move.span(Span.on_line(size - 1, 0, 1)) == (size, 0, size, 1)


class Looks:
    """A file rule that reports each line with an x, and counts how often it was run."""

    def __init__(self, seconds):
        self.count = 0
        self.seconds = seconds

    def check(self, file, _project):
        self.count += 1
        end = time.thread_time() + self.seconds
        while time.thread_time() < end:
            pass
        for number, line in enumerate(file.lines):
            if "x" in line:
                span = Span.on_line(number, 0, 1)
                fix = Fix("Take it out", (Edit(file.path, span, ""),))
                yield Hit(span, f"x in {line}", (fix,))


@pytest.fixture
def opened(tmp_path):
    ctx = project(tmp_path, {"AGENTS.md": "one\ntwo x\nthree\nfour x\n"}, {})
    return open_project(ctx), ctx.cwd / "AGENTS.md"


def typed(opened, text):
    """Return the project and the file after ``text`` was typed."""
    made, path = opened
    content = FileText(path, text, len(text))
    content.__dict__["lines"] = split_lines(text)
    file = MemoryFile(path, content, made.files[path].source)
    return replace(made, files={**made.files, path: file}), file


def test_a_slow_rule_answers_from_before_until_there_is_time(opened):
    made, path = opened
    looks, patience = Looks(SLOW * 4), DeferredRules()
    list(patience.file("AM999", looks.check, made.files[path], made))
    made, file = typed(opened, "zero\none\ntwo x\nthree\nfour x\n")
    patience.hurried = True
    hits = list(patience.file("AM999", looks.check, file, made))
    assert (looks.count, patience.owed) == (1, True)
    assert [hit.span.line for hit in hits] == [2, 4]
    assert [hit.fixes[0].edits[0].span.line for hit in hits] == [2, 4]
    patience.hurried = False
    assert [hit.span.line for hit in patience.file("AM999", looks.check, file, made)] == [2, 4]
    assert looks.count == 2


def test_a_quick_rule_never_waits(opened):
    made, path = opened
    looks, patience = Looks(0), DeferredRules()
    patience.hurried = True
    list(patience.file("AM999", looks.check, made.files[path], made))
    made, file = typed(opened, "x\n")
    looks.seconds = 0
    assert [hit.span.line for hit in patience.file("AM999", looks.check, file, made)] == [0]
    assert (looks.count, patience.owed) == (2, False)


def test_a_fix_on_a_changed_line_goes_and_its_finding_stays(opened):
    made, path = opened
    span = Span.on_line(1, 0, 1)
    hit = Hit(span, "x", (Fix("Both", (Edit(path, Span.on_line(0, 0, 1), ""),)),))
    move = _Move(made.files[path].lines, ["ONE\n", *made.files[path].lines[1:]])
    assert move.hit(hit, path) == replace(hit, fixes=())
    assert move.hit(replace(hit, fixes=()), path) == replace(hit, fixes=())
