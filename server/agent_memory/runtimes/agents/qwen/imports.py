"""Imports of Qwen Code: as in Gemini CLI, but a missing file leaves its `@path`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from agent_memory.base.model import Segment
from agent_memory.config.project_root import find_root, has_git
from agent_memory.runtimes.agents.gemini_imports import GeminiExpander
from agent_memory.runtimes.segments import line_starts

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

    def expand_file(self, path: Path, kind: str) -> list[Segment]:
        """Return the text of ``path`` with its imports, as segments of the ``kind``."""
        root = find_root(path.parent, has_git) or path.parent
        # Unlike in Gemini CLI, an import of the file itself is a circle.
        return self.expand(path, kind, root, (path,))

    def code_spans(self, text: str) -> Sequence[tuple[int, int]]:
        """Return (start, end) of the code in ``text`` as Qwen Code finds it, so not in lists.

        They are offsets in a copy of ``text`` in which each CRLF is a line feed. Like Qwen Code,
        the caller uses them for ``text`` itself, so they are too low by one for each CRLF above.
        """
        return list(_find_code(text.replace("\r\n", "\n"))) if _MAY_BE_CODE.search(text) else []

    def is_inside(self, target: Path, root: Path) -> bool:
        """Whether the path ``target`` is in ``root``, wherever links lead."""
        return target.is_relative_to(root)

    def missing_import(self, name: str, error: str) -> Segment:  # noqa: ARG002
        """Return the import of a missing file as it is written."""
        return Segment(f"@{name}")


def _find_code(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of the code that Qwen Code finds in ``text``: blocks and code spans.

    It finds no code in lists. In a block quote it finds no code blocks, and code spans only in
    paragraphs of one line: it searches the quote for the text of a paragraph, which lacks the
    markers `>`.
    """
    from markdown_it import MarkdownIt  # noqa: PLC0415 -- only files with imports and code

    starts = line_starts(text)

    def span(token: Token) -> tuple[int, int]:
        """Return the offsets of the start and end of the lines of ``token``."""
        first, after = token.map or (0, 0)  # only for the type: tokens of blocks have a map
        return starts[first], starts[after]

    containers: list[str] = []  # the types of the open lists and block quotes, from outside
    outermost = (0, 0)  # the span of the first container
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
        elif token.type == "inline" and containers:  # in a block quote
            yield from _code_spans_in_quote(text, token, outermost)
        elif token.type == "inline":
            yield from _code_spans(text, *span(token))


def _code_spans_in_quote(
    text: str, token: Token, quote: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    """Yield :func:`_code_spans` of ``token``, whose content is searched in the span ``quote``.

    Content of several lines is not found there, because it lacks the markers `>`.
    """
    start = text.find(token.content, *quote)
    if start >= 0:
        yield from _code_spans(text, start, start + len(token.content))


def _code_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of the code spans of ``text`` between ``start`` and ``end``."""
    for match in _SPAN.finditer(text[start:end]):
        yield start + match.start(), start + match.end()
