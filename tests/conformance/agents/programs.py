"""The real programs: pinned versions, how they are installed, started and what they sent.

They are installed below ``.cache/agents`` at first use. Each run has its own HOME and a dummy key,
and talks to the mock model on the loopback interface.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory import runtimes
from agent_memory.config.context import Context
from agent_memory.runtimes.agents import program_pieces
from agent_memory.verify.process import Limit, run
from agent_memory.verify.requests import REQUESTS
from conformance.agents import first_starts as first
from conformance.agents import more_starts as more
from conformance.install import alone

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

FOLDER = Path(__file__).resolve().parents[3] / ".cache" / "agents"
SECONDS = 180
Blocks = list[tuple[str, str]]
Start = tuple[list[str], dict[str, str]]


@dataclass(frozen=True)
class Agent:
    """A program: ``start`` writes its configuration and returns arguments and environment.

    ``extract`` returns the blocks in a request to the service ``path``; without a path, in the
    input that the program prints. A library has a ``script`` that calls it.
    """

    version: str
    package: str
    command: str
    path: str
    start: Callable[[int, Path, Path], Start]
    extract: Callable[[dict], Blocks]
    is_python: bool = False
    script: str = ""

    @property
    def folder(self) -> Path:
        """The folder of the installation."""
        return FOLDER / f"{self.command}-{self.version}"

    @property
    def bin(self) -> Path:
        """The folder with the command, as a user would have it on PATH."""
        return self.folder / ("bin" if self.is_python else "node_modules/.bin")

    @property
    def package_folder(self) -> Path:
        """The folder of the npm package."""
        return self.folder / "node_modules" / self.package

    def argv(self, arguments: list[str]) -> list[str]:
        """Return the whole command line."""
        if not self.script:
            return [str(self.bin / self.command), *arguments]
        script = self.folder / "call.mjs"
        script.write_text(self.script)
        return ["node", str(script), *arguments]


def texts(agent_id: str) -> Mapping[str, str]:
    """Return the texts of the installed program."""
    folder = AGENTS[agent_id].bin
    env = {"PATH": str(folder), "XDG_CACHE_HOME": str(FOLDER / "cache")}
    return program_pieces.load(
        Context(FOLDER, FOLDER, env=env), None, runtimes.get(agent_id).pieces
    ).texts


def verifiable(
    agent_id: str, version: str, package: str, command: str, start: Callable[..., Start]
) -> Agent:
    """Return an agent that ``agent-memory verify`` can start."""
    request = REQUESTS[agent_id]

    def extract(body: dict) -> Blocks:
        return [tuple(block) for block in request.blocks(body, texts(agent_id))]

    return Agent(version, package, command, request.path, start, extract)


AGENTS = {
    "claude-code": verifiable(
        "claude-code", "2.1.330", "@anthropic-ai/claude-code", "claude", first.claude
    ),
    "codex": verifiable("codex", "0.169.0", "@openai/codex", "codex", first.codex),
    "gemini-cli": verifiable("gemini-cli", "0.61.0", "@google/gemini-cli", "gemini", first.gemini),
    "opencode": verifiable("opencode", "1.18.33", "opencode-ai", "opencode", first.opencode),
    "copilot-cli": verifiable(
        "copilot-cli", "1.0.102", "@github/copilot", "copilot", first.copilot
    ),
    "qwen-code": Agent(
        "0.24.4",
        "@qwen-code/qwen-code",
        "qwen",
        "/chat/completions",
        more.qwen,
        more.qwen_blocks,
    ),
    "mistral-vibe": Agent(
        "3.0.2",
        "mistral-vibe",
        "vibe",
        "/chat/completions",
        more.vibe,
        more.vibe_blocks,
        is_python=True,
    ),
    "cline": Agent("3.0.65", "cline", "cline", "/chat/completions", more.cline, more.cline_blocks),
    "deepagents-js": Agent(
        "1.14.1",
        "deepagents",
        "deepagents",
        "",
        more.deepagents,
        more.deepagents_blocks,
        script=more.CALL,
    ),
}


def install(agent: Agent) -> str:
    """Install ``agent`` if it is missing; return why it failed, or ''."""
    with alone(agent.folder):
        return _install(agent)


def _install(agent: Agent) -> str:
    done = agent.folder / "installed.txt"
    if done.is_file():
        return ""
    agent.folder.mkdir(parents=True, exist_ok=True)
    command = _pip(agent) if agent.is_python else _npm(agent)
    if not command:
        return f"{agent.package} needs {'Python 3.12' if agent.is_python else 'npm'}"
    result = subprocess.run(
        command, cwd=agent.folder, capture_output=True, text=True, check=False, timeout=900
    )
    if result.returncode:
        return f"{agent.package} cannot be installed: {result.stderr[-500:]}"
    done.write_text(agent.version)
    return ""


def _npm(agent: Agent) -> list[str]:
    npm = shutil.which("npm")
    (agent.folder / "package.json").write_text('{"private": true}')
    pin = f"{agent.package}@{agent.version}"
    return [npm, "install", "--no-audit", "--no-fund", pin] if npm else []


def _pip(agent: Agent) -> list[str]:
    """Create an environment of a Python that the package supports, and return how to install it."""
    enough = "import sys; sys.exit(sys.version_info < (3, 12))"
    for python in _pythons():
        try:
            subprocess.run([python, "-c", enough], check=True, capture_output=True)
            subprocess.run([python, "-m", "venv", agent.folder], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            continue
        pip = [str(agent.bin / "python"), "-m", "pip", "install", "-q", "--no-compile"]
        return [*pip, f"{agent.package}=={agent.version}"]
    return []


def _pythons() -> Iterator[str | Path]:
    """Yield interpreters, with those that pyenv has installed but not selected."""
    yield sys.executable
    for name in ("python3.12", "python3.13", "python3.14"):
        found = shutil.which(name)
        if found:
            yield found
            yield from (
                Path(found).parents[1].glob(f"versions/{name.removeprefix('python')}*/bin/python")
            )


def sent(agent: Agent, port: int, requests: list, home: Path, cwd: Path) -> Blocks:
    """Run ``agent`` in ``cwd`` and return the blocks that it sent.

    Raises:
        RuntimeError: it did not send a request; the message has the end of its output.

    """
    arguments, env = agent.start(port, home, cwd)
    base = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "TERM": "dumb"}
    shared = {"XDG_CACHE_HOME": str(FOLDER / "cache")}  # Copilot unpacks 235 MB into its cache
    before = len(requests)
    with tempfile.TemporaryDirectory() as scratch:  # opencode leaves a library of 5 MB there
        variables = {**base, **shared, "TMPDIR": scratch, **env}
        output = run(agent.argv(arguments), cwd, variables, Limit(SECONDS)) or b""
    if not agent.path:
        return agent.extract({"input": json.loads(output)})
    bodies = [body for path, body in requests[before:] if path.endswith(agent.path)]
    if not bodies:
        raise RuntimeError(output[-500:].decode("utf-8", "replace"))
    return next(filter(None, map(agent.extract, bodies)), [])
