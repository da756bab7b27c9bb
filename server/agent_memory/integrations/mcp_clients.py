"""The configuration of MCP clients: which file, in which form, and the one line that writes it.

Sources: the documentation of each client, as of November 2026 (docs/mcp.md names the pages).
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

NAME = "agent-memory"


class McpClient(NamedTuple):
    """A program that starts MCP servers.

    ``runtime`` is the id of the runtime whose memory files the client reads. ``file`` says where
    its configuration is; ``table`` is the key above the servers in it. ``folder`` is the variable
    that the client replaces by the project's folder; '' if it starts servers in that folder, None
    if it has no project. A ``shared`` file belongs to the project, so it contains no path of this
    machine if :func:`command` can avoid it. ``adds`` is the client's own command that saves a
    server, to be followed by the server's command; '' if there is no such command.
    """

    title: str
    runtime: str
    file: str
    table: str
    folder: str | None = ""
    shared: bool = True
    adds: str = ""


CLIENTS = {
    "claude-code": McpClient(
        "Claude Code",
        "claude-code",
        ".mcp.json",
        "mcpServers",
        adds=f"claude mcp add --scope project {NAME} --",
    ),
    "claude-desktop": McpClient(
        "Claude Desktop",
        "claude-code",
        "claude_desktop_config.json (Settings > Developer > Edit Config)",
        "mcpServers",
        folder=None,
        shared=False,
    ),
    "codex": McpClient(
        "Codex",
        "codex",
        "~/.codex/config.toml",
        "mcp_servers",
        shared=False,
        adds=f"codex mcp add {NAME} --",
    ),
    "vscode": McpClient("VS Code", "codex", ".vscode/mcp.json", "servers", "${workspaceFolder}"),
    "gemini-cli": McpClient(
        "Gemini CLI",
        "gemini-cli",
        ".gemini/settings.json",
        "mcpServers",
        adds=f"gemini mcp add {NAME}",
    ),
    "cursor": McpClient("Cursor", "codex", ".cursor/mcp.json", "mcpServers", "${workspaceFolder}"),
}
"""By the name that ``--config`` accepts."""


def arguments(client: McpClient, cwd: Path, options: Sequence[str]) -> list[str]:
    """Return the arguments of the server for the project ``cwd``, with the further ``options``.

    They name the project's folder and the runtime. The folder is left out if the client starts
    servers in it, and either is left out if ``options`` name it.
    """
    has_project = client.folder is not None
    folder = client.folder if has_project else str(cwd)  # '': the client starts servers in it
    args = ["mcp"]
    if folder and "--cwd" not in options:
        args += ["--cwd", folder]
    if "--runtime" not in options:
        args += ["--runtime", client.runtime]
    return [*args, *options]


def command(client: McpClient) -> list[str]:
    """Return the command that starts this installation, for the configuration of ``client``.

    In a ``shared`` file it is the program's name, if the shell finds this installation under this
    name. Else it has an absolute path (:func:`own_command`).
    """
    on_path = (Path(name) / NAME for name in os.environ.get("PATH", "").split(os.pathsep))
    # Path.is_file raises in a folder that may not be searched.
    first_on_path = next(filter(os.path.isfile, on_path), None)
    if client.shared and first_on_path == _own_script():
        return [NAME]
    return own_command()


def own_command() -> list[str]:
    """Return the command that starts this installation, with an absolute path.

    It is the script next to the interpreter; if the script is missing, the interpreter and the
    module to run.
    """
    script = _own_script()
    return [str(script)] if script.is_file() else [sys.executable, "-m", "agent_memory"]


def _own_script() -> Path:
    """Return the path of this installation's script, next to the interpreter; it may be missing."""
    return Path(sys.executable).with_name(NAME)


def configuration(name: str, cwd: Path, options: Sequence[str] = ()) -> str:
    """Return the content of the configuration file of the client ``name``: TOML or JSON.

    ``name`` is a key of ``CLIENTS``; ``cwd`` and ``options`` are those of :func:`arguments`.
    """
    client = CLIENTS[name]
    program, *args = [*command(client), *arguments(client, cwd, options)]
    if name == "codex":
        return "".join(
            (
                f"[{client.table}.{NAME}]\n",
                f"command = {_toml(program)}\n",
                f"args = [{', '.join(map(_toml, args))}]\n",
            )
        )
    server: dict[str, Any] = {"command": program, "args": args}
    if name in ("vscode", "claude-code"):  # they need the transport
        server = {"type": "stdio", **server}
    return json.dumps({client.table: {NAME: server}}, ensure_ascii=False, indent=2) + "\n"


def advice(name: str, cwd: Path, options: Sequence[str] = ()) -> str:
    """Return where to save the :func:`configuration`, as a sentence without a period at the end.

    If the client has a command that saves it, a second sentence has this command. The parameters
    are those of :func:`configuration`.
    """
    client = CLIENTS[name]
    sentence = f"Add this to {client.file}, then restart {client.title}"
    if not client.adds:
        return sentence
    server_command = shlex.join([*command(client), *arguments(client, cwd, options)])
    return f"{sentence}. Or run: {client.adds} {server_command}"


def _toml(value: str) -> str:
    """Return ``value`` as a TOML string: as in JSON, whose escapes are valid in TOML.

    TOML also requires an escape for U+007F (delete).
    """
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
