"""Parse one entry file as drover does, and render it byte for byte as drover would.

Drover silently skips an invalid file; here each skip has a reason. Unlike drover, a rewrite
preserves unknown front-matter keys.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agent_memory.base.ulid import is_ulid
from agent_memory.entries.yaml_reader import YamlError, key_lines, load_mapping
from agent_memory.entries.yaml_writer import quoted, scalar
from agent_memory.l10n import t

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KINDS = ("user", "feedback", "project", "reference")
SCOPES = ("global", "agent", "run")
KEYS = ("id", "scope", "kind", "summary", "createdAt", "agentId", "runId", "tags", "updatedAt")
"""The front-matter keys that drover knows, in the order in which it writes them."""
_KNOWN_KEYS = frozenset(KEYS)
# As drover's `---\s*\n([\s\S]*?)\n---\s*\n?([\s\S]*)$`, but in linear time: without the atomic
# group, each of n blank lines below the first `---` is tried as the start. The second alternative
# is empty front matter.
_FILE = re.compile(
    r"(?:(?>---\s*\n)(?P<header>[\s\S]*?)|---\s*\n(?P<empty>[^\S\n]*))\n---\s*(?P<body>[\s\S]*)\Z"
)
_INTEGER = re.compile(r"\s*([-+]?[0-9]+)")
"""The start of a text that JavaScript's ``parseInt`` converts; the group is the number."""


@dataclass(frozen=True, slots=True)
class Entry:
    r"""A learned memory. Times are milliseconds since the epoch.

    ``extra`` is the front matter unknown to drover, verbatim, with a ``\n`` after each line.
    ``path`` is the file the entry was read from, None for a new entry.
    """

    id: str
    scope: str
    kind: str
    summary: str
    body: str
    created: int
    agent: str | None = None
    run: str | None = None
    tags: tuple[str, ...] = ()
    updated: int | None = None
    extra: str = ""
    path: Path | None = field(default=None, compare=False)

    @property
    def changed(self) -> int:
        """The time of the last write, in milliseconds since the epoch."""
        return self.created if self.updated is None else self.updated

    @property
    def text(self) -> str:
        """Summary, body and tags as one text, for a search in all of them."""
        return f"{self.summary}\n{self.body}\n{' '.join(self.tags)}"


@dataclass(frozen=True, slots=True)
class EntryPlace:
    """The folder of an entry file: its scope, and the agent or run that it is named after."""

    scope: str
    agent: str | None = None
    run: str | None = None


class Skipped(ValueError):  # noqa: N818 -- what drover does with the file, not an error of ours
    """Drover skips the file: the message says why.

    ``key`` names the front-matter key that is missing or invalid, '' if it is not one key.
    """

    def __init__(self, message: str, key: str = "") -> None:
        super().__init__(message)
        self.key = key


def parse(text: str, place: EntryPlace, path: Path | None = None) -> Entry:
    """Return the entry in the content of an entry file.

    ``text`` is the whole file. ``place`` supplies a missing scope, agent or run. Like drover, this
    ignores tags that are not all strings and an ``updatedAt`` that is not an integer.

    Raises:
        Skipped: drover would skip it.

    """
    match = _FILE.match(text)
    if not match:
        raise Skipped(_no_front_matter(text))
    # With CRLF, the group ends between \r and \n of its last line.
    header = (match["header"] or match["empty"] or "").replace("\r\n", "\n").removesuffix("\r")
    try:
        data = load_mapping(header, first_line=1)  # line 0 is the `---` above it
    except YamlError as error:
        raise Skipped(t("its front matter cannot be parsed: {0}", error)) from error
    scope = data.get("scope", place.scope)
    _check_required(data, scope)
    tags = data.get("tags")
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        tags = []
    updated = data.get("updatedAt")
    return Entry(
        id=data["id"],
        scope=scope,
        kind=data["kind"],
        summary=data["summary"],
        body=match["body"].replace("\r\n", "\n").strip(),
        created=_leading_integer(data.get("createdAt")),
        agent=_text_or_none(data.get("agentId")) or place.agent,
        run=_text_or_none(data.get("runId")) or place.run,
        tags=tuple(tags),
        updated=updated if _is_integer(updated) else None,
        extra=_lines_of_unknown_keys(header, data),
        path=path,
    )


def render(entry: Entry) -> str:
    """Return the content of the file of ``entry``.

    The layout is drover's. If :func:`parse` would skip such a file, or return another summary or
    other tags for it, all texts are quoted instead.
    """
    text = _rendered(entry, scalar)
    place = EntryPlace(entry.scope, entry.agent, entry.run)
    try:
        parsed = parse(text, place)
    except Skipped:
        return _rendered(entry, quoted)
    is_preserved = (parsed.summary, parsed.tags) == (entry.summary, entry.tags)
    return text if is_preserved else _rendered(entry, quoted)


