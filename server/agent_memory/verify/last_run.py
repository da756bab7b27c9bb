"""What the last run of Claude Code really loaded, as its hook ``InstructionsLoaded`` reported it.

The person adds the hook. Claude Code then runs it once for each file it loads, several at a time,
so the records have no order. The input was seen with Claude Code 2.1.330: ``session_id``, ``cwd``,
``file_path``, ``memory_type``, ``load_reason`` and, for an import, ``parent_file_path``.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from agent_memory.base.errors import UsageError
from agent_memory.formats.json_parser import parse_json
from agent_memory.fs.atomic_write import update
from agent_memory.fs.cache_folder import cache_folder
from agent_memory.fs.reader import read_file
from agent_memory.fs.write_roots import inside
from agent_memory.prompt.compose import compose

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agent_memory.config.context import Context

AGENT = "claude-code"
MAX_BYTES = 64 * 1024
"""Bytes of one input of the hook; a larger one is not recorded."""
MAX_RECORDS = 2_000
"""Records in the file; the oldest are dropped."""
AT_START = ("session_start", "include")
"""Reasons of the files that are loaded at the start; the others are loaded on demand."""
_YEAR_10000 = 253_402_300_800
"""Its start in seconds since the epoch; later times have no date in Python."""
_REQUIRED = ("session_id", "cwd", "file_path")
"""The fields of an input without which it is not recorded."""
_OPTIONAL = ("memory_type", "load_reason", "parent_file_path")
"""Fields that an input may lack, in the order of the fields of :class:`LoadedFile`."""
_FIELDS = (*_REQUIRED, *_OPTIONAL)


class LoadedFile(NamedTuple):
    """A file as the hook reported it; ``parent`` imports it, '' without an import.

    ``kind`` is the hook's ``memory_type``, such as ``Project``, and ``reason`` its ``load_reason``.
    """

    path: Path
    kind: str
    reason: str
    parent: str


@dataclass(frozen=True, slots=True)
class LastRun:
    """The last run in the folder ``cwd``, and how the preview differs from it.

    ``at`` is the time of its first record in seconds since the epoch, ``files`` are those it has
    loaded. ``not_loaded`` are files of the preview that were not loaded, ``not_shown`` files that
    were loaded at the start and are not in the preview.
    """

    cwd: Path
    at: float
    files: tuple[LoadedFile, ...]
    not_loaded: tuple[Path, ...]
    not_shown: tuple[Path, ...]


def record(env: Mapping[str, str], text: str) -> None:
    """Add the input ``text`` of the hook, with the time, to the records in the user's cache folder.

    Raises:
        UsageError: ``text`` is not such an input, or the cache folder cannot be written.

    """
    try:
        value = parse_json(text)
        fields = {name: value[name] for name in _FIELDS if isinstance(value.get(name), str)}
    except (ValueError, AttributeError):
        fields = {}
    if any(name not in fields for name in _REQUIRED):
        raise UsageError("the input is not that of the hook InstructionsLoaded")
    line = json.dumps({"at": round(time.time(), 3), **fields})

    def with_line(content: Any) -> str:
        """Return the new text of the file: the last ``MAX_RECORDS`` lines, the new one included."""
        lines = content.text.splitlines()
        if line not in lines:  # `update` calls this again after another program wrote
            lines.append(line)
        return "\n".join(lines[-MAX_RECORDS:]) + "\n"

    update(_file(env), with_line, inside(cache_folder(env)))


def last_run(ctx: Context) -> LastRun | None:
    """Return the last run of Claude Code in the folder of ``ctx``; None if none was recorded.

    A run is a session of Claude Code. A session can have records of several folders; only those of
    this folder count.
    """
    cwd = os.path.realpath(ctx.cwd)
    in_folder = [record for record in _records(ctx.env) if os.path.realpath(record["cwd"]) == cwd]
    if not in_folder:
        return None
    session = in_folder[-1]["session_id"]  # of the last record, so of the last run
    of_run = [record for record in in_folder if record["session_id"] == session]
    # Only a source with a place in the prompt (from 1 on) is in the preview.
    shown = [source.path for source in compose(ctx, AGENT).sources if source.order]
    files = _sorted(_first_reports(of_run), shown)
    loaded = [file.path for file in files]
    loaded_at_start = [file.path for file in files if file.reason in AT_START]
    return LastRun(
        ctx.cwd,
        min(record["at"] for record in of_run),
        tuple(files),
        not_loaded=_not_among(shown, loaded),
        not_shown=_not_among(loaded_at_start, shown),
    )


def _not_among(paths: Sequence[Path], others: Sequence[Path]) -> tuple[Path, ...]:
    """Return the ``paths`` that do not lead to a file of ``others``, with symlinks resolved."""
    real_others = {os.path.realpath(path) for path in others}
    return tuple(path for path in paths if os.path.realpath(path) not in real_others)


def _first_reports(records: Sequence[Mapping[str, Any]]) -> list[LoadedFile]:
    """Return each file of ``records`` once, with what its first record says, in their order."""
    by_path: dict[str, LoadedFile] = {}
    for record in records:
        by_path.setdefault(record["file_path"], _loaded(record))
    return list(by_path.values())


def _sorted(files: Sequence[LoadedFile], shown: Sequence[Path]) -> list[LoadedFile]:
    """Return ``files`` in the order of the preview, the others after them."""
    order = {os.path.realpath(path): number for number, path in enumerate(shown)}
    return sorted(files, key=lambda file: order.get(os.path.realpath(file.path), len(order)))


def _loaded(fields: Mapping[str, Any]) -> LoadedFile:
    """Return the file of a record with ``fields``; an optional field that is missing is ''."""
    kind, reason, parent = (fields.get(name, "") for name in _OPTIONAL)  # in this order
    return LoadedFile(Path(fields["file_path"]), kind, reason, parent)


def _records(env: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the valid records, the oldest first."""
    records = []
    for line in read_file(_file(env)).text.splitlines():
        with suppress(ValueError):
            value = parse_json(line)
            if _is_record(value):
                records.append(value)
    return records


def _is_record(value: Any) -> bool:
    """Whether the JSON ``value`` has the fields that :func:`record` writes, with valid values."""
    if not isinstance(value, dict):
        return False
    texts = [value.get(name) for name in _REQUIRED]
    texts += [value.get(name, "") for name in _OPTIONAL]
    if not all(isinstance(text, str) for text in texts):
        return False
    return _is_path(value["cwd"]) and _is_path(value["file_path"]) and _is_time(value.get("at"))


def _is_path(name: str) -> bool:
    """Whether a file can have the name ``name``: the system can encode it, and it has no NUL."""
    try:
        return b"\0" not in os.fsencode(name)
    except UnicodeEncodeError:
        return False


def _is_time(at: Any) -> bool:
    """Whether ``at`` is a number of seconds since the epoch that can be shown as a date."""
    is_number = isinstance(at, int | float) and not isinstance(at, bool)
    return is_number and 0 <= at < _YEAR_10000


def _file(env: Mapping[str, str]) -> Path:
    """Return the file of the records, one JSON object per line."""
    return cache_folder(env) / "loaded" / f"{AGENT}.jsonl"
