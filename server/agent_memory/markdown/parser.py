"""One pass over the lines of a Markdown file: what each line is, with positions.

Only what memory files need is recognized: front matter, top-level headings, list items, fences,
comments. Per keystroke, markdown-it-py takes 25 to 40 times the CPU time with only its block rules
and 90 times with all (in files of 8 and 64 KB); it is the oracle of the tests. The rules follow
CommonMark 0.31 for fences (4.5), ATX and setext headings (4.2, 4.3), list items (5.2), paragraphs
with lazy continuation (5.1) and HTML comments (4.6), with two deliberate deviations, because agents
read memory as text: tags do not start an HTML block, so the lines between ``<rules>`` and
``</rules>`` are still a list; and the inside of a block quote is plain text.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.text import BOM, Span
from agent_memory.base.text_cache import TextCache
from agent_memory.markdown import front_matter
from agent_memory.markdown.line_model import HeadingLine
from agent_memory.markdown.line_parser import classify
from agent_memory.markdown.model import Heading, LineKind, Markdown
from agent_memory.markdown.section_parser import SectionParser

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_memory.markdown.line_model import Line

_line = attrgetter("line")


class CachedSection(NamedTuple):
    """A cached section: its lines and its scan result, independent of neighboring sections.

    A section is a heading that is not indented with the lines up to the next such heading, or the
    lines before the first one.
    """

    lines: Sequence[str]
    is_last: bool  # the file ends with it
    markdown: Markdown


@dataclass(slots=True)
class ScanCache:
    """Results of the scans of one document, for its next scan.

    The cache belongs to the object that edits the document. A heading (outside of code and
    comments) ends every block before it, so each section is cached by its text and position: after
    a keystroke that adds no line, only one section is scanned again, and in it only one line is
    classified.
    """

    # By the number and the text of the first line.
    sections: dict[tuple[int, str], CachedSection] = field(default_factory=dict)
    lines: TextCache[str, Line] = field(default_factory=lambda: TextCache(classify))

    def section(self, lines: Sequence[str], first: int) -> CachedSection:
        """Return the section that starts at line ``first``: the cached one if it is unchanged.

        A new one is not cached here; :func:`scan` caches all sections at its end.
        """
        cached = self.sections.get((first, lines[first]))
        if cached and self._fits(cached, lines, first):
            return cached
        parser = SectionParser(lines, self.lines)
        end = parser.parse(first)
        return CachedSection(lines[first:end], end == len(lines), parser.markdown)

    def _fits(self, section: CachedSection, lines: Sequence[str], first: int) -> bool:
        """Whether the section that begins at line ``first`` of ``lines`` is still ``section``.

        It must have the same lines, and must end after them as before: at the end of the file, or
        before a heading that is not indented.
        """
        end = first + len(section.lines)
        is_last = end >= len(lines)
        if is_last != section.is_last or lines[first:end] != section.lines:
            return False
        if is_last:
            return True
        following = self.lines[lines[end]]
        return isinstance(following, HeadingLine) and following.indent == 0


def scan(lines: Sequence[str], *, mapping: bool = True, cache: ScanCache | None = None) -> Markdown:
    """Scan ``lines`` (with or without newlines) once, front to back.

    ``mapping``: only a YAML mapping counts as front matter, as in memory; the front matter of a
    skill counts even if it is broken. ``cache`` is that of the document, if it is scanned often.
    The columns of the first line count a byte order mark.
    """
    if lines and lines[0].startswith(BOM):
        return _after_bom(scan([lines[0][1:], *lines[1:]], mapping=mapping, cache=cache))
    out = Markdown()
    out.front_matter = front_matter.find(lines, mapping=mapping)
    number = out.front_matter[1] + 1 if out.front_matter else 0
    out.kinds += [LineKind.FRONT] * number
    cache = cache or ScanCache()
    sections = {}
    while number < len(lines):
        section = cache.section(lines, number)
        sections[number, lines[number]] = section
        number += len(section.lines)
        out.kinds += section.markdown.kinds
        out.headings += section.markdown.headings
        out.items += section.markdown.items
        out.fences += section.markdown.fences
        out.comments += section.markdown.comments
    cache.sections = sections  # without those of the old text
    return out


def section_end(markdown: Markdown, heading: Heading) -> int:
    """Return the line after the section of ``heading``, its sub-sections included.

    That is the line of the next heading of the same or a higher level, or the number of lines.
    """
    headings = markdown.headings
    following = bisect_right(headings, heading.line, key=_line)
    for number in range(following, len(headings)):
        if headings[number].level <= heading.level:
            return headings[number].line
    return len(markdown.kinds)


def _after_bom(markdown: Markdown) -> Markdown:
    """Return ``markdown`` with the columns of the first line moved by one, for the byte order mark.

    ``markdown`` itself is changed; sections in the cache are not, as a scan copies their lists.
    """
    markdown.headings = [
        heading._replace(start=heading.start + 1) if heading.line == 0 else heading
        for heading in markdown.headings
    ]
    markdown.items = [
        item._replace(start=item.start + 1) if item.line == 0 else item for item in markdown.items
    ]
    for number, comment in enumerate(markdown.comments):
        line, start, end_line, end = comment.span
        if line == 0:
            if end_line == 0:  # the end is on the first line, too
                end += 1
            span = Span(line, start + 1, end_line, end)
            markdown.comments[number] = comment._replace(span=span)
    return markdown
