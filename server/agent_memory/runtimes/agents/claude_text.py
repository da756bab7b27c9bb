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
from agent_memory.runtimes.segments import line_starts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


_FRONT = lazy_compile(rf"---{S}*\n(.*?)---{S}*\n?", re.DOTALL)
"""Front matter. As in Claude Code, any later `---` closes it, even inside of a line."""
_COMMENT = lazy_compile(r"<!--.*?-->", re.DOTALL)
_NEWLINE = lazy_compile(r"\r\n?")
_PATHS_LINE = lazy_compile(r"^paths[ \t]*:[ \t]*([^\s][^\r\n]*)$", re.MULTILINE)
"""A line `paths:` with a value."""


class TextPiece(NamedTuple):
    """A text between two dropped parts of a file, and the line at which it begins, from 0."""

    text: str
    line: int


class ClaudeText(NamedTuple):
    """What Claude Code makes of a file.

    ``pieces`` are the texts that are sent; ``paths`` the patterns of a rule, None for "always";
    ``imports`` the paths as they are written.
    """

    pieces: tuple[TextPiece, ...]
    paths: tuple[str, ...] | None
    imports: tuple[str, ...]

    @property
    def body(self) -> str:
        """The text that is sent."""
        return "".join(piece.text for piece in self.pieces).strip(SPACE)


def parse(text: str) -> ClaudeText:
    """Return what Claude Code makes of ``text``."""
    front = _match_front(text)
    body_start = front.end() if front else 0  # without front matter a byte order mark stays
    body, body_line = text[body_start:], _newlines(text[:body_start])
    paths = paths_of(front[1]) if front else None
    if "<!--" not in body and "@" not in body:  # no comment, no import
        return ClaudeText((TextPiece(body, body_line),), paths, ())
    normal = _NEWLINE.sub("\n", body)  # Claude Code sends this only if it drops a comment
    comments, imports = claude_markdown.structure(normal)
    if not comments:
        return ClaudeText((TextPiece(body, body_line),), paths, imports)
    kept = _without_comments(normal, comments)
    pieces = tuple(TextPiece(piece.text, body_line + piece.line) for piece in kept)
    return ClaudeText(pieces, paths, imports)


def front_matter(text: str) -> tuple[str, int]:
    """Return (the front matter of ``text`` without its ``---``, the line it begins on, from 0).

    ('', 0) without front matter.
    """
    front = _match_front(text)
    return (front[1], _newlines(text[: front.start(1)])) if front else ("", 0)


def _match_front(text: str) -> re.Match[str] | None:
    """Return the match of the front matter at the start of ``text``, after a byte order mark."""
    start = len(BOM) if text.startswith(BOM) else 0
    return _FRONT.match(text, start)


def _newlines(text: str) -> int:
    r"""Return the number of newlines in ``text``; ``\r\n`` is one."""
    return _NEWLINE.sub("\n", text).count("\n")


def _without_comments(text: str, blocks: Sequence[claude_markdown.Lines]) -> list[TextPiece]:
    """Return ``text`` without the comments in ``blocks``, and without blank lines after a block.

    Text next to a comment in the same block stays.
    """
    starts = line_starts(text)
    kept: list[tuple[int, int]] = []  # spans in `text`
    block_end = 0
    for block in blocks:
        block_start = starts[block.first]
        kept.append((block_end, block_start))
        block_end = starts[block.after]
        while block_end < len(text) and text[block_end] == "\n":
            block_end += 1
        if _COMMENT.sub("", text[block_start:block_end]).strip(SPACE):
            kept += _between_comments(text, block_start, block_end)
    kept.append((block_end, len(text)))
    return [
        TextPiece(text[start:end], _newlines(text[:start])) for start, end in kept if start < end
    ]


def _between_comments(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of the texts from ``start`` to ``end`` that are outside of comments."""
    for match in _COMMENT.finditer(text, start, end):
        yield start, match.start()
        start = match.end()
    yield start, end


def paths_of(front: str) -> tuple[str, ...] | None:
    """Return the globs of `paths` in the front matter ``front``, None if the file is always loaded.

    It is always loaded without globs, or if all globs are ``**``. ``folder/**`` is returned as
    ``folder``, as in Claude Code.
    """
    try:
        value = load_mapping(_NEWLINE.sub("\n", front)).get("paths")
    except YamlError:  # `paths: *.py` without quotes is invalid, but Claude Code reads it
        paths_line = _PATHS_LINE.search(front)
        value = paths_line[1] if paths_line else None
    written = [glob.removesuffix("/**") for glob in split_globs(value)]
    globs = tuple(filter(None, written))  # without '', which is left of `/**`
    return globs if any(glob != "**" for glob in globs) else None


def split_globs(value: object) -> list[str]:
    """Return the globs in ``value``: a text with commas, or a list of texts and lists.

    [] for another value. A comma in braces does not separate globs: `*.{js,ts}`.
    """
    if isinstance(value, list):
        return [glob for element in value for glob in split_globs(element)]
    if not isinstance(value, str):
        return []
    globs = [""]
    # of braces; it is negative after a surplus `}`, and then no comma separates, as in Claude Code
    depth = 0
    for character in value:
        if character == "," and depth == 0:
            globs.append("")
            continue
        depth += {"{": 1, "}": -1}.get(character, 0)
        globs[-1] += character
    return [glob for glob in (written.strip(SPACE) for written in globs) if glob]
