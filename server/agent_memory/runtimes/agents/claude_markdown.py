"""Markdown as the lexer of Claude Code (`marked`, without GitHub's extensions) splits it.

markdown-it with its CommonMark rules is close to it; the differences that matter are here.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.runtimes.agents.javascript import SPACE, S

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token


_COMMENT = lazy_compile(r"<!--.*?-->", re.DOTALL)
_IMPORT = lazy_compile(rf"(?:^|{S})@((?:[^\\{SPACE}]|\\ )+)")
"""`@path` after white space; a space in the path is written with a backslash."""
_MARKER = lazy_compile(r" {0,3}(?:[-*+]|\d{1,9}[.)]) {1,4}(?=\S)")
"""The marker of a list item with the spaces before and after it."""
_ITEM = lazy_compile(r"^ {0,3}(?:[-*+]|\d{1,9}[.)]) ", re.MULTILINE)
"""The start of a list item, to skip texts without any."""
_ALONE = lazy_compile(r" {0,3}(?:#{1,6}(?:\s|$)|```|~~~|(?:- *){3,}$|(?:_ *){3,}$|(?:\* *){3,}$)")
"""A heading, a fence or a thematic break."""
_STARTS_BLOCK = lazy_compile(
    rf"{_ALONE.pattern}| {{0,3}}(?:(?:[-*+]|\d{{1,9}}[.)])(?:\s|$)|<(?:[A-Za-z].*>|!--))"
)
"""What ``_ALONE`` matches, a list item or HTML."""
_ONE_TAG = lazy_compile(r"<[^\n>]+>")
"""A tag; whatever is between its angle brackets counts."""
_PLAIN = lazy_compile(r"[a-zA-Z0-9._-]")
"""The first character of a plain name."""
_PLAIN_WORDS = lazy_compile(
    r"^([ \t]*(?:(?:[-*+>]|#{1,6}|\d{1,9}[.)])[ \t]+)*)[^\W\d_][^@<>`\\*_\[\]!&\n]*$", re.MULTILINE
)
"""A line whose words have no markup, after indentation and markers of blocks."""


def structure(text: str) -> tuple[tuple[tuple[int, int], ...], tuple[str, ...]]:
    """Return the lines of the top-level HTML blocks that a comment begins, and the imported paths.

    The lines of a block are (first, after the last one), from 0. Each newline in ``text`` is a line
    feed. A line of plain words has no comment and no import, so typing in such a line finds
    the result in the cache.
    """
    return _structure(_PLAIN_WORDS.sub(r"\1x", text))


@lru_cache(maxsize=64)
def _structure(text: str) -> tuple[tuple[tuple[int, int], ...], tuple[str, ...]]:
    """Return :func:`structure` of ``text``, in which each line of plain words is an "x"."""
    tokens = _parser().parse(_with_indented_lazy_lines(text))
    top_level_html = [token for token in tokens if token.type == "html_block" and not token.level]
    comments = tuple(
        (token.map[0], token.map[1]) for token in top_level_html if token.map and _is_comment(token)
    )
    return comments, tuple(dict.fromkeys(_imports(tokens)))


def _with_indented_lazy_lines(text: str) -> str:
    """Return ``text``, in which the lines that `marked` adds to the list item above are indented.

    `marked` adds a line with less indentation than the item, except after a blank line in the item
    or its end (see :func:`_ends_item`), and except for a line that starts a block
    (``_STARTS_BLOCK``). CommonMark only adds one that continues a paragraph.
    """
    if not _ITEM.search(text):
        return text
    lines = text.split("\n")
    item_indent = 0  # the column where the text of the item begins, 0 outside of an item
    line_before = ""  # without the indentation of the item
    has_blank = False  # the item has a blank line so far
    for number, line in enumerate(lines):
        marker = _MARKER.match(line)
        # the column where the text of this line begins, after a marker or the spaces
        indent = len(marker[0]) if marker else len(line) - len(line.lstrip(" "))
        if marker:
            item_indent, has_blank = indent, False
        elif not line.strip():
            has_blank = True
        elif indent < item_indent:
            if has_blank or _ends_item(line_before) or _STARTS_BLOCK.match(line):
                item_indent = 0
            else:
                lines[number] = " " * item_indent + line[indent:]
        line_before = line[min(indent, item_indent) :]
    return "\n".join(lines)


def _ends_item(line: str) -> bool:
    """Whether an item that ends with ``line`` does not continue in a less indented next line.

    ``line`` is without the indentation of the item. The item ends if ``line`` is blank, indented
    code, a heading, a fence or a thematic break.
    """
    return not line.strip() or line.startswith("    ") or _ALONE.match(line) is not None


@cache
def _parser() -> MarkdownIt:
    """Return the shared CommonMark parser, which ends paragraphs at HTML where `marked` does.

    markdown-it calls a rule with ``silent`` to ask whether it would end another block. A rule
    returns whether it applies to the block that starts in ``line``.
    """
    from markdown_it import MarkdownIt  # noqa: PLC0415 -- only files with imports or comments
    from markdown_it.rules_block import html_block, lheading  # noqa: PLC0415

    headings: list[int] = []  # the first line of the setext heading that is being parsed

    def html(state: StateBlock, line: int, last: int, silent: bool) -> bool:  # noqa: FBT001
        """Parse HTML as `marked` does.

        An indented tag does not end a paragraph, except in a list; only a line that is one tag
        ends the text of a setext heading.
        """
        if silent and headings:
            text_start = state.bMarks[line] + state.tShift[line]  # after the indentation
            return _ONE_TAG.fullmatch(state.src[text_start : state.eMarks[line]]) is not None
        is_indented = state.sCount[line] > state.blkIndent
        if silent and is_indented and _container(state.tokens) != "list_item_open":
            return False
        return html_block(state, line, last, silent)

    def heading(state: StateBlock, line: int, last: int, silent: bool) -> bool:  # noqa: FBT001
        """Parse a setext heading; :func:`html` sees that one is being parsed."""
        headings.append(line)
        try:
            return lheading(state, line, last, silent)
        finally:
            headings.pop()

    # `_texts` needs the entities and backslashes that the rule "text_join" turns into text
    parser = MarkdownIt("commonmark").disable("text_join")
    ended_by_html = ["paragraph", "reference", "blockquote"]
    parser.block.ruler.at("html_block", html, {"alt": ended_by_html})
    parser.block.ruler.at("lheading", heading)
    return parser


def _container(tokens: Sequence[Token]) -> str:
    """Return the type of the innermost list item or block quote that is open, '' for none.

    ``tokens`` are those before the current position.
    """
    closed = 0  # later items and quotes whose opening token is still to come, backwards
    for token in reversed(tokens):
        if token.type in ("list_item_close", "blockquote_close"):
            closed += 1
        elif token.type in ("list_item_open", "blockquote_open"):
            if not closed:
                return token.type
            closed -= 1
    return ""


def _is_comment(token: Token) -> bool:
    """Whether an HTML block starts with a comment that has an end."""
    raw = token.content.lstrip(SPACE)
    return raw.startswith("<!--") and "-->" in raw


def _imports(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the paths after `@`, without fragment: in texts and next to comments in HTML blocks."""
    containers: list[str] = []  # types of the open list items and block quotes
    for token in tokens:
        if token.type in ("list_item_open", "blockquote_open"):
            containers.append(token.type)
        elif token.type in ("list_item_close", "blockquote_close"):
            containers.pop()
        elif token.type == "html_block" and _is_comment(token):
            yield from _paths_in(_COMMENT.sub("", token.content))
        elif token.type == "inline":
            if containers and containers[-1] == "list_item_open":
                # `marked` also has the text of an item before its markup is parsed, with code
                yield from _paths_in(token.content)
            for text in _texts(token.children or ()):
                yield from _paths_in(text)


def _texts(children: Sequence[Token]) -> Iterator[str]:
    """Yield the texts between markup: "a ", " c" for ``a `b` c``. Some are ''."""
    text = ""
    for child in children:
        if child.type == "text":
            text += child.content
        elif child.type == "softbreak":
            text += "\n"
        elif child.info == "entity" or (
            child.type == "text_special" and child.content == child.markup
        ):
            text += child.markup  # `marked` keeps entities and backslashes that escape nothing
        else:  # markup, an escape such as `\*` included
            yield text
            text = ""
    yield text


def _paths_in(text: str) -> Iterator[str]:
    """Yield the paths after `@` that look like one: ``/…``, ``./…``, ``~/…`` or a plain name."""
    for match in _IMPORT.finditer(text):
        path = match[1].partition("#")[0].replace("\\ ", " ")
        if path == "/":  # the root, not a file
            continue
        if path.startswith(("./", "~/", "/")) or _PLAIN.match(path):
            yield path
