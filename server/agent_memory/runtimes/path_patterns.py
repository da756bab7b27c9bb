"""Patterns of conditional rules, which match as those of .gitignore do after braces are expanded.

This is what Claude Code 2.1.330 does.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.fs import gitignore_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ALTERNATIVES_MAX = 1000
"""Patterns that the braces of one pattern expand to, as in Claude Code; more are ignored."""
_TOTAL_MAX = 1 << 17
"""Characters of all patterns that one expands to; the time to compile them grows with it."""
_WORK_MAX = 1 << 22
"""Characters that are searched for braces; nested braces need many steps for one result."""
_LENGTH_MAX = 4096
"""Characters of a pattern; braces in a longer one are not expanded, which bounds the time."""
_FIRST_BRACES = lazy_compile(r"(?P<before>[^{]*)\{(?P<inside>[^}]+)\}(?P<after>.*)")
"""A pattern around its first `{a,b}`; one whose first braces are empty or open does not match."""


def matches(patterns: Sequence[str], path: str) -> bool:
    """Whether ``patterns`` match a file with the relative ``path``, as .gitignore does.

    The last pattern that applies to the file decides: a negated one (`!a.md`) excludes it.
    """
    parts = path.split("/")
    matched = False
    for pattern in _compiled(tuple(patterns)):
        if _applies(pattern, parts):
            matched = not pattern.negated
    return matched


def _applies(pattern: gitignore_pattern.Pattern, parts: Sequence[str]) -> bool:
    """Whether ``pattern`` matches the file with the path ``parts``, or a folder above it.

    A pattern for folders only (`docs/`) does not match the file itself.
    """
    ends = pattern.ends(parts)  # each number n for which the path of the first n parts matches
    is_below_match = any(0 < end < len(parts) for end in ends)  # a folder above the file matches
    return is_below_match or (not pattern.only_folders and len(parts) in ends)


@lru_cache(maxsize=256)
def _compiled(patterns: tuple[str, ...]) -> tuple[gitignore_pattern.Pattern, ...]:
    """Return ``patterns`` with braces expanded, without those that .gitignore would skip."""
    expanded: list[str] = []
    for pattern in patterns:
        expanded += alternatives(pattern)
    return tuple(filter(None, map(gitignore_pattern.parse, expanded)))


def alternatives(pattern: str) -> Iterator[str]:
    """Yield ``pattern`` with each choice of its `{a,b}`, in the order of the choices.

    As in Claude Code, braces end at the first `}`: `{a,{b,c}}` gives `a}`, `b` and `c}`. Blanks
    around a choice are removed. A pattern longer than ``_LENGTH_MAX`` is yielded as it is. To bound
    the time, the other limits leave out the last results.
    """
    if len(pattern) > _LENGTH_MAX:
        yield pattern
        return
    pending = [pattern]
    count = total = work = 0  # results, their characters, and characters searched for braces
    while pending and count < _ALTERNATIVES_MAX and total < _TOTAL_MAX and work < _WORK_MAX:
        current = pending.pop()
        work += len(current)
        braces = _FIRST_BRACES.fullmatch(current)
        if not braces:
            count += 1
            total += len(current)
            yield current
            continue
        choices = [choice.strip() for choice in braces["inside"].split(",")]
        pending += [f"{braces['before']}{choice}{braces['after']}" for choice in reversed(choices)]
