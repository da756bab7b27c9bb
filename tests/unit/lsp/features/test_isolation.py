"""An error about one file leaves all other files and requests of the server answered."""

from __future__ import annotations

import json
import logging

import pytest

from agent_memory.lint import memory_file
from agent_memory.lsp.features.configuration import Configuration
from agent_memory.lsp.host import Host
from agent_memory.lsp.protocol.client_capabilities import ClientCapabilities
from agent_memory.lsp.transport.framing import Frames
from agent_memory.lsp.workspace.session import Session
from agent_memory.runtimes.deepagents_code import DeepagentsCode
from agent_memory.skills import discovery
from kit import write
from unit.lint.test_isolation import MEMORY, SECRET, SKILL, boom, failing

ABLE = {"workspace": {"diagnostics": {}}, "textDocument": {"diagnostic": {}}}


class Server:
    """A host in this process, with a project of two memory files and two skills."""

    def __init__(self, base):
        files = {".git/HEAD": "x", "AGENTS.md": MEMORY, ".deepagents/AGENTS.md": "# B\n\n" + MEMORY}
        files |= {
            f".deepagents/skills/{name}/SKILL.md": SKILL.format(name) for name in ("one", "two")
        }
        self.root = write(base / "ws", files)
        self.host = Host(write(base / "home", {".keep": ""}))
        self.sent: list[dict] = []
        frames = Frames()
        self.host.client.write = lambda data: self.sent.extend(map(json.loads, frames.feed(data)))
        self.host.client.initialized = True
        self.host.session.capabilities = ClientCapabilities({"capabilities": ABLE})
        self.host.session.set_folders([self.root])
        self.host.server()

    def request(self, method, params=None):
        """Return the response to a request."""
        self.sent.clear()
        message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
        self.host.fast_lane.receive(json.dumps(message).encode())
        [answer] = [item for item in self.sent if item.get("id") == 7]
        return answer

    def codes(self):
        """Return the codes of all diagnostics by path."""
        reports = self.request("workspace/diagnostic", {"previousResultIds": []})["result"]["items"]
        start = len(self.root.as_uri()) + 1
        return {
            report["uri"][start:]: sorted({item["code"] for item in report["items"]})
            for report in reports
        }


@pytest.fixture
def server(tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    yield Server(tmp_path)
    assert SECRET not in caplog.text


def test_a_rule_that_fails_is_a_finding_and_the_others_run(server):
    with failing("AM107"):
        codes = server.codes()
    assert {"AM103", "AM502"} <= set(codes["AGENTS.md"])
    assert "AM107" not in codes["AGENTS.md"]


def test_a_file_that_fails_leaves_the_others_their_diagnostics(server, monkeypatch):
    scan = memory_file.parser.scan

    def one_fails(lines, **options):
        return boom() if "# B\n" in lines else scan(lines, **options)

    monkeypatch.setattr(memory_file.parser, "scan", one_fails)
    codes = server.codes()
    assert codes[".deepagents/AGENTS.md"] == ["AM103"]
    assert {"AM107", "AM502"} <= set(codes["AGENTS.md"])
    status = server.request("agentMemory/status")["result"]
    assert status["version"]


def test_a_skill_that_fails_leaves_the_prompt_and_the_other_skill(server, monkeypatch):
    parse = discovery.parse

    def one_fails(content, **options):
        return boom() if "name: one" in content.text else parse(content, **options)

    monkeypatch.setattr(discovery, "parse", one_fails)
    answer = server.request("agentMemory/prompt", {"runtime": "deepagents-code"})
    assert "two" in json.dumps(answer["result"])
    assert "AM502" in server.codes()["AGENTS.md"]


@pytest.mark.parametrize("place", ["sources", "compose"])
def test_a_runtime_that_fails_leaves_status_and_open_files(server, place, monkeypatch):
    monkeypatch.setattr(DeepagentsCode, place, boom)
    uri = (server.root / "AGENTS.md").as_uri()
    answer = server.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    assert {"AM502"} <= {item["code"] for item in answer["result"]["items"]}
    assert server.request("agentMemory/prompt", {"runtime": "deepagents-code"})["error"]
    assert server.request("agentMemory/status")["result"]["documents"] == 0


def test_findings_that_fail_are_a_finding(server, monkeypatch):
    monkeypatch.setattr(Session, "findings", boom)
    uri = (server.root / "AGENTS.md").as_uri()
    answer = server.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    assert [item["code"] for item in answer["result"]["items"]] == ["AM103"]


def test_a_hook_a_status_and_a_timer_that_fail_leave_the_others(server, monkeypatch, caplog):
    called = []
    for name in ("on_change", "status"):
        monkeypatch.setattr(Configuration, name, boom)
    last = type(server.host.events.features[-1])
    monkeypatch.setattr(last, "on_change", lambda _: called.append("last"))
    server.host.events.changed()
    assert called
    status = server.request("agentMemory/status")["result"]
    assert "settings" not in status
    assert "watching" in status
    assert "LookupError in status of Configuration" in caplog.text
