"""AM401: a code fence that is never closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Edit, Fix, Severity
from agent_memory.base.text import Span, newline_of, without_newline
from agent_memory.l10n import t
from agent_memory.lint.rule import FileRule, Hit
from agent_memory.markdown.line_model import FenceLine, ItemLine
from agent_memory.markdown.line_parser import classify
from agent_memory.markdown.model import LineKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project
    from agent_memory.markdown.model import Fence

_NOT_BLANK = lazy_compile(r"\S")
"""A character other than white space."""


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:  # noqa: ARG001 -- one signature
    """Report the fence that is open up to the end of the file, with its probable cause.

    It was never closed, or was meant to close a block that has ended. If nested blocks above it
    turned text into code and code into text, the first of them is reported in its place.
    """
    for fence in file.markdown.fences:
        if fence.close is not None:
            continue
        span = file.line_span(fence.open)
        nesting = _nesting(file, fence)
        blocks = file.markdown.fences
        meant = next((block for block in blocks if block.open == nesting.closed), None)
        if nesting.inner and not meant:
            yield _hit_inner(file, nesting.inner)
            continue
        lost = sum(1 for line in file.lines[fence.open + 1 :] if line.strip())
        if meant:
            yield Hit(span, _closes_ended_block(meant))
        elif lost:
            fix = Fix(t("Close the fence at the end of the file"), (_closing(file, fence),))
            yield Hit(span, _never_closed(fence, lost), (fix,))
        else:  # no text follows it, so it was meant to close a block
            message = t(
                "This code fence closes nothing: all fences above are closed\nRemove this fence."
            )
            yield Hit(span, message)


def _never_closed(fence: Fence, lost: int) -> str:
    """Return the message about ``fence``, after which ``lost`` lines have text."""
    if lost == 1:
        return t(
            "This code fence is never closed\nThe line after it reads as code. Close it with {0}.",
            fence.marker,
        )
    return t(
        "This code fence is never closed\n"
        "The {0:,} lines after it read as code. Close it with {1}.",
        lost,
        fence.marker,
    )


def _closes_ended_block(meant: Fence) -> str:
    """Return the message about a fence meant to close ``meant``, which something else has ended."""
    has_closing_fence = meant.close == meant.code_end
    if not has_closing_fence:
        return t(
            "This code fence closes nothing: the block of line {0} has ended\n"
            "That block ended with its list item, so text after this fence reads as code. Indent "
            "this fence like the block.",
            meant.open + 1,
        )
    return t(
        "This code fence closes nothing: the block of line {0} has ended\n"
        "The fence of line {1} ended it, since fences of the same length do not nest, and text "
        "after this fence reads as code. Make the outer fences longer.",
        meant.open + 1,
        meant.code_end + 1,
    )


class _Inner(NamedTuple):
    """The first and last line of a block that an author put into another one."""

    first: int
    last: int


class _Nesting(NamedTuple):
    """How an author may have nested the blocks of a file whose last fence is unclosed.

    ``closed`` is the first line of the block that this fence was meant to close, -1 if it opens
    one. ``inner`` is the first block with an info whose end closes the block around it by mistake.
    """

    closed: int
    inner: _Inner | None


def _nesting(file: MemoryFile, unclosed: Fence) -> _Nesting:
    """Return the blocks up to the fence ``unclosed`` as an author may have nested them.

    Each fence without info closes the innermost open block if its marker fits; any other fence
    opens a block inside. If a block stays open, it is not certain that the author nested blocks, so
    there is no ``inner`` one.
    """
    # The first line of each block by its last line, as Markdown reads them, without nesting.
    first_lines = {block.close: block.open for block in file.markdown.fences}
    opened: list[tuple[int, FenceLine]] = []  # line number and fence of the open blocks
    closed = -1  # the opening line of the block that the last fence closes
    inner: _Inner | None = None
    for number in range(unclosed.open + 1):
        fence = _fence_on(file, number)
        if fence is None:
            continue
        if not (opened and fence.closes(opened[-1][1].marker)):
            opened.append((number, fence))
            closed = -1
            continue
        closed, opening = opened.pop()
        ends_outer = opened and first_lines.get(number) == opened[-1][0]
        if inner is None and opening.info and ends_outer:
            inner = _Inner(closed, number)
    return _Nesting(closed, None if opened else inner)


def _fence_on(file: MemoryFile, number: int) -> FenceLine | None:
    """Return the fence on line ``number``, perhaps one in code; None for any other line."""
    if file.markdown.kinds[number] not in (LineKind.FENCE, LineKind.CODE):
        return None
    line = classify(file.lines[number])
    while isinstance(line, ItemLine):  # an item can begin with a fence
        line = line.inner
    return line if isinstance(line, FenceLine) else None


def _hit_inner(file: MemoryFile, inner: _Inner) -> Hit:
    """Return the report of the ``inner`` block, whose last line closes the block around it."""
    first, last = inner
    outer = next(block for block in file.markdown.fences if block.close == last)
    message = t(
        "The end of this inner block ends the block of line {0}\n"
        "Fences of the same length do not nest, so text after line {1} reads as code and code as "
        "text. Give the outer fences one more character: {2}.",
        outer.open + 1,
        last + 1,
        outer.marker + outer.marker[0],
    )
    return Hit(file.line_span(first), message)


def _closing(file: MemoryFile, fence: Fence) -> Edit:
    """Return the edit that closes ``fence``, at its column, after the last line."""
    last = len(file.lines) - 1
    text = without_newline(file.lines[last])
    newline = newline_of(file.lines)
    opening = without_newline(file.lines[fence.open])
    # A list marker before the fence becomes spaces: "- ```" is closed in the item, by "  ```".
    indent = _NOT_BLANK.sub(" ", opening[: opening.index(fence.marker)])
    if text == file.lines[last]:  # no newline at the end of the file
        return Edit(
            file.path, Span.on_line(last, len(text), len(text)), newline + indent + fence.marker
        )
    end = Span(last + 1, 0, last + 1, 0)
    return Edit(file.path, end, indent + fence.marker + newline)


RULE = FileRule(
    "AM401", "unclosed-fence", Severity.WARNING, "A code fence that is never closed", check=check
)
