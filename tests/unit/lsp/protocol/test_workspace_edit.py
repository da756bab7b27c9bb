"""Workspace edits in the terms of one client."""

from __future__ import annotations

from agent_memory.lsp.protocol.client_capabilities import ClientCapabilities
from agent_memory.lsp.protocol.workspace_edit import workspace_edit
from agent_memory.lsp.workspace.session import Session
from kit import write

EDITS = {"documentChanges": True, "resourceOperations": ["rename"]}
CLIENT = ClientCapabilities({"capabilities": {"workspace": {"workspaceEdit": EDITS}}})


def test_both_uris_of_a_rename_are_those_of_the_editor(tmp_path):
    real = write(tmp_path / "real", {"old/a.md": "# A\n"})
    link = tmp_path / "link"
    link.symlink_to(real)
    positions = Session(tmp_path).positions
    positions.folders = [link]
    edit = workspace_edit(positions, CLIENT, renames=[(real / "old", real / "new")])
    [rename] = edit["documentChanges"]
    assert rename["oldUri"] == (link / "old").as_uri()
    assert rename["newUri"] == (link / "new").as_uri()
