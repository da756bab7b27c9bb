"""Hover: the advice of findings, the size of a section, why the agent does not see a line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from agent_memory.base.model import Status
from agent_memory.base.text import Span
from agent_memory.l10n import t
from agent_memory.lint.rules import BY_KEY
from agent_memory.lsp.features.explain import about_agents
from agent_memory.lsp.features.feature import Feature
from agent_memory.lsp.features.file_summary import (
    file_title,
    section_tokens,
    tokens_text,
    why_unseen,
)
from agent_memory.lsp.workspace.cursor import Cursor, cursor_at
from agent_memory.markdown.inline import literal
from agent_memory.markdown.model import LineKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pygls.lsp.server import LanguageServer

    from agent_memory.lint.rule import Rule
    from agent_memory.lsp.workspace.session import Session

_EXPLAINED = re.compile(r"(?:^|\s)@\S|<!--|-->")
"""Found in lines that agents treat in different ways: imports, starts and ends of comments."""
_CODE_OR_NAME = re.compile(r"AM\d{3}|[a-z0-9]+(?:-[a-z0-9]+)+")  # of a rule


class Hover(Feature):
    """Explains what is under the cursor."""

    def register(self, server: LanguageServer) -> None:
        """Register the request."""

        @server.feature(types.TEXT_DOCUMENT_HOVER)
        def _hover(params: types.HoverParams) -> dict[str, Any] | None:
            cursor = cursor_at(self.session, params.text_document.uri, params.position)
            return hover(self.session, cursor) if cursor else None


def hover(session: Session, cursor: Cursor) -> dict[str, Any] | None:
    """Return the LSP hover at ``cursor``, None if the text there has no explanation.

    It explains, as far as they apply: the rule named there or the findings there, the section and
    file, and what the agents do with the line. Only a named rule has a range.
    """
    parts: list[str] = []
    name_span: Span | None = None
    named_rule = _rule_at(cursor)
    if named_rule:
        rule, name_span = named_rule
        parts.append(_about_rule(rule, session.capabilities.rule_page(rule.code)))
    else:
        parts += _about_findings(session, cursor)
    parts += _about_position(cursor)
    # The first line stands for the whole file, which agents can treat in different ways, too.
    if cursor.line == 0 or _EXPLAINED.search(cursor.text):
        parts += about_agents(session, cursor)
    if not parts:
        return None
    out: dict[str, Any] = {"contents": {"kind": "markdown", "value": "\n\n".join(parts)}}
    if name_span:
        out["range"] = session.positions.range(cursor.path, name_span)
    return out


def _about_findings(session: Session, cursor: Cursor) -> Iterator[str]:
    """Yield for each rule with findings at ``cursor`` their advice, then what the rule reports.

    Each text is yielded once.
    """
    findings = [finding for finding in session.findings(cursor.path) if cursor.is_in(finding.span)]
    for code in dict.fromkeys(finding.code for finding in findings):
        advice = dict.fromkeys(finding.advice for finding in findings if finding.code == code)
        yield from (literal(text) for text in advice if text)
        yield _about_rule(BY_KEY[code], session.capabilities.rule_page(code))


def _about_rule(rule: Rule, page: str) -> str:
    """Return Markdown: what ``rule`` reports, with a link to ``page``, the address of its page."""
    about, link = t(rule.summary), t("What it means")
    return f"**{rule.code} {rule.name}** ({t(rule.severity)}): {about}. [{link}]({page})"


def _about_position(cursor: Cursor) -> list[str]:
    """Return the facts about the section, the file and whether the agent sees the line."""
    out: list[str] = []
    headings, line = cursor.file.markdown.headings, cursor.line
    heading = next((candidate for candidate in headings if candidate.line == line), None)
    if heading:
        size = tokens_text(section_tokens(cursor.file, heading))
        out.append(t("This section: {0}.", size))
    if line == 0 or heading:  # the positions that people hover for the size
        out.append(_about_file(cursor))
    visibility = _about_visibility(cursor)
    if visibility:
        out.append(visibility)
    return out


def _about_file(cursor: Cursor) -> str:
    """Return sentences: the size of the file, its load order, and which runtime reads it."""
    choice = cursor.view.project.choice
    title = file_title(cursor.view, cursor.file)
    return t(
        "This file: {0}. Read by {1} ({2}) for agent `{3}`.",
        title,
        t(choice.runtime.title),
        choice.runtime_reason,
        choice.agent,
    )


def _about_visibility(cursor: Cursor) -> str:
    """Return a sentence: why the agent does not see the line, or that it sees a comment.

    '' for any other line that the agent sees, and for a file that it reads on demand.
    """
    kinds = cursor.file.markdown.kinds
    if cursor.line >= len(kinds):  # the empty line after a final newline
        return ""
    reason = why_unseen(cursor)
    is_listed = cursor.file.source.status is Status.LISTED  # the agent itself reads the file
    if reason or is_listed:
        return reason
    if kinds[cursor.line] is LineKind.COMMENT and cursor.text.strip():
        return t("The agent sees this comment: its runtime does not remove comments.")
    return ""


def _rule_at(cursor: Cursor) -> tuple[Rule, Span] | None:
    """Return the rule named by the word under the cursor, and the span of the word.

    Only on a line with ``agent-memory:``, as in a suppression comment; None elsewhere.
    """
    if "agent-memory:" not in cursor.text:
        return None
    for match in _CODE_OR_NAME.finditer(cursor.text):
        if match.start() <= cursor.column <= match.end() and match[0] in BY_KEY:
            return BY_KEY[match[0]], Span.on_line(cursor.line, *match.span())
    return None
