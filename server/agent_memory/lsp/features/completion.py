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
from agent_memory.lsp.features.skill_names import skills_of
from agent_memory.lsp.workspace.cursor import Cursor, cursor_at
from agent_memory.markdown.model import LineKind
from agent_memory.runtimes.claude_mpm import REQUIRED, is_memory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agent_memory.lsp.transport.pygls_adapter import Features
    from agent_memory.lsp.workspace.session import Session

_SKILL_KEYS = {
    "name": untranslated("the skill's name: that of its folder"),
    "description": untranslated(
        "what it does, and for which tasks; the agent sees this, not the body"
    ),
    "license": untranslated("the licence the skill is under"),
    "compatibility": untranslated("what the skill needs: a program, a system"),
    "allowed-tools": untranslated("tools that may be used without asking"),
    "metadata": untranslated("anything else, as key and value"),
}
_ENTRY_KEYS = {
    "id": untranslated("the entry's ULID, also its file's name"),
    "scope": untranslated("global, agent or run"),
    "kind": untranslated("what is remembered: user, feedback, project or reference"),
    "summary": untranslated("one line; the index shows it"),
    "createdAt": untranslated("milliseconds since the epoch"),
    "agentId": untranslated("the agent the entry belongs to"),
    "runId": untranslated("the run the entry belongs to"),
    "tags": untranslated("words to find it by"),
    "updatedAt": untranslated("milliseconds since the epoch"),
}
_COMMENT = re.compile(r"<!--\s*agent-memory:\s*(\S*)$")
_CODES = re.compile(
    rf"<!--\s*agent-memory:\s*(?:{'|'.join(suppressions.ACTIONS)})(?:\s+[\w-]+,?)*?\s+([\w-]*)$"
)
_PATH = re.compile(r"(?:\]\(|(?<![\w`])@)([^()\s@`]*)$")
_SKILL = re.compile(r"(?<!`)`/?([a-z0-9-]*)$")
_TYPE = re.compile(r"\s*Type:\s*(\w*)$", re.IGNORECASE)
_PATHS_MAX = 200
MPM_SECTIONS = tuple(dict.fromkeys((*REQUIRED, *SECTION_OF.values(), RECENT)))
"""The sections of a memory file of Claude MPM, those it has to have first."""


def completions(session: Session, spot: Cursor) -> Iterator[dict[str, Any]]:
    """Yield the items that fit at the cursor."""
    scan = spot.file.markdown
    kind = scan.kinds[spot.line] if spot.line < len(scan.kinds) else LineKind.BLANK
    if kind is LineKind.FRONT or _opens_front(spot):
        yield from _front_matter(spot)
    elif match := _COMMENT.search(spot.before):
        yield from _items(spot, match, suppressions.ACTIONS, types.CompletionItemKind.Keyword)
    elif match := _CODES.search(spot.before):
        yield from _codes(spot, match)
    elif kind in (LineKind.CODE, LineKind.FENCE):
        return
    elif match := _TYPE.match(spot.before):
        yield from _items(spot, match, SECTION_OF, types.CompletionItemKind.EnumMember)
    elif match := _PATH.search(spot.before):
        yield from _paths(session, spot, match)
    elif match := _SKILL.search(spot.before):
        yield from _items(spot, match, skills_of(spot.view), types.CompletionItemKind.Function)
    elif spot.before.startswith("#"):
        yield from _sections(spot)


def _front_matter(spot: Cursor) -> Iterator[dict[str, Any]]:
    role = spot.file.source.role
    if role not in (Role.SKILL, Role.ENTRY):
        return
    keys = _SKILL_KEYS if role is Role.SKILL else _ENTRY_KEYS
    value = re.match(r"(\w[\w-]*):[ \t]*(\S*)$", spot.before)
    if value:
        yield from _items(spot, value, _values(spot, value[1]), types.CompletionItemKind.Value, 2)
        return
    match = re.match(r"([\w-]*)$", spot.before)
    if match is None:
        return
    there = {line.partition(":")[0] for line in spot.file.lines}
    for number, (key, about) in enumerate(keys.items()):
        if key not in there or key == spot.text.partition(":")[0]:
            item = _item(spot, match, key, types.CompletionItemKind.Property)
            item["textEdit"]["newText"] = f"{key}: "
            yield {**item, "documentation": t(about), "sortText": f"{number:02}"}


