"""Markdown as the lexer of Claude Code (`marked`, without GitHub's extensions) splits it.

markdown-it with its CommonMark rules is close to it; the differences that matter are here.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token


def tokens(text: str) -> list[Token]:
    """Return the blocks of ``text`` with their inline tokens."""
    return _parser().parse(text)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # noqa: PLC0415 -- only files with imports or comments
    from markdown_it.rules_block import html_block  # noqa: PLC0415

    def unindented(state: StateBlock, line: int, last: int, silent: bool) -> bool:  # noqa: FBT001
        """Parse HTML; in `marked` an indented tag does not end a paragraph, except in a list."""
        if silent and state.sCount[line] > state.blkIndent:
            inside = _container(state.tokens)
            if inside != "list_item_open":
                return False
        return html_block(state, line, last, silent)

    parser = MarkdownIt("commonmark").disable("text_join")
    ends = ["paragraph", "reference", "blockquote"]
    parser.block.ruler.at("html_block", unindented, {"alt": ends})
    return parser


def _container(tokens: Sequence[Token]) -> str:
    """Return the type of the innermost list item or block quote that is open, '' for none."""
    closed = 0
    for token in reversed(tokens):
        if token.type in ("list_item_close", "blockquote_close"):
            closed += 1
        elif token.type in ("list_item_open", "blockquote_open"):
            if not closed:
                return token.type
            closed -= 1
    return ""
