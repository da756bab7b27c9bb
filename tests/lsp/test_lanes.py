"""Which messages pygls handles, observed in a real server with a real client."""

import sys

import pytest

from kit import write
from lsp_kit import connect, disconnect

pytestmark = pytest.mark.asyncio(loop_scope="module")

PROGRAM = """
import logging, sys
log = open(sys.argv[1], "a", buffering=1)
sys.addaudithook(
    lambda event, args: event == "import" and args[0] in ("pygls", "lsprotocol") and log.write(
        f"import {args[0]}\\n"
    )
)

class Handled(logging.Handler):
    def emit(self, record):  # pygls' own record of the methods that it handles
        if record.msg == "Request %r received":
            log.write(f"handled {record.args[0]}\\n")

logger = logging.getLogger("pygls.protocol.json_rpc")
logger.setLevel(logging.DEBUG)
logger.propagate = False
logger.addHandler(Handled())
from agent_memory.cli import main
from agent_memory.lsp import host
host.QUIET_SECONDS = float(sys.argv[2])
raise SystemExit(main(["serve"]))
"""


@pytest.fixture
def log(tmp_path):
    return tmp_path / "server.log"


async def started(tmp_path, log, quiet):
    root = write(tmp_path / "ws", {".git/HEAD": "x", "AGENTS.md": "# Notes\n\n- a \u200b\n"})
    home = write(tmp_path / "home", {".keep": ""})
    log.touch()
    command = [sys.executable, "-c", PROGRAM, str(log), str(quiet)]
    return await connect("vscode", root, home, command=command)


async def test_start_and_first_diagnostics_need_no_pygls_and_all_else_uses_it(tmp_path, log):
    editor = await started(tmp_path, log, quiet=60)
    uri = editor.open("AGENTS.md")
    assert [item["code"] for item in await editor.pull(uri)] == ["AM107"]
    assert log.read_text() == ""
    start = {"line": 2, "character": 0}
    await editor.request(
        "textDocument/codeAction",
        {
            "textDocument": {"uri": uri},
            "range": {"start": start, "end": start},
            "context": {"diagnostics": []},
        },
    )
    await editor.request("agentMemory/prompt", {"uri": uri})
    command = {"command": "agentMemory.server.sources", "arguments": [{"uri": uri}]}
    await editor.request("workspace/executeCommand", command)
    lines = log.read_text().splitlines()
    assert [line for line in lines if line.startswith("handled")] == [
        "handled textDocument/codeAction",
        "handled agentMemory/prompt",
        "handled workspace/executeCommand",
    ]
    assert {"import pygls", "import lsprotocol"} <= set(lines)
    await editor.pull(uri)
    editor.change(uri, "# Notes\n\n- a\n")
    assert await editor.pull(uri) == []
    assert log.read_text().splitlines() == lines
    assert await disconnect(editor) == 0


async def test_pygls_is_loaded_while_the_client_is_quiet(tmp_path, log):
    editor = await started(tmp_path, log, quiet=0.1)
    await editor.pull(editor.open("AGENTS.md"))
    await editor.until(lambda: "import pygls" in log.read_text(), "the import")
    assert "handled" not in log.read_text()
    assert await disconnect(editor) == 0
