"""The settings of agents about memory, for a copy of their files. All others are left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from agent_memory.formats.json_parser import parse_json
from agent_memory.fs.reader import read_bytes, read_file
from agent_memory.runtimes.agents import claude_files, codex_files, gemini_files, opencode_files

if TYPE_CHECKING:
    from agent_memory.config.context import Context


class MemorySettings(NamedTuple):
    """What agents need in a copy besides the copied files.

    ``files`` is {path in the copy: text}. ``names`` is {name in the copy: name in the original} for
    folders that an agent names after the path of the project.
    """

    files: dict[Path, str]
    names: dict[str, str]


def memory_settings(ctx: Context, moved: Context, prefix: Path) -> MemorySettings:
    """Return the settings about memory for a copy.

    ``ctx`` is the context of the original, ``moved`` that of the copy below the folder ``prefix``.
    """
    files, names = _claude(ctx, moved, prefix)
    # Codex has both keys at the top level only: a profile, which is a table, cannot set them.
    codex = codex_files.config(ctx)
    files[codex_files.config_folder(moved) / "config.toml"] = (
        f"project_doc_max_bytes = {codex.limit}\n"
        f"project_doc_fallback_filenames = {json.dumps(codex.fallbacks)}\n"
    )
    gemini = Path(gemini_files.FOLDER) / "settings.json"
    for original, copy in (
        (ctx.home / gemini, moved.home / gemini),
        (ctx.cwd.resolve() / gemini, moved.cwd.resolve() / gemini),
    ):
        files |= _part(original, copy, "context", prefix)
    for original, copy in (
        (opencode_files.config_folder(ctx), opencode_files.config_folder(moved)),
        (ctx.cwd.resolve(), moved.cwd.resolve()),
    ):
        paths = (original / "opencode.json", copy / "opencode.json")
        files |= _part(*paths, "instructions", prefix)
    return MemorySettings(files, names)


def _claude(ctx: Context, moved: Context, prefix: Path) -> MemorySettings:
    """Return the part of :func:`memory_settings` for Claude Code: its memory, approved imports.

    Claude Code stores both by the path of the project; the folder of its memory is named after it.
    """
    original, copy = claude_files.own_memory(ctx), claude_files.own_memory(moved)
    files: dict[Path, str] = {}
    raw = read_bytes(original)
    if raw is not None:
        files[copy] = raw.decode("utf-8", "replace")
    approved = {
        f"{prefix}{folder}": {"hasClaudeMdExternalIncludesApproved": True}
        for folder in claude_files.approvals(ctx)
    }
    if approved:
        files[claude_files.state_file(moved)] = json.dumps({"projects": approved})
    # Both paths end in projects/NAME/memory/MEMORY.md.
    name_in_copy, original_name = copy.parent.parent.name, original.parent.parent.name
    return MemorySettings(files, {name_in_copy: original_name})


def _part(original: Path, copy: Path, key: str, prefix: Path) -> dict[Path, str]:
    """Return {copy: text} of a settings file with only the ``key`` of the file ``original``.

    {} if the original is missing, invalid or lacks the key. The paths in the value are moved below
    ``prefix`` (:func:`_moved`).
    """
    try:
        value = parse_json(read_file(original).text)[key]
    except (ValueError, KeyError, TypeError):
        return {}
    return {copy: json.dumps({key: _moved(value, prefix)})}


def _moved(value: Any, prefix: Path) -> Any:
    """Return ``value`` of a setting with each absolute path, alone or in a list, below ``prefix``.

    URLs (``https://...``) are removed from a list: nothing is loaded from other hosts. The paths in
    a table stay. Those of Gemini are folders with memory that the preview does not show; if the
    agent did not find them, this difference would not be reported.
    """
    if isinstance(value, list):
        return [_moved(element, prefix) for element in value if "://" not in str(element)]
    if isinstance(value, str) and Path(value).is_absolute():
        return f"{prefix}{value}"
    return value
