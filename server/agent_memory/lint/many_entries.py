"""Findings of the same rule in very many learned entries are reported once, with their number."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Severity
from agent_memory.l10n import t

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from agent_memory.base.model import Finding
    from agent_memory.lint.memory_file import MemoryFile

MOST = 20
"""Maximum number of infos of the same rule in entries that are reported one by one."""


def summarized(findings: Iterable[Finding], files: Mapping[Path, MemoryFile]) -> list[Finding]:
    """Return ``findings``, in which more than MOST infos of a rule in entries are only the first.

    The fact of this first one gets the number of other entries with such an info, if any.
    """
    findings = list(findings)
    infos = [item for item in findings if _is_info_in_entry(item, files)]
    counts = Counter(item.code for item in infos)
    entries: defaultdict[str, set[Path]] = defaultdict(set)  # by code: an entry can have several
    for item in infos:
        entries[item.code].add(item.path)
    out: list[Finding] = []
    summarized_codes: set[str] = set()
    for item in findings:
        if counts[item.code] <= MOST or not _is_info_in_entry(item, files):
            out.append(item)
        elif item.code not in summarized_codes:
            summarized_codes.add(item.code)
            others = len(entries[item.code]) - 1
            out.append(replace(item, fact=_with_others(item.fact, others)) if others else item)
    return out


def _with_others(fact: str, others: int) -> str:
    """Return ``fact`` with a sentence: ``others`` is the number of other entries that have it."""
    if others == 1:
        return t("{0}. 1 more entry has this finding", fact)
    return t("{0}. {1} more entries have this finding", fact, f"{others:,}")


def _is_info_in_entry(item: Finding, files: Mapping[Path, MemoryFile]) -> bool:
    """Return whether ``item`` is an info in an entry."""
    file = files.get(item.path)
    return item.severity is Severity.INFO and file is not None and file.source.role is Role.ENTRY
