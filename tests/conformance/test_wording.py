"""Our repository contains no sentence of a runtime's template."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

from conformance import install

pytestmark = [pytest.mark.conformance, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
RUN = 8
"""Number of consecutive words that cannot be equal by chance."""

STRUCTURE = (
    "(No skills available yet. You can create skills in",
    r"\s+Add\s+To\s+Memory|Memorize|Remember",
)
"""The placeholder of an empty list and the markers of a learning, which are format, not prose."""

SOURCES = {
    "deepagents-code-0.1.57": (
        "deepagents_code/agent.py",
        "deepagents/middleware/memory.py",
        "deepagents/middleware/skills.py",
    ),
    "deepagents-0.3.4": ("deepagents/middleware/memory.py", "deepagents/middleware/skills.py"),
    "deepagents-0.4.12": ("deepagents/middleware/memory.py", "deepagents/middleware/skills.py"),
    "deepagents-0.6.12": ("deepagents/middleware/memory.py", "deepagents/middleware/skills.py"),
    "deepagents-0.7.32": ("deepagents/middleware/memory.py", "deepagents/middleware/skills.py"),
    "deepagents-cli-0.0.12": (
        "deepagents_cli/agent_memory.py",
        "deepagents_cli/skills/middleware.py",
    ),
    "claude-mpm-3.2.1": ("claude_mpm/hooks/memory_integration_hook.py",),
}


def words(text: str) -> list[str]:
    """Return the words of ``text`` without tags and placeholders, which are structure."""
    return re.findall(r"[^\W_]+", re.sub(r"</?\w+>|\{\w+\}", " ", text.lower()))


def runs(text: str) -> set[tuple[str, ...]]:
    found = words(text)
    return {tuple(found[at : at + RUN]) for at in range(len(found) - RUN + 1)}


def prose(path: Path) -> set[tuple[str, ...]]:
    """Return the runs of words of every string of a source file, docstrings included."""
    out: set[tuple[str, ...]] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            out |= runs(node.value)
    return out


def tracked() -> list[Path]:
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True
    ).stdout.decode()
    return [ROOT / name for name in names.split("\0") if name and (ROOT / name).is_file()]


@pytest.mark.parametrize("name", SOURCES)
def test_we_contain_no_run_of_words_of_a_template(name):
    failed = install.install(name)
    assert not failed
    theirs = set().union(*(prose(install.packages(name) / module) for module in SOURCES[name]))
    theirs -= set().union(*map(runs, STRUCTURE))
    assert len(theirs) > 50, "the templates were found"
    shared = {}
    for path in tracked():
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        same = runs(text) & theirs
        if same:
            shared[str(path.relative_to(ROOT))] = sorted(" ".join(run) for run in same)
    assert shared == {}


def test_a_sentence_of_a_template_is_found():
    sentence = "one two three four five six seven eight nine"
    assert runs(sentence.upper().replace(" ", ",\n  ")) == runs(sentence)
    assert len(runs(sentence)) == 2
