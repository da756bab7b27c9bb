"""Claude MPM 3.2.1: what is equal byte for byte, and where we deviate on purpose."""

from __future__ import annotations

import pytest

from agent_memory.base.model import Severity, Status
from conformance.compare import ours, theirs
from conformance.place import Place

pytestmark = [pytest.mark.conformance, pytest.mark.slow]

NAME = "claude-mpm-3.2.1"
WHOLE = "".join(
    f"## {name} (Max: 15 items)\n- an item\n\n"
    for name in (
        "Project Architecture",
        "Implementation Guidelines",
        "Common Mistakes to Avoid",
        "Current Technical Context",
        "Recent Learnings",
    )
)
FOLLOWED = {
    "whole": f"# Qa Agent Memory - p\n\n{WHOLE}",
    "no sections": "# Title\n\nprose\n",
    "nothing before the learnings": "## Recent Learnings\n- a\n",
    "required ones missing": "# T\n\n## Project Architecture\n- a\n\n## Recent Learnings\n- b\n",
    "heading without a limit": "## Project Architecture\n## Implementation Guidelines (x)\n",
    "empty": "",
    "white space only": " \n\n",
    "no final newline": "# T\n- a",
    "CRLF": f"# T\r\n\r\n{WHOLE}".replace("\n", "\r\n"),
    "BOM": "\ufeff# T\n",
    "braces": "{memory_content} {x} }{\n",
    "emoji and CJK": "# \U0001f600 \u7528\u6237\n",
    "over the limit": WHOLE * 40,
}


def build(tmp_path, content) -> Place:
    place = Place(tmp_path, agent="qa")
    place.git()
    path = place.root / ".claude-mpm" / "memories" / "qa_agent.md"
    path.parent.mkdir(parents=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return place


@pytest.mark.parametrize("case", FOLLOWED)
def test_the_delegated_task_has_the_bytes_of_the_real_hook(case, tmp_path, drivers):
    place = build(tmp_path, FOLLOWED[case])
    driver = drivers(NAME)  # installs it, so that our prompt finds its template
    prompt = ours(place, NAME)
    real = theirs(driver, place)
    assert prompt.text.encode() == real["text"].encode()
    assert prompt.exactness == "exact"


def test_an_unreadable_file_is_overwritten_by_claude_mpm_and_reported_by_us(tmp_path, drivers):
    place = build(tmp_path, b"# caf\xe9\n")
    path = place.root / ".claude-mpm/memories/qa_agent.md"
    prompt = ours(place, NAME)
    assert prompt.problems[0].severity is Severity.ERROR
    assert "overwrites it" in prompt.problems[0].message
    theirs(drivers(NAME), place)
    assert path.read_bytes() != b"# caf\xe9\n", "Claude MPM wrote its default file"


def test_the_default_file_of_claude_mpm_is_not_in_our_preview(tmp_path, drivers):
    place = build(tmp_path, "x")
    path = place.root / ".claude-mpm/memories/qa_agent.md"
    path.unlink()
    prompt = ours(place, NAME, base="")
    assert prompt.text == ""
    assert prompt.sources[0].status is Status.MISSING
    assert "sample facts" in prompt.sources[0].reason
    theirs(drivers(NAME), place)
    assert "## Project Architecture" in path.read_text("utf-8")
