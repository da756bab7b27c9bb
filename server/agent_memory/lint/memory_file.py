"""One file under check: its content, its role, and what was parsed from it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from agent_memory.base.model import Role, Source, Status
from agent_memory.base.text import Span, body
from agent_memory.markdown import parser, references
from agent_memory.markdown.example_lines import example_lines
from agent_memory.markdown.links import Link, links_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from agent_memory.fs.reader import FileText
    from agent_memory.markdown.model import Markdown


class MemoryFile:
    """One file under check: its content, what it is for, and its markdown, scanned once."""

    def __init__(self, path: Path, content: FileText, source: Source) -> None:
        self.path = path
        self.content = content
        self.source = source

    @property
    def lines(self) -> list[str]:
        """The lines of the file with their endings; empty if it could not be read."""
        return self.content.lines

    @cached_property
    def markdown(self) -> Markdown:
        """The scan of the lines, kept as long as the text stays."""
        mapping = self.source.role not in (Role.SKILL, Role.ENTRY)
        key = "markdown" if mapping else "markdown with front matter"
        return self.content.once(key, lambda: parser.scan(self.lines, mapping=mapping))

    @cached_property
    def facts(self) -> dict[str, Any]:
        """What one check works out about this file; :meth:`FileText.once` outlives a check."""
        return {}

    @property
    def head(self) -> Span:
        """The first line: where a finding about the whole file stands."""
        return self.line_span(0)

    def line_span(self, line: int) -> Span:
        """Return the span of ``line`` from its first character that is no blank."""
        if line >= len(self.lines):
            return Span(line, 0, line, 0)
        text = body(self.lines[line])
        return Span.on_line(line, len(text) - len(text.lstrip()), len(text.rstrip()) or len(text))

    @property
    def in_prompt(self) -> bool:
        """Whether the runtime puts text of this file into the prompt."""
        return self.source.status in (Status.LOADED, Status.TRUNCATED)

    @property
    def example_lines(self) -> frozenset[int]:
        """The numbers of the lines that only show an example."""
        return self.content.once("example lines", lambda: example_lines(self.lines, self.markdown))

    @property
    def path_references(self) -> list[references.Reference]:
        """The paths that are alone in a code span."""
        return self.content.once("paths", lambda: list(self._references(references.paths_of)))

    @property
    def link_references(self) -> list[references.Reference]:
        """The targets of inline links."""
        return self.content.once("links", lambda: list(self._references(references.links_of)))

    @property
    def links(self) -> list[Link]:
        """The inline links and ``@path`` imports outside code and comments, in file order."""
        return self.content.once("links and imports", self._links)

    def _references(
        self, find: Callable[..., Iterable[references.Reference]]
    ) -> Iterable[references.Reference]:
        return find(self.lines, self.markdown, self.example_lines)

    def _links(self) -> list[Link]:
        found = links_of(self.lines, self.markdown, self.link_references)
        return sorted(found, key=lambda link: (link.line, link.start))
