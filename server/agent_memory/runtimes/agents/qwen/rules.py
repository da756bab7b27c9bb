"""The rules of Qwen Code: Markdown files in a rules folder, some of them conditional."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Scope, Segment, Status
from agent_memory.base.text import BOM
from agent_memory.entries.yaml_reader import YamlError, load_mapping
from agent_memory.l10n import t
from agent_memory.runtimes.agents.agent import files_below, sent_source
from agent_memory.runtimes.agents.javascript import SPACE, decoded, trimmed
from agent_memory.runtimes.agents.qwen import files
from agent_memory.runtimes.segments import line_breaks, without_comments

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.base.model import Source
    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText

FOLDER = f"{files.FOLDER}/rules"
RULE = "rule"
"""The name of a source that is a rule."""
_FRONT = lazy_compile(r"---\n(.*?)\n---(?:\n|$)", re.DOTALL)
"""Front matter; nothing may follow a `---` on its line, and the second one may end the file."""


def find(ctx: Context, root: Path | None) -> list[Source]:
    """Return the user's rules, then those of the project.

    If both are in the same folder, as for a session in the home, they are those of the project.
    """
    user_folder = files.home(ctx) / "rules"
    project_folder = (root or ctx.cwd.resolve()) / FOLDER
    scopes = {user_folder: Scope.USER, project_folder: Scope.PROJECT}
    return [
        _source(ctx.store.read(path), scope)
        for folder, scope in scopes.items()
        for path in files_below(folder, (".md",))
    ]


def _source(content: FileText, scope: Scope) -> Source:
    """Return the rule ``content`` as a source: loaded, listed if it is conditional, or not sent."""
    text = "".join(piece.text for piece in pieces(content, scope))
    source = sent_source(content, scope, text)
    if source.status not in (Status.LOADED, Status.EMPTY):  # it cannot be read
        return source
    source = replace(source, name=RULE)
    globs = paths(content)
    if source.status is Status.LOADED and globs:
        why = t("added when Qwen Code reads a file like {0}", ", ".join(globs))
        return replace(source, status=Status.LISTED, reason=why)
    return source


def _normal(content: FileText) -> str:
    """Return the text of a file without byte order mark; each newline is a line feed."""
    return decoded(content).removeprefix(BOM).replace("\r\n", "\n").replace("\r", "\n")


def pieces(content: FileText, scope: Scope) -> list[Segment]:
    """Return what is sent of the rule ``content``: no front matter, no comments, trimmed.

    Of a comment that is not closed, Qwen Code removes only the ``<!--``.
    """
    text = _normal(content)
    front = _FRONT.match(text)
    start = front.end() if front else 0
    body = Segment(text[start:], str(scope), content.path, line_breaks(text[:start]))
    kept = without_comments(body)
    return trimmed([replace(piece, text=piece.text.replace("<!--", "")) for piece in kept])


def paths(content: FileText) -> tuple[str, ...]:
    """Return the patterns of `paths` in the rule ``content``, () if it is always loaded.

    It is always loaded without front matter, with invalid YAML, and without a pattern.
    """
    front = _FRONT.match(_normal(content))
    try:
        value = load_mapping(front[1]).get("paths") if front else None
    except YamlError:
        return ()
    if isinstance(value, str):
        value = [value]
    patterns = map(str, value) if isinstance(value, list) else ()
    return tuple(pattern for pattern in patterns if pattern.strip(SPACE))
