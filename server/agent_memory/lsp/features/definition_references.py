"""Links, definitions and references: between headings, files and skills."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from agent_memory.base.text import Span, split_lines
from agent_memory.lsp.features.feature import Feature
from agent_memory.lsp.features.skill_names import mentions, skill_at
from agent_memory.lsp.protocol.convert import real
from agent_memory.lsp.workspace.cursor import Cursor, cursor_at, file_at
from agent_memory.markdown.links import Link, heading_of
from agent_memory.markdown.parser import scan

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pygls.lsp.server import LanguageServer

    from agent_memory.lsp.workspace.session import Session
    from agent_memory.markdown.model import Heading


class Navigation(Feature):
    """Connects links, headings and skills."""

    def register(self, server: LanguageServer) -> None:
        """Register the requests for document links, definitions and references."""

        @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
        def links(params: types.DocumentLinkParams) -> list[dict[str, Any]]:
            return document_links(self.session, params.text_document.uri)

        @server.feature(types.TEXT_DOCUMENT_DEFINITION)
        def go_to(params: types.DefinitionParams) -> dict[str, Any] | None:
            cursor = cursor_at(self.session, params.text_document.uri, params.position)
            return definition(self.session, cursor) if cursor else None

        @server.feature(types.TEXT_DOCUMENT_REFERENCES)
        def find(params: types.ReferenceParams) -> list[dict[str, Any]]:
            cursor = cursor_at(self.session, params.text_document.uri, params.position)
            return references(self.session, cursor) if cursor else []


def document_links(session: Session, uri: str) -> list[dict[str, Any]]:
    """Return the links of a memory file to existing files and folders, as LSP document links.

    Links to URLs and to headings of the same file are left out; [] if it is not a memory file.
    """
    view_and_file = file_at(session, uri)
    if view_and_file is None:
        return []
    view, file = view_and_file
    out = []
    for link in file.links:
        target = view.project.target_of(link, file.path)
        is_anchor_only = not link.path
        if target is None or is_anchor_only or not target.exists():
            continue
        anchor = f"#{link.anchor}" if link.anchor else ""
        span = Span.on_line(link.line, link.start, link.end)
        target_uri = session.positions.uri(real(target)) + anchor  # `real`: also without ".."
        out.append({"range": session.positions.range(file.path, span), "target": target_uri})
    return out


def definition(session: Session, cursor: Cursor) -> dict[str, Any] | None:
    """Return the location of what is named under the cursor: a link's target, else a skill.

    A link with the anchor of a heading leads to that heading, any other to the first line. None if
    there is neither a link nor a skill, or if the link's target is not an existing file.
    """
    link = _link_at(cursor)
    if link:
        target = cursor.view.project.target_of(link, cursor.path)
        if target is None or not target.is_file():
            return None
        target = real(target) if link.path else cursor.path  # "#anchor" stays in this file
        heading = _heading(session, target, link.anchor)
        line = heading.line if heading else 0
        return session.positions.location(target, Span(line, 0, line, 0))
    skill = skill_at(cursor)
    return session.positions.location(skill.path, Span(0, 0, 0, 0)) if skill else None


def references(session: Session, cursor: Cursor) -> list[dict[str, Any]]:
    """Return the locations of the links to the heading on the line of the cursor.

    On a line without a heading, return those of the mentions of the skill whose name is under the
    cursor, [] if there is no such name.
    """
    headings = cursor.file.markdown.headings
    heading = next((candidate for candidate in headings if candidate.line == cursor.line), None)
    if heading:
        return [
            session.positions.location(path, Span.on_line(link.line, link.start, link.end))
            for path, link in _links_to(cursor, heading)
        ]
    skill = skill_at(cursor)
    if skill is None:
        return []
    spans = mentions(cursor.view, skill.name)
    return [session.positions.location(path, span) for path, span in spans]


def _links_to(cursor: Cursor, heading: Heading) -> Iterator[tuple[Path, Link]]:
    """Yield (file, link) of each link of the project to ``heading`` of the cursor's file.

    A link to the file without an anchor does not lead to a heading.
    """
    for path, file in cursor.view.project.files.items():
        for link in file.links:
            target = cursor.view.project.target_of(link, path)
            if not link.anchor or target is None or real(target) != real(cursor.path):
                continue
            if heading_of(cursor.file.markdown, link.anchor) == heading:
                yield path, link


def _link_at(cursor: Cursor) -> Link | None:
    """Return the link under the cursor, None without one."""
    for link in cursor.file.links:
        if cursor.is_in(Span.on_line(link.line, link.start, link.end)):
            return link
    return None


def _heading(session: Session, path: Path, anchor: str) -> Heading | None:
    """Return the heading of ``path`` with ``anchor``; None if there is no such heading or anchor.

    The file need not be a memory file, so it is read and scanned here.
    """
    if not anchor:
        return None
    return heading_of(scan(split_lines(session.store.read(path).text)), anchor)
