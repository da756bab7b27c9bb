"""Accepting a false positive of the secret scanner: its SHA-256 is added to the settings.

The settings file belongs to the user, so the hash is inserted into its text; comments, order and
layout stay. The result is parsed and compared before it is offered.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from agent_memory.base.model import Edit, Fix
from agent_memory.base.text import Span, newline_of, split_lines
from agent_memory.config.settings import PROJECT_FILE
from agent_memory.config.settings_files import project_file
from agent_memory.config.settings_merge import flatten
from agent_memory.formats.limits import FormatError
from agent_memory.formats.toml_parser import parse_toml
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.config.context import Context

KEY = "secrets.allowed"
"""The setting with the hashes."""
_HASH = re.compile(r"[0-9a-f]{64}")
_ARRAY = re.compile(r"""\ballowed["']?[ \t]*=[ \t]*\[""")
"""The start of an array, ``allowed = [``, in whichever table."""
_TABLE = re.compile(r"""^[ \t]*\[[ \t]*["']?secrets["']?[ \t]*\][^\r\n]*""", re.MULTILINE)
"""The line with the header of the table, ``[secrets]``."""
_OPEN_ROW = re.compile(r"[ \t]*(?:#[^\r\n]*)?(?:\r\n|\n)([ \t]*)")
"""The rest of the line with the opening bracket, and the indentation of the next line."""


class HashInsertion(NamedTuple):
    """A new text, and the offset in code points at which it is inserted."""

    offset: int
    text: str


def fix(ctx: Context, sha256: str, *, user: bool) -> Fix | None:
    """Return the fix that accepts a value by its ``sha256``.

    The fix is unsafe, because only the user knows that the value is not a secret. ``user``: the
    value is in user memory, so the user's settings file is edited, else the project's. A missing
    file is created. None if the file cannot be read, has no place for the hash (see
    :func:`insertion`) or contains it.
    """
    if user:
        target, shown = ctx.home / PROJECT_FILE, f"~/{PROJECT_FILE}"
    else:
        target, shown = project_file(ctx.cwd, ctx.store.read), PROJECT_FILE
    title = t("Accept this value: add its SHA-256 to {0} in {1}", KEY, shown)
    content = ctx.store.read(target)
    if content.failure is Failure.MISSING:
        return Fix(title, creates=((target, _table(sha256, "\n")),), safe=False)
    inserted = insertion(content.text, sha256) if content.ok else None
    if inserted is None:
        return None
    edit = Edit(target, _empty_span_at(content.text, inserted.offset), inserted.text)
    return Fix(title, (edit,), safe=False)


def _empty_span_at(text: str, offset: int) -> Span:
    """Return the empty span at ``offset``, in code points, of ``text``."""
    lines_before = split_lines(text[:offset])
    line, column = len(lines_before), 0
    if lines_before and not lines_before[-1].endswith(("\n", "\r")):  # inside of a line
        line, column = len(lines_before) - 1, len(lines_before[-1])
    return Span(line, column, line, column)


def insertion(text: str, sha256: str) -> HashInsertion | None:
    """Return the insertion that adds ``sha256``, and nothing else, to the settings ``text``.

    None if no insertion does, ``text`` is not valid TOML or contains the hash already, or
    ``sha256`` is not a hash.
    """
    before = _values(text)
    if before is None or not _HASH.fullmatch(sha256):
        return None
    allowed = before.get(KEY, [])
    if not isinstance(allowed, list) or not all(isinstance(entry, str) for entry in allowed):
        return None  # an invalid setting: its user must fix it first
    if sha256 in allowed:
        return None
    expected = {**before, KEY: [sha256, *allowed]}  # each candidate adds it as the first one
    for candidate in _candidates(text, sha256):
        offset = candidate.offset
        if _values(text[:offset] + candidate.text + text[offset:]) == expected:
            return candidate
    return None


def _candidates(text: str, sha256: str) -> Iterator[HashInsertion]:
    """Yield the insertions to try, the one that changes least first.

    Arrays and tables are found by patterns, so an array may belong to another table: the caller
    parses the result to see whether it is right.
    """
    newline = newline_of(split_lines(text))
    for array in _ARRAY.finditer(text):
        after_bracket = array.end()
        row = _OPEN_ROW.match(text, after_bracket)
        if row:  # one value per line: insert a line; the next one may be the closing bracket
            indent = "  " if text.startswith("]", row.end()) else row[1]
            yield HashInsertion(row.start(1), f'{indent}"{sha256}",{newline}')
        is_empty = text[after_bracket:].lstrip().startswith("]")
        yield HashInsertion(after_bracket, f'"{sha256}"' if is_empty else f'"{sha256}", ')
    for table in _TABLE.finditer(text):  # the table has no such array
        yield HashInsertion(table.end(), f'{newline}allowed = ["{sha256}"]')
    separator = ""  # a blank line above the new table, unless the table is all of the text
    if text:
        separator = newline if text.endswith("\n") else newline * 2
    yield HashInsertion(len(text), separator + _table(sha256, newline))


def _table(sha256: str, newline: str) -> str:
    """Return the text of a new table ``[secrets]`` that allows ``sha256``."""
    return newline.join(["[secrets]", "allowed = [", f'  "{sha256}",', "]", ""])


def _values(text: str) -> dict[str, Any] | None:
    """Return the settings in ``text`` by dotted key, None if it is not valid TOML."""
    try:
        return dict(flatten(parse_toml(text)))
    except FormatError:
        return None
