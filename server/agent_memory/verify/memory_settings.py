"""The settings of agents about memory, for a copy of their files. All others are left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent_memory.formats.json_parser import parse_json
from agent_memory.fs.reader import read_bytes, read_file
from agent_memory.runtimes.agents import claude_files, codex_files, gemini_files, opencode_files

if TYPE_CHECKING:
    from agent_memory.config.context import Context


def memory_settings(
    ctx: Context, moved: Context, prefix: Path
) -> tuple[dict[Path, str], dict[str, str]]:
    """Return the files to write for the context ``moved``, by path, and names that differ there.

    The names are those of folders in the copy, each with that of the original. ``prefix`` is the
    folder that all paths of ``moved`` are below.
    """
    files, names = _claude(ctx, moved, prefix)
    codex = codex_files.config(ctx)
    files[codex_files.config_folder(moved) / "config.toml"] = (
        f"project_doc_max_bytes = {codex.limit}\n"
        f"project_doc_fallback_filenames = {json.dumps(codex.fallbacks)}\n"
    )
    gemini = Path(gemini_files.FOLDER) / "settings.json"
    for here, there in (
        (ctx.home / gemini, moved.home / gemini),
        (ctx.cwd.resolve() / gemini, moved.cwd.resolve() / gemini),
    ):
        files |= _part(here, there, "context", prefix)
    for here, there in (
        (opencode_files.config_folder(ctx), opencode_files.config_folder(moved)),
        (ctx.cwd.resolve(), moved.cwd.resolve()),
    ):
        files |= _part(here / "opencode.json", there / "opencode.json", "instructions", prefix)
    return files, names


def _claude(ctx: Context, moved: Context, prefix: Path) -> tuple[dict[Path, str], dict[str, str]]:
    """Return what Claude Code remembers itself and whether imports are approved.

    Claude Code keeps both by the path of the project, which is also the name of a folder.
    """
    here, there = claude_files.notes(ctx), claude_files.notes(moved)
    files: dict[Path, str] = {}
    raw = read_bytes(here)
    if raw is not None:
        files[there] = raw.decode("utf-8", "replace")
    approved = {
        f"{prefix}{folder}": {"hasClaudeMdExternalIncludesApproved": True}
        for folder in claude_files.approvals(ctx)
    }
    if approved:
        files[claude_files.state_file(moved)] = json.dumps({"projects": approved})
    return files, {there.parts[-3]: here.parts[-3]}  # projects/NAME/memory/MEMORY.md


def _part(here: Path, there: Path, key: str, prefix: Path) -> dict[Path, str]:
    """Return the settings file ``there`` with ``key`` of the file ``here``; nothing without it."""
    try:
        value = parse_json(read_file(here).text)[key]
    except (ValueError, KeyError, TypeError):
        return {}
    return {there: json.dumps({key: _moved(value, prefix)})}


def _moved(value: Any, prefix: Path) -> Any:
    """Return ``value`` with absolute paths below ``prefix`` and without addresses."""
    if isinstance(value, list):
        return [_moved(item, prefix) for item in value if "://" not in str(item)]
    if isinstance(value, str) and Path(value).is_absolute():
        return f"{prefix}{value}"
    return value
