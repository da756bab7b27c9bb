"""The agents that can be started, as the editor knows them."""

from __future__ import annotations

import re
from pathlib import Path

from agent_memory.verify.requests import REQUESTS

EDITOR = Path(__file__).parents[3] / "vscode-extension/src/preview/exactness.ts"


def test_the_editor_offers_to_start_the_same_agents():
    [names] = re.findall(r"STARTABLE = new Set\(\[(.*?)\]\)", EDITOR.read_text())
    assert sorted(re.findall(r'"([^"]+)"', names)) == sorted(REQUESTS)
