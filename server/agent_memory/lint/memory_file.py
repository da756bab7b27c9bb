"""A file under check: its content, its role, and what was parsed from it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from agent_memory.base.memo import Memo
from agent_memory.base.model import Role, Source, Status
from agent_memory.base.text import Span, without_newline
from agent_memory.base.unlocked_property import unlocked_property
from agent_memory.markdown import parser, references
from agent_memory.markdown.example_lines import example_lines
from agent_memory.markdown.links import Link, links_of
from agent_memory.markdown.plain_paths import plain_paths_of

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.fs.reader import FileText
    from agent_memory.markdown.model import Item, Markdown


class MemoryFile:
    """A file under check: its content, its source, and its Markdown, scanned once."""

    def __init__(
        self, path: Path, content: FileText, source: Source, cache: parser.ScanCache | None = None
    ) -> None:
        self.path = path
        self.content = content
        self.source = source
        self._cache = cache

    def edited(self, content: FileText) -> MemoryFile:
        """Return the file with ``content`` in place of its own.

        It takes over the scan cache, so that a scan parses only what has changed. If this file has
        no cache yet, it gets a new one, and the first scan parses the whole text.
        """
        return MemoryFile(self.path, content, self.source, self._cache or parser.ScanCache())

    @property
    def lines(self) -> list[str]:
        """The lines of the file with their endings; empty if it could not be read."""
        return self.content.lines

    @property
    def is_text(self) -> bool:
        """Whether the file was read as UTF-8; False for UTF-16 that is valid UTF-8 with NULs."""
        return self.content.ok and not self.content.is_utf16

    @unlocked_property
    def markdown(self) -> Markdown:
        """The scan of the lines, cached with the text.

        The front matter of a skill or an entry counts even if it is not a YAML mapping.
        """
        if self.source.role in (Role.SKILL, Role.ENTRY):
            return self.content.once(_scan_any_front_matter, self.lines, self._cache)
        return self.content.once(parser.scan, self.lines, cache=self._cache)

    @cached_property
    def memo(self) -> Memo:
        """The cache of results that depend on more than the text (else: ``content.once``)."""
        return Memo()

    @property
    def head(self) -> Span:
        """The first line: the position of a finding about the whole file."""
        return self.line_span(0)

    def line_span(self, line: int) -> Span:
        """Return the span of ``line`` without the white space around its text.

        It is empty for a blank line, at its end, and for a line after the last one.
        """
        if line >= len(self.lines):
            return Span(line, 0, line, 0)
        text = without_newline(self.lines[line])
        start = len(text) - len(text.lstrip())  # the end of a blank line
        end = len(text.rstrip()) or len(text)
        return Span.on_line(line, start, end)

    def item_span(self, item: Item) -> Span:
        """Return the span of ``item`` and its nested items, from its marker to their last text."""
        start = max(0, self.lines[item.line].find(item.marker))
        last = self.line_span(item.end_line - 1)
        return Span(item.line, start, last.end_line, last.end)

    @property
    def in_prompt(self) -> bool:
        """Whether the prompt contains the text of this file or the start of it.

        False for a skill of which the prompt has only the name and the description.
        """
        return self.source.status in (Status.LOADED, Status.TRUNCATED)

    @property
    def example_lines(self) -> frozenset[int]:
        """The numbers of the lines that are part of an example."""
        return self.content.once(example_lines, self.lines, self.markdown)

    @property
    def path_references(self) -> list[references.Reference]:
        """The paths of files and folders in code spans with nothing else, outside of examples.

        Their ``text`` is '': :meth:`with_text` adds it.
        """
        return self.content.once(_paths, self)

    def with_text(self, reference: references.Reference) -> references.Reference:
        """Return ``reference`` with the sentence around it, in lower case, as its ``text``."""
        span = reference.span
        columns = (span.start, span.end)
        text = references.sentence(self.lines, self.markdown, span.line, columns)
        return reference._replace(text=text)

    @property
    def plain_references(self) -> list[references.Reference]:
        """The paths and file names in plain text that the agent is to read, outside of examples.

        They are after words such as "see", alone on a line, or at the start of an item.
        """
        return self.content.once(_plain_paths, self)

    @property
    def folder_references(self) -> list[references.Reference]:
        """The folders without a parent (``docs/``) that an item, a row or a heading begins with.

        Each is in a code span, outside of examples.
        """
        return self.content.once(_folders, self)

    @property
    def name_references(self) -> list[references.Reference]:
        """The file names without a folder in code spans with nothing else, outside of examples."""
        return self.content.once(_names, self)

    @property
    def link_references(self) -> list[references.Reference]:
        """The targets of inline links outside of examples, with their sentences."""
        return self.content.once(_link_targets, self)

    @property
    def links(self) -> list[Link]:
        """The inline links and ``@path`` imports outside code and comments, in file order.

        Inline links in examples are left out, imports are not.
        """
        return self.content.once(_links, self)


# Functions of the module, because `content.once` caches a result by its function. Each computes the
# property of :class:`MemoryFile` that calls it.


def _scan_any_front_matter(lines: list[str], cache: parser.ScanCache | None) -> Markdown:
    """Return the scan of ``lines``; their front matter need not be a YAML mapping."""
    return parser.scan(lines, mapping=False, cache=cache)


def _paths(file: MemoryFile) -> list[references.Reference]:
    """Return :attr:`MemoryFile.path_references` without its cache."""
    return list(references.paths_of(file.lines, file.markdown, file.example_lines))


def _folders(file: MemoryFile) -> list[references.Reference]:
    """Return :attr:`MemoryFile.folder_references` without its cache."""
    return list(references.folders_of(file.lines, file.markdown, file.example_lines))


def _plain_paths(file: MemoryFile) -> list[references.Reference]:
    """Return :attr:`MemoryFile.plain_references` without its cache."""
    return list(plain_paths_of(file.lines, file.markdown, file.example_lines))


def _names(file: MemoryFile) -> list[references.Reference]:
    """Return :attr:`MemoryFile.name_references` without its cache."""
    return list(references.names_of(file.lines, file.markdown, file.example_lines))


def _link_targets(file: MemoryFile) -> list[references.Reference]:
    """Return :attr:`MemoryFile.link_references` without its cache."""
    return list(references.links_of(file.lines, file.markdown, file.example_lines))


def _links(file: MemoryFile) -> list[Link]:
    """Return :attr:`MemoryFile.links` without its cache."""
    found = links_of(file.lines, file.markdown, file.link_references)
    return sorted(found, key=lambda link: (link.line, link.start))
