"""After any events in any order, the editor shows the findings of a new check."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from agent_memory.fs import file_index
from agent_memory.lsp.features.reports import Reports
from agent_memory.lsp.workspace import deferred_rules, project_view
from agent_memory.lsp.workspace.documents import Document
from agent_memory.lsp.workspace.session import Session
from effort import scaled
from simulated_editor import CLIENTS, WORKSPACE, Simulation

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

STEPS = [
    "save",
    "watch",
    "edit",
    "edit",
    "ask",
    "run_timer",
    "run_call",
    "run_check",
    "set_speed",
    "count",
]
LENGTH = 80
"""Steps of a run."""


def wanted(simulation: Simulation) -> dict[str, list[tuple[str, int]]]:
    """Return (code, line) of the findings of a new check, by URI."""
    session = Session(simulation.session.home)
    session.capabilities = simulation.session.capabilities
    session.set_folders([simulation.root])
    for uri, text in simulation.texts.items():
        session.documents.open(Document(uri, text, 1))
    session.projects.active = simulation.session.projects.active
    reports = Reports(session)
    return {
        session.positions.uri(path): _listed(reports.of(path, session.findings(path))[1])
        for path in simulation.session.all_paths()
    }


def _listed(items: list[dict]) -> list[tuple[str, int]]:
    return sorted((item["code"], item["range"]["start"]["line"]) for item in items)


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("seed", range(scaled(8)))
def test_editor_shows_all_findings_in_the_end(
    client: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    random = Random(seed)
    monkeypatch.setattr(file_index, "_LISTING_SECONDS", 0)
    monkeypatch.setattr(file_index, "_LISTING_FACTOR", 0)
    simulation = Simulation(tmp_path, client, monkeypatch)
    for _ in range(LENGTH):
        getattr(simulation, random.choice(STEPS))(random.randrange(100))
    simulation.finish()
    assert not simulation.running, "a pull has no answer"
    simulation.pull(WORKSPACE)  # editors do so every other second
    if client == "pulls":  # without a refresh such an editor pulls when it is focused, ...
        for uri in simulation.texts:
            simulation.pull(uri)
    simulation.finish()
    monkeypatch.setattr(project_view, "SLOW_CHECK", 1e9)
    monkeypatch.setattr(deferred_rules, "SLOW", 1e9)
    shown = {uri: _listed(items) for uri, items in simulation.shown.items() if items}
    assert shown == {uri: found for uri, found in wanted(simulation).items() if found}
