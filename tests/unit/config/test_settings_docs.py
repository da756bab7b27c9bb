"""The page and the schema of the settings match the model."""

from __future__ import annotations

import importlib.util
import json
import tomllib
from pathlib import Path

import jsonschema
import pytest

from agent_memory.config.settings import KEYS, Settings
from agent_memory.config.settings_files import load_project
from agent_memory.lint.known_names import KNOWN_NAMES
from agent_memory.lsp.workspace.session_settings import CLIENT_ONLY
from kit import write

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("docs_tool", ROOT / "tools" / "settings_docs.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_files_are_up_to_date(tool):
    for path, text in tool.outputs().items():
        assert path.read_text("utf-8") == text, "run python tools/settings_docs.py"


def test_the_schema_is_a_schema(tool):
    jsonschema.Draft7Validator.check_schema(tool.schema())


@pytest.mark.parametrize(
    ("toml", "good"),
    [
        ("runtime = 'deepagentsdk'\nbudget.tokens = 5\n[rules]\nAM107 = 'off'\n", True),
        ("sources = ['a.md']\nautoSave = false\n[secrets]\nallowed = []\n", True),
        ("runtime = 'nothing'\n", False),
        ("budget.tokens = -1\n", False),
        ("budget.tokns = 1\n", False),
        ("sources = [1]\n", False),
        ("[rules]\nAM107 = 'warn'\n", False),
        ("[rules]\nnothing = 'off'\n", False),
    ],
)
def test_the_schema_accepts_what_the_settings_accept(tool, tmp_path, toml, good):
    errors = list(jsonschema.Draft7Validator(tool.schema()).iter_errors(tomllib.loads(toml)))
    write(tmp_path, {".deepagents/agent-memory.toml": toml})
    _, problems = load_project(tmp_path, Settings(), KNOWN_NAMES)
    assert (not errors, not problems) == (good, good)


def test_the_example_on_the_page_is_valid(tool, tmp_path):
    page = (ROOT / "docs" / "settings.md").read_text("utf-8")
    toml = page.partition("```toml\n")[2].partition("```")[0]
    write(tmp_path, {".deepagents/agent-memory.toml": toml})
    settings, problems = load_project(tmp_path, Settings(), KNOWN_NAMES)
    assert problems == []
    assert settings != Settings()


def test_the_extension_offers_every_setting(tool):
    manifest = ROOT / "vscode-extension" / "package.json"
    values = json.loads(manifest.read_text("utf-8"))["contributes"]["configuration"]
    groups = values if isinstance(values, list) else [values]
    offered = {key for group in groups for key in group["properties"]}
    missing = {f"agentMemory.{key}" for key in KEYS} - offered
    assert missing == set()
    read_by_the_server = {key for key in offered if key.removeprefix("agentMemory.") in KEYS}
    first_parts = {key.split(".")[1] for key in offered - read_by_the_server}
    assert first_parts <= set(CLIENT_ONLY)