def _values(spot: Cursor, key: str) -> tuple[str, ...]:
    if spot.file.source.role is Role.SKILL:
        return (spot.path.parent.name,) if key == "name" else ()
    return {"kind": KINDS, "scope": SCOPES}.get(key, ())


def _opens_front(spot: Cursor) -> bool:
    """Whether the cursor is in front matter that is not closed yet."""
    lines = spot.file.lines
    return bool(
        spot.line
        and spot.file.source.role in (Role.SKILL, Role.ENTRY)
        and spot.file.markdown.front_matter is None
        and lines
        and lines[0].rstrip() == "---"
    )


def _codes(spot: Cursor, match: re.Match[str]) -> Iterator[dict[str, Any]]:
    for rule in RULES:
        for label in (rule.code, rule.name):
            item = _item(spot, match, label, types.CompletionItemKind.EnumMember)
            detail = rule.name if label == rule.code else rule.code
            yield {**item, "detail": detail, "documentation": t(rule.summary)}


def _paths(session: Session, spot: Cursor, match: re.Match[str]) -> Iterator[dict[str, Any]]:
    written = match[1]
    if re.match(r"[a-z]+:", written):
        return
    folder, _, stem = written.rpartition("/")
    base = spot.path.parent
    if folder.startswith("~"):
        base, folder = session.home, folder[1:].lstrip("/")
    start = match.start(1) + len(written) - len(stem)
    for path in _entries(base / folder if folder else base):
        is_folder = path.is_dir()
        kind = types.CompletionItemKind.Folder if is_folder else types.CompletionItemKind.File
        name = path.name + "/" * is_folder
        yield _replacing(spot, start, name, kind)


def _entries(folder: Path) -> list[Path]:
    try:
        found = sorted(folder.iterdir(), key=lambda path: path.name)
    except OSError:
        return []
    return [path for path in found if path.name != ".git"][:_PATHS_MAX]


def _sections(spot: Cursor) -> Iterator[dict[str, Any]]:
    """Yield headings that this kind of file has to have, or others have, and this one has not."""
    own = {heading.text.partition(" (Max")[0] for heading in spot.file.markdown.headings}
    in_mpm = is_memory(spot.path)
    seen = {name: 2 for name in MPM_SECTIONS if in_mpm and name not in own}
    for path, file in spot.view.project.files.items():
        if path != spot.path and file.source.role is spot.file.source.role:
            for heading in file.markdown.headings:
                if heading.text and heading.text not in own and heading.level > 1:
                    seen.setdefault(heading.text, heading.level)
    marks = len(spot.before) - len(spot.before.lstrip("#"))
    for text, level in seen.items():
        new = f"{'#' * max(marks, level)} {text}"
        item = _replacing(spot, 0, new, types.CompletionItemKind.Reference)
        yield {**item, "label": text, "filterText": new}


def _items(
    spot: Cursor,
    match: re.Match[str],
    labels: Any,
    kind: types.CompletionItemKind,
    group: int = 1,
) -> Iterator[dict[str, Any]]:
    for label in labels:
        yield _replacing(spot, match.start(group), label, kind)


def _item(
    spot: Cursor, match: re.Match[str], label: str, kind: types.CompletionItemKind
) -> dict[str, Any]:
    return _replacing(spot, match.start(1), label, kind)


def _replacing(
    spot: Cursor, start: int, label: str, kind: types.CompletionItemKind
) -> dict[str, Any]:
    """Return the item ``label`` in place of what is written from ``start`` to the cursor."""
    span = Span.on_line(spot.line, start, spot.column)
    return {"label": label, "kind": int(kind), "textEdit": {"range": span, "newText": label}}


def register(features: Features) -> None:
    """Add the request."""
    session = features.session

    @features.feature(types.TEXT_DOCUMENT_COMPLETION)
    def complete(params: types.CompletionParams) -> list[dict[str, Any]]:
        spot = cursor_at(session, params.text_document.uri, params.position)
        items = list(completions(session, spot)) if spot else []
        for item in items:
            edit = item["textEdit"]
            edit["range"] = session.places.range(spot.path, edit["range"]) if spot else None
        return items
