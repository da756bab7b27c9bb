"""Every row that can be asked about gets the same true answer from CLI, server and API.

A complete run writes the table of all rows to `.cache/results/requirements.md`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from agent_memory.config.context import Context
from kit import github_token, write
from lsp_kit import connect, disconnect
from requirements import table
from requirements.all_faces import face
from requirements.probes import PROBES, Probe
from requirements.scenario import READERS
from requirements.scenarios import SCENARIOS

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

GIT = {
    "folder": {".git/HEAD": "ref: refs/heads/main\n"},
    "file": {".git": "gitdir: ../real\n"},
    "none": {},
}
NAMES = [f"{number:02d}-{probe.rows.replace(' ', '-')}" for number, probe in enumerate(PROBES)]


def lay_out(base: Path, number: int, probe: Probe) -> tuple[Probe, Context]:
    """Write the files of a probe; return it with its folders filled in."""
    home, root = base / "home", base / f"p{number}" / "project"
    agent = f"agent{number}"
    values = {"{root}": str(root), "{home}": str(home), "{agent}": agent, "{token}": github_token()}

    def filled(value):
        if isinstance(value, str):
            for name, text in values.items():
                value = value.replace(name, text)
            return value
        if isinstance(value, dict):
            return {filled(key): filled(item) for key, item in value.items()}
        if isinstance(value, tuple):
            return tuple(map(filled, value))
        return value

    names = ("files", "home", "contains", "lacks", "sources", "says", "findings", "clean")
    probe = replace(probe, **{name: filled(getattr(probe, name)) for name in names})
    probe = replace(probe, save=tuple(replace(item, text=filled(item.text)) for item in probe.save))
    settings = f'runtime = "{probe.runtime}"\nagent = "{agent}"\n{probe.settings}\n'
    if probe.git == "file":
        write(base / f"p{number}" / "real", {"HEAD": "ref: refs/heads/main\n"})
    write(root, {**GIT[probe.git], **probe.files})
    # Outside git, settings are read from the working folder only.
    at = root / probe.cwd if probe.git == "none" else root
    write(at, {"pyproject.toml": f"[tool.agent-memory]\n{settings}"})
    write(home, {".keep": "", **probe.home})
    return probe, Context(home, root / probe.cwd, env={})


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def asked(tmp_path_factory):
    """Return the filled probes and their contexts, with one server for all of them."""
    base = tmp_path_factory.mktemp("rows").resolve()
    laid = [lay_out(base, number, probe) for number, probe in enumerate(PROBES)]
    folders = [ctx.cwd for probe, ctx in laid if probe.findings or probe.clean]
    editor = await connect("vscode", folders[0], base / "home", folders=folders)
    yield laid, editor
    assert await disconnect(editor) == 0


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("number", range(len(PROBES)), ids=NAMES)
@pytest.mark.parametrize("name", READERS)
async def test_every_face_gives_the_answer_of_the_row(name, number, asked, record_property):
    laid, editor = asked
    probe, ctx = laid[number]
    table.record(record_property, probe.rows, name)
    interface = face(name, ctx, editor)
    root = ctx.cwd if not probe.cwd else ctx.cwd.parents[probe.cwd.count("/")]
    answer = await interface.prompt()
    assert [text for text in probe.contains if text not in answer.text] == []
    assert [text for text in probe.lacks if text in answer.text] == []
    statuses = {name: answer.sources.get(root / name) for name in probe.sources}
    assert statuses == dict(probe.sources)
    said = "\n".join(answer.says)
    assert [words for words in probe.says if words not in said] == []
    for path, code in probe.findings.items():
        assert code in await interface.codes(root / path)
    for path, code in probe.clean.items():
        found = await interface.codes(root / path)
        assert code not in found if code else found == set()
    for item in probe.save:
        outcome, words = await interface.save(item.text, item.scope)
        assert (outcome, item.says in words) == (item.outcome, True), words
    for item in probe.recall:
        found = await interface.recall(item.query, agent=f"agent{number}", **item.options)
        assert [row["summary"] for row in found] == list(item.found)


def test_every_probe_is_about_rows_of_the_page():
    asked = {name for item in (*PROBES, *SCENARIOS) for name in item.rows.split()}
    assert asked <= {row.id for row in table.rows()}


def test_no_row_is_held_by_a_named_test_alone():
    assert [row.id for row in table.rows() if row.kind == "test"] == []
