"""The entry files that drover and this package write, read without the YAML reader.

It takes a fifth of the time, and parsing is most of the work of indexing many entries. Anything
unusual (escapes, blocks, comments, unknown keys, CRLF) is left to
:mod:`agent_memory.entries.entry_file`; a property test holds that both return the same.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_PLAIN = r"[A-Za-z][^\x00-\x1f:#\x7f-\x9f\ufeff]*"
_QUOTED = r"\"[^\"\\\x00-\x1f\x7f-\x9f\ufeff]+\"|'[^'\x00-\x1f\x7f-\x9f\ufeff]+'"
_NAME = r"[a-zA-Z_][a-zA-Z0-9_-]*"
_HEADER = re.compile(
    r"---\nid: ([0-9A-HJKMNP-TV-Z]{26})\nscope: (global|agent|run)\n"
    r"kind: (user|feedback|project|reference)\n"
    rf"summary: ({_PLAIN}(?:\n  {_PLAIN})*|{_QUOTED})\n"
    rf"createdAt: ([0-9]{{1,16}})\n(?:agentId: ({_NAME})\n)?(?:runId: ({_NAME})\n)?"
    rf"(?:tags:\n((?:  - (?:{_PLAIN}|{_QUOTED})\n)+))?"
    r"(?:updatedAt: ([0-9]{1,16})\n)?---\n\n"
)
_NO_TEXT = frozenset(["null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE"])
"""Words that YAML does not read as text; what begins with another letter it does."""


class Written(NamedTuple):
    """What stands in the file; ``agent`` and ``run`` are '' where it names none."""

    id: str
    scope: str
    kind: str
    summary: str
    body: str
    created: int
    agent: str
    run: str
    tags: tuple[str, ...]
    updated: int | None


def read(text: str) -> Written | None:
    """Return what ``text`` says if it is in the form that is written; else None."""
    match = _HEADER.match(text)
    if match is None or "\r" in text:
        return None
    entry_id, scope, kind, summary, created, agent, run, listed, updated = match.groups("")
    summary = _value(summary)
    tags = tuple([_value(tag) for tag in listed[4:-1].split("\n  - ")]) if listed else ()
    if not _NO_TEXT.isdisjoint((summary, agent, run, *tags)) or _is_number(entry_id):
        return None
    body = text[match.end() :].strip()
    changed = int(updated) if updated else None
    return Written(entry_id, scope, kind, summary, body, int(created), agent, run, tags, changed)


def _value(scalar: str) -> str:
    """Return what ``scalar`` says, if that is text."""
    if scalar[0] in "\"'":
        return scalar[1:-1]
    if "\n" in scalar:
        scalar = " ".join([line.strip(" ") for line in scalar.split("\n")])
    return scalar.rstrip(" ")


def _is_number(entry_id: str) -> bool:
    """Whether YAML reads a ULID as a number: digits, with one E inside at most."""
    return entry_id.replace("E", "", 1).isdigit()
