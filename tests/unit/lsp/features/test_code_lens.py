"""Title and command of the code lens."""

import pytest

from agent_memory.lsp.features.code_lens import lenses
from agent_memory.lsp.protocol.client_capabilities import ClientCapabilities
from agent_memory.lsp.workspace.session import Session
from kit import write

CONTENT = {"capabilities": {"workspace": {"textDocumentContent": {}}}}


@pytest.fixture
def session(tmp_path):
    files = {".git/HEAD": "x", "AGENTS.md": "# A\n\n- one\n", ".deepagents/AGENTS.md": "# B\n"}
    made = Session(write(tmp_path / "home", {".keep": ""}), {})
    made.set_folders([write(tmp_path / "ws", files)])
    return made


def lens(session, client):
    session.capabilities = ClientCapabilities(client)
    uri = (session.folders[0] / "AGENTS.md").as_uri()
    return uri, lenses(session, uri)


@pytest.mark.parametrize(
    ("client", "command"),
    [
        ({"initializationOptions": {"previewCommand": "my.preview"}}, "my.preview"),
        (CONTENT, "agentMemory.server.showPrompt"),
        ({}, ""),
    ],
)
def test_lens_uses_the_command_the_editor_supports(session, client, command):
    uri, [found] = lens(session, client)
    assert found["command"]["command"] == command
    assert found["command"]["title"].endswith("tokens, loaded 2nd of 2")
    assert found["command"].get("arguments") == ([{"uri": uri}] if command else None)


def test_one_token_is_singular(session):
    (session.folders[0] / "AGENTS.md").write_text("x")
    title = lens(session, {})[1][0]["command"]["title"]
    assert title == "1 token, loaded 2nd of 2"


def test_lens_can_be_turned_off(session):
    session.settings.editor = {None: {"codeLens": False}}
    assert lens(session, {})[1] == []


def test_lens_of_an_unread_file_names_the_runtime(session):
    session.settings.editor = {None: {"runtime": "deepagentsdk"}}
    title = lens(session, {})[1][0]["command"]["title"]
    assert title.endswith("tokens, not read by deepagentsdk")
