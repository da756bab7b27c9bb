"""The rows that take several questions: the scenarios, each asked of its interfaces."""

from __future__ import annotations

import pytest
import pytest_asyncio

from agent_memory.config.context import Context
from kit import write
from lsp_kit import connect, disconnect
from requirements import table
from requirements.all_faces import face
from requirements.scenarios import SCENARIOS

pytestmark = pytest.mark.slow
ASKED = [(scenario, name) for scenario in SCENARIOS for name in scenario.faces]


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def editor(tmp_path_factory):
    base = tmp_path_factory.mktemp("scenarios").resolve()
    root = write(base / "watched", {".git/HEAD": "x", ".deepagents/agent.md": "- watched\n"})
    editor = await connect("vscode", root, write(base / "home", {".keep": ""}))
    yield editor
    assert await disconnect(editor) == 0


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("scenario", "name"), ASKED, ids=[f"{item.name}-{name}" for item, name in ASKED]
)
async def test_every_face_answers_the_questions_about_the_row(
    scenario, name, editor, record_property
):
    table.record(record_property, scenario.rows, name)
    interface = face(name, Context(editor.home, editor.home, env={}), editor)
    try:
        await scenario.ask(interface)
    finally:
        await interface.close()
