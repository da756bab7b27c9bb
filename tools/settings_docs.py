"""Write docs/settings.md and docs/agent-memory.schema.json from the settings' one model.

Usage: python tools/settings_docs.py. A test fails where the files differ from what this would
write.
"""

from __future__ import annotations

import json
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "server"))

from agent_memory.config.settings import KEYS, SEVERITIES, Settings  # noqa: E402
from agent_memory.lint.rules import RULES  # noqa: E402
from agent_memory.runtimes import RUNTIMES  # noqa: E402

FIELDS = {item.name: item for item in fields(Settings)}
DEFAULTS = Settings()
DRAFT = "http://json-schema.org/draft-07/schema#"
_TYPES = {bool: "boolean", int: "integer", str: "string", list: "array", dict: "object"}
_INTRO = """# Settings

The same names everywhere, from the weakest to the strongest:

| where | how a setting is written |
|---|---|
| `~/.deepagents/agent-memory.toml`, in all your projects | `budget.tokens = 6000` |
| `pyproject.toml` | `[tool.agent-memory]`, then `budget.tokens = 6000` |
| `.deepagents/agent-memory.toml` of the project | `budget.tokens = 6000` |
| VS Code and other editors | `agentMemory.budget.tokens` |

Project files are looked for in the folder a question is asked from and the ones above it, up to
the one with `.git`; the nearest folder that has settings counts. What is set in several places
is taken from the strongest, but `rules` and `secrets.allowed` add up. A bad value stops nothing:
the default stands in its place, and the problem is reported with the file, the key and the
nearest valid name (`agent-memory check` then ends with exit code 2). The JSON schema for
editors is [agent-memory.schema.json](agent-memory.schema.json).

```toml
# .deepagents/agent-memory.toml
runtime = "deepagents-code"
budget.tokens = 6000

[rules]
duplicate-in-file = "off"
AM301 = "error"
```

This page is written by tools/settings_docs.py.

| setting | type | default | meaning |
|---|---|---|---|
"""


def schema() -> dict[str, Any]:
    """Return the JSON schema of ``agent-memory.toml``."""
    tree: dict[str, Any] = {
        "$schema": DRAFT,
        "title": "Agent Memory",
        "description": "Settings of Agent Memory for one project",
        "type": "object",
        "additionalProperties": False,
        "properties": {},
    }
    for key, name in KEYS.items():
        *groups, last = key.split(".")
        at = tree
        for group in groups:
            at = at["properties"].setdefault(
                group, {"type": "object", "additionalProperties": False, "properties": {}}
            )
        at["properties"][last] = _property(name)
    return tree


def _property(name: str) -> dict[str, Any]:
    default, meta = getattr(DEFAULTS, name), FIELDS[name].metadata
    made: dict[str, Any] = {"type": _TYPES[type(default)], "description": meta["doc"]}
    if name == "rules":
        made |= {"additionalProperties": False, "properties": _rules()}
    elif name == "runtime":
        made |= {"enum": ["auto", *(runtime.id for runtime in RUNTIMES)], "default": default}
    elif isinstance(default, list):
        made |= {"items": {"type": "string"}, "default": default}
    else:
        made |= {"default": default}
        if _TYPES[type(default)] == "integer":
            made["minimum"] = meta["minimum"]
    return made


def _rules() -> dict[str, Any]:
    return {
        key: {"enum": list(SEVERITIES), "description": rule.summary}
        for rule in RULES
        for key in (rule.code, rule.name)
    }


def page() -> str:
    """Return docs/settings.md."""
    rows = []
    for key, name in KEYS.items():
        default = getattr(DEFAULTS, name)
        shown = json.dumps(default)
        kind = {"array": "list of text", "object": "table", "string": "text"}.get(
            _TYPES[type(default)], _TYPES[type(default)]
        )
        doc = FIELDS[name].metadata["doc"].replace("|", "\\|")
        rows.append(f"| `{key}` | {kind} | `{shown}` | {doc} |")
    return _INTRO + "\n".join(rows) + "\n"


def outputs() -> dict[Path, str]:
    """Return each file that is written, with its text."""
    return {
        ROOT / "docs" / "settings.md": page(),
        ROOT / "docs" / "agent-memory.schema.json": json.dumps(schema(), indent=2) + "\n",
    }


def main() -> None:
    """Write the files."""
    for path, text in outputs().items():
        path.write_text(text, "utf-8")
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
