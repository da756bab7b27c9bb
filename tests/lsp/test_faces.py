"""Findings are the same in the language server, on the command line and in Python."""

from __future__ import annotations

import json
import re
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
    from collections.abc import Iterator

    from agent_memory.config.context import Context

sys.path.insert(0, str(Path(__file__).parents[1] / "rules"))

from harness import Case, build, cases

pytestmark = pytest.mark.slow
LEVELS = {1: "error", 2: "warning", 3: "info"}
_JOINED = re.compile(r" \(also in [\d,]+ other places?\)")
Seen = set[tuple[str, str, str, str, str]]


def laid_out(case: Case, tmp: Path, home: Path) -> Context:
    """Lay out the case with its settings in pyproject.toml, which all faces read.

    A case without user memory uses ``home``, an empty folder.
    """
    ctx = build(case, tmp)
    runtime = ctx.settings.runtime
    values = {"runtime": runtime, **case.options.get("settings", {})}
    (ctx.cwd / "pyproject.toml").write_text(tomli_w.dumps({"tool": {"agent-memory": values}}))
    return ctx.with_(home=home) if not any(ctx.home.iterdir()) else ctx


def on_the_command_line(ctx: Context) -> Seen:
    done = cli(ctx, "check", "--format", "json", "--fail-on", "never")
    assert done.code == 0, done.err
    found = json.loads(done.out)["findings"]
    return {row(item["path"], item, item["severity"], item["range"]) for item in found}


def in_python(ctx: Context) -> Seen:
    found = Memory(ctx.cwd, home=ctx.home).check().findings
    values = [finding_json(item, lambda path: read_file(path).lines) for item in found]
    return {row(item["path"], item, item["severity"], item["range"]) for item in values}


class Server:
    """A language server that many projects use one after the other; they share its home."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.wire = Wire(home)
        self.wire.initialize(home, textDocument={"diagnostic": {}})
        self.folders: list[dict[str, str]] = [{"uri": home.as_uri(), "name": "home"}]

    def check(self, root: Path) -> Seen:
        """Return the findings of all files with ``root`` as the only workspace folder."""
        removed, self.folders = self.folders, [{"uri": root.as_uri(), "name": root.name}]
        event = {"added": self.folders, "removed": removed}
        self.wire.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        reports = self.wire.request("workspace/diagnostic", {"previousResultIds": []})["result"]
        seen: Seen = set()
        for report in reports["items"]:
            path = unquote(urlparse(report["uri"]).path)
            for item in report["items"]:
                place = shown_by_the_disk(Path(path), item["range"])
                seen.add(row(path, item, LEVELS[item["severity"]], place))
        return seen


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return the server of all cases that have no files in the user's home."""
    server = Server(tmp_path_factory.mktemp("home"))
    yield server
    assert server.wire.leave()[0] == 0


def in_the_server(ctx: Context, shared: Server) -> Seen:
    """Return the server's findings; a case with user memory gets a server of its own."""
    if ctx.home == shared.home:
        return shared.check(ctx.cwd)
    own = Server(ctx.home)
    seen = own.check(ctx.cwd)
    assert own.wire.leave()[0] == 0
    return seen


def shown_by_the_disk(path: Path, place: dict[str, Any]) -> dict[str, Any]:
    """Add the byte order mark, which editors hide, to the columns of the first line."""
    if read_file(path).text.startswith("\ufeff"):
        for end in place.values():
            end["character"] += end["line"] == 0 and (end is place["end"] or end["character"] > 0)
    return place


def row(path: str, item: dict[str, Any], severity: str, place: dict[str, Any]) -> tuple[str, ...]:
    return path, item["code"], severity, item["message"], json.dumps(place, sort_keys=True)


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.rule}-{case.path.name}")
def test_every_example_is_found_alike(case, tmp_path, shared):
    ctx = laid_out(case, tmp_path, shared.home)
    told = on_the_command_line(ctx)
    assert in_python(ctx) == told
    seen = in_the_server(ctx, shared)
    joined = [item for item in told if _JOINED.search(item[3])]
    if not joined:
        assert seen == told
    else:  # a report joins findings with one cause, an editor shows each place
        assert {(*item[:3], _JOINED.sub("", item[3]), item[4]) for item in told} < seen
        assert {item[1] for item in seen} == {item[1] for item in told}
    if case.kind == "bad" and not case.options.get("paths"):
        assert told
