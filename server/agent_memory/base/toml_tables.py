"""Reads the project's own word lists: TOML tables with one string per line.

Only ``[table]``, ``key = "text"`` and ``'key' = 'text'`` without escapes are read. Parsing 15 kB
with tomllib takes 300 times as long; a test compares the two on every list.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# A line is [table], or a key (in quotes or plain) and its text (in single or double quotes).
_LINE = re.compile(
    r"""^(?:\[([\w ".-]+)\]|(?:'([^'\n]+)'|([a-z]+)) = (?:'([^'\n]*)'|"([^"\\\n]*)"))""",
    re.MULTILINE,
)


def read_tables(path: Path) -> dict[str, dict[str, str]]:
    """Return the tables of the word list ``path`` as ``{table: {key: text}}``.

    Lines of another form, such as comments, are skipped. Keys above the first table are dropped.
    """
    tables: dict[str, dict[str, str]] = {}
    rows: dict[str, str] = {}  # of the current table
    # For each line, findall returns the five groups of `_LINE`: '' for those not in the line.
    for table, quoted_key, plain_key, in_single, in_double in _LINE.findall(
        path.read_text("utf-8")
    ):
        if table:
            rows = tables.setdefault(table.strip('"'), {})
        else:
            rows[quoted_key or plain_key] = in_single or in_double
    return tables
