"""AM401: a code fence that is never closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    """Report the fence that is open up to the end of the file, perhaps meant to close a block.

    If nested blocks above turned text into code and code into text, the first of them is reported.
    """
    for fence in file.markdown.fences:
        if fence.close is not None:
            continue
        span = file.line_span(fence.open)
        closed, inner = _nested(file, fence)
        meant = next((block for block in file.markdown.fences if block.open == closed), None)
        if inner is not None and not meant:
            yield _hit_nested(file, *inner)
            continue
        lost = sum(1 for line in file.lines[fence.open + 1 :] if line.strip())
        if meant:
            yield Hit(span, _why_meant_has_ended(meant))
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


def _why_meant_has_ended(meant: Fence) -> str:
    """Return the message about a fence meant to close ``meant``, and what ended that block."""
    if meant.close != meant.code_end:  # it has no closing fence, which would be on that line
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


_Inner = tuple[int, int]
"""The first and last line of a block that an author put into another one."""


def _nested(file: MemoryFile, fence: Fence) -> tuple[int, _Inner | None]:
    """Return the first line of the block that ``fence`` was meant to close, and an inner block.

    Here blocks nest, as an author may have meant: a fence closes the innermost open block if its
    marker fits and it has no info. Otherwise it opens a block inside. Without one, the line is -1.
    The inner block is the first with an info whose end closes that around it; None if a block
    stays open, since it is then not certain that the author nested blocks, or no block is nested.
    """
    markdown = file.markdown
    ends = {block.close: block.open for block in markdown.fences}
    opened: list[tuple[int, FenceLine]] = []  # line number and fence of the open blocks
    closed = -1  # the opening line of the block that the last fence closes
    inner: _Inner | None = None
    for number in range(fence.open + 1):
        if markdown.kinds[number] not in (LineKind.FENCE, LineKind.CODE):
            continue
        line = classify(file.lines[number])
        while isinstance(line, ItemLine):  # an item can begin with a fence
            line = line.inner
        if not isinstance(line, FenceLine):
            continue
        if opened and line.closes(opened[-1][1].marker):
            closed, opening = opened.pop()
            ends_outer = opened and ends.get(number) == opened[-1][0]
            if inner is None and opening.info and ends_outer:
                inner = (closed, number)
        else:
            opened.append((number, line))
            closed = -1
    return closed, None if opened else inner


def _hit_nested(file: MemoryFile, first: int, last: int) -> Hit:
    """Return the report of an inner block, whose ``last`` line closes the block around it."""
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
