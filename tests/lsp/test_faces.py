"""Findings are the same in the language server, on the command line and in Python."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlparse

import pytest
import tomli_w

from agent_memory import Memory
from agent_memory.fs.reader import read_file
from agent_memory.serialize import finding_json
from kit import cli
from lsp_wire import Wire

if TYPE_CHECKING:
    from agent_memory.config.context import Context

sys.path.insert(0, str(Path(__file__).parents[1] / "rules"))

from harness import Case, build, cases

pytestmark = pytest.mark.slow
LEVELS = {1: "error", 2: "warning", 3: "info"}
Seen = set[tuple[str, str, str, str, str]]


def laid_out(case: Case, tmp: Path) -> Context:
    """Lay out the case with its settings in pyproject.toml, which all faces read."""
    ctx = build(case, tmp)
    runtime = ctx.settings.runtime
    values = {"runtime": runtime, **case.options.get("settings", {})}
    (ctx.cwd / "pyproject.toml").write_text(tomli_w.dumps({"tool": {"agent-memory": values}}))
    return ctx


def on_the_command_line(ctx: Context) -> Seen:
    done = cli(ctx, "check", "--format", "json", "--fail-on", "never")
    assert done.code == 0, done.err
    found = json.loads(done.out)["findings"]
    return {row(item["path"], item, item["severity"], item["range"]) for item in found}


def in_python(ctx: Context) -> Seen:
    found = Memory(ctx.cwd, home=ctx.home).check().findings
    values = [finding_json(item, lambda path: read_file(path).lines) for item in found]
    return {row(item["path"], item, item["severity"], item["range"]) for item in values}


def in_the_server(ctx: Context) -> Seen:
    wire = Wire(ctx.home)
    wire.initialize(ctx.cwd, textDocument={"diagnostic": {}})
    reports = wire.request("workspace/diagnostic", {"previousResultIds": []})["result"]
    assert wire.leave()[0] == 0
    seen: Seen = set()
    for report in reports["items"]:
        path = unquote(urlparse(report["uri"]).path)
        for item in report["items"]:
            place = shown_by_the_disk(Path(path), item["range"])
            seen.add(row(path, item, LEVELS[item["severity"]], place))
    return seen


def shown_by_the_disk(path: Path, place: dict[str, Any]) -> dict[str, Any]:
    """An editor hides a byte order mark, so columns behind one are fewer by one there."""
    if read_file(path).text.startswith("\ufeff"):
        for end in place.values():
            end["character"] += end["line"] == 0 and (end is place["end"] or end["character"] > 0)
    return place


def row(path: str, item: dict[str, Any], severity: str, place: dict[str, Any]) -> tuple[str, ...]:
    return path, item["code"], severity, item["message"], json.dumps(place, sort_keys=True)


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.rule}-{case.path.name}")
def test_every_example_is_found_alike(case, tmp_path):
    ctx = laid_out(case, tmp_path)
    told = on_the_command_line(ctx)
    assert in_python(ctx) == told
    assert in_the_server(ctx) == told
    if case.kind == "bad" and not case.options.get("paths"):
        assert told
