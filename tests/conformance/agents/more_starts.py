"""How the agents that only a long run compares are started, and where their memory is."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from agent_memory.verify.requests import system_text
from agent_memory.verify.starts import KEY

if TYPE_CHECKING:
    from pathlib import Path

    from conformance.agents.programs import Blocks, Start


def qwen(port: int, home: Path, _cwd: Path) -> Start:
    """Start Qwen Code without a terminal."""
    settings = home / ".qwen" / "settings.json"
    settings.parent.mkdir(exist_ok=True)
    values = {
        "security": {"auth": {"selectedType": "openai"}},
        "privacy": {"usageStatisticsEnabled": False},
        "general": {"enableAutoUpdate": False},
    }
    own = json.loads(settings.read_text()) if settings.is_file() else {}
    settings.write_text(json.dumps({**own, **values}))
    return ["-p", "hi"], {
        "OPENAI_API_KEY": KEY,
        "OPENAI_BASE_URL": f"http://127.0.0.1:{port}/v1",
        "OPENAI_MODEL": "mock-model",
    }


def qwen_blocks(body: dict) -> Blocks:
    """Return what is between the base prompt and the own memory."""
    end = r"--- End of (?:Context|Rule) from: [^\n]+ ---"
    return _found(body, rf"\n\n---\n\n(--- (?:Context|Rule) from: .*{end})")


def vibe(port: int, home: Path, _cwd: Path) -> Start:
    """Start Mistral Vibe in a trusted folder."""
    config = home / ".vibe" / "config.toml"
    config.parent.mkdir(exist_ok=True)
    config.write_text(f"""
active_model = "mock"
enable_telemetry = false
enable_update_checks = false
[[providers]]
name = "mock"
api_base = "http://127.0.0.1:{port}/v1"
api_key_env_var = "MOCK_KEY"
api_style = "openai"
backend = "generic"
[[models]]
name = "mock-model"
provider = "mock"
alias = "mock"
""")
    return ["-p", "hi", "--trust"], {"MOCK_KEY": KEY, "MISTRAL_API_KEY": KEY}


def vibe_blocks(body: dict) -> Blocks:
    """Return the part about AGENTS.md, from its first sentence to its last."""
    return _found(body, r"\n\n(Codebase and .*?)\s*\n\n### Searchable connector groups")


def cline(port: int, home: Path, _cwd: Path) -> Start:
    """Start Cline in one process; by default it leaves a hub running."""
    settings = home / ".cline" / "data" / "settings" / "providers.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    provider = {
        "provider": "openai-compatible",
        "apiKey": KEY,
        "model": "mock-model",
        "baseUrl": f"http://127.0.0.1:{port}/v1",
    }
    when = "2026-01-01T00:00:00.000Z"
    entry = {"settings": provider, "updatedAt": when, "tokenSource": "manual"}
    values = {"version": 1, "lastUsedProvider": "openai-compatible", "modes": {}}
    settings.write_text(json.dumps({**values, "providers": {"openai-compatible": entry}}))
    options = ["-P", "openai-compatible", "-k", KEY, "-m", "mock-model", "say hi"]
    off = {"CLINE_TELEMETRY": "0", "DO_NOT_TRACK": "1", "CLINE_NO_AUTO_UPDATE": "1"}
    return options, {**off, "CLINE_SESSION_BACKEND_MODE": "local"}


def cline_blocks(body: dict) -> Blocks:
    """Return the rules, which end the system message."""
    return _found(body, r"\n\n(# Rules\n## .*)")


CALL = """
import { createMemoryMiddleware, FilesystemBackend } from "deepagents";
console.debug = () => {}; // what it says about files that it skips
const backend = new FilesystemBackend({ rootDir: process.cwd() });
const layer = createMemoryMiddleware({ backend, sources: process.argv.slice(2) });
const state = await layer.beforeAgent({});
await layer.wrapModelCall({ systemMessage: { content: "" }, state }, (request) => {
  console.log(JSON.stringify(request.systemMessage.content));
});
"""


def deepagents(_port: int, home: Path, cwd: Path) -> Start:
    """Call the middleware of deepagents in Node with the usual files; no model is called."""
    root = next((path for path in (cwd, *cwd.parents) if (path / ".git").exists()), None)
    project = [root / ".deepagents/AGENTS.md", root / "AGENTS.md"] if root else []
    return [str(path) for path in (home / ".deepagents/agent/AGENTS.md", *project)], {}


def deepagents_blocks(body: dict) -> Blocks:
    """Return the last text of the system message."""
    return [("system", body["input"][-1]["text"])]


def _found(body: dict, pattern: str) -> Blocks:
    """Return the group of ``pattern`` in the system message."""
    found = re.search(pattern, system_text(body), re.DOTALL)
    return [("system", found[1])] if found and found[1] else []
