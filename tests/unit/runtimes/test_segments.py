"""Every line of a composed prompt points to its line of the file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.base.model import Segment
from agent_memory.base.text import split_lines, without_newline
from agent_memory.config.context import Context
from agent_memory.config.settings import Settings
from agent_memory.fs.overlay import Store
from agent_memory.fs.reader import decode
from agent_memory.prompt.compose import compose
from agent_memory.runtimes.segments import part, with_short_gaps

PIECES = [
    "a",
    "- b",
    " ",
    "\n",
    "\r\n",
    "\r",
    "<!--",
    "-->",
    "\n\n",
    "{x}",
    "\u00e9\U0001f600",
    "\u2028",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)
RUNTIMES = ["deepagents-code", "deepagents", "deepagents-cli", "deepagentsdk"]


class Memory(Store):
    """A store that knows only the given texts."""

    def __init__(self, texts):
        super().__init__()
        for path, text in texts.items():
            self.overlay(path, lambda path=path, text=text: decode(path, text.encode()))


@pytest.mark.parametrize("runtime", RUNTIMES)
@settings(deadline=None)
@given(user=TEXTS, project=TEXTS)
def test_line_i_of_a_segment_is_line_i_after_its_first_line(runtime, user, project):
    home, root = Path("/nowhere/home"), Path("/nowhere/root")
    texts = {
        folder / name: text
        for folder, text in (
            (home / ".deepagents/agent", user),
            (root / ".deepagents", project),
        )
        for name in ("agent.md", "AGENTS.md")
    }
    ctx = Context(home, root, Memory(texts), Settings(project_root="."), env={})
    prompt = compose(ctx, runtime)
    assert "".join(item.text for item in prompt.segments) == prompt.text
    for segment in prompt.segments:
        if segment.path is None:
            continue
        lines = split_lines(texts[segment.path])
        for number, line in enumerate(split_lines(segment.text)):
            assert without_newline(line) in without_newline(lines[segment.line + number])
        inner = split_lines(segment.text)[1:-1]
        start = segment.line + 1
        assert list(map(without_newline, inner)) == list(
            map(without_newline, lines[start : start + len(inner)])
        )


@pytest.mark.slow
@pytest.mark.parametrize("runtime", RUNTIMES)
@settings(deadline=None)
@given(text=TEXTS)
def test_only_comments_and_trailing_white_space_are_removed(runtime, text):
    home, root = Path("/nowhere/home"), Path("/nowhere/root")
    path = home / ".deepagents/agent"
    ctx = Context(home, root, Memory({path / n: text for n in ("agent.md", "AGENTS.md")}), env={})
    shown = "".join(item.text for item in compose(ctx, runtime).segments if item.path)
    if "<!--" not in text:
        assert bodies(shown) == bodies(text)


def bodies(text):
    return [without_newline(line) for line in split_lines(text.rstrip())]


@given(st.lists(st.text("\na\r", max_size=8), max_size=5))
def test_gaps_are_cut_across_segments_and_lines_stay_right(texts):
    found = with_short_gaps([Segment(text) for text in texts])
    assert "".join(item.text for item in found) == re.sub(r"\n{3,}", "\n\n", "".join(texts))
    (whole, *rest) = with_short_gaps([Segment("a\n\n\n\nb", "user", Path("x"), 3)])
    assert [(item.text, item.line) for item in (whole, *rest)] == [("a\n\n", 3), ("b", 7)]


def test_a_part_knows_its_first_line():
    assert part(Segment("a\nb\nc", line=2), 4, 5) == Segment("c", line=4)
