"""Reads the project's own word lists: TOML tables with one string per line.

Only ``[table]``, ``key = "text"`` and ``'key' = 'text'`` without escapes are read. Parsing 15 kB
with tomllib takes 300 times as long; a test compares the two on every list.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_LINE = re.compile(
    r"""^(?:\[([\w ".-]+)\]|(?:'([^'\n]+)'|([a-z]+)) = (?:'([^'\n]*)'|"([^"\\\n]*)"))""",
    re.MULTILINE,
)


def read_tables(path: Path) -> dict[str, dict[str, str]]:
    """Return the tables of the list at ``path``: key and text by the table's name."""
    tables: dict[str, dict[str, str]] = {}
    rows: dict[str, str] = {}
    for name, quoted, key, literal, text in _LINE.findall(path.read_text("utf-8")):
        if name:
            rows = tables.setdefault(name.strip('"'), {})
        else:
            rows[quoted or key] = literal or text
    return tables
