"""Slow rules are deferred, and their findings shift with the lines."""

import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.base.model import Edit, Fix, Related
from agent_memory.base.text import Span, split_lines
from agent_memory.fs.reader import FileText
from agent_memory.lint.memory_file import MemoryFile
from agent_memory.lint.open_project import open_project
from agent_memory.lint.rule import Hit
from agent_memory.lsp.workspace import deferred_rules
from agent_memory.lsp.workspace.deferred_rules import SLOW, DeferredRules, _LastRun, _Shift
from kit import project

LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n"]), max_size=40)


@settings(max_examples=500, deadline=None)
@given(head=LINES, old=LINES, new=LINES, tail=LINES)
def test_shifted_span_has_the_same_text(head, old, new, tail):
    before, after = head + old + tail, head + new + tail
    move = _Shift(before, after)
    for number in range(len(before)):
        span = move.span(Span.on_line(number, 0, 1))
        if span is not None:
            assert after[span.line] == before[number]
    kept = sum(move.span(Span.on_line(number, 0, 1)) is not None for number in range(len(before)))
    assert kept >= len(head) + len(tail) - max(0, len(head) + len(tail) - len(after))


@pytest.mark.parametrize("size", [255, 256, 257, 1000])
def test_only_changed_lines_are_dropped_in_a_long_file(size):
    before = [f"line {number}\n" for number in range(size)]
    after = [*before[: size // 2], "new\n", "newer\n", *before[size // 2 + 1 :]]
    move = _Shift(before, after)
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
    """Return the project and the file with ``text`` typed."""
    made, path = opened
    content = FileText(path, text, len(text))
    content.__dict__["lines"] = split_lines(text)
    file = MemoryFile(path, content, made.files[path].source)
    return replace(made, files={**made.files, path: file}), file


def run(rules, looks, project, file, *, defer):
    """Return the lines that the rule reports in one run."""
    with rules.run(defer=defer):
        return [hit.span.line for hit in rules.file("AM999", looks.check, file, project)]


def test_a_slow_rule_reuses_its_shifted_findings_until_a_complete_run(opened):
    project, path = opened
    looks, rules = Looks(SLOW * 4), DeferredRules()
    run(rules, looks, project, project.files[path], defer=False)
    project, file = typed(opened, "zero\none\ntwo x\nthree\nfour x\n")
    with rules.run(defer=True):
        hits = list(rules.file("AM999", looks.check, file, project))
    assert (looks.count, rules.is_stale) == (1, True)
    assert [hit.span.line for hit in hits] == [2, 4]
    assert [hit.fixes[0].edits[0].span.line for hit in hits] == [2, 4]
    assert run(rules, looks, project, file, defer=False) == [2, 4]
    assert looks.count == 2


def test_a_quick_rule_is_never_deferred(opened):
    project, path = opened
    looks, rules = Looks(0), DeferredRules()
    run(rules, looks, project, project.files[path], defer=True)
    project, file = typed(opened, "x\n")
    assert run(rules, looks, project, file, defer=True) == [0]
    assert (looks.count, rules.is_stale) == (2, False)


def test_a_rule_that_waited_for_other_processes_is_not_slow(opened, monkeypatch):
    project, path = opened
    looks, rules = Looks(0), DeferredRules()
    clock = iter(range(100))
    monkeypatch.setattr(deferred_rules.time, "perf_counter", lambda: next(clock))
    for count in (1, 2, 3):
        run(rules, looks, project, project.files[path], defer=True)
        assert (looks.count, rules.is_stale) == (count, False)


def test_fix_on_a_changed_line_is_dropped_from_its_finding(opened):
    made, path = opened
    span = Span.on_line(1, 0, 1)
    hit = Hit(span, "x", (Fix("Both", (Edit(path, Span.on_line(0, 0, 1), ""),)),))
    move = _Shift(made.files[path].lines, ["ONE\n", *made.files[path].lines[1:]])
    assert move.hit(hit, path) == replace(hit, fixes=())
    assert move.hit(replace(hit, fixes=()), path) == replace(hit, fixes=())


@settings(max_examples=300, deadline=None)
@given(head=LINES, old=LINES, new=LINES, tail=LINES, data=st.data(), both=st.booleans())
def test_findings_of_a_deferred_rule_are_the_shifted_ones(head, old, new, tail, data, both):
    before, after = head + old + tail, head + new + tail
    path, rules = Path("/p/AGENTS.md"), DeferredRules()
    lines = st.integers(0, max(0, len(before) - 1))
    hits = []
    for number in data.draw(st.lists(lines, max_size=4)):
        edit = Edit(path, Span.on_line(data.draw(lines), 0, 1), "")
        related = Related(path, Span.on_line(data.draw(lines), 0, 1), "here")
        hits.append(Hit(Span.on_line(number, 0, 1), "x", (Fix("y", (edit,)),), (related,) * both))
    last = _LastRun(hits, {path: before})
    project = SimpleNamespace(files={path: SimpleNamespace(lines=after)})
    shift = _Shift(before, after)
    expected = [hit for hit in (shift.hit(each, path) for each in hits) if hit]
    assert list(rules._shifted(last, project, path)) == expected
