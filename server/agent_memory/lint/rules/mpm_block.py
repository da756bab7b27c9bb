"""AM825: an "Add To Memory" block that Claude MPM cannot read or drops."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Edit, Fix, Severity
from agent_memory.base.text import Span, without_newline
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.lint.shared import claude_mpm

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

TYPES = (
    "pattern",
    "architecture",
    "guideline",
    "mistake",
    "strategy",
    "integration",
    "performance",
    "context",
)
"""The types of learnings that Claude MPM knows."""
_CONTENT_MIN, _CONTENT_MAX = 6, 100
"""Characters of a content that Claude MPM keeps, without its final punctuation."""
_LINES_MAX = 12
"""Lines of a block, its heading included, that are examined."""
_OPEN = lazy_compile(r"\s*#+\s*(?:add to memory|memorize|remember)\s*:\s*\Z", re.IGNORECASE)
"""The heading of a block: ``# Add To Memory:``."""
_FIELD = lazy_compile(r"\s*(type|content)\s*:[ \t]*(.*)\Z", re.IGNORECASE)
"""A line with a field; its groups are the name and the value, which may be ''."""
_AFTER_WORD = lazy_compile(r"\W")
"""What ends the first word of a type."""
_CLOSE = lazy_compile(r"\s*#\s*\Z")
"""The last line of a block: ``#``."""
_PLACEHOLDER = lazy_compile(r"[<>\[\]{}|]|\.\.\.|…")
"""Part of a value that is to be filled in: ``<content>``, ``pattern|mistake``."""


class Field(NamedTuple):
    """A value of a block and its position."""

    value: str
    span: Span


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report bad blocks in memory of Claude MPM; in all memory if Claude MPM is the runtime."""
    if claude_mpm.is_memory(file) or project.choice.runtime.stores_learnings:
        for number, line in enumerate(file.lines):
            if "#" in line and _OPEN.match(without_newline(line)):
                yield from _block_hits(file, number)


def _block_hits(file: MemoryFile, start: int) -> Iterator[Hit]:
    """Report what is wrong with the block whose heading is on line ``start``.

    It is closed by a line ``#``. A block that is not closed ends at a blank line or a heading, or
    after :data:`_LINES_MAX` lines.
    """
    fields: dict[str, Field] = {}
    closed = False
    last = start  # the last line of the last field
    for number in range(start + 1, min(start + _LINES_MAX, len(file.lines))):
        line = without_newline(file.lines[number])
        if _CLOSE.match(line):
            closed = True
            break
        field = _FIELD.match(line)
        if field:
            value = _value(file, number, field)
            fields.setdefault(field[1].lower(), value)
            last = value.span.end_line
        elif not line.strip() or line.lstrip().startswith("#"):
            break
    if any(_PLACEHOLDER.search(field.value) for field in fields.values()):
        return  # an example of the format
    yield from _shape_hits(file, start, last, fields, closed=closed)
    yield from _value_hits(file, fields)


def _value(file: MemoryFile, number: int, field: re.Match[str]) -> Field:
    """Return the value of ``field``, which is on line ``number`` or else on the line below.

    The value is '' if the line below is blank, another field or the end of the block.
    """
    value, start = field[2].rstrip(), field.start(2)
    if not value and number + 1 < len(file.lines):
        following = without_newline(file.lines[number + 1])
        if following.strip() and not (_FIELD.match(following) or _CLOSE.match(following)):
            start = len(following) - len(following.lstrip())
            number, value = number + 1, following.strip()
    return Field(value, Span.on_line(number, start, start + len(value)))


def _shape_hits(
    file: MemoryFile, start: int, last: int, fields: dict[str, Field], *, closed: bool
) -> Iterator[Hit]:
    """Report missing fields; if all exist, a missing end of the block, which the fix adds.

    ``closed`` is False if the end is missing. ``start`` is the line of the heading, ``last`` the
    last line of the last field.
    """
    missing = [name for name in ("type", "content") if name not in fields]
    if len(missing) == 1:
        message = t(
            "Claude MPM ignores this block: it has no line {0}\nAdd the line.",
            f"'{missing[0].title()}:'",
        )
        yield Hit(file.line_span(start), message)
    elif missing:
        message = t(
            "Claude MPM ignores this block: it has no lines 'Type:' and 'Content:'\nAdd the lines."
        )
        yield Hit(file.line_span(start), message)
    elif not closed:
        end = len(without_newline(file.lines[last]))
        edit = Edit(file.path, Span.on_line(last, end, end), "\n#")
        yield Hit(
            file.line_span(start),
            t("Claude MPM ignores this block: it has no closing line\nAdd a line with a single #."),
            (Fix(t("Close the block"), (edit,), safe=False),),
        )


def _value_hits(file: MemoryFile, fields: dict[str, Field]) -> Iterator[Hit]:
    """Report an unknown type, and a content that is too short or too long.

    A missing field is skipped: :func:`_shape_hits` reports it.
    """
    kind, content = fields.get("type"), fields.get("content")
    # Claude MPM reads the first word of the type: `pattern, guideline` and `pattern.` are right.
    if kind and _AFTER_WORD.split(kind.value.lower(), maxsplit=1)[0] not in TYPES:
        yield _unknown_type(file, kind)
    length = len(content.value.rstrip(".!?,;")) if content else 0
    if content and not _CONTENT_MIN <= length <= _CONTENT_MAX:
        yield Hit(
            content.span,
            t(
                "Claude MPM drops this learning: it has {0} characters\n"
                "It keeps learnings with more than {1} and at most {2} characters. Rewrite it.",
                length,
                _CONTENT_MIN - 1,
                _CONTENT_MAX,
            ),
        )


def _unknown_type(file: MemoryFile, kind: Field) -> Hit:
    """Return the hit of the unknown type ``kind``, with a fix if a known one is similar."""
    similar = difflib.get_close_matches(kind.value.lower(), TYPES, n=1)
    if not similar:
        message = t(
            "Claude MPM drops this learning: unknown type '{0}'\nUse one of {1}.",
            kind.value,
            ", ".join(TYPES),
        )
        return Hit(kind.span, message)
    (near,) = similar
    message = t(
        "Claude MPM drops this learning: unknown type '{0}'\nDid you mean '{1}'?", kind.value, near
    )
    edit = Edit(file.path, kind.span, near)
    return Hit(kind.span, message, (Fix(t("Replace with {0}", near), (edit,), safe=False),))


RULE = FileRule(
    "AM825",
    "mpm-block",
    Severity.WARNING,
    "A learning that Claude MPM ignores",
    check=check,
    roles=MEMORY_ROLES,
    varies=True,
)
