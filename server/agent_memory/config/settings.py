"""The settings: one typed model for the editor, ``agent-memory.toml`` and ``pyproject.toml``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

SEVERITIES = ("error", "warning", "info", "off")
PROJECT_FILE = ".deepagents/agent-memory.toml"
"""The settings file below a folder of the project; the user's is below the home."""


_AGENT_PATH = (
    "The agent's executable, or the folder of its npm package. Leave empty to find it on PATH or "
    "in the project's node_modules."
)


def _setting(default: Any, doc: str, *, minimum: int = 0) -> Any:
    """Return a field of Settings with its ``default``.

    ``doc`` describes the setting to the user; ``minimum`` is the least valid value of a number.
    """
    meta = {"doc": doc, "minimum": minimum}
    if isinstance(default, dict | list):
        return field(default_factory=default.copy, metadata=meta)
    return field(default=default, metadata=meta)


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting of the core. Keys in files and in the editor are those of :data:`KEYS`."""

    runtime: str = _setting(
        "auto",
        "The agent runtime to preview and check. `auto` uses the one installed in the project, or "
        "else infers it from the files present.",
    )
    runtimes: list[str] = _setting(
        ["auto"],
        "The agents that findings are judged for, by their ids. `auto` stands for the installed "
        "ones, or else for those whose files exist. `runtime` is the one that the preview opens "
        "with.",
    )
    agent: str = _setting(
        "auto",
        "The agent whose user memory is read. `auto` uses the only agent, or else the runtime's "
        "default.",
    )
    project_root: str = _setting(
        "", "Project root, for runtimes that accept one. Leave empty to detect it."
    )
    auto_save: bool = _setting(
        default=True,
        doc="Whether the agent saves memory by itself; `false` selects the read-only template.",
    )
    sources: list[str] = _setting(
        [], "The memory files to load. Leave empty for those of deepagents-code."
    )
    skill_folders: list[str] = _setting([], "Additional skill folders.")
    drover_entries: str = _setting(
        "",
        "The folder of entries. Leave empty for a usual one, such as `.memory` or `entries`.",
    )
    drover_filenames: list[str] = _setting(
        ["AGENTS.md", "CLAUDE.md"], "Names of the instruction files in each folder."
    )
    drover_index: int = _setting(30, "Maximum number of entries in the index. `0`: no index.")
    drover_seed: bool = _setting(
        default=True,
        doc="Whether instruction files are also entries, listed in the index and found by recall.",
    )
    drover_writes: int = _setting(
        1,
        "Maximum number of entries an agent may save over MCP between two calls of `prompt`. `0` "
        "disables this limit.",
    )
    write_folders: list[str] = _setting(
        [],
        "Folders outside of the project and of your memory folders that may be written to, such as "
        "one that a link in the project leads to. Only for your own settings; a project's settings "
        "cannot set it.",
    )
    memory_template: str = _setting(
        "",
        "A custom memory template. Leave empty for the runtime's own. For deepagentsdk, one with a "
        "placeholder of the guide, such as `{project_memory_info}`, is the whole memory section.",
    )
    interpreter: str = _setting(
        "",
        "A Python interpreter whose packages contain the runtime's templates. Leave empty to "
        "detect it.",
    )
    claude_code_path: str = _setting("", _AGENT_PATH)
    codex_path: str = _setting("", _AGENT_PATH)
    gemini_cli_path: str = _setting("", _AGENT_PATH)
    opencode_path: str = _setting("", _AGENT_PATH)
    copilot_cli_path: str = _setting("", _AGENT_PATH)
    qwen_code_path: str = _setting("", _AGENT_PATH)
    mistral_vibe_path: str = _setting("", _AGENT_PATH)
    cline_path: str = _setting("", _AGENT_PATH)
    deepagents_js_path: str = _setting("", _AGENT_PATH)
    budget_tokens: int = _setting(
        4000, "Maximum estimated tokens of the composed prompt. `0` disables this limit."
    )
    file_bytes: int = _setting(
        32768, "Maximum size of a memory file, in bytes. `0` disables this limit."
    )
    chain_bytes: int = _setting(
        32768,
        "Maximum combined size, in bytes, of the AGENTS.md files from the root to a folder. `0` "
        "disables this limit. The default is what Codex reads (`project_doc_max_bytes`).",
    )
    rules: dict[str, str] = _setting(
        {}, "Severity per rule, by code or name: `error`, `warning`, `info` or `off`."
    )
    allowed_secrets: list[str] = _setting(
        [],
        "SHA-256 hashes of values that look like secrets but are not. Never list the value itself.",
    )
    folders: dict[str, Path] = field(default_factory=dict)
    """The folder that relative paths of a setting start at, by field; default: the working folder.

    That is the folder of the project, workspace or user whose settings contain the value.
    """

    def is_default(self, name: str) -> bool:
        """Return whether the field ``name`` equals its default, even if the user has set it."""
        return bool(getattr(self, name) == getattr(_DEFAULTS, name))


_DEFAULTS = Settings()


KEYS: dict[str, str] = {
    "runtime": "runtime",
    "runtimes": "runtimes",
    "agent": "agent",
    "projectRoot": "project_root",
    "autoSave": "auto_save",
    "sources": "sources",
    "skillFolders": "skill_folders",
    "drover.entries": "drover_entries",
    "drover.filenames": "drover_filenames",
    "drover.maxIndexEntries": "drover_index",
    "drover.seedMemory": "drover_seed",
    "drover.writesPerTurn": "drover_writes",
    "writeFolders": "write_folders",
    "memoryTemplate": "memory_template",
    "templateInterpreter": "interpreter",
    "agents.claude-code.path": "claude_code_path",
    "agents.codex.path": "codex_path",
    "agents.gemini-cli.path": "gemini_cli_path",
    "agents.opencode.path": "opencode_path",
    "agents.copilot-cli.path": "copilot_cli_path",
    "agents.qwen-code.path": "qwen_code_path",
    "agents.mistral-vibe.path": "mistral_vibe_path",
    "agents.cline.path": "cline_path",
    "agents.deepagents-js.path": "deepagents_js_path",
    "budget.tokens": "budget_tokens",
    "budget.fileBytes": "file_bytes",
    "budget.chainBytes": "chain_bytes",
    "rules": "rules",
    "secrets.allowed": "allowed_secrets",
}
"""The key of each setting in files and editors, and its field."""
PATHS = frozenset({"project_root", "sources", "skill_folders", "drover_entries", "interpreter"})
"""Fields with paths, of which the relative ones start in :attr:`Settings.folders`.

A relative path of an agent (``codex_path``) always starts in the working folder instead.
"""
