"""The server's memory does not grow with the number of edits (benchmarks/soak.py measures it)."""

import gc
import json

import pytest

from agent_memory.base.text_cache import TextCache
from agent_memory.lsp.host import Host
from kit import write

EDITS = 1750
MOST = 2 * 2 * 500 + 100
"""Results of a cache: two generations of 500 edits, at most two results per edit, and others."""


def sizes():
    """Return the size of each cache; how many are filled depends on the rules that are deferred."""
    return {id(item): item.size() for item in gc.get_objects() if isinstance(item, TextCache)}


@pytest.mark.slow
def test_results_of_replaced_lines_are_dropped(tmp_path):
    root = write(tmp_path / "ws", {".git/HEAD": "x", "AGENTS.md": "# Notes\n\n- a\n"})
    host = Host(tmp_path)

    def send(method, params, **more):
        message = {"jsonrpc": "2.0", "method": method, "params": params, **more}
        host.fast_lane.receive(json.dumps(message).encode())

    folders = [{"uri": root.as_uri(), "name": "ws"}]
    capabilities = {"textDocument": {"diagnostic": {}}}
    send("initialize", {"capabilities": capabilities, "workspaceFolders": folders}, id=1)
    uri = (root / "AGENTS.md").as_uri()
    item = {"uri": uri, "languageId": "markdown", "version": 1, "text": "# Notes\n\n- a\n"}
    send("textDocument/didOpen", {"textDocument": item})
    before = sizes()
    where = {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 200}}
    for version in range(2, EDITS):
        text = f"- module {version} is never checked by `make check{version}` in `src/{version}.py`"
        document = {"uri": uri, "version": version}
        changes = [{"range": where, "text": text}]
        send("textDocument/didChange", {"textDocument": document, "contentChanges": changes})
        send("textDocument/diagnostic", {"textDocument": {"uri": uri}}, id=version)
        if version % 250 == 0:
            grown = [size - before.get(cache, 0) for cache, size in sizes().items()]
            assert 200 < max(grown) <= MOST
