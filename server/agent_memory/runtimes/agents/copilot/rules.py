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
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.base.model import Source
    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText

SUFFIX = ".instructions.md"
"""The end of the names of files with instructions."""
INSTRUCTIONS = ".github/instructions"
ALWAYS = "always"
"""The name of a source that is always sent, as plain text and not as an element."""
_RULES = ".claude/rules"
_FRONT = lazy_compile(r"---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
"""Front matter; spaces may follow both `---`, and the second one may end the file."""
_LINE = lazy_compile(r"^(applyTo|paths):[^\S\n]+(\S[^\n]*)", re.MULTILINE)
"""A line with patterns, which is read if the front matter is not valid YAML."""
_COMMENT = lazy_compile(r"\s#.*")
"""A comment of YAML up to the end of its line."""
_EVERYTHING = ("*", "**", "**/*")
"""Patterns that match all files."""


class CopilotRule(NamedTuple):
    """What the front matter of a file says; without ``globs`` the file is always sent.

    ``excluded``: the file says that it is not for Copilot CLI.
    """

    globs: tuple[str, ...] = ()
    description: str = ""
    excluded: bool = False


def find(ctx: Context, root: Path | None) -> list[Source]:
    """Return the user's instructions, then those of root and working folder, and their rules."""
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
    """Return the file ``content`` as a source: listed if it has a pattern, else loaded.

    It may be ignored or unreadable, too. An empty file is loaded. The name of a loaded file is
    ``ALWAYS``.
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
    """Return what is sent of a file without pattern: all of it, with its front matter."""
    return decoded(content).removeprefix(BOM)


def row(ctx: Context, root: Path | None, source: Source) -> str:
    """Return the row of the table for ``source``, a file with a pattern.

    It has the patterns, the path and the description. The path of a project's file is relative to
    :func:`base_of`.
    """
    content = ctx.store.read(source.path)
    rule = content.once(_parse, decoded(content))
    path = source.path
    if source.scope is Scope.PROJECT:
        path = path.relative_to(base_of(ctx, root, source))
    return f"| {_cell(', '.join(rule.globs))} | '{path}' | {_cell(rule.description)} |"


def base_of(ctx: Context, root: Path | None, source: Source) -> Path:
    """Return the folder with the rules that ``source`` is one of: the working folder or the root.

    If both are above ``source``, it is the working folder, which is the nearer one.
    """
    bases = files.folders(ctx, root)
    return next(base for base in reversed(bases) if source.path.is_relative_to(base))


def globs(content: FileText) -> tuple[str, ...]:
    """Return the patterns of a file, () if it is always sent."""
    return content.once(_parse, decoded(content)).globs


def _cell(value: str) -> str:
    """Return ``value`` escaped for a cell of a Markdown table."""
    return value.replace("\\", "\\\\").replace("|", "\\|")


def _parse(raw: str) -> CopilotRule:
    """Return what the front matter of ``raw``, the text of a file, says.

    If it is invalid YAML, such as `applyTo: *.py` without quotes, Copilot CLI reads only the
    patterns: it ignores the description and `excludeAgent`.
    """
    front = _FRONT.match(raw.removeprefix(BOM))
    if not front:
        return CopilotRule()
    try:
        values = load_mapping(front[1].replace("\r\n", "\n"))
    except YamlError:
        return CopilotRule(_conditional(split_globs(_value_in_lines(front[1]))))
    # `paths` is ignored next to `applyTo`, even if that has no value
    key = "applyTo" if "applyTo" in values else "paths"
    description = values.get("description")
    return CopilotRule(
        globs=_conditional(_globs(values.get(key))),
        description=" ".join(description.split()) if isinstance(description, str) else "",
        # this name, alone or in a list, excludes Copilot CLI too
        excluded="coding-agent" in str(values.get("excludeAgent", "")),
    )


def _conditional(globs: Sequence[str]) -> tuple[str, ...]:
    """Return ``globs``, or () if each matches all files, so that the file is always sent."""
    return () if all(glob in _EVERYTHING for glob in globs) else tuple(globs)


def _globs(value: object) -> list[str]:
    """Return the patterns in a YAML value: a text with commas between them, or a list of texts."""
    if isinstance(value, list):
        texts = (element.strip() for element in value if isinstance(element, str))
        return [text for text in texts if text]
    return split_globs(value)


def _value_in_lines(front: str) -> str:
    """Return the value of `applyTo`, else of `paths`, in front matter that is not valid YAML.

    '' without a value. The first line with a value counts. Quotes around the value are removed; of
    a value without quotes, a comment after it is.
    """
    values: dict[str, str] = {}
    for match in _LINE.finditer(front):
        key, written = match[1], match[2].strip()
        is_quoted = written[0] in "\"'" and written[-1] == written[0]
        values.setdefault(key, written[1:-1] if is_quoted else _COMMENT.sub("", written))
    return values.get("applyTo") or values.get("paths", "")
