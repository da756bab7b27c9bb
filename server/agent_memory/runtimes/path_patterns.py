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
    """Whether one of the `paths` of a rule matches ``path``, as .gitignore would.

    A pattern that matches a folder above ``path`` matches ``path``; one that is for folders only
    does not match ``path`` itself. The last pattern that matches decides.
    """
    parts = path.split("/")
    matched = False
    for pattern in _compiled(tuple(patterns)):
        if any(
            (end < len(parts) or not pattern.only_folders) and pattern.matches(parts[:end])
            for end in range(1, len(parts) + 1)
        ):
            matched = not pattern.negated
    return matched


@lru_cache(maxsize=256)
def _compiled(patterns: tuple[str, ...]) -> tuple[gitignore_pattern.Pattern, ...]:
    expanded = [item for pattern in patterns for item in alternatives(pattern)]
    return tuple(filter(None, map(gitignore_pattern.parse, expanded)))


def alternatives(pattern: str) -> Iterator[str]:
    """Yield ``pattern`` with each choice of its `{a,b}`; nested braces stay as they are."""
    pieces = _BRACES.split(pattern)  # text, inside of braces, text and so on
    texts, choices = pieces[0::2], [inside.split(",") for inside in pieces[1::2]]
    for choice in islice(product(*choices), _ALTERNATIVES_MAX):
        yield "".join([text + item for text, item in zip(texts, (*choice, ""), strict=True)])
