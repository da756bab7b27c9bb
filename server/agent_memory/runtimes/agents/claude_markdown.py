"""Markdown as the lexer of Claude Code (`marked`, without GitHub's extensions) splits it.

markdown-it with its CommonMark rules is close to it; the differences that matter are here.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

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
_BLOCK_LINE = lazy_compile(
    r" {0,3}(?:#{1,6}(?:\s|$)|```|~~~|(?:- *){3,}$|(?:_ *){3,}$|(?:\* *){3,}$)"
)
"""A heading, a fence or a thematic break."""
_STARTS_BLOCK = lazy_compile(
    rf"{_BLOCK_LINE.pattern}| {{0,3}}(?:(?:[-*+]|\d{{1,9}}[.)])(?:\s|$)|<(?:[A-Za-z].*>|!--))"
)
"""What ``_BLOCK_LINE`` matches, a list item or HTML."""
_ONE_TAG = lazy_compile(r"<[^\n>]+>")
"""A tag; whatever is between its angle brackets counts."""
_NAME_START = lazy_compile(r"[a-zA-Z0-9._-]")
"""The first character of a plain name."""
_PLAIN_WORDS = lazy_compile(
    r"^([ \t]*(?:(?:[-*+>]|#{1,6}|\d{1,9}[.)])[ \t]+)*)[^\W\d_][^@<>`\\*_\[\]!&\n]*$", re.MULTILINE
)
"""A line whose words have no markup, after indentation and markers of blocks."""


class Lines(NamedTuple):
    """The lines of a block, from 0; ``after`` is the line after the last one."""

    first: int
    after: int


class Structure(NamedTuple):
    """What matters to Claude Code in a Markdown text.

    ``comments`` are the HTML blocks outside of lists and quotes that begin with a comment;
    ``imports`` the paths after `@`.
    """

    comments: tuple[Lines, ...]
    imports: tuple[str, ...]


def structure(text: str) -> Structure:
    """Return the comments and imports of ``text``, whose newlines are line feeds.

    A line of plain words has neither. It is replaced, so the cache still has the result after a
    user has typed in such a line.
    """
    return _structure(_PLAIN_WORDS.sub(r"\1x", text))


@lru_cache(maxsize=64)
def _structure(text: str) -> Structure:
    """Return :func:`structure` of ``text``, in which each line of plain words is an "x"."""
    tokens = _parser().parse(_with_indented_lazy_lines(text))
    top_level_html = [token for token in tokens if token.type == "html_block" and not token.level]
    comments = [Lines(*token.map) for token in top_level_html if token.map and _is_comment(token)]
    return Structure(tuple(comments), tuple(dict.fromkeys(_imports(tokens))))


def _with_indented_lazy_lines(text: str) -> str:
    """Return ``text`` with indented lazy lines, so that CommonMark sees what `marked` sees.

    A lazy line is less indented than the list item above and still belongs to it. In `marked` each
    such line does, unless the item has a blank line or has ended (:func:`_ends_item`), or the line
    starts a block (``_STARTS_BLOCK``). In CommonMark only a line that continues a paragraph does.
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
    """Whether a list item ends with ``line`` if the next line is less indented than the item.

    It ends if ``line``, which is without the indentation of the item, is blank, indented code, a
    heading, a fence or a thematic break.
    """
    is_indented_code = line.startswith("    ")
    return not line.strip() or is_indented_code or _BLOCK_LINE.match(line) is not None


@cache
def _parser() -> MarkdownIt:
    """Return the shared CommonMark parser, which ends paragraphs at HTML where `marked` does.

    A rule of markdown-it parses the block that starts in ``line``, and returns whether it could.
    With ``silent`` it parses nothing and only returns whether its block would end another block.
    """
    from markdown_it import MarkdownIt  # noqa: PLC0415 -- only files with imports or comments
    from markdown_it.rules_block import html_block, lheading  # noqa: PLC0415

    headings: list[int] = []  # the line of the setext heading that is being parsed, if any

    def html(state: StateBlock, line: int, last: int, silent: bool) -> bool:  # noqa: FBT001
        """Parse an HTML block, which ends other blocks as in `marked`.

        An indented tag does not end a paragraph, except in a list. Only a line that is one tag
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
        """Parse a setext heading; meanwhile ``headings`` is not empty."""
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
    closed = 0  # items and quotes that are closed later; backwards, their start is still to come
    for token in reversed(tokens):
        if token.type in ("list_item_close", "blockquote_close"):
            closed += 1
        elif token.type in ("list_item_open", "blockquote_open"):
            if not closed:
                return token.type
            closed -= 1
    return ""


def _is_comment(token: Token) -> bool:
    """Whether the HTML block ``token`` starts with a closed comment."""
    raw = token.content.lstrip(SPACE)
    return raw.startswith("<!--") and "-->" in raw


def _imports(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield the imported paths in ``tokens``.

    They are in texts outside of code, and next to the comments of HTML blocks.
    """
    containers: list[str] = []  # types of the open list items and block quotes
    for token in tokens:
        if token.type in ("list_item_open", "blockquote_open"):
            containers.append(token.type)
        elif token.type in ("list_item_close", "blockquote_close"):
            containers.pop()
        elif token.type == "html_block" and _is_comment(token):
            yield from _paths_in(_COMMENT.sub("", token.content))
        elif token.type == "inline":
            is_in_item = containers[-1:] == ["list_item_open"]
            if is_in_item:  # `marked` also has its text before markup is parsed, so with code
                yield from _paths_in(token.content)
            for text in _texts(token.children or ()):
                yield from _paths_in(text)


def _texts(children: Sequence[Token]) -> Iterator[str]:
    """Yield the texts between markup: "a ", " c" for ``a `b` c``. Some are ''."""
    text = ""
    for child in children:
        is_entity = child.info == "entity"
        is_backslash = child.type == "text_special" and child.content == child.markup
        if child.type == "text":
            text += child.content
        elif child.type == "softbreak":
            text += "\n"
        elif is_entity or is_backslash:  # a backslash that escapes nothing
            text += child.markup  # `marked` keeps both as they are written
        else:  # markup, an escape such as `\*` included
            yield text
            text = ""
    yield text


def _paths_in(text: str) -> Iterator[str]:
    """Yield what follows `@` and looks like a path: ``/…``, ``./…``, ``~/…`` or a plain name.

    A fragment such as ``#part`` is removed.
    """
    for match in _IMPORT.finditer(text):
        path = match[1].partition("#")[0].replace("\\ ", " ")
        if path == "/":  # the root, not a file
            continue
        if path.startswith(("./", "~/", "/")) or _NAME_START.match(path):
            yield path
