"""The instructions of Copilot CLI, and rules of Claude Code that it reads.

A file with a pattern is only a row of a table; the others are sent with their front matter.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Scope, Status
from agent_memory.base.text import BOM
from agent_memory.entries.yaml_reader import YamlError, load_mapping
from agent_memory.l10n import t
from agent_memory.runtimes.agents.agent import files_below, memory_source, read_status
from agent_memory.runtimes.agents.claude_text import split_globs
from agent_memory.runtimes.agents.copilot import files
from agent_memory.runtimes.agents.javascript import decoded

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.base.model import Source
    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText

SUFFIX = ".instructions.md"
INSTRUCTIONS = ".github/instructions"
ALWAYS = "always"
_RULES = ".claude/rules"
_FRONT = lazy_compile(r"---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_LINE = lazy_compile(r"^(?:applyTo|paths)[ \t]*:[ \t]*(.*?)\r?$", re.MULTILINE)
"""The line with the patterns, which is read if the front matter is not valid YAML."""
_EVERYTHING = ("", "*", "**", "**/*")
"""Patterns for all files, or none."""


class CopilotRule(NamedTuple):
    """The patterns of a file, none for always, and its description.

    ``excluded``: the file says that it is not for Copilot CLI.
    """

    globs: tuple[str, ...] = ()
    description: str = ""
    excluded: bool = False


def find(ctx: Context, root: Path | None) -> list[Source]:
    """Return the user's instructions, then those of root and working folder with their rules."""
    user = files.user_folder(ctx) / "instructions"
    places = [(user, SUFFIX, Scope.USER)]
    for folder in files.folders(ctx, root):
        places.append((folder / INSTRUCTIONS, SUFFIX, Scope.PROJECT))
        places.append((folder / _RULES, ".md", Scope.PROJECT))
    return [
        _source(ctx.store.read(path), scope)
        for folder, suffix, scope in places
        for path in files_below(folder, (suffix,))
    ]


def _source(content: FileText, scope: Scope) -> Source:
    """Return a file of instructions: loaded, listed if it has a pattern, ignored or unreadable.

    One that is loaded has the name ``ALWAYS``.
    """
    status, reason = read_status(content)
    if status not in (Status.LOADED, Status.EMPTY):
        return memory_source(content.path, scope, status, reason)
    rule = content.once(_parse, decoded(content))
    if rule.excluded:
        why = t("`excludeAgent` excludes Copilot CLI")
        return memory_source(content.path, scope, Status.IGNORED, why)
    if rule.globs:
        shown = ", ".join(rule.globs)
        why = t("a row of a table; Copilot CLI reads it before it changes {0}", shown)
        return memory_source(content.path, scope, Status.LISTED, why)
    return replace(memory_source(content.path, scope, Status.LOADED, reason), name=ALWAYS)


def text(content: FileText) -> str:
    """Return what is sent of a file without pattern: all of it."""
    return decoded(content).removeprefix(BOM)


def row(ctx: Context, root: Path | None, source: Source) -> str:
    """Return the row of a file with a pattern: pattern, path and description.

    The path of a project's file is relative to :func:`base_of`.
    """
    content = ctx.store.read(source.path)
    rule = content.once(_parse, decoded(content))
    path = source.path
    if source.scope is Scope.PROJECT:
        path = path.relative_to(base_of(ctx, root, source))
    return f"| {_cell(', '.join(rule.globs))} | '{path}' | {_cell(rule.description)} |"


def base_of(ctx: Context, root: Path | None, source: Source) -> Path:
    """Return the folder whose instructions ``source`` is one of: the nearest, so ``cwd`` first."""
    bases = files.folders(ctx, root)
    return next(base for base in reversed(bases) if source.path.is_relative_to(base))


def globs(content: FileText) -> tuple[str, ...]:
    """Return the patterns of a file."""
    return content.once(_parse, decoded(content)).globs


def _cell(value: str) -> str:
    return value.replace("|", "\\|")


def _parse(raw: str) -> CopilotRule:
    """Return what the front matter of the text ``raw`` says; a pattern for all files means always.

    With invalid YAML the pattern is that of its line, such as `applyTo: *.py` without quotes, even
    one for all files.
    """
    front = _FRONT.match(raw.removeprefix(BOM))
    if not front:
        return CopilotRule()
    try:
        values = load_mapping(front[1].replace("\r\n", "\n"))
    except YamlError:
        line = _LINE.search(front[1])
        return CopilotRule((line[1].strip(),) if line else ())
    globs = split_globs(values.get("applyTo")) or split_globs(values.get("paths"))
    description = values.get("description")
    return CopilotRule(
        () if ", ".join(globs) in _EVERYTHING else tuple(globs),
        " ".join(description.split()) if isinstance(description, str) else "",
        "coding-agent" in str(values.get("excludeAgent", "")),
    )
