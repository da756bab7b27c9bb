"""Suppression comments: ``<!-- agent-memory: disable-next-line AM107 reason -->``.

``disable`` and ``enable`` enclose a range, ``disable-file`` covers the file. Rules are named by
code or name; a directive without any covers all rules.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from agent_memory.base.model import Edit, Fix
from agent_memory.base.text import BOM, Span, newline_of
from agent_memory.l10n import t
from agent_memory.markdown.model import LineKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.markdown.model import Comment, Markdown

ACTIONS = ("disable-next-line", "disable-file", "disable", "enable")
_DIRECTIVE = re.compile(rf"\s*agent-memory:\s*({'|'.join(ACTIONS)})(?![\w-])(.*)", re.DOTALL)
_KEY = re.compile(r"AM\d{3}\Z|[a-z0-9]+(?:-[a-z0-9]+)+\Z")
_WORD = re.compile(r"([^\s,:]+)\s*([,:]?)")
_PREFIX = "agent-memory:"
_NO_COMMENT = frozenset({LineKind.CODE, LineKind.COMMENT, LineKind.FRONT})


@dataclass(slots=True)
class Suppression:
    """A directive: the lines it covers and the rules it names (empty: all).

    ``action`` is '' for an invalid directive, which covers nothing. ``rest`` is the text after the
    action: rules and reason. ``end`` is the ``enable`` that ends it.
    """

    comment: Comment
    action: str
    keys: frozenset[str]
    first: int
    last: int
    rest: str = ""
    used: set[str] = field(default_factory=set)
    end: Comment | None = None

    def covers(self, line: int, keys: Iterable[str]) -> bool:
        """Return whether a finding on ``line`` of a rule with these ``keys`` is covered."""
        return self.first <= line <= self.last and (not self.keys or not self.keys.isdisjoint(keys))


def of(file: MemoryFile) -> list[Suppression]:
    """Return the directives of ``file``, parsed once per check."""
    return file.memo.once(parse, file.markdown)


def forget_use(file: MemoryFile) -> None:
    """Start a new check of ``file``: mark all directives as unused."""
    for item in of(file):
        item.used.clear()


def parse(markdown: Markdown) -> list[Suppression]:
    """Return the directives of a file in order."""
    out: list[Suppression] = []
    open_ones: list[Suppression] = []
    end = len(markdown.kinds)
    for comment in markdown.comments:
        if not comment.closed or not comment.text.lstrip().startswith(_PREFIX):
            continue  # an unclosed comment contains the rest of the file
        match = _DIRECTIVE.match(comment.text)
        if not match or comment.span.line != comment.span.end_line:
            out.append(Suppression(comment, "", frozenset(), 1, 0, comment.text))
            continue
        action, keys = match[1], _keys(match[2])
        line = comment.span.end_line
        if action == "enable":
            rest = [_closed(item, keys, comment) for item in open_ones]
            out += [item for item in rest if item and item not in open_ones]
            open_ones = [item for item in rest if item]
            continue
        first, last = {
            "disable-next-line": (line + 1, line + 1),
            "disable-file": (0, end),
            "disable": (line, end),
        }[action]
        item = Suppression(comment, action, keys, first, last, match[2])
        out.append(item)
        if action == "disable":
            open_ones.append(item)
    return out


def _closed(item: Suppression, keys: frozenset[str], end: Comment) -> Suppression | None:
    """End ``item`` for ``keys`` at the comment ``end``; return the part that stays open."""
    if keys and (not item.keys or item.keys.isdisjoint(keys)):
        return item
    line = end.span.end_line
    last, item.last = item.last, line
    left = item.keys - keys if keys else frozenset()
    rest = replace(item, keys=left, first=line + 1, last=last) if left else None
    item.end = end
    return rest


def _keys(text: str) -> frozenset[str]:
    """Return the leading words that name rules; a colon or another word begins the reason.

    The first word always names a rule, so that a comment never suppresses more than it says.
    """
    keys: list[str] = []
    more = True
    for word, mark in _WORD.findall(text):
        if not (_KEY.match(word) or (more and word[0].isalnum())):
            break
        keys.append(word)
        if mark == ":":
            break
        more = bool(mark)
    return frozenset(keys)


def ways(code: str, span: Span, file: MemoryFile) -> list[Fix]:
    """Return the fixes that suppress ``code`` at ``span``: for its line, and for the file.

    A line in code or front matter gets no fix, since a comment there would be text.
    """
    scan, lines = file.markdown, file.lines
    out: list[Fix] = []
    line = span.line
    if line < len(lines) and scan.kinds[line] not in _NO_COMMENT:
        text = lines[line]
        indent = text[: len(text) - len(text.lstrip(" \t"))]
        out.append(
            _silence(
                t("Ignore {0} on this line", code), "disable-next-line", code, file, line, indent
            )
        )
    top = scan.front_matter[1] + 1 if scan.front_matter else 0
    out.append(_silence(t("Ignore {0} in this file", code), "disable-file", code, file, top, ""))
    return out


def _silence(title: str, action: str, code: str, file: MemoryFile, line: int, indent: str) -> Fix:
    column = 1 if line == 0 and file.lines and file.lines[0].startswith(BOM) else 0
    text = f"{indent}<!-- {_PREFIX} {action} {code} -->{newline_of(file.lines)}"
    edit = Edit(file.path, Span(line, column, line, column), text)
    return Fix(title, (edit,), safe=False)
