"""How each agent is started against the mock model: without account, update and telemetry."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from agent_memory.formats.json_parser import parse_json
from agent_memory.fs.reader import read_file

KEY = "dummy"
"""In place of an API key, which an agent needs and the mock model does not check."""


class Start(NamedTuple):
    """Arguments and variables of a start, and {path: text} of the files to write before it."""

    arguments: list[str]
    env: dict[str, str]
    files: dict[Path, str] = {}  # noqa: RUF012 -- never changed


Starter = Callable[[int, Path, Mapping[str, str]], Start]
"""Returns the start for the port of the mock model, the home and the agent's variables.

Home and variables are those of the copy in which the agent is started. Existing settings in that
home stay: the new text of a file contains them.
"""


def claude(port: int, _home: Path, _env: Mapping[str, str]) -> Start:
    """Return how to start Claude Code without a terminal."""
    env = {
        "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{port}",
        "ANTHROPIC_API_KEY": KEY,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_TELEMETRY": "1",
    }
    return Start(["-p", "hi", "--model", "claude-sonnet-4-5"], env)


def codex(port: int, home: Path, env: Mapping[str, str]) -> Start:
    """Return how to make Codex print its request, which is not sent.

    The settings of the copy are keys without a table, so they must be above the first table.
    """
    config = Path(env.get("CODEX_HOME") or home / ".codex") / "config.toml"
    text = f"""
model = "gpt-5"
model_provider = "mock"
{read_file(config).text}
[model_providers.mock]
name = "mock"
base_url = "http://127.0.0.1:{port}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
"""
    return Start(["debug", "prompt-input", "hi"], {"MOCK_KEY": KEY}, {config: text})


def gemini(port: int, home: Path, _env: Mapping[str, str]) -> Start:
    """Return how to start Gemini CLI without a terminal, in a trusted folder."""
    values = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "privacy": {"usageStatisticsEnabled": False},
        "general": {"enableAutoUpdate": False},
    }
    env = {
        "GEMINI_API_KEY": KEY,
        "GOOGLE_GEMINI_BASE_URL": f"http://127.0.0.1:{port}",
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
    }
    files = _settings_file(home / ".gemini" / "settings.json", values)
    return Start(["-p", "hi", "-m", "gemini-2.5-pro", "--skip-trust"], env, files)


def opencode(port: int, home: Path, env: Mapping[str, str]) -> Start:
    """Return how to start opencode without a terminal."""
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
    switches = dict.fromkeys(("OPENCODE_DISABLE_AUTOUPDATE", "OPENCODE_DISABLE_MODELS_FETCH"), "1")
    folder = Path(env.get("XDG_CONFIG_HOME") or home / ".config") / "opencode"
    return Start(["run", "hi"], switches, _settings_file(folder / "opencode.json", values))


def copilot(port: int, _home: Path, _env: Mapping[str, str]) -> Start:
    """Return how to start Copilot CLI offline. It unpacks 235 MB into its cache."""
    env = {
        "COPILOT_OFFLINE": "true",
        "COPILOT_PROVIDER_BASE_URL": f"http://127.0.0.1:{port}/v1",
        "COPILOT_PROVIDER_API_KEY": KEY,
        "COPILOT_MODEL": "mock-model",
        "COPILOT_AUTO_UPDATE": "false",
    }
    return Start(["-p", "hi", "--allow-all-tools", "--no-color"], env)


def _settings_file(path: Path, values: Mapping[str, Any]) -> dict[Path, str]:
    """Return {path: JSON} for the settings file ``path``: its settings and ``values``.

    For a key in both, that of ``values`` counts. A missing or invalid file counts as empty.
    """
    content = read_file(path)
    try:
        existing = parse_json(content.text) if content.ok else {}
    except ValueError:
        existing = {}
    return {path: json.dumps({**existing, **values})}
