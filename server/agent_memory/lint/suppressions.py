"""Suppression comments: ``<!-- agent-memory: disable-next-line AM107 reason -->``.

``disable`` and ``enable`` enclose a range, ``disable-file`` covers the file. Rules are named by
code or name; a directive without any covers all rules.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Edit, Fix
from agent_memory.base.text import BOM, Span, newline_of
from agent_memory.l10n import t
from agent_memory.markdown.model import LineKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.markdown.model import Comment, Markdown

ACTIONS = ("disable-next-line", "disable-file", "disable", "enable")
"""The actions of directives; ``enable`` ends a ``disable``."""
_DIRECTIVE = lazy_compile(rf"\s*agent-memory:\s*({'|'.join(ACTIONS)})(?![\w-])(.*)", re.DOTALL)
"""The text of a comment with a directive; its groups are the action and all after it.

A longer word, such as ``disable-all``, is not an action.
"""
_KEY = lazy_compile(r"AM\d{3}\Z|[a-z0-9]+(?:-[a-z0-9]+)+\Z")
"""The form of a code, or of a name of two words or more."""
_WORD = lazy_compile(r"([^\s,:]+)\s*([,:]?)")
"""A word and the comma or colon after it."""
PREFIX = "agent-memory:"
"""The start of a directive in its comment."""
_NO_LINES = (1, 0)
"""The first and the last line of a directive that covers no line."""
_NO_COMMENT = frozenset({LineKind.CODE, LineKind.COMMENT, LineKind.FRONT})
"""A comment in a new line above a line of these kinds would be part of their text."""


@dataclass(slots=True)
class Suppression:
    """A directive: the lines it covers and the rules it names (empty: all).

    ``first`` and ``last`` are the lines that it covers, both included. ``action`` is '' for an
    invalid directive, which covers nothing. ``rest`` is the text after the action: rules and
    reason; of an invalid one, the whole text. ``used``: it covers a finding of the last check.
    ``end`` is the ``enable`` that ends it, None at the end of the file.
    """

    comment: Comment
    action: str
    keys: frozenset[str]
    first: int
    last: int
    rest: str = ""
    used: bool = False
    end: Comment | None = None


_ANY = ""
"""The key of directives without rules, which cover all rules."""


class _Spans(NamedTuple):
    """The lines that directives with the same key cover, in the order of their first lines."""

    firsts: list[int]
    """The first line of each directive."""
    lasts: list[int]
    """For each directive, the last line that it or one before it covers."""


class Coverage:
    """The directives of one file, and the findings they cover.

    A finding is looked up by bisection: a file may have as many directives as findings.
    """

    def __init__(self, directives: list[Suppression]) -> None:
        self.directives = directives
        self._covered: dict[str, list[int]] = {}  # by key: the lines of the covered findings
        self._spans: dict[str, _Spans] = {}  # by key
        by_key: dict[str, list[tuple[int, int]]] = {}
        for item in directives:
            for key in item.keys or (_ANY,):
                by_key.setdefault(key, []).append((item.first, item.last))
        for key, spans in by_key.items():
            spans.sort()
            firsts = [first for first, _ in spans]
            lasts = list(accumulate((last for _, last in spans), max))
            self._spans[key] = _Spans(firsts, lasts)

    def forget_use(self) -> None:
        """Start a new check: mark all directives as unused."""
        self._covered.clear()
        for item in self.directives:
            item.used = False

    def covers(self, line: int, keys: Iterable[str], *, named: bool = False) -> bool:
        """Return whether a finding on ``line`` is covered; ``keys`` are its rule's code and name.

        A covered finding is remembered for :meth:`mark_used`. ``named``: only directives that name
        the rule cover the finding.
        """
        if not self._spans:
            return False
        keys = tuple(keys) if named else (*keys, _ANY)
        covered = any(self._reaches(key, line) for key in keys)
        if covered:
            for key in keys:
                self._covered.setdefault(key, []).append(line)
        return covered

    def _reaches(self, key: str, line: int) -> bool:
        """Return whether a directive with ``key`` covers ``line``."""
        spans = self._spans.get(key)
        if spans is None:
            return False
        begun = bisect_right(spans.firsts, line)  # how many begin at or above `line`
        return begun > 0 and spans.lasts[begun - 1] >= line

    def mark_used(self) -> None:
        """Mark the directives that cover a finding for which :meth:`covers` returned True."""
        for lines in self._covered.values():
            lines.sort()
        for item in self.directives:
            for key in item.keys or (_ANY,):
                lines = self._covered.get(key, [])
                index = bisect_left(lines, item.first)  # of the first finding not above `item`
                if index < len(lines) and lines[index] <= item.last:
                    item.used = True


def coverage_of(file: MemoryFile) -> Coverage:
    """Return the coverage of ``file``, cached with it: later checks share it."""
    return file.memo.once(_coverage, file.markdown)


def _coverage(markdown: Markdown) -> Coverage:
    """Return the coverage of the file with ``markdown``: :func:`coverage_of` without its cache."""
    return Coverage(parse(markdown))


def parse(markdown: Markdown) -> list[Suppression]:
    """Return the directives of a file that disable rules, also invalid ones.

    They are in the order of the file, without ``enable``, which only ends others. If an ``enable``
    ends a directive for some of its rules only, a directive for the other rules is at the position
    of that ``enable``.
    """
    out: list[Suppression] = []
    open_by_key: dict[str, list[Suppression]] = {}  # what an ``enable`` can end
    end = len(markdown.kinds)  # after the last line
    for comment in markdown.comments:
        if not comment.closed or not comment.text.lstrip().startswith(PREFIX):
            continue  # an unclosed comment contains the rest of the file
        directive = _directive(comment, end)
        if directive.action != "enable":
            out.append(directive)
        if directive.action == "disable":
            _add_open(open_by_key, directive)
        elif directive.action == "enable":
            for item in _pop_open(open_by_key, directive.keys):
                still_open = _end_at(comment, item, directive.keys)
                if still_open:
                    out.append(still_open)
                    _add_open(open_by_key, still_open)
    return out


def _directive(comment: Comment, end: int) -> Suppression:
    """Return the directive in ``comment``; ``end`` is the line after the last one of the file.

    A ``disable`` covers all lines up to ``end``: an ``enable`` below may end it (:func:`_end_at`).
    """
    match = _DIRECTIVE.match(comment.text)
    line = comment.span.end_line
    if not match or comment.span.line != line:  # an unknown action, or several lines
        return Suppression(comment, "", frozenset(), *_NO_LINES, comment.text)
    action = match[1]
    first, last = {
        "disable-next-line": (line + 1, line + 1),
        "disable-file": (0, end),
        "disable": (line, end),
        "enable": _NO_LINES,
    }[action]
    return Suppression(comment, action, _keys(match[2]), first, last, match[2])


def _add_open(open_by_key: dict[str, list[Suppression]], item: Suppression) -> None:
    """Add ``item`` to ``open_by_key`` under each of its keys."""
    for key in item.keys or (_ANY,):
        open_by_key.setdefault(key, []).append(item)


def _pop_open(open_by_key: dict[str, list[Suppression]], keys: frozenset[str]) -> list[Suppression]:
    """Remove and return the directives that an ``enable`` for ``keys`` (empty: all) ends.

    A directive without rules ends at an ``enable`` without rules only.
    """
    ended = {
        id(item): item  # once, although it is under each of its keys
        for key in keys or tuple(open_by_key)
        for item in open_by_key.pop(key, ())
        if item.end is None  # not ended by an earlier ``enable`` with another of its keys
    }
    return list(ended.values())


def _end_at(end: Comment, item: Suppression, keys: frozenset[str]) -> Suppression | None:
    """End ``item`` at the comment ``end``; return a directive for its rules that stay open.

    ``end`` is an ``enable`` for ``keys`` (empty: all). The returned directive begins below ``end``;
    None if ``end`` is for all rules of ``item``.
    """
    line = end.span.end_line
    open_keys = item.keys - keys if keys else frozenset()
    # A copy of `item` before it ends: it has the last line that `item` has until now.
    still_open = replace(item, keys=open_keys, first=line + 1) if open_keys else None
    item.last, item.end = line, end
    return still_open


def _keys(text: str) -> frozenset[str]:
    """Return the words at the start of ``text`` that name rules; a reason can follow them.

    A word names a rule if it has the form of a code or name (``AM107``, ``hidden-unicode``). The
    first word and one after a comma count in any form that begins with a letter or digit: a
    directive with an unknown name then suppresses nothing, not everything. A colon ends the names.
    """
    keys: list[str] = []
    must_be_rule = True
    for word, mark in _WORD.findall(text):
        if not (_KEY.match(word) or (must_be_rule and word[0].isalnum())):
            break
        keys.append(word)
        if mark == ":":
            break
        must_be_rule = mark == ","
    return frozenset(keys)


def suppressing_fixes(code: str, span: Span, file: MemoryFile) -> list[Fix]:
    """Return the fixes that suppress ``code`` at ``span``: one for its line, one for the file.

    There is only the one for the file if the line is code, a comment or front matter: a comment
    above it would be part of that text. The same is true of a line after the last one.
    """
    scan, lines = file.markdown, file.lines
    out: list[Fix] = []
    line = span.line
    if line < len(lines) and scan.kinds[line] not in _NO_COMMENT:
        text = lines[line]
        indent = text[: len(text) - len(text.lstrip(" \t"))]  # the comment stays in its item
        title = t("Ignore {0} on this line", code)
        out.append(_insertion(title, f"{indent}{_comment('disable-next-line', code)}", file, line))
    below_front_matter = scan.front_matter[1] + 1 if scan.front_matter else 0
    title = t("Ignore {0} in this file", code)
    out.append(_insertion(title, _comment("disable-file", code), file, below_front_matter))
    return out


def _comment(action: str, code: str) -> str:
    """Return the suppression comment with ``action`` for the rule ``code``."""
    return f"<!-- {PREFIX} {action} {code} -->"


def _insertion(title: str, comment: str, file: MemoryFile, line: int) -> Fix:
    """Return the fix that inserts ``comment`` as a line of its own above ``line``."""
    # After a byte order mark, which must stay the first character.
    column = 1 if line == 0 and file.lines and file.lines[0].startswith(BOM) else 0
    text = f"{comment}{newline_of(file.lines)}"
    edit = Edit(file.path, Span(line, column, line, column), text)
    return Fix(title, (edit,), safe=False)
