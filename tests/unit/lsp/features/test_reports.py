"""Diagnostics that are reused after a keystroke equal those of a new report."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.lsp.features.reports import Reports
from agent_memory.lsp.protocol.client_capabilities import ClientCapabilities
from agent_memory.lsp.workspace.documents import Document
from agent_memory.lsp.workspace.session import Session
from kit import write

if TYPE_CHECKING:
    from pathlib import Path

LINES = [
    "- Read [the guide](docs/none.md) and [the plan](docs/gone.md).\n",
    "- 😀 [another](docs/none.md)\n",
    "- TODO: fix `src/gone.py`\n",
    "- Always run `make test` before a commit.\n",
    "- Never run `make test` before a commit.\n",
    "# Notes\n",
    "```\n",
    "\n",
]
EDITS = st.lists(
    st.tuples(
        st.integers(0, 11), st.sampled_from([*LINES, "", "é", "😀"]), st.sampled_from([0, 1, 9])
    ),
    min_size=1,
    max_size=8,
)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    folder = tmp_path_factory.mktemp("reports")
    root = write(folder / "ws", {".git/HEAD": "x", "AGENTS.md": "# A\n", "docs/a.md": "# B\n"})
    made = Session(write(folder / "home", {".keep": ""}), {})
    made.capabilities = ClientCapabilities({"capabilities": {}})
    made.set_folders([root])
    made.projects.views()
    return made


def edit(lines: list[str], number: int, text: str, removed: int) -> str:
    """Insert ``text`` at the start of a line and remove characters after it."""
    text = text + "".join(lines[number:])[removed:]
    return "".join(lines[:number]) + text


@given(edits=EDITS)
def test_report_after_edits_equals_a_new_report(session: Session, edits):
    path: Path = session.folders[0] / "AGENTS.md"
    lines = [*LINES, *LINES[:4]]
    document = Document(path.as_uri(), "".join(lines), 1)
    session.documents.open(document)
    reports = Reports(session)
    reports.of(path, session.findings(path))
    for number, text, removed in edits:
        document.apply({"text": edit(list(document.lines), number, text, removed)}, "utf-16")
        findings = session.findings(path)
        assert reports.of(path, findings) == Reports(session).of(path, findings)


def test_keystroke_converts_only_the_finding_it_changes(session: Session):
    path = session.folders[0] / "AGENTS.md"
    document = Document(path.as_uri(), "- [a](docs/x.md)\n- [b](docs/y.md)\n", 1)
    session.documents.open(document)
    reports = Reports(session)
    before = reports.of(path, session.findings(path))[1]
    document.apply({"text": "- 😀 [a](docs/x.md)\n- [b](docs/y.md)\n"}, "utf-16")
    after = reports.of(path, session.findings(path))[1]
    assert [item["code"] for item in after] == ["AM502", "AM502"]
    assert after[1] is before[1]
    assert after[0]["range"]["start"]["character"] == 9
    assert json.loads(json.dumps(after)) == after
