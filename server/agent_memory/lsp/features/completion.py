"""Completion: front matter, suppression comments, required sections, paths, skill names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from agent_memory.base.model import Role
from agent_memory.base.text import Span
from agent_memory.entries.entry_file import KINDS, SCOPES
from agent_memory.l10n import t, untranslated
from agent_memory.learnings.extract import RECENT, SECTION_OF
from agent_memory.lint import suppressions
from agent_memory.lint.rules import RULES
from agent_memory.lsp.features.feature import Feature
from agent_memory.lsp.features.skill_names import skills_of
from agent_memory.lsp.workspace.cursor import Cursor, cursor_at
from agent_memory.markdown.links import Link
from agent_memory.markdown.model import LineKind
from agent_memory.runtimes.claude_mpm import REQUIRED, is_in_memories_folder
from agent_memory.secrets import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from pygls.lsp.server import LanguageServer

    from agent_memory.lsp.workspace.session import Session
    from agent_memory.markdown.model import Heading

_SKILL_KEYS = {
    "name": untranslated("the skill's name, the same as its folder's"),
    "description": untranslated(
        "what the skill does, and for which tasks; the agent sees only this, not the body"
    ),
    "license": untranslated("the license of the skill"),
    "compatibility": untranslated("requirements: programs, systems"),
    "allowed-tools": untranslated("tools allowed without confirmation"),
    "metadata": untranslated("other keys and values"),
}
_ENTRY_KEYS = {
    "id": untranslated("the entry's ULID and file name"),
    "scope": untranslated("global, agent or run"),
    "kind": untranslated("the kind of content: user, feedback, project or reference"),
    "summary": untranslated("one line; the index shows it"),
    "createdAt": untranslated("milliseconds since the epoch"),
    "agentId": untranslated("the agent the entry belongs to"),
    "runId": untranslated("the run the entry belongs to"),
    "tags": untranslated("keywords for search"),
    "updatedAt": untranslated("milliseconds since the epoch"),
}
# Patterns of the text before the cursor; group 1 is the part that is being completed.
# The action of a suppression: "<!-- agent-memory: dis". Without "<" in the group, a line of many
# such starts takes linear time.
_COMMENT = re.compile(r"<!--\s*agent-memory:\s*([^\s<]*)$")
# A rule of a suppression, after others: "<!-- agent-memory: disable AM101, AM1".
_CODES = re.compile(
    rf"<!--\s*agent-memory:\s*(?:{'|'.join(suppressions.ACTIONS)})(?:\s+[\w-]+,?)*?\s+([\w-]*)$"
)
# The path of a link, "[text](docs/a", or of an import, "@docs/a"; not in "name@example.com" or in
# the code span "`@name".
_PATH = re.compile(r"(?:\]\(|(?<![\w`])@)([^()\s@`]*)$")
_SKILL = re.compile(r"(?<!`)`/?([a-z0-9-]*)$")  # a skill in a code span: "`rev" or "`/rev"
_TYPE = re.compile(r"\s*Type:\s*(\w*)$", re.IGNORECASE)  # the type of a learning: "Type: mis"
_KEY_AND_VALUE = re.compile(r"(\w[\w-]*):[ \t]*(\S*)$")  # of front matter: "kind: us"
_PATHS_MAX = 200
"""Files and folders of one folder that are offered."""
MPM_SECTIONS = tuple(dict.fromkeys((*REQUIRED, *SECTION_OF.values(), RECENT)))
"""The sections of a memory file of Claude MPM, required ones first."""


class Completion(Feature):
    """Completes what is typed before the cursor; never a text with a secret."""

    def register(self, server: LanguageServer) -> None:
        """Register the request for completion."""

        @server.feature(types.TEXT_DOCUMENT_COMPLETION)
        def complete(params: types.CompletionParams) -> list[dict[str, Any]]:
            """Return the items at the cursor, without those whose text contains a secret.

            [] if the document is not a memory file.
            """
            cursor = cursor_at(self.session, params.text_document.uri, params.position)
            if cursor is None:
                return []
            items = [
                item
                for item in completions(self.session, cursor)
                if shown(item["textEdit"]["newText"]) == item["textEdit"]["newText"]
            ]
            for item in items:  # their ranges are spans until now
                edit = item["textEdit"]
                edit["range"] = self.session.positions.range(cursor.path, edit["range"])
            return items


def completions(session: Session, cursor: Cursor) -> Iterator[dict[str, Any]]:
    """Yield the items that fit at the cursor; the first pattern that matches decides.

    Front matter has only its keys and values. Code has no items, except in a suppression comment.
    """
    scan = cursor.file.markdown
    # The empty line after a final newline has no kind of its own.
    kind = scan.kinds[cursor.line] if cursor.line < len(scan.kinds) else LineKind.BLANK
    if kind is LineKind.FRONT or _is_in_unclosed_front_matter(cursor):
        yield from _front_matter(cursor)
    elif match := _COMMENT.search(cursor.before):
        yield from _items(cursor, match, suppressions.ACTIONS, types.CompletionItemKind.Keyword)
    elif match := _CODES.search(cursor.before):
        yield from _codes(cursor, match)
    elif kind in (LineKind.CODE, LineKind.FENCE):
        return
    elif match := _TYPE.match(cursor.before):
        yield from _items(cursor, match, SECTION_OF, types.CompletionItemKind.EnumMember)
    elif match := _PATH.search(cursor.before):
        yield from _paths(session, cursor, match)
    elif match := _SKILL.search(cursor.before):
        yield from _items(cursor, match, skills_of(cursor.view), types.CompletionItemKind.Function)
    elif cursor.before.startswith("#"):
        yield from _sections(cursor)


def _front_matter(cursor: Cursor) -> Iterator[dict[str, Any]]:
    """Yield the values of the key before the cursor, else the keys that no line begins with.

    Only skills and entries have front matter with known keys.
    """
    role = cursor.file.source.role
    if role not in (Role.SKILL, Role.ENTRY):
        return
    keys = _SKILL_KEYS if role is Role.SKILL else _ENTRY_KEYS
    key_and_value = _KEY_AND_VALUE.match(cursor.before)
    if key_and_value:
        values = _values(cursor, key_and_value[1])
        yield from _items(cursor, key_and_value, values, types.CompletionItemKind.Value, group=2)
        return
    key_start = re.match(r"([\w-]*)$", cursor.before)
    if key_start is None:  # an indented line or a comment, for example
        return
    present = {line.partition(":")[0] for line in cursor.file.lines}
    key_at_cursor = cursor.text.partition(":")[0]  # in `present`, too, but still being typed
    for number, (key, about) in enumerate(keys.items()):
        if key not in present or key == key_at_cursor:
            item = _item(cursor, key_start, key, types.CompletionItemKind.Property)
            item["textEdit"]["newText"] = f"{key}: "
            # `sortText` keeps the order of the table: editors sort by label.
            yield {**item, "documentation": t(about), "sortText": f"{number:02}"}


def _values(cursor: Cursor, key: str) -> tuple[str, ...]:
    """Return the possible values of ``key``, () if any text is possible."""
    if cursor.file.source.role is Role.SKILL:
        return (cursor.path.parent.name,) if key == "name" else ()
    return {"kind": KINDS, "scope": SCOPES}.get(key, ())


def _is_in_unclosed_front_matter(cursor: Cursor) -> bool:
    """Whether the cursor is below a first line ``---`` that no second one closes yet.

    False for other files than skills and entries, which have no known keys.
    """
    lines = cursor.file.lines
    return bool(
        cursor.line
        and cursor.file.source.role in (Role.SKILL, Role.ENTRY)
        and cursor.file.markdown.front_matter is None
        and lines
        and lines[0].rstrip() == "---"
    )


def _codes(cursor: Cursor, match: re.Match[str]) -> Iterator[dict[str, Any]]:
    """Yield two items for each rule: its code, which shows the name, and its name with the code."""
    for rule in RULES:
        for label in (rule.code, rule.name):
            item = _item(cursor, match, label, types.CompletionItemKind.EnumMember)
            detail = rule.name if label == rule.code else rule.code
            yield {**item, "detail": detail, "documentation": t(rule.summary)}


def _paths(session: Session, cursor: Cursor, match: re.Match[str]) -> Iterator[dict[str, Any]]:
    """Yield the files and folders that can complete the path before the cursor.

    They are those of the folder before its last slash: for ``docs/a`` those of ``docs``.
    """
    written = match[1]
    if re.match(r"[a-z]+:", written):  # a URL
        return
    typed_name = written.rpartition("/")[2]
    start = match.start(1) + len(written) - len(typed_name)  # only the name is replaced
    folder = written.removesuffix(typed_name) or "./"
    is_import = not match[0].startswith("](")  # `_PATH` finds only links and imports
    link = Link(cursor.line, match.start(1), start, folder, "", is_import)
    target = cursor.view.project.target_of(link, cursor.path)
    # None: a URL with capital letters, or a NUL. Hidden: a symlink leads out of an untrusted
    # workspace.
    if target is None or session.store.hides(target):
        return
    for path in _paths_in(target):
        if path.is_dir():
            yield _replacing(cursor, start, f"{path.name}/", types.CompletionItemKind.Folder)
        else:
            yield _replacing(cursor, start, path.name, types.CompletionItemKind.File)


def _paths_in(folder: Path) -> list[Path]:
    """Return the paths in ``folder``, sorted by name, without ``.git``; [] if it cannot be listed.

    At most ``_PATHS_MAX`` paths are returned.
    """
    try:
        paths = sorted(folder.iterdir(), key=lambda path: path.name)
    except OSError:
        return []
    return [path for path in paths if path.name != ".git"][:_PATHS_MAX]


def _sections(cursor: Cursor) -> Iterator[dict[str, Any]]:
    """Yield items for :func:`_missing_headings`, each for a whole heading line."""
    typed_level = len(cursor.before) - len(cursor.before.lstrip("#"))
    for name, level in _missing_headings(cursor).items():
        heading_line = f"{'#' * max(typed_level, level)} {name}"  # no typed "#" is removed
        item = _replacing(cursor, 0, heading_line, types.CompletionItemKind.Reference)
        # Editors filter by what was typed, which begins with "#", as the label does not.
        yield {**item, "label": name, "filterText": heading_line}


def _missing_headings(cursor: Cursor) -> dict[str, int]:
    """Return {name: level} of headings that the file of the cursor does not have, but may need.

    These are the sections of Claude MPM if the file is one of its memory files, then the headings
    of the other files with the same role, except titles (level 1). Limits of sections, as in Claude
    MPM's "## Name (Max: 15 items)", are left out.
    """
    own_names = {_section_name(heading) for heading in cursor.file.markdown.headings}
    in_mpm = is_in_memories_folder(cursor.path)
    # A name that two files have gets the level of the first.
    levels = {name: 2 for name in MPM_SECTIONS if in_mpm and name not in own_names}
    for path, file in cursor.view.project.files.items():
        if path != cursor.path and file.source.role is cursor.file.source.role:
            for heading in file.markdown.headings:
                name = _section_name(heading)
                if name and name not in own_names and heading.level > 1:
                    levels.setdefault(name, heading.level)
    return levels


def _section_name(heading: Heading) -> str:
    """Return the text of ``heading`` without the limit of Claude MPM, " (Max: 15 items)"."""
    return heading.text.partition(" (Max")[0]


def _items(
    cursor: Cursor,
    match: re.Match[str],
    labels: Iterable[str],
    kind: types.CompletionItemKind,
    group: int = 1,
) -> Iterator[dict[str, Any]]:
    """Yield an item for each of ``labels``.

    An item replaces the text from the start of ``group`` of ``match`` to the cursor.
    """
    for label in labels:
        yield _replacing(cursor, match.start(group), label, kind)


def _item(
    cursor: Cursor, match: re.Match[str], label: str, kind: types.CompletionItemKind
) -> dict[str, Any]:
    """Return the item ``label``: it replaces the text from group 1 of ``match`` to the cursor."""
    return _replacing(cursor, match.start(1), label, kind)


def _replacing(
    cursor: Cursor, start: int, label: str, kind: types.CompletionItemKind
) -> dict[str, Any]:
    """Return the item ``label``, which replaces the text from ``start`` to the cursor.

    Its ``range`` is a :class:`Span`: the handler of the request converts it last.
    """
    span = Span.on_line(cursor.line, start, cursor.column)
    return {"label": label, "kind": int(kind), "textEdit": {"range": span, "newText": label}}
