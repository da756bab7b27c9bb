"""Run a Python program; if it is the language server, answer selected requests with an error.

Usage: failing_server.py LIST PYTHON ARGUMENTS...; LIST is a file with the failing methods.
"""

import json
import subprocess
import sys
import threading
from pathlib import Path

methods, command = Path(sys.argv[1]), sys.argv[2:]
if command[-1] != "serve":
    sys.exit(subprocess.run(command, check=False).returncode)
server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
out_lock = threading.Lock()


def frames(stream):
    """Yield the message bodies from ``stream``."""
    while header := stream.readline():
        length = int(header.removeprefix(b"Content-Length:"))
        while stream.readline().strip():
            pass
        yield stream.read(length)


def send(stream, body):
    """Write one message."""
    stream.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    stream.flush()


def failing():
    """Return the currently failing methods."""
    return methods.read_text().split() if methods.exists() else ()


def answers():
    """Forward the server's messages."""
    for body in frames(server.stdout):
        with out_lock:
            send(sys.stdout.buffer, body)


threading.Thread(target=answers, daemon=True).start()
for body in frames(sys.stdin.buffer):
    message = json.loads(body)
    if "id" in message and message.get("method") in failing():
        error = {"code": -32803, "message": "the gauge is under water"}
        reply = {"jsonrpc": "2.0", "id": message["id"], "error": error}
        with out_lock:
            send(sys.stdout.buffer, json.dumps(reply).encode())
    else:
        send(server.stdin, body)
server.stdin.close()
sys.exit(server.wait())
