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
from requirements.faces import Api, CommandLine, Server
from requirements.probes import PROBES, Probe

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

GIT = {
    "folder": {".git/HEAD": "ref: refs/heads/main\n"},
    "file": {".git": "gitdir: ../real\n"},
    "none": {},
}
FACES = ("command line", "server", "API")
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

    names = ("files", "home", "contains", "lacks", "sources", "says", "findings")
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
    folders = [ctx.cwd for _, ctx in laid]
    editor = await connect("vscode", folders[0], base / "home", folders=folders)
    yield laid, editor
    assert await disconnect(editor) == 0


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("number", range(len(PROBES)), ids=NAMES)
@pytest.mark.parametrize("face", FACES)
async def test_every_face_gives_the_answer_of_the_row(face, number, asked):
    laid, editor = asked
    probe, ctx = laid[number]
    chosen = {"command line": CommandLine, "API": Api}.get(face)
    interface = chosen(ctx) if chosen else Server(ctx, editor)
    root = ctx.cwd if not probe.cwd else ctx.cwd.parents[probe.cwd.count("/")]
    answer = await interface.prompt()
    assert [text for text in probe.contains if text not in answer.text] == []
    assert [text for text in probe.lacks if text in answer.text] == []
    statuses = {name: answer.sources.get(root / name) for name in probe.sources}
    assert statuses == dict(probe.sources)
    said = "\n".join(answer.says)
    assert [words for words in probe.says if words not in said] == []
    for name, code in probe.findings.items():
        assert code in await interface.codes(root / name)
    for item in probe.save:
        outcome, words = await interface.save(item.text, item.scope)
        assert (outcome, item.says in words) == (item.outcome, True), words
    for item in probe.recall:
        found = await interface.recall(item.query, f"agent{number}", dict(item.options))
        assert found is None or found == list(item.found)
    table.answered(probe.rows, face)


def test_the_table_has_every_row():
    rows = table.rows()
    assert {row.id for row in rows} >= {name for probe in PROBES for name in probe.rows.split()}
    table.write(rows)
