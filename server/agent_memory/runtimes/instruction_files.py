"""Files that coding agents read as instructions, by name and folder, with the name of the agent.

Most belong to agents without a runtime, or are read for a part of the work only, such as a command
or an agent's own prompt. Some are files of a runtime whose name or folder suits no other agent.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import PurePath

_AGENT_BY_NAME = {
    ".cursorrules": "Cursor",
    ".windsurfrules": "Windsurf",
    ".clinerules": "Cline",
    ".roorules": "Roo Code",
    ".goosehints": "Goose",
    "AGENT.md": "Amp",
    "CLAUDE.local.md": "Claude Code",
    "GEMINI.md": "Gemini CLI",
    "QWEN.md": "Qwen Code",
    "WARP.md": "Warp",
}
"""The agent by the name of the file, in any folder."""
_AGENT_BY_FOLDERS = {
    (".claude", "rules"): "Claude Code",
    (".claude", "agents"): "Claude Code",
    (".claude", "commands"): "Claude Code",
    (".cursor", "rules"): "Cursor",
    (".cursor", "commands"): "Cursor",
    (".github", "instructions"): "GitHub Copilot",
    (".github", "prompts"): "GitHub Copilot",
    (".github", "chatmodes"): "GitHub Copilot",
    (".github", "agents"): "GitHub Copilot",
    (".windsurf", "rules"): "Windsurf",
    (".windsurf", "workflows"): "Windsurf",
    (".kiro", "steering"): "Kiro",
    (".amazonq", "rules"): "Amazon Q",
    (".augment", "rules"): "Augment",
    (".continue", "rules"): "Continue",
    (".trae", "rules"): "Trae",
    (".opencode", "agent"): "opencode",
    (".opencode", "agents"): "opencode",
    (".opencode", "command"): "opencode",
    (".opencode", "commands"): "opencode",
    (".codex", "prompts"): "Codex",
}
"""The agent by a folder and its subfolder. It reads the files with ``_SUFFIXES`` in it."""
_AGENT_BY_PARENT_AND_NAME = {
    (".github", "copilot-instructions.md"): "GitHub Copilot",
    (".junie", "guidelines.md"): "Junie",
}
"""The agent by the folder and the name of the file."""
_SUFFIXES = (".md", ".mdc", ".txt")
_FOLDER_NAMES = frozenset({folder for folder, _ in _AGENT_BY_FOLDERS} | {".clinerules", ".roo"})
"""Names of folders; a file in none of them can only be in the other two tables: a fast check."""


def agent_of_instructions(path: PurePath) -> str:
    """Return the agent that reads ``path`` as instructions, by its name or folder; '' for none."""
    name = path.name
    if name in _AGENT_BY_NAME:
        return _AGENT_BY_NAME[name]
    if not name.endswith(_SUFFIXES):
        return ""
    parts = path.parts
    if _FOLDER_NAMES.isdisjoint(parts):  # most paths; none of the checks below applies to them
        return _AGENT_BY_PARENT_AND_NAME.get((path.parent.name, name), "")
    if name == "README.md":  # it describes the folder to people
        return ""
    if ".clinerules" in parts:
        return "Cline"
    for first, second in pairwise(parts[:-1]):
        if first == ".roo" and second.startswith("rules"):  # such as `.roo/rules-code`
            return "Roo Code"
        if (first, second) in _AGENT_BY_FOLDERS:
            return _AGENT_BY_FOLDERS[first, second]
    return _AGENT_BY_PARENT_AND_NAME.get((path.parent.name, name), "")
