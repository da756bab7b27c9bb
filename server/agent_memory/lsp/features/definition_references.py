"""Links, definitions and references: between headings, files and skills."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from agent_memory.base.text import Span, split_lines
from agent_memory.lsp.features.skill_names import mentions, skill_at
from agent_memory.lsp.protocol.convert import real
from agent_memory.lsp.workspace.cursor import Cursor, cursor_at, file_at
from agent_memory.markdown.links import (
    Link,
    heading_of,
    target_of,
)
from agent_memory.markdown.parser import scan

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agent_memory.lsp.transport.pygls_adapter import Features
    from agent_memory.lsp.workspace.session import Session
    from agent_memory.markdown.model import Heading


def document_links(session: Session, uri: str) -> list[dict[str, Any]]:
    """Return the links of a document to files that are there."""
    found = file_at(session, uri)
    if found is None:
        return []
    _, file = found
    out = []
    for link in file.links:
        target = target_of(link, file.path, session.home)
        if target is None or not link.path or not target.exists():
            continue
        anchor = f"#{link.anchor}" if link.anchor else ""
        where = session.places.range(file.path, Span.on_line(link.line, link.start, link.end))
        out.append({"range": where, "target": session.places.uri(real(target)) + anchor})
    return out


def definition(session: Session, spot: Cursor) -> dict[str, Any] | None:
    """Return where the link or the skill's name under the cursor leads to."""
    link = _link_at(spot)
    if link:
        target = target_of(link, spot.path, session.home)
        if target is None or not target.is_file():
            return None
        target = spot.path if not link.path else real(target)
        heading = _heading(session, target, link.anchor)
        line = heading.line if heading else 0
        return session.places.location(target, Span(line, 0, line, 0))
    skill = skill_at(spot)
    return session.places.location(skill.path, Span(0, 0, 0, 0)) if skill else None


def references(session: Session, spot: Cursor) -> list[dict[str, Any]]:
    """Return the links to the heading, or the mentions of the skill, under the cursor."""
    heading = next((item for item in spot.file.markdown.headings if item.line == spot.line), None)
    if heading:
        return [
            session.places.location(path, Span.on_line(link.line, link.start, link.end))
            for path, link in _links_to(session, spot, heading)
        ]
    skill = skill_at(spot)
    if skill is None:
        return []
    return [session.places.location(path, span) for path, span in mentions(spot.view, skill.name)]


def _links_to(session: Session, spot: Cursor, heading: Heading) -> Iterator[tuple[Path, Link]]:
    for path, file in spot.view.project.files.items():
        for link in file.links:
            target = target_of(link, path, session.home)
            if not link.anchor or target is None or real(target) != real(spot.path):
                continue
            if heading_of(spot.file.markdown, link.anchor) == heading:
                yield path, link


def _link_at(spot: Cursor) -> Link | None:
    for link in spot.file.links:
        if link.line == spot.line and link.start <= spot.column <= link.end:
            return link
    return None


def _heading(session: Session, path: Path, anchor: str) -> Heading | None:
    if not anchor:
        return None
    return heading_of(scan(split_lines(session.store.read(path).text)), anchor)


def register(features: Features) -> None:
    """Add the requests."""
    session = features.session

    @features.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    def links(params: types.DocumentLinkParams) -> list[dict[str, Any]]:
        return document_links(session, params.text_document.uri)

    @features.feature(types.TEXT_DOCUMENT_DEFINITION)
    def go_to(params: types.DefinitionParams) -> dict[str, Any] | None:
        spot = cursor_at(session, params.text_document.uri, params.position)
        return definition(session, spot) if spot else None

    @features.feature(types.TEXT_DOCUMENT_REFERENCES)
    def find(params: types.ReferenceParams) -> list[dict[str, Any]]:
        spot = cursor_at(session, params.text_document.uri, params.position)
        return references(session, spot) if spot else []
