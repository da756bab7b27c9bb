"""Settings that an editor sends for one workspace folder."""

from __future__ import annotations

from agent_memory.fs.overlay import Store
from agent_memory.lsp.workspace.session_settings import SessionSettings


def test_option_of_a_workspace_folder_applies_to_its_nested_projects(tmp_path):
    settings = SessionSettings(tmp_path / "home", Store())
    settings.folders = [tmp_path / "ws"]
    settings.editor = {None: {"codeLens": True}, tmp_path / "ws": {"codeLens": False}}
    assert not settings.option("codeLens", tmp_path / "ws", default=True)
    assert not settings.option("codeLens", tmp_path / "ws/packages/web", default=True)
    assert settings.option("codeLens", tmp_path / "other", default=False)
