"""Programs whose requests were compared with the preview on this machine, and were equal.

``agent-memory verify`` records them in the user's cache folder: a record holds for these files of
this version, for the texts found in it, and for this version of Agent Memory.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from agent_memory.base.version import __version__
from agent_memory.formats.json_parser import parse_json
from agent_memory.fs import program_text
from agent_memory.fs.cache_folder import cache_folder
from agent_memory.fs.reader import read_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.runtimes.agents.programs import Program

MAX_FILES = 64
"""Files of a program that a record names."""


def is_verified(
    ctx: Context, agent_id: str, program: Program, files: Sequence[Path], digest: str
) -> bool:
    """Whether a record of ``agent_id`` holds for ``program``, its ``files`` and texts.

    ``digest`` is that of the texts.
    """
    content = read_file(_record_path(ctx, agent_id))
    if not content.ok:
        return False
    try:
        record: Any = parse_json(content.text)
        recorded = {key: record[key] for key in ("agent_memory", "version", "texts", "files")}
    except (ValueError, KeyError, TypeError):  # invalid, or of an older version
        return False
    return recorded == _compared_values(program, files, digest)


def record(
    ctx: Context, agent_id: str, program: Program, files: Sequence[Path], digest: str
) -> None:
    """Record that ``program`` sent what the preview shows.

    The record also has the SHA-256 of the ``files``, for people: :func:`is_verified` only compares
    their stamps.

    Raises:
        UsageError: the cache folder cannot be written.

    """
    hashes = {str(path): program_text.sha256(path) for path in _existing(program, files)}
    value = {**_compared_values(program, files, digest), "sha256": hashes}
    _write(ctx, agent_id, json.dumps(value))


def forget(ctx: Context, agent_id: str) -> None:
    """Make the record of an agent invalid, because its request differs now.

    Without a record nothing is done.

    Raises:
        UsageError: the cache folder cannot be written.

    """
    if read_file(_record_path(ctx, agent_id)).size:  # 0 for a missing file
        _write(ctx, agent_id, "{}")  # no valid record


def _write(ctx: Context, agent_id: str, text: str) -> None:
    """Write ``text`` to the record of an agent.

    Raises:
        UsageError: the cache folder cannot be written.

    """
    from agent_memory.fs.atomic_write import update  # noqa: PLC0415 -- rarely needed
    from agent_memory.fs.write_roots import inside  # noqa: PLC0415

    update(_record_path(ctx, agent_id), lambda _: text, inside(cache_folder(ctx.env)))


def _record_path(ctx: Context, agent_id: str) -> Path:
    return cache_folder(ctx.env) / "verified" / f"{agent_id}.json"


def _compared_values(program: Program, files: Sequence[Path], digest: str) -> dict[str, Any]:
    """Return the values by their keys that a record must have to hold.

    The stamp of a file changes with its content.
    """
    stamps = {str(path): [*program_text.stamp(path)] for path in _existing(program, files)}
    return {
        "agent_memory": __version__,
        "version": program.version,
        "texts": digest,
        "files": stamps,
    }


def _existing(program: Program, files: Sequence[Path]) -> list[Path]:
    """Return the existing ones of ``program.path`` and the first ``MAX_FILES`` of ``files``."""
    paths = dict.fromkeys((program.path, *files[:MAX_FILES]))
    return [path for path in paths if program_text.stamp(path) != program_text.NO_FILE]
