"""Patterns of conditional rules, which match as those of .gitignore do; braces are expanded."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice, product
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.fs import gitignore_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ALTERNATIVES_MAX = 64
"""Patterns that braces expand to; more are ignored."""
_BRACES = lazy_compile(r"\{([^{}]*)\}")


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
    if any(pattern.matches(parts[:end]) for end in range(1, len(parts))):
        return True
    return not pattern.only_folders and pattern.matches(parts)


@lru_cache(maxsize=256)
def _compiled(patterns: tuple[str, ...]) -> tuple[gitignore_pattern.Pattern, ...]:
    """Return ``patterns`` with braces expanded, without those that .gitignore would skip."""
    expanded = [item for pattern in patterns for item in alternatives(pattern)]
    return tuple(filter(None, map(gitignore_pattern.parse, expanded)))


def alternatives(pattern: str) -> Iterator[str]:
    """Yield ``pattern`` with each choice of its `{a,b}`, at most ``_ALTERNATIVES_MAX``.

    Of nested braces only the innermost are expanded; the outer ones stay as they are.
    """
    pieces = _BRACES.split(pattern)  # text, inside of braces, text and so on
    texts, choices = pieces[0::2], [inside.split(",") for inside in pieces[1::2]]
    for chosen in islice(product(*choices), _ALTERNATIVES_MAX):
        after_texts = (*chosen, "")  # nothing follows the last text
        yield "".join([text + word for text, word in zip(texts, after_texts, strict=True)])
