"""AM902: a suppression comment that silences nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.l10n import t
from agent_memory.model import Edit, Fix, Severity
from agent_memory.rules.base import Hit, MemoryFile, Registry, Rule
from agent_memory.text import Span, body

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.suppress import Suppression


def check(file: MemoryFile, directives: list[Suppression], registry: Registry) -> Iterator[Hit]:
    """Report directives none of whose rules found anything there.

    A rule that did not run, or that depends on more than this file, may need the comment
    elsewhere: it is given the benefit of the doubt.
    """
    for item in directives:
        if not item.action or item.used or not _judged(file, item, registry):
            continue
        named = ", ".join(sorted(item.keys)) or t("any rule")
        yield Hit(
            item.comment.span,
            t(
                "Nothing to silence: there is no finding of {0} here. The comment costs "
                "the agent's attention where comments are kept",
                named,
            ),
            (Fix(t("Remove the comment"), (_removal(file, item),)),),
            unnecessary=True,
        )


def _judged(file: MemoryFile, item: Suppression, registry: Registry) -> bool:
    if item.keys:
        rules = [registry.rules[key] for key in item.keys if key in registry.rules]
        return len(rules) == len(item.keys) and all(
            rule.code in registry.ran and not (rule.varies or rule.project or rule.last)
            for rule in rules
        )
    usual = [rule for rule in registry.rules.values() if rule.on and (rule.line or rule.file)]
    return all(rule.code in registry.ran for rule in usual if file.source.role in rule.roles)


def _removal(file: MemoryFile, item: Suppression) -> Edit:
    """Remove the comment, and its lines where it is alone on them."""
    span = item.comment.span
    before = file.lines[span.line][: span.start]
    behind = body(file.lines[span.end_line])[span.end :]
    if behind.strip():
        return Edit(file.path, span, "")
    if before.strip():
        return Edit(file.path, span._replace(start=len(before.rstrip())), "")
    if span.end_line + 1 < len(file.lines) or body(file.lines[-1]) != file.lines[-1]:
        return Edit(file.path, Span(span.line, 0, span.end_line + 1, 0), "")
    return Edit(file.path, Span(span.line, 0, span.end_line, len(file.lines[-1])), "")


RULE = Rule(
    "AM902",
    "unused-suppression",
    Severity.WARNING,
    "A suppression comment that silences nothing",
    last=check,
)
