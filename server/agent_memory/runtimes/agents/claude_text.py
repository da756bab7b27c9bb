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
"""Front matter. As in Claude Code, any later `---` closes it, even inside of a line."""
_COMMENT = lazy_compile(r"<!--.*?-->", re.DOTALL)
_NEWLINE = lazy_compile(r"\r\n?")
_PATHS_LINE = lazy_compile(r"^paths[ \t]*:[ \t]*([^\s][^\r\n]*)$", re.MULTILINE)
"""A line `paths:` with a value."""


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
    body, body_line = text, 0
    if front:  # without front matter a byte order mark stays
        body_start = len(text) - len(text.removeprefix(BOM)) + front.end()
        body, body_line = text[body_start:], _newlines(text[:body_start])
    paths = paths_of(front[1]) if front else None
    if "<!--" not in body and "@" not in body:  # no comment, no import
        return ClaudeText(((body, body_line),), paths, ())
    normal = _NEWLINE.sub("\n", body)  # Claude Code sends this only if it drops a comment
    comments, imports = claude_markdown.structure(normal)
    if not comments:
        return ClaudeText(((body, body_line),), paths, imports)
    kept = _without_comments(normal, comments)
    pieces = tuple((piece, body_line + line) for piece, line in kept)
    return ClaudeText(pieces, paths, imports)


def front_matter(text: str) -> tuple[str, int]:
    """Return the front matter of ``text`` without its ``---``, and its first line, from 0.

    ('', 0) without front matter.
    """
    front = _FRONT.match(text.removeprefix(BOM))
    return (front[1], _newlines(front.string[: front.start(1)])) if front else ("", 0)


def _newlines(text: str) -> int:
    """Return the number of newlines in ``text``, each of one or two characters."""
    return len(_NEWLINE.sub("\n", text).split("\n")) - 1


def _without_comments(text: str, blocks: Sequence[tuple[int, int]]) -> list[tuple[str, int]]:
    """Return the texts outside of the comments in ``blocks``, each with its line in ``text``.

    A block is (first line, line after the last one), from 0. The blank lines after it are dropped
    as well. Text next to a comment in the same block stays.
    """
    line_starts = [0]  # the offset of each line, and one more
    for line in text.split("\n"):
        line_starts.append(line_starts[-1] + len(line) + 1)
    kept: list[tuple[int, int]] = []  # spans in `text`
    block_end = 0
    for first, after in blocks:
        block_start = line_starts[first]
        kept.append((block_end, block_start))
        block_end = min(line_starts[after], len(text))
        while block_end < len(text) and text[block_end] == "\n":
            block_end += 1
        if _COMMENT.sub("", text[block_start:block_end]).strip(SPACE):
            kept += _between_comments(text, block_start, block_end)
    kept.append((block_end, len(text)))
    return [(text[start:end], _newlines(text[:start])) for start, end in kept if start < end]


def _between_comments(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans from ``start`` to ``end`` that are not in a comment."""
    for match in _COMMENT.finditer(text, start, end):
        yield start, match.start()
        start = match.end()
    yield start, end


def paths_of(front: str) -> tuple[str, ...] | None:
    """Return the globs of `paths` in the front matter ``front``, None if the file is always loaded.

    It is always loaded without globs or if all are ``**``. ``folder/**`` stands for ``folder``.
    """
    try:
        value = load_mapping(_NEWLINE.sub("\n", front)).get("paths")
    except YamlError:  # `paths: *.py` without quotes is invalid, but Claude Code reads it
        paths_line = _PATHS_LINE.search(front)
        value = paths_line[1] if paths_line else None
    written = [glob.removesuffix("/**") for glob in split_globs(value)]
    globs = tuple(filter(None, written))  # nothing is left of `/**`
    return globs if any(glob != "**" for glob in globs) else None


def split_globs(value: object) -> list[str]:
    """Return the globs in ``value``: a list, or a text with commas. [] for another value.

    A list may contain lists and such texts. Commas in braces do not separate: `*.{js,ts}`.
    """
    if isinstance(value, list):
        return [glob for element in value for glob in split_globs(element)]
    if not isinstance(value, str):
        return []
    globs = [""]
    depth = 0  # of braces; after a `}` too many no comma separates, as in Claude Code
    for character in value:
        if character == "," and depth == 0:
            globs.append("")
            continue
        depth += {"{": 1, "}": -1}.get(character, 0)
        globs[-1] += character
    return [glob for glob in (written.strip(SPACE) for written in globs) if glob]