def _rendered(entry: Entry, render_text: Callable[[str, str, int], str]) -> str:
    """Return the content of the file of ``entry``; ``render_text`` renders each text as YAML.

    ``render_text`` is called with a text, the indentation of its further lines and the column at
    which its first line begins.
    """

    def line(key: str, text: str) -> str:
        """Return ``key`` and ``text`` as YAML, of which ``text`` may have several lines."""
        return f"{key}: {render_text(text, '  ', len(key) + len(': '))}"

    lines = [
        line("id", entry.id),
        f"scope: {entry.scope}",
        line("kind", entry.kind),
        line("summary", entry.summary),
        f"createdAt: {entry.created}",
    ]
    if entry.agent is not None and entry.scope != "global":
        lines.append(line("agentId", entry.agent))
    if entry.run is not None and entry.scope == "run":
        lines.append(line("runId", entry.run))
    if entry.tags:
        lines += ["tags:", *(f"  - {render_text(tag, '    ', 4)}" for tag in entry.tags)]
    if entry.updated is not None:
        lines.append(f"updatedAt: {entry.updated}")
    header = "\n".join(lines) + "\n" + entry.extra
    body = entry.body.replace("\r\n", "\n").strip()  # as parse() returns it
    return f"---\n{header}---\n\n{body}\n"


def _no_front_matter(text: str) -> str:
    """Return why :data:`_FILE` does not match ``text``."""
    if text.startswith("\ufeff"):
        return t("a byte order mark precedes its front matter")
    if text.lstrip().startswith("---") and not text.startswith("---"):
        return t("a blank line precedes its front matter")
    if text.startswith("---"):
        return t("its front matter is empty or not closed by ---")
    return t("it has no front matter")


def _check_required(data: dict[str, Any], scope: Any) -> None:
    """Raise ``Skipped`` if a key without which drover skips the file is missing or invalid.

    ``scope`` is that of ``data``, or of the folder if ``data`` has none.
    """
    if not is_ulid(data.get("id")):
        raise Skipped(t("its id is not a ULID (26 uppercase letters and digits)"), "id")
    if scope not in SCOPES:
        raise Skipped(t("its scope is not one of {0}", ", ".join(SCOPES)), "scope")
    if data.get("kind") not in KINDS:
        raise Skipped(t("its kind is not one of {0}", ", ".join(KINDS)), "kind")
    summary = data.get("summary")
    if not isinstance(summary, str) or not summary:
        raise Skipped(t("its summary is empty or not text"), "summary")


def _leading_integer(value: Any) -> int:
    """Return the integer that ``value`` begins with: ``2026-01-31`` gives 2026.

    drover converts ``createdAt`` so, with JavaScript's ``parseInt``.

    Raises:
        Skipped: ``value`` does not begin with a number.

    """
    if _is_integer(value):
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return int(value)
    match = _INTEGER.match(value) if isinstance(value, str) else None
    if not match:
        raise Skipped(t("its createdAt is not a number of milliseconds"), "createdAt")
    return int(match[1])


def _is_integer(value: Any) -> bool:
    """Whether ``value`` is an integer and not a boolean."""
    return isinstance(value, int) and not isinstance(value, bool)  # in Python, a bool is an int


def _text_or_none(value: Any) -> str | None:
    """Return ``value`` if it is text, else None."""
    return value if isinstance(value, str) else None


def _lines_of_unknown_keys(header: str, data: dict[str, Any]) -> str:
    """Return the lines of ``header`` that drover would drop, '' if it would drop no line.

    These are the keys that are unknown to drover, each with the further lines of its value, and the
    comments in the first column, each with the comments and blank lines below it. ``data`` is the
    parsed ``header``.
    """
    if data.keys() <= _KNOWN_KEYS and "#" not in header:
        return ""
    lines = header.split("\n")
    key_by_line = _key_by_line(header, lines, data)
    out: list[str] = []
    in_unknown = in_comment = False
    for number, line in enumerate(lines):
        if number in key_by_line:
            in_unknown = key_by_line[number] not in _KNOWN_KEYS
            in_comment = False
        elif line[:1] == "#":
            in_comment = True
        elif line.lstrip()[:1] not in ("", "#"):  # it continues the value of the key above
            in_comment = False
        if in_unknown or in_comment:
            out.append(line + "\n")
    return "".join(out)


def _key_by_line(header: str, lines: list[str], data: dict[str, Any]) -> dict[int, Any]:
    """Return the keys of ``data`` by the line of ``header`` on which each begins, from 0.

    ``lines`` are those of ``header``. A line without indentation usually begins a key, but it can
    also continue a value in brackets or quotes; then ruamel.yaml finds the lines of the keys. {} if
    it finds none, as in a mapping in braces.
    """
    candidates: dict[int, Any] = {
        number: line.split(":", 1)[0].strip("\"' ")
        for number, line in enumerate(lines)
        if line[:1] not in (" ", "\t", "", "-", "]", "}", "#")
    }
    if list(candidates.values()) == list(data):
        return candidates
    return dict(zip(key_lines(header), data, strict=False))
