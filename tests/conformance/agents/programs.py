"""The real programs: pinned versions, how they are installed, started and what they sent.

They are installed below ``.cache/agents`` at first use. Each run has its own HOME and a dummy key,
and talks to :mod:`mock_model` on the loopback interface.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = Path(__file__).resolve().parents[3] / ".cache" / "agents"
KEY = "dummy"
Blocks = list[tuple[str, str]]


@dataclass(frozen=True)
class Agent:
    """A program: ``start`` writes its configuration and returns arguments and environment.

    ``extract`` returns the blocks in the request with this number of the service ``path``.
    """

    version: str
    package: str
    command: str
    path: str
    start: Callable[[int, Path], tuple[list[str], dict[str, str]]]
    extract: Callable[[dict], Blocks]

    @property
    def folder(self) -> Path:
        """The folder of the installation."""
        return FOLDER / f"{self.command}-{self.version}"

    @property
    def executable(self) -> Path:
        """The command that a user would have on PATH."""
        return self.folder / "node_modules" / ".bin" / self.command


def install(agent: Agent) -> str:
    """Install ``agent`` if it is missing; return why it failed, or ''."""
    npm = shutil.which("npm")
    done = agent.folder / "installed.txt"
    if done.is_file():
        return ""
    if npm is None:
        return "npm is not installed"
    agent.folder.mkdir(parents=True, exist_ok=True)
    (agent.folder / "package.json").write_text('{"private": true}')
    command = [npm, "install", "--no-audit", "--no-fund", f"{agent.package}@{agent.version}"]
    result = subprocess.run(
        command, cwd=agent.folder, capture_output=True, text=True, check=False, timeout=900
    )
    if result.returncode:
        return f"{agent.package} cannot be installed: {result.stderr[-500:]}"
    done.write_text(agent.version)
    return ""


def claude_start(port: int, _home: Path) -> tuple[list[str], dict[str, str]]:
    """Start Claude Code without a terminal."""
    return ["-p", "hi", "--model", "claude-sonnet-4-5"], {
        "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}",
        "ANTHROPIC_API_KEY": KEY,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_TELEMETRY": "1",
    }


def claude_blocks(body: dict) -> Blocks:
    """Return the part of the first user message that lists files."""
    content = body["messages"][0]["content"]
    texts = [part["text"] for part in content if part["type"] == "text"]
    found = [text for text in texts if re.search(r"\n\nContents of /", text)]
    return [("user", found[0])] if found else []


def codex_start(port: int, home: Path) -> tuple[list[str], dict[str, str]]:
    """Print the request of Codex; it is not sent."""
    config = home / ".codex" / "config.toml"
    config.parent.mkdir(exist_ok=True)
    own = config.read_text() if config.is_file() else ""
    provider = f"""
model = "gpt-5"
model_provider = "mock"
{own}
[model_providers.mock]
name = "mock"
base_url = "http://127.0.0.1:{port}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
"""
    config.write_text(provider)
    return ["debug", "prompt-input", "hi"], {"MOCK_KEY": KEY}


def codex_blocks(body: dict) -> Blocks:
    """Return the first part of a user message, if it has instructions."""
    texts = [
        part["text"]
        for item in body["input"]
        if item.get("role") == "user"
        for part in item["content"]
    ]
    found = [text for text in texts if text.startswith("# AGENTS.md instructions")]
    return [("user", found[0])] if found else []


def gemini_start(port: int, home: Path) -> tuple[list[str], dict[str, str]]:
    """Start Gemini CLI without a terminal, in a trusted folder."""
    settings = home / ".gemini" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    values = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "privacy": {"usageStatisticsEnabled": False},
        "general": {"enableAutoUpdate": False},
    }
    settings.write_text(json.dumps(values))
    return ["-p", "hi", "-m", "gemini-2.5-pro", "--skip-trust"], {
        "GEMINI_API_KEY": KEY,
        "GOOGLE_GEMINI_BASE_URL": f"http://127.0.0.1:{port}",
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
    }


def gemini_blocks(body: dict) -> Blocks:
    """Return the loaded context of the system instruction and of the first message."""
    places = [("system", body["systemInstruction"]), ("user", body["contents"][0])]
    texts = [(role, part["text"]) for role, place in places for part in place["parts"]]
    found = [
        (role, _between(text, "<loaded_context>", "</loaded_context>")) for role, text in texts
    ]
    return [(role, text) for role, text in found if text]


def opencode_start(port: int, home: Path) -> tuple[list[str], dict[str, str]]:
    """Start opencode without a terminal."""
    config = home / ".config" / "opencode" / "opencode.json"
    config.parent.mkdir(parents=True, exist_ok=True)
    options = {"baseURL": f"http://127.0.0.1:{port}/v1", "apiKey": KEY}
    model = {"name": "m", "limit": {"context": 100000, "output": 1000}}
    provider = {"npm": "@ai-sdk/openai-compatible", "name": "mock", "options": options}
    values = {
        "autoupdate": False,
        "share": "disabled",
        "model": "mock/m",
        "small_model": "mock/m",
        "provider": {"mock": {**provider, "models": {"m": model}}},
    }
    config.write_text(json.dumps(values))
    off = ("OPENCODE_DISABLE_AUTOUPDATE", "OPENCODE_DISABLE_MODELS_FETCH")
    return ["run", "hi"], dict.fromkeys(off, "1")


def opencode_blocks(body: dict) -> Blocks:
    """Return the end of the system message from the first file on."""
    content = body["messages"][0]["content"]
    text = content if isinstance(content, str) else "".join(part["text"] for part in content)
    at = text.find("\nInstructions from: /") + 1
    end = text.rfind("\nSkills provide")
    return [("system", text[at : end if end > 0 else None])] if at else []


def _between(text: str, first: str, last: str) -> str:
    start, end = text.rfind(f"\n{first}\n") + 1, text.rfind(last)
    return text[start : end + len(last)] if start and end > start else ""


AGENTS = {
    "claude-code": Agent(
        "2.1.330",
        "@anthropic-ai/claude-code",
        "claude",
        "/messages",
        claude_start,
        claude_blocks,
    ),
    "codex": Agent("0.169.0", "@openai/codex", "codex", "", codex_start, codex_blocks),
    "gemini-cli": Agent(
        "0.61.0",
        "@google/gemini-cli",
        "gemini",
        "enerateContent",
        gemini_start,
        gemini_blocks,
    ),
    "opencode": Agent(
        "1.18.33",
        "opencode-ai",
        "opencode",
        "/chat/completions",
        opencode_start,
        opencode_blocks,
    ),
}


def sent(agent: Agent, port: int, requests: list, home: Path, cwd: Path) -> Blocks:
    """Run ``agent`` in ``cwd`` and return the blocks that it sent.

    Raises:
        RuntimeError: it did not send a request; the message has the end of its output.

    """
    arguments, env = agent.start(port, home)
    base = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "TERM": "dumb"}
    before = len(requests)
    done = subprocess.run(
        [agent.executable, *arguments],
        cwd=cwd,
        env={**base, **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=180,
    )
    if not agent.path:
        return agent.extract({"input": json.loads(done.stdout)})
    bodies = [body for path, body in requests[before:] if path.endswith(agent.path)]
    if not bodies:
        raise RuntimeError((done.stdout + done.stderr)[-500:].decode("utf-8", "replace"))
    return next(filter(None, map(agent.extract, bodies)), [])
