"""Code blocks and comments that are never closed: added text would become part of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.l10n import t

if TYPE_CHECKING:
    from agent_memory.markdown.model import Markdown


class UnclosedBlockError(ValueError):
    """A code block or comment is open at the requested line; the message names its first line."""


def ensure_no_open_block(markdown: Markdown, line: int) -> None:
    """Raise an error if ``line`` (from 0) is inside a code block or comment that is never closed.

    Raises:
        UnclosedBlockError: it is; the message names the line that opens the block.

    """
    for fence in markdown.fences:
        if fence.close is None and fence.open < line:
            raise UnclosedBlockError(
                t(
                    "line {0} opens a code block that is never closed, so the item would "
                    "become a part of it. Close the block first",
                    fence.open + 1,
                )
            )
    for comment in markdown.comments:
        if not comment.closed and comment.span.line < line:
            raise UnclosedBlockError(
                t(
                    "line {0} opens a comment that is never closed, so the item would not be "
                    "seen. Close the comment first",
                    comment.span.line + 1,
                )
            )
