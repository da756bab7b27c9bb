"""Findings with one cause are one finding of a report: in copies of a file, or about one target."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from agent_memory.base.model import Related, Role
from agent_memory.l10n import t

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from agent_memory.base.model import Finding
    from agent_memory.lint.memory_file import MemoryFile

_OF_TARGETS = ("AM304", "AM402", "AM403", "AM5", "AM705", "AM706", "AM708")
"""Starts of codes: rules whose data or fact names the cause, so that equal ones have one cause."""
_ALONE = ("AM1", "AM2", "AM8", "AM9")
"""Starts of codes: rules about the file, secrets and suppressions, where each place must change."""


def joined(findings: Iterable[Finding], files: Mapping[Path, MemoryFile]) -> list[Finding]:
    """Return the first finding of each cause, in their order.

    Its ``related`` gets the positions of the other findings with this cause, and its fact their
    number. It has no fixes of these: to apply fixes, use the findings that are not joined.
    """
    groups: dict[tuple[object, ...], list[Finding]] = {}  # by cause
    counts: Counter[tuple[object, ...]] = Counter()  # by path and key: findings so far
    for number, finding in enumerate(findings):
        cause = _target_key(finding)
        if cause is None:
            # Without a key, the number gives the finding a cause of its own.
            key = _line_key(finding, files) or (number,)
            # Findings of one file with equal keys stay apart: the second one of a file joins the
            # second one of a copy.
            cause = (*key, counts[finding.path, *key])
            counts[finding.path, *key] += 1
        groups.setdefault(cause, []).append(finding)
    return [_first_of(group) for group in groups.values()]


def _target_key(item: Finding) -> tuple[object, ...] | None:
    """Return a key of what the finding is about, such as the target of a link.

    None if the rule is not one of ``_OF_TARGETS``.
    """
    if not item.code.startswith(_OF_TARGETS):
        return None
    return (item.code, item.severity, item.data.get("cause", item.fact))


def _line_key(item: Finding, files: Mapping[Path, MemoryFile]) -> tuple[object, ...] | None:
    """Return a key of the finding and its line, equal in copies of the file.

    None if findings in copies stay separate: the rule is one of ``_ALONE``, or the file cannot be
    read or is not one of ``files``.
    """
    file = files.get(item.path)
    if item.code.startswith(_ALONE) or file is None or not file.content.ok:
        return None
    if file.source.role is Role.SKILL:
        # A tool that copies skills may add a heading: neither digest nor line number are equal.
        skill = item.path.parent.name
        line = file.lines[item.span.line] if item.span.line < len(file.lines) else ""
        return (item.code, item.severity, skill, line, item.span.start)
    return (item.code, item.severity, file.content.once(_digest, file), item.span)


def _digest(file: MemoryFile) -> bytes:
    """Return the SHA-256 of the text of ``file``."""
    return hashlib.sha256(file.content.text.encode("utf-8", "surrogatepass")).digest()


def _first_of(group: list[Finding]) -> Finding:
    """Return the first finding of ``group``, with the positions of the others in ``related``."""
    first, *others = group
    if not others:
        return first
    if len(others) == 1:
        fact = t("{0} (also in 1 other place)", first.fact)
    else:
        fact = t("{0} (also in {1:,} other places)", first.fact, len(others))
    places = tuple(Related(item.path, item.span, t("The same problem")) for item in others)
    return replace(first, fact=fact, related=(*first.related, *places))
