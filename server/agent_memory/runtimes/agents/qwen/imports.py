"""Imports of Qwen Code: as in Gemini CLI, but a missing file leaves its `@path`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from agent_memory.base.model import Segment
from agent_memory.config.project_root import find_root, has_git
from agent_memory.runtimes.agents.gemini_imports import GeminiExpander

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from markdown_it.token import Token

_SPAN = re.compile(r"(?<![\\`])(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
"""A code span, between backticks of the same number; a backslash escapes the first ones."""
_MAY_BE_CODE = re.compile(r"`|~~~|^(?: {4}| {0,3}\t)", re.MULTILINE)
"""Matches if a text may have code: a backtick, a fence or an indented line."""


class QwenExpander(GeminiExpander):
    """Expands the files of one prompt."""

    max_depth: ClassVar[int] = 6  # the file itself included

    def file(self, path: Path, kind: str) -> list[Segment]:
        """Return the text of ``path`` with its imports, as segments of the ``kind``."""
        root = find_root(path.parent, has_git) or path.parent
        # Unlike in Gemini CLI, an import of the file itself is a circle.
        return self.expand(path, kind, root, (path,))

    def code(self, text: str) -> Sequence[tuple[int, int]]:
        """Return the spans of code outside of lists, as `marked` finds them.

        They are offsets in a text in which each CRLF is a line feed. Like Qwen Code, the caller
        uses them for the original text, so each CRLF shifts the spans below it by one character.
        """
        return list(_code(text.replace("\r\n", "\n"))) if _MAY_BE_CODE.search(text) else []

    def is_inside(self, target: Path, root: Path) -> bool:
        """Whether the path ``target`` is in ``root``, wherever links lead."""
        return target.is_relative_to(root)

    def missing(self, name: str, error: str) -> Segment:  # noqa: ARG002
        """Return the import as it is written."""
        return Segment(f"@{name}")


def _code(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of code in ``text``: blocks and spans, in block quotes only spans.

    Code in lists is left out, because Qwen Code does not find it. In a block quote the parser's
    text lacks the markers, so it is searched in the whole quote; text of several lines is not found
    there.
    """
    from markdown_it import MarkdownIt  # noqa: PLC0415 -- only files with imports and code

    line_starts = [0]  # the offset of each line, and one more
    for line in text.split("\n"):
        line_starts.append(line_starts[-1] + len(line) + 1)

    def span(token: Token) -> tuple[int, int]:
        """Return the offsets of the start and end of the lines of ``token``."""
        first, after = token.map or (0, 0)  # only for the type: tokens of blocks have a map
        return line_starts[first], min(line_starts[after], len(text))

    containers: list[str] = []  # the types of the open lists and block quotes
    outermost = (0, 0)  # the span of the first of them
    for token in MarkdownIt("commonmark").parse(text):
        if token.type.endswith(("_list_open", "quote_open")):
            if not containers:
                outermost = span(token)
            containers.append(token.type)
        elif token.type.endswith(("_list_close", "quote_close")):
            containers.pop()
        elif any("list" in name for name in containers):
            continue
        elif token.type in ("fence", "code_block") and not containers:
            yield span(token)
        elif token.type == "inline":
            is_in_quote = bool(containers)
            yield from (
                _spans_in_quote(text, token, outermost)
                if is_in_quote
                else _spans(text, *span(token))
            )


def _spans_in_quote(text: str, token: Token, quote: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yield :func:`_spans` of ``token``; nothing if its content is not found in ``quote``."""
    start = text.find(token.content, *quote)
    if start >= 0:
        yield from _spans(text, start, start + len(token.content))


def _spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of the code spans of ``text`` between ``start`` and ``end``."""
    for match in _SPAN.finditer(text[start:end]):
        yield start + match.start(), start + match.end()
