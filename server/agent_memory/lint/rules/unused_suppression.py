"""AM902: a suppression comment without effect."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Edit, Fix, Severity
from agent_memory.base.text import Span, without_newline
from agent_memory.l10n import t
from agent_memory.lint.rule import FileRule, Hit, LineRule, Registry, SuppressionRule
from agent_memory.lint.suppressions import PREFIX

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.suppressions import Suppression
    from agent_memory.markdown.model import Comment

_TOGETHER_MAX = 50
"""Comments that one fix removes; each of them has this fix."""
_LOCAL = (LineRule, FileRule)
"""Rules that look at one file."""
_REFERENCE = lazy_compile(r"[<@`/\\\[\d]|\w\.\w")
"""Part of a tag, a comment, an import, code, a path, a link, a version or a file name."""


def check(file: MemoryFile, directives: list[Suppression], registry: Registry) -> Iterator[Hit]:
    """Report comments whose rules (without any: all rules) certainly have no finding to suppress.

    A comment whose rules end at several ``enable`` comments has several ``directives``: it is
    reported once, and only if none of them is needed.
    """
    # An invalid directive, which has no action, is reported by AM901.
    needed = {
        item.comment
        for item in directives
        if item.used or not (item.action and _can_be_judged(file, item, registry))
    }
    needed_ends = {item.end for item in directives if item.comment in needed}
    by_end: dict[Comment | None, list[Suppression]] = {}
    unused: dict[Comment, Suppression] = {}  # the first directive of each comment
    for item in directives:
        if item.comment not in needed:
            by_end.setdefault(item.end, []).append(item)
            unused.setdefault(item.comment, item)
    for item in unused.values():
        fixes = _fixes(file, item, by_end[item.end], needed_ends)
        yield Hit(item.comment.span, _message(item), fixes, unnecessary=True)


def _message(item: Suppression) -> str:
    """Return the message about the unused ``item``, with its rules if it names some."""
    if not item.keys:
        return t(
            "This suppression has no effect: there is no finding here\n"
            "Remove it, since it costs tokens where comments are kept."
        )
    return t(
        "This suppression has no effect: there is no finding of {0} here\n"
        "Remove it, since it costs tokens where comments are kept.",
        ", ".join(sorted(item.keys)),
    )


def _can_be_judged(file: MemoryFile, item: Suppression, registry: Registry) -> bool:
    """Return whether ``item`` is certainly not needed if it covers no finding of this check.

    Every rule that it names ran, and depends on this file alone: another runtime may need a comment
    for other rules. Without a named rule, all rules ran that are on by default, look at one file
    and are for the role of this file, and no rule that depends on more may report in its range.
    """
    if item.keys:
        rules = [registry.rules[key] for key in item.keys if key in registry.rules]
        return len(rules) == len(item.keys) and all(
            rule.code in registry.ran and not rule.varies and isinstance(rule, _LOCAL)
            for rule in rules
        )
    if _may_vary(file, item):
        return False
    by_default = [rule for rule in registry.rules.values() if rule.on and isinstance(rule, _LOCAL)]
    return all(rule.code in registry.ran for rule in by_default if file.source.role in rule.roles)


def _may_vary(file: MemoryFile, item: Suppression) -> bool:
    """Return whether a rule that depends on more than the file may report in the range of ``item``.

    Most of these rules report on the first line, about the whole file, or on a tag, an import, a
    path or a version.
    """
    if item.first <= file.head.line <= item.last:
        return True
    numbers = file.content.once(_lines_with_reference, file)
    first = bisect_left(numbers, item.first)  # the first one in the range or below it
    return first < len(numbers) and numbers[first] <= item.last


def _lines_with_reference(file: MemoryFile) -> list[int]:
    """Return the numbers of the lines that :data:`_REFERENCE` finds, in order.

    Suppression comments, which are tags too, are left out: no rule that depends on more than the
    file reports on them.
    """
    return [
        number
        for number, line in enumerate(file.lines)
        if PREFIX not in line and _REFERENCE.search(line)
    ]


def _fixes(
    file: MemoryFile,
    item: Suppression,
    with_same_end: list[Suppression],
    needed_ends: set[Comment | None],
) -> tuple[Fix, ...]:
    """Return the fix: the removal of the comment, and of its ``enable`` if that is not needed.

    ``with_same_end`` are the unused comments that the same ``enable`` ends: it is removed with all
    of them, as the others would cover more lines without it. There is no fix for more than
    ``_TOGETHER_MAX`` comments. ``needed_ends`` are the ``enable`` comments that also end a needed
    comment.
    """
    spans = {item.comment.span}
    if item.end and item.end not in needed_ends:
        if len(with_same_end) > _TOGETHER_MAX:
            return ()
        spans.update(other.comment.span for other in with_same_end)
        spans.add(item.end.span)
    edits = tuple(_removal(file, span) for span in sorted(spans))
    return (Fix(t("Remove the comment"), edits),)


def _removal(file: MemoryFile, span: Span) -> Edit:
    """Return the removal of the comment at ``span``, with its lines if it is alone on them."""
    before = file.lines[span.line][: span.start]
    after = without_newline(file.lines[span.end_line])[span.end :]
    if after.strip():
        return Edit(file.path, span, "")
    if before.strip():  # at the end of a line: with the white space before it
        return Edit(file.path, span._replace(start=len(before.rstrip())), "")
    last = file.lines[span.end_line]
    has_newline = without_newline(last) != last
    if has_newline:
        return Edit(file.path, Span(span.line, 0, span.end_line + 1, 0), "")
    return Edit(file.path, Span(span.line, 0, span.end_line, len(last)), "")


RULE = SuppressionRule(
    "AM902",
    "unused-suppression",
    Severity.WARNING,
    "A suppression comment without effect",
    check=check,
)
