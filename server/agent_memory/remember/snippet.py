"""A selected snippet as the tidy thing that is filed: bullets for prose, a fence for code."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.base.model import Scope
from agent_memory.base.text import split_lines
from agent_memory.markdown.inline import without_markup
from agent_memory.markdown.line_parser import width
from agent_memory.markdown.parser import scan
from agent_memory.remember.comment_text import said_in

if TYPE_CHECKING:
    from pathlib import Path

# VS Code says "plaintext" and "git-commit" where Vim and Emacs say "text" and "gitcommit".
PROSE = frozenset(
    {"", "markdown", "plaintext", "text", "fundamental", "restructuredtext", "rst", "asciidoc"}
    | {"latex", "tex", "git-commit", "gitcommit", "mail", "org", "prompt"}
)
_PROSE_SUFFIXES = frozenset({".md", ".markdown", ".txt", ".rst", ".adoc", ".tex", ""})
_INFO = {"typescriptreact": "tsx", "javascriptreact": "jsx", "shellscript": "sh"}
_BATCH = frozenset({"bat", "batch", "dosbatch", ".bat", ".cmd"})
_QUOTE = re.compile(r"\A\s*>[ \t]?")
_HEADING = r"#{2,6}\s+|#\s+(?!of\b)"  # "# of" says: the number of
_LEAD = re.compile(rf"\A(?:>\s*|{_HEADING}|[-*+\u2022\u2013]\s+)+")
_LEAD_BELOW = re.compile(rf"\A(?:{_HEADING}|[-*+\u2022\u2013]\s+)+")
_NUMBER = re.compile(r"\A\d{1,9}[.)]\s+")
_HALF = re.compile("[\ud800-\udfff]")  # half a character, which cannot be written
_NOISE = re.compile(r"[\s,;:]+\Z")
_REPEATED = re.compile(r"([.!?])(?:\s*[.!?])+\Z")
_ABBREVIATION = re.compile(r"(?:\b(?:etc|e\.g|i\.e|vs|approx|no)|\.\.)\.\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Snippet:
    """Text to be filed.

    ``origin`` is the file it was selected in, ``line`` and ``end_line`` its first and last line
    there (from 0), ``language`` the editor's language id.
    """

    text: str
    origin: Path | None = None
    line: int | None = None
    end_line: int | None = None
    language: str = ""


@dataclass(frozen=True, slots=True)
class FormattedItem:
    r"""What is filed: ``bullets``, each one line of prose, or a ``block`` of lines, with ``\n``."""

    bullets: tuple[str, ...] = ()
    block: str = ""

    @property
    def text(self) -> str:
        """The item as it would be written with ``-`` bullets."""
        return self.block or "\n".join(f"- {bullet}" for bullet in self.bullets)


def tidy(snippet: Snippet, place: str = "") -> FormattedItem:
    """Return ``snippet`` as an item; ``place`` (``path:line``) is named above code.

    An empty snippet gives an item without bullets and block.
    """
    selected = _HALF.sub("\ufffd", snippet.text).replace("\r\n", "\n").replace("\r", "\n")
    text = _dedented(selected.expandtabs(4))
    if not text.strip():
        return FormattedItem()
    if is_code(snippet):
        comment = said_in(text, batch=_in_batch(snippet))
        return (
            FormattedItem((_sentence(comment),))
            if comment
            else FormattedItem(block=_fenced(snippet, place))
        )
    text = _unquoted(text)
    if scan(split_lines(text)).fences:
        return FormattedItem(
            block=_closed(_dedented(selected))
        )  # a recipe of a Makefile needs its tabs
    bullets = tuple(filter(None, map(_sentence, _items(text))))
    return FormattedItem(bullets)


def origin_of(snippet: Snippet, root: Path | None, home: Path, scope: Scope) -> str:
    """Return ``path:line`` of where ``snippet`` comes from, '' where that is not known.

    In project memory the path is relative to the project; elsewhere ``~`` stands for the home.
    """
    path = snippet.origin
    if path is None:
        return ""
    if root and scope is Scope.PROJECT and path.is_relative_to(root):
        shown = path.relative_to(root).as_posix()
    elif path.is_relative_to(home):
        shown = f"~/{path.relative_to(home).as_posix()}"
    else:
        shown = path.as_posix()
    if snippet.line is None:
        return shown
    last = snippet.line if snippet.end_line is None else snippet.end_line
    return f"{shown}:{snippet.line + 1}" + (f"-{last + 1}" if last > snippet.line else "")


def is_code(snippet: Snippet) -> bool:
    """Whether it was selected in a program, by the editor's language or the file's name."""
    if snippet.language:
        return snippet.language not in PROSE
    return snippet.origin is not None and snippet.origin.suffix.lower() not in _PROSE_SUFFIXES


def _dedented(text: str) -> str:
    text = textwrap.dedent(text).strip("\n")
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")


def _closed(text: str) -> str:
    """Close what ``text`` leaves open: it would go on over what follows in the file."""
    lines = split_lines(text)
    markdown = scan(lines)
    if markdown.comments and not markdown.comments[-1].closed:
        return f"{text} -->"
    if not markdown.fences or markdown.fences[-1].close is not None:
        return text
    fence = markdown.fences[-1]
    line = lines[fence.open]
    indent = " " * width(line, line.index(fence.marker))
    return f"{text}\n{indent}{fence.marker}"


def _in_batch(snippet: Snippet) -> bool:
    suffix = snippet.origin.suffix.lower() if snippet.origin else ""
    return (snippet.language or suffix) in _BATCH


def _unquoted(text: str) -> str:
    """Return ``text`` without the marks of the quotes that all of it stands in."""
    while all(map(_QUOTE.match, filter(str.strip, text.split("\n")))):
        text = _dedented("\n".join(_QUOTE.sub("", line) for line in text.split("\n")))
        if not text:
            break
    return text


def _items(text: str) -> list[str]:
    """Split a selected list into its top items; other text is one.

    A number goes where it counts items: alone it may be a date or a year.
    """
    markdown = scan(split_lines(text))
    top = [item for item in markdown.items if item.indent == 0]
    if not top or top[0].line != 0:
        return [text]
    lines = text.split("\n")
    starts = [item.line for item in top]
    ends = [*starts[1:], len(lines)]
    found = ["\n".join(lines[start:end]) for start, end in zip(starts, ends, strict=True)]
    return [_NUMBER.sub("", item) for item in found] if len(found) > 1 else found


def _sentence(text: str) -> str:
    """Join the lines of ``text`` and strip markers and noise at both ends."""
    first, *more = (line.strip() for line in text.strip().split("\n"))
    lines = [_LEAD.sub("", first), *(_LEAD_BELOW.sub("", line) for line in more)]
    line = _LEAD.sub("", " ".join(" ".join(lines).split()))
    line = _NOISE.sub("", _REPEATED.sub(r"\1", line))
    one = not re.search(r"[.!?]\s", line)
    if one and line.endswith(".") and not _ABBREVIATION.search(line):
        line = line[:-1]
    return without_markup(line)


def _fenced(snippet: Snippet, place: str) -> str:
    code = snippet.text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    code = textwrap.dedent(code).rstrip()
    longest = max((len(run) for run in re.findall(r"`{3,}", code)), default=2)
    fence = "`" * (longest + 1)
    info = _INFO.get(snippet.language, snippet.language)
    if not info and snippet.origin:
        info = snippet.origin.suffix.lstrip(".")
    head = f"`{place}`\n\n" if place else ""
    return f"{head}{fence}{info}\n{code}\n{fence}"
