"""What Claude Code makes of the text of a memory file.

Front matter is dropped, and so are HTML comments that are blocks of their own; the imports are
found in text, not in code. Claude Code uses the Markdown lexer `marked` without GitHub's
extensions; markdown-it with its CommonMark rules is close to it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text import BOM
from agent_memory.entries.yaml_reader import YamlError, load_mapping
from agent_memory.runtimes.agents import claude_markdown
from agent_memory.runtimes.agents.javascript import SPACE, S

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


_FRONT = lazy_compile(rf"---{S}*\n(.*?)---{S}*\n?", re.DOTALL)
_COMMENT = lazy_compile(r"<!--.*?-->", re.DOTALL)
_NEWLINE = lazy_compile(r"\r\n?")
_PATHS_LINE = lazy_compile(r"^paths[ \t]*:[ \t]*([^\s][^\r\n]*)$", re.MULTILINE)


class ClaudeText(NamedTuple):
    """What Claude Code makes of a file.

    ``pieces`` are the kept texts with their first line in the file, from 0; ``paths`` the patterns
    of a rule, None for "always"; ``imports`` the paths as they are written.
    """

    pieces: tuple[tuple[str, int], ...]
    paths: tuple[str, ...] | None
    imports: tuple[str, ...]

    @property
    def body(self) -> str:
        """The text that is sent."""
        return "".join(text for text, _ in self.pieces).strip(SPACE)


def parse(text: str) -> ClaudeText:
    """Return what Claude Code makes of ``text``."""
    front = _FRONT.match(text.removeprefix(BOM))
    body, line = text, 0
    if front:  # without front matter a byte order mark stays
        head = len(text) - len(text.removeprefix(BOM)) + front.end()
        body, line = text[head:], _lines(text[:head])
    paths = paths_of(front[1]) if front else None
    if "<!--" not in body and "@" not in body:
        return ClaudeText(((body, line),), paths, ())
    normal = _NEWLINE.sub("\n", body)
    comments, imports = claude_markdown.structure(normal)
    if not comments:
        return ClaudeText(((body, line),), paths, imports)
    kept = _without_comments(normal, comments)
    return ClaudeText(tuple((part, line + at) for part, at in kept), paths, imports)


def front_matter(text: str) -> str | None:
    """Return the front matter of ``text`` without its fences, None without one."""
    front = _FRONT.match(text.removeprefix(BOM))
    return front[1] if front else None


def _lines(text: str) -> int:
    return len(_NEWLINE.sub("\n", text).split("\n")) - 1


def _without_comments(text: str, blocks: Sequence[tuple[int, int]]) -> list[tuple[str, int]]:
    """Return the texts between the comments in the lines ``blocks``, with their lines.

    A block ends with the blank lines after it. Text next to a comment in the same block stays.
    """
    lines = text.split("\n")
    starts = [0]  # the offset of each line, and one more
    for row in lines:
        starts.append(starts[-1] + len(row) + 1)
    spans: list[tuple[int, int]] = []  # the texts that are kept
    at = 0
    for first, after in blocks:
        start, end = starts[first], min(starts[after], len(text))
        while end < len(text) and text[end] == "\n":
            end += 1
        spans.append((at, start))
        if _COMMENT.sub("", text[start:end]).strip(SPACE):
            spans += _between_comments(text, start, end)
        at = end
    spans.append((at, len(text)))
    return [(text[low:high], _lines(text[:low])) for low, high in spans if low < high]


def _between_comments(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans from ``start`` to ``end`` that are not in a comment."""
    for match in _COMMENT.finditer(text, start, end):
        yield start, match.start()
        start = match.end()
    yield start, end


def paths_of(front: str) -> tuple[str, ...] | None:
    """Return the globs of `paths`, None if the file is always loaded.

    It is always loaded without globs or if all are ``**``. ``folder/**`` stands for ``folder``.
    """
    try:
        value = load_mapping(_NEWLINE.sub("\n", front)).get("paths")
    except YamlError:  # `paths: *.py` without quotes is invalid
        line = _PATHS_LINE.search(front)
        value = line[1] if line else None
    globs = tuple(glob.removesuffix("/**") for glob in split_globs(value))
    globs = tuple(filter(None, globs))
    return globs if any(glob != "**" for glob in globs) else None


def split_globs(value: object) -> list[str]:
    """Return the items of a list or of a comma-separated text; commas in braces do not count."""
    if isinstance(value, list):
        return [glob for item in value for glob in split_globs(item)]
    if not isinstance(value, str):
        return []
    items = re.split(r",(?![^{}]*\})", value)
    return [item.strip(SPACE) for item in items if item.strip(SPACE)]
