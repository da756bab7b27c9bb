"""Everything that reads a file takes time in proportion to the size of the file."""

from __future__ import annotations

import random

import pytest

from effort import EFFORT
from linear.growth import FACTOR, growth
from linear.hostile import Shape, pairs, shapes
from linear.subjects import READERS, SUBJECTS

pytestmark = pytest.mark.slow

KNOWN = (
    ("learn extract", Shape("\n", "# Add To Memory:")),
    ("learn extract", Shape("# Add To Memory:\n")),
    ("SKILL.md", Shape("\n", "---")),
    ("entry", Shape("\n", "---")),
    ("Makefile", Shape("\n")),
    ("Makefile", Shape("%")),
    ("Makefile", Shape(" ", "a", "=")),
    ("justfile", Shape(" ", "a", "=")),
    (".gitmodules", Shape("\n")),
    (".gitmodules", Shape(" ", "path = a", "b\n")),
    ("pattern of .gitignore", Shape("[")),
    ("AM503 stale-command deepagents-code", Shape("`make a`")),
    ("AM501 stale-path deepagents-code", Shape("../", "- `", "!`")),
    ("AM501 stale-path deepagents-code", Shape("a/", "- `", "a.py`")),
    ("AM501 stale-path deepagents-code", Shape("`src/lib/a.py` ")),
    ("AM502 stale-link deepagents-code", Shape("[a](<")),
    ("AM825 mpm-block claude-mpm", Shape(" ", "# Add To Memory:\ncontent: a", "b\n#\n")),
    ("Markdown", Shape(" ", "# a", "b")),
    ("Markdown", Shape("a <!--\n")),
    ("Markdown", Shape("<!-- a -->", "`b` ")),
    ("remember deepagents-code", Shape(".", suffix="x")),
    ("remember deepagents-code", Shape(": ", suffix="x")),
    ("remember deepagents-code", Shape("> ", suffix="x")),
    ("remember deepagents-code", Shape("a <!--\n")),
    ("comment", Shape("\t", "<!-- a", "`")),
    ("comment", Shape(" ", "/* a", "b */")),
    ("comments", Shape("<!-- ")),
    ("check deepagents-code", Shape("\n", "<!-- a b c d", "e -->")),
    ("check deepagents-code", Shape("<!-- agent-memory: disable -->\n")),
    ("check deepagents-code", Shape("<!-- agent-memory: disable AM107 -->\u200b\n")),
    ("plain claim", Shape("and ", "run a ", "if b")),
    ("claims", Shape("a", "no ", "!")),
    ("learn clean", Shape("- ", "## A\n", "\n", "numbered")),
    ("learn clean", Shape("a", "\n## A", "\n\n- item\n", "numbered")),
    ("differences", Shape("a", arrangement="numbered")),
    ("secrets", Shape(" ", "|x|-|\n", "x|")),
    ("settings.gradle", Shape("/*")),
)
"""Texts that took quadratic or cubic time."""
KNOWN_IN_LONG_FILES = (
    ("AM501 stale-path deepagents-code", Shape("file", "- `src/lib/", ".py`", "numbered")),
    ("AM501 stale-path deepagents-code", Shape("file", "- src/lib/", ".py", "numbered")),
    ("AM501 stale-path deepagents-code", Shape("file", "text `src/lib/", ".py`", "numbered")),
    ("AM501 stale-path deepagents-code", Shape("file", "# B\n\n`src/lib/", ".py`", "numbered")),
    ("AM501 stale-path deepagents-code", Shape("file", "## B\n\n- `src/lib/", ".py`", "numbered")),
    (
        "AM501 stale-path deepagents-code",
        Shape("file", "- Create `made", ".md`\n- See `src/lib/gone.py`", "numbered"),
    ),
    ("AM402 duplicate-heading deepagents-code", Shape("# a\n")),
    ("settings.gradle", Shape(f":{'a' * 60}", "include 'a", "'")),
)
"""Texts that took quadratic time, which only shows in files of more than 1,000 lines."""
EVERY = [*shapes(), *pairs()]
SAMPLES = {"fast": 1, "usual": 4, "all": 24}
SAMPLE = 30
"""Generated texts, each for one reader or rule. A full run takes half an hour of CPU time."""


@pytest.mark.parametrize(("name", "shape"), KNOWN)
def test_known_hostile_text_takes_linear_time(name, shape):
    assert growth(SUBJECTS[name], shape, 1 << 15) <= FACTOR


@pytest.mark.parametrize(("name", "shape"), KNOWN_IN_LONG_FILES)
def test_known_hostile_text_takes_linear_time_in_long_files(name, shape):
    assert growth(SUBJECTS[name], shape, 1 << 17, start=1 << 16) <= FACTOR


@pytest.mark.parametrize("seed", range(SAMPLES[EFFORT]))
def test_generated_hostile_text_takes_linear_time(seed):
    rng = random.Random(seed)
    found = {}
    for name, shape in _sample(rng, EVERY, SAMPLE):
        factor = growth(SUBJECTS[name], shape, 1 << 14)
        if factor > FACTOR:
            found[name, shape] = factor
    assert found == {}


def _sample(rng: random.Random, every: list[Shape], count: int) -> list[tuple[str, Shape]]:
    """Return pairs of a subject and a shape; every second subject is a reader."""
    groups = (list(SUBJECTS), list(READERS))
    return [(rng.choice(groups[at % 2]), rng.choice(every)) for at in range(count)]
