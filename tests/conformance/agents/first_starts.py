"""How Claude Code, Codex, Gemini CLI and opencode are started, and where their memory is."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from conformance.agents.programs import Blocks, Start

KEY = "dummy"


def claude(port: int, _home: Path, _cwd: Path) -> Start:
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


def codex(port: int, home: Path, _cwd: Path) -> Start:
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


def gemini(port: int, home: Path, _cwd: Path) -> Start:
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


def opencode(port: int, home: Path, _cwd: Path) -> Start:
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
