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
_FRONT = lazy_compile(r"---\n(.*?)\n---(?:\n|$)", re.DOTALL)


def find(ctx: Context, root: Path | None) -> list[Source]:
    """Return the user's rules, then those of the project."""
    user = files.home(ctx) / "rules"
    places = {user: Scope.USER, (root or ctx.cwd.resolve()) / FOLDER: Scope.PROJECT}
    return [
        _source(ctx.store.read(path), scope)
        for folder, scope in sorted(places.items(), key=lambda item: item[0] != user)
        for path in files_below(folder, (".md",))
    ]


def _source(content: FileText, scope: Scope) -> Source:
    """Return a rule: loaded, listed if it is conditional, or why it is not sent."""
    source = sent_source(content, scope, "")
    if source.status is not Status.EMPTY:  # it cannot be read
        return source
    text = "".join(part.text for part in pieces(content, source))
    found = replace(sent_source(content, scope, text), name=RULE)
    globs = paths(content)
    if found.status is Status.LOADED and globs:
        why = t("added when Qwen Code reads a file like {0}", ", ".join(globs))
        return replace(found, status=Status.LISTED, reason=why)
    return found


def _normal(content: FileText) -> str:
    return decoded(content).removeprefix(BOM).replace("\r\n", "\n").replace("\r", "\n")


def pieces(content: FileText, source: Source) -> list[Segment]:
    """Return the text that is sent: without front matter and comments."""
    text = _normal(content)
    front = _FRONT.match(text)
    start = front.end() if front else 0
    whole = Segment(text[start:], str(source.scope), source.path, line_breaks(text[:start]))
    kept = without_comments(whole)
    return trimmed([replace(part, text=part.text.replace("<!--", "")) for part in kept])


def paths(content: FileText) -> tuple[str, ...]:
    """Return the patterns of `paths`, () if the rule is always loaded."""
    front = _FRONT.match(_normal(content))
    try:
        value = load_mapping(front[1]).get("paths") if front else None
    except YamlError:
        return ()
    listed = value if isinstance(value, list) else [value] if isinstance(value, str) else []
    return tuple(str(item) for item in listed if str(item).strip(SPACE))
