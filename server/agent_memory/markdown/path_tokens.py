"""Everything in a text that has the form of a path with a folder: in prose, code spans and code.

Most of it says nothing about a file, so it is of use only where something else, such as the history
of git, says what a path is.
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text import without_newline
from agent_memory.base.text_cache import TextCache

if TYPE_CHECKING:
    from collections.abc import Sequence

_TOKEN = lazy_compile(
    r"(?:(?<![\w./@~$%:\\-])(?:\./)?|(?<=`/))[\w.-]+(?:/[\w.@+\[\]-]+)+/?"
    r"|(?<=`/)[\w-]+\.(?:mdx?|rst)(?=`)"
)
"""``src/app.py`` or ``./src/``; nothing of a URL, ``~/a/b`` or ``$HOME/a/b``.

Of an absolute path, it is the part after the slash, at the start of a code span only. Without a
folder, it is a document that is alone in the code span: other names may be addresses.
"""
_LINE_MAX = 2000
"""Characters of a line that are searched."""


class PathToken(NamedTuple):
    """A path as it is written and in normal form, with its line and first column."""

    path: str
    normal: str
    line: int
    start: int


def path_tokens_of(lines: Sequence[str]) -> list[PathToken]:
    """Return the paths of all lines, in order.

    Of a path with a placeholder, such as ``a/b/<name>.py``, only the folder is returned.
    """
    return [
        PathToken(path, normal, number, start)
        for number, line in enumerate(lines)
        if "/" in line
        for path, normal, start in _tokens_in(line)
    ]


@TextCache
def _tokens_in(line: str) -> tuple[tuple[str, str, int], ...]:
    """Return (path, path in normal form, column) for each path of ``line``."""
    matches = _TOKEN.finditer(without_newline(line)[:_LINE_MAX])
    # A period or dash at the end is punctuation.
    tokens = ((match[0].rstrip(".-"), match.start()) for match in matches)
    return tuple((path, posixpath.normpath(path), start) for path, start in tokens)
