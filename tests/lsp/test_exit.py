"""The end of the server's process."""

from __future__ import annotations

import subprocess
import sys

import pytest

from agent_memory.lsp.transport.framing import encode

_PROGRAM = """
import atexit, sys
atexit.register(lambda: sys.stderr.write("interpreter teardown"))
from agent_memory.cli import main
sys.exit(main(["serve"]))
"""


@pytest.mark.parametrize(("methods", "code"), [(("shutdown", "exit"), 0), (("exit",), 1)])
def test_the_process_ends_without_the_teardown_of_the_interpreter(
    tmp_path, methods: tuple[str, ...], code: int
) -> None:
    messages = [{"id": 1, "method": "initialize", "params": {"capabilities": {}}}]
    messages += [{"method": "initialized", "params": {}}]
    messages += [{"method": name} | ({"id": 2} if name == "shutdown" else {}) for name in methods]
    data = b"".join(encode({"jsonrpc": "2.0", **message}) for message in messages)
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        input=data,
        capture_output=True,
        env={"HOME": str(tmp_path)},
        check=False,
    )
    assert done.returncode == code
    assert done.stderr == b""
    assert done.stdout.count(b'"result"') == len(methods)
