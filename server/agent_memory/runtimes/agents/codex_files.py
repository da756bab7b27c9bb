"""Which files Codex reads, how much of them, and the settings that change it."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.model import Scope, Source, Status
from agent_memory.formats.limits import FormatError
from agent_memory.formats.toml_parser import parse_toml
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t
from agent_memory.runtimes.agents.agent import memory_source, missing, read_status
from agent_memory.runtimes.agents.javascript import decoded

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText

NAMES = ("AGENTS.override.md", "AGENTS.md")
"""The names of memory files, the preferred one first."""
MAX_BYTES = 32 * 1024
"""Bytes of all project files together that Codex sends by default."""
SPACE = (
    "\t\n\v\f\r \x85\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""What Rust's ``trim`` removes."""
_ABSENT = (Failure.MISSING, Failure.DIRECTORY)
"""Failures of files that do not exist for Codex."""


class CodexConfig(NamedTuple):
    """The settings in config.toml that concern memory.

    ``limit`` is the budget of the project's files in bytes, ``fallbacks`` are more file names.
    """

    limit: int = MAX_BYTES
    fallbacks: tuple[str, ...] = ()


def find(ctx: Context, folders: Sequence[Path]) -> list[Source]:
    """Return the user's files, then those of ``folders``, the root first.

    In each folder the file with the first existing name is read, even if it is blank; the others
    are shadowed. If the root has no file, its AGENTS.md is returned as missing.
    """
    result = _user_files(ctx, config_folder(ctx))
    names = (*NAMES, *config(ctx).fallbacks)
    left = config(ctx).limit  # bytes left of the budget of all project files
    for folder in folders:
        chosen: Source | None = None  # the file of this folder that is read
        for name in dict.fromkeys(names):
            content = ctx.store.read(folder / name)
            # Codex chooses a broken link as well, and then sends nothing.
            if content.failure in _ABSENT and not os.path.islink(folder / name):  # noqa: PTH114
                continue
            if chosen:
                result.append(_shadowed(content, chosen))
                continue
            chosen = _read_source(content, left)
            result.append(chosen)
            left -= _used_bytes(chosen, content, left)
    if not any(source.path.parent == folders[0] for source in result):
        result.append(missing(folders[0] / NAMES[-1]))
    return result


def config_folder(ctx: Context) -> Path:
    """Return the folder of the user's files: CODEX_HOME or ``~/.codex``."""
    given = ctx.env.get("CODEX_HOME")
    return ctx.cwd / given if given else ctx.home / ".codex"


def config(ctx: Context) -> CodexConfig:
    """Return the settings in the user's config.toml, the defaults without a file."""
    content = ctx.store.read(config_folder(ctx) / "config.toml")
    return content.once(_parse, content.text)


def _parse(text: str) -> CodexConfig:
    """Return the settings in the text of config.toml, the defaults for what is invalid."""
    try:
        values = parse_toml(text)
    except (FormatError, RecursionError):
        return CodexConfig()
    limit = values.get("project_doc_max_bytes")
    if type(limit) is not int or limit < 0:  # isinstance would accept a bool
        limit = MAX_BYTES
    names = values.get("project_doc_fallback_filenames")
    fallbacks = tuple(filter(_is_name, names)) if isinstance(names, list) else ()
    return CodexConfig(limit, fallbacks)


def _is_name(value: object) -> bool:
    """Whether ``value`` is the name of a file, not a path: Codex ignores paths."""
    return isinstance(value, str) and value != "" and "/" not in value


def _user_files(ctx: Context, folder: Path) -> list[Source]:
    """Return the user's files; the first one with text is read, later ones are shadowed.

    Missing files are left out, except the AGENTS.md to create if no file is read.
    """
    result: list[Source] = []
    chosen: Source | None = None  # the file that is read
    for name in NAMES:
        content = ctx.store.read(folder / name)
        is_to_create = name == NAMES[-1] and chosen is None
        if content.failure is Failure.MISSING and not is_to_create:
            continue
        source = _shadowed(content, chosen) if chosen else _read_source(content, None)
        source = replace(source, scope=Scope.USER)
        result.append(source)
        if chosen is None and source.status is Status.LOADED:
            chosen = source
    return result


def _shadowed(content: FileText, chosen: Source) -> Source:
    """Return ``content`` as a source that is not read because ``chosen`` in its folder is.

    The scope is PROJECT; :func:`_user_files` replaces it.
    """
    if chosen.status is Status.EMPTY:
        why = t("{0} is read instead, although it is blank", chosen.path.name)
        action = t("Write into {0}, or delete it", chosen.path)
    else:
        why = t("{0} is read instead", chosen.path.name)
        action = t("Move its text to {0}", chosen.path)
    source = memory_source(content.path, Scope.PROJECT, Status.SHADOWED, why)
    return replace(source, by=chosen.path, action=action)


def _read_source(content: FileText, left: int | None) -> Source:
    """Return ``content`` as a source; its status and reason say how much of the file is sent.

    ``left`` are the bytes that are left of the budget of project files, None for a file of the
    user, which has no budget. The scope is PROJECT; :func:`_user_files` replaces it.
    """
    status, reason = read_status(content)
    if status is Status.LOADED and left == 0:
        status, reason = Status.IGNORED, t("the budget of all project files is used up")
    elif status is Status.LOADED and not sent(content, left).strip(SPACE):
        status, reason = Status.EMPTY, t("the file is blank")
    elif status is Status.LOADED and left is not None and content.size > left:
        status = Status.TRUNCATED
        reason = t("Codex sends the first {0:,} of its {1:,} bytes", left, content.size)
    source = memory_source(content.path, Scope.PROJECT, status, reason)
    if status not in (Status.TRUNCATED, Status.IGNORED):
        return source
    action = t("Shorten it or the files above it, or raise `project_doc_max_bytes` in config.toml")
    return replace(source, action=action, left_out=status is Status.IGNORED)


def _used_bytes(source: Source, content: FileText, left: int) -> int:
    """Return the bytes that a file uses of the budget, of which ``left`` bytes are left."""
    is_sent = source.status in (Status.LOADED, Status.TRUNCATED)
    return min(left, content.size) if is_sent else 0


def sent(content: FileText, left: int | None) -> str:
    """Return the text of the first ``left`` bytes (None: all), invalid ones as U+FFFD."""
    if left is None or content.size <= left:
        return decoded(content)
    # only an undecodable file has `raw`
    raw = content.raw or content.text.encode("utf-8", "surrogatepass")
    return raw[:left].decode("utf-8", "replace")
