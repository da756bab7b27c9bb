"""AM803: an entry over the limits of drover for saving entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Severity
from agent_memory.base.text import to_units
from agent_memory.l10n import t
from agent_memory.lint.rule import FileRule, Hit
from agent_memory.lint.rules.entry_skipped import key_line, read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.entries.entry_file import Entry
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:  # noqa: ARG001 -- one signature
    """Report values that load but that drover would not save: summary, body, tags, time."""
    entry = read(file)
    if isinstance(entry, str):
        return  # drover skips the file: another rule says why
    yield from _summary_hits(file, entry)
    yield from _body_hits(file, entry)
    yield from _tag_hits(file, entry)
    yield from _time_hits(file, entry)


def _summary_hits(file: MemoryFile, entry: Entry) -> Iterator[Hit]:
    """Yield a hit if the summary is too long, or on several lines."""
    from agent_memory.entries.validation import SUMMARY_MAX  # noqa: PLC0415 -- few have entries

    size = _units(entry.summary)
    if size > SUMMARY_MAX:
        yield Hit(
            file.line_span(key_line(file, "summary")),
            t(
                "The summary has {0} characters; an agent can save at most {1}\n"
                "Every prompt lists the summary. Shorten it.",
                size,
                SUMMARY_MAX,
            ),
        )
    if "\n" in entry.summary:
        yield Hit(
            file.line_span(key_line(file, "summary")),
            t(
                "The summary has several lines\n"
                "This breaks the list of entries in the prompt. Put it on one line."
            ),
        )


def _body_hits(file: MemoryFile, entry: Entry) -> Iterator[Hit]:
    """Yield a hit if the body is longer than the limit of its kind."""
    from agent_memory.entries.validation import (  # noqa: PLC0415 -- few have entries
        BODY_MAX,
        REFERENCE_MAX,
    )

    limit = REFERENCE_MAX if entry.kind == "reference" else BODY_MAX
    size = _units(entry.body)
    if size > limit:
        front = file.markdown.front_matter  # the lines of its two fences
        yield Hit(
            file.line_span(front[1] + 1 if front else 0),
            t(
                "The body has {0:,} characters; an agent can save at most {1:,}\n"
                "This is the limit for kind '{2}', so an agent cannot change this entry. Shorten "
                "it.",
                size,
                limit,
                entry.kind,
            ),
        )


def _tag_hits(file: MemoryFile, entry: Entry) -> Iterator[Hit]:
    """Yield a hit for too many tags, or for tags that drover drops."""
    from agent_memory.entries.validation import TAGS_MAX  # noqa: PLC0415 -- few have entries

    line = key_line(file, "tags")  # 0 without the key
    if len(entry.tags) > TAGS_MAX:
        yield Hit(
            file.line_span(line),
            t(
                "The entry has {0} tags; an agent can save at most {1}\nRemove some of them.",
                len(entry.tags),
                TAGS_MAX,
            ),
        )
    if line and not entry.tags and _has_tags(file):
        yield Hit(
            file.line_span(line),
            t(
                "drover drops these tags: they are not a list of strings\n"
                "Put numbers and words such as true in quotes."
            ),
        )


def _time_hits(file: MemoryFile, entry: Entry) -> Iterator[Hit]:
    """Yield a hit if the time of creation is too small to be in milliseconds."""
    if 0 < entry.created < 100_000_000_000:  # up to 1973: seconds, or a year; 0 has no unit
        yield Hit(
            file.line_span(key_line(file, "createdAt")),
            t(
                "drover reads this time as {0} milliseconds after 1970\n"
                "The entry is the oldest of all. Write the time in milliseconds since 1970.",
                entry.created,
            ),
        )


def _units(text: str) -> int:
    """Return the length of ``text`` in UTF-16 units, which drover counts."""
    # `to_units` takes one line, so each newline becomes a space.
    return to_units(text.replace("\n", " ").replace("\r", " "), len(text), "utf-16")


def _has_tags(file: MemoryFile) -> bool:
    """Return whether the existing key ``tags`` has a value: on its line or as a list below it.

    The values need not be strings.
    """
    line = key_line(file, "tags")
    value = file.lines[line].partition(":")[2].strip()
    # The next line exists: the front matter has a closing fence.
    return value not in ("", "[]") or file.lines[line + 1].lstrip().startswith("- ")


RULE = FileRule(
    "AM803",
    "entry-limits",
    Severity.WARNING,
    "An entry over drover's limits",
    check=check,
    roles=frozenset({Role.ENTRY}),
)
