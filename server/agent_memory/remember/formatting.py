"""Formats a snippet as an item of a memory file: bullets for prose, a fence for code."""

from __future__ import annotations

import re
import textwrap
from dataclasses import replace
from typing import TYPE_CHECKING

from agent_memory.base.text import split_lines
from agent_memory.markdown.inline import without_open_blocks
from agent_memory.markdown.line_parser import width
from agent_memory.markdown.parser import scan
from agent_memory.remember.comment_text import comment_text
from agent_memory.remember.snippet import FormattedItem, is_code

if TYPE_CHECKING:
    from agent_memory.remember.snippet import Snippet

# The language after the fence, where it differs from the editor's language id.
_INFO = {"typescriptreact": "tsx", "javascriptreact": "jsx", "shellscript": "sh"}
_BATCH = frozenset({"bat", "batch", "dosbatch", ".bat", ".cmd"})
"""The language ids and the suffixes of batch files."""
_QUOTE = re.compile(r"\s*>[ \t]?")
"""The marker of a quote, with the white space before it and one space after it."""
_HEADING = r"#{2,6}\s+|#\s+(?!of\b)"  # "# of" means "the number of"
_LEAD = re.compile(rf"\A(?:>\s*|{_HEADING}|[-*+\u2022\u2013]\s+)+")
_LEAD_BELOW = re.compile(rf"\A(?:{_HEADING}|[-*+\u2022\u2013]\s+)+")  # there, ">" may be "greater"
_NUMBER = re.compile(r"\A\d{1,9}[.)]\s+")
"""The marker of a numbered item, such as ``1. ``."""
_SURROGATE = re.compile("[\ud800-\udfff]")  # lone surrogates have no UTF-8 encoding
_PUNCTUATION = ".!?"
"""The marks that can end a sentence."""
# An ellipsis counts as one: it is left if a comma or colon followed, as in "and so on...,".
_ABBREVIATION = re.compile(r"(?:\b(?:etc|e\.g|i\.e|vs|approx|no)|\.\.)\.\Z", re.IGNORECASE)


def format_snippet(snippet: Snippet, origin: str = "") -> FormattedItem:
    """Return ``snippet`` as an item; ``origin`` (``path:line``) is written above code.

    Code becomes a fence, but a selection that is only a comment becomes a bullet. Prose with a
    fence becomes a block: its common indentation is removed, and an open fence is closed. Other
    prose becomes bullets. An empty snippet, or ``.`` as prose or comment, gives an item without
    bullets and block.
    """
    selected = _clean(snippet.text)
    snippet = replace(snippet, text=selected)
    text = _dedented(selected.expandtabs(4))
    if not text.strip():
        return FormattedItem()
    if is_code(snippet):
        # All selected lines have comment markers, or they are a part of one comment.
        comment = comment_text(text, batch=_in_batch_file(snippet)) or _clean(snippet.comment)
        if comment.strip():
            sentence = _sentence(comment)
            return FormattedItem((sentence,) if sentence else ())
        return FormattedItem(block=_fenced(snippet, origin))
    text = _unquoted(text)
    if scan(split_lines(text)).fences:  # keep tabs: recipes of a Makefile need them
        return FormattedItem(block=_closed(_dedented(selected)))
    items, numbered = _selected_items(text)
    bullets = tuple(filter(None, map(_sentence, items)))
    return FormattedItem(bullets, numbered=numbered and len(bullets) > 1)


def encodable(text: str) -> str:
    """Return ``text`` with U+FFFD for lone surrogates, which an editor or a file name may have.

    It is for text that is saved. Answers to agents have escapes instead
    (:mod:`agent_memory.integrations.encodable`).
    """
    return _SURROGATE.sub("\ufffd", text)


def _clean(text: str) -> str:
    """Return ``text`` with U+FFFD for lone surrogates, and only LF newlines."""
    return encodable(text).replace("\r\n", "\n").replace("\r", "\n")


def _dedented(text: str) -> str:
    """Return ``text`` without common indentation, spaces at line ends, and outer blank lines.

    Blank lines between other lines stay.
    """
    text = textwrap.dedent(text).strip("\n")
    return "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")


def _closed(text: str) -> str:
    """Return ``text``; if its last comment or fence is not closed, with the closing marker.

    Else the lines below it in the file would become a part of the comment or fence.
    """
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


def _in_batch_file(snippet: Snippet) -> bool:
    """Whether ``snippet`` is from a batch file, where ``rem`` begins a comment."""
    suffix = snippet.origin.suffix.lower() if snippet.origin else ""
    return (snippet.language or suffix) in _BATCH


def _unquoted(text: str) -> str:
    """Return ``text`` without the quote markers that all of its lines with text have.

    The lines ``> > a`` and ``> b`` lose one marker each: ``> a`` and ``b``.
    """
    quoted = [(line, _ends_of_quotes(line)) for line in text.split("\n")]
    depths = [len(ends) - 1 for line, ends in quoted if line[ends[-1] :].strip()]
    deepest = max(len(ends) for _, ends in quoted) - 1
    common = min(depths, default=deepest)  # without any text, all markers are removed
    if not common:
        return text
    # A line without text may have fewer markers than `common`.
    unquoted = (line[ends[min(common, len(ends) - 1)] :] for line, ends in quoted)
    return _dedented("\n".join(unquoted))


def _ends_of_quotes(line: str) -> list[int]:
    """Return 0 and the offset after each quote marker at the start: ``> > a`` gives [0, 2, 4]."""
    ends = [0]
    while marker := _QUOTE.match(line, ends[-1]):
        ends.append(marker.end())
    return ends


def _selected_items(text: str) -> tuple[list[str], bool]:
    """Return the items of the selected list ``text``, and True if several items are all numbered.

    Only items at the left margin count; indented items are part of the one above. The numbers of
    several items are removed, their bullets are not (:func:`_sentence` does that): ``- a`` and
    ``1. b`` give ``["- a", "b"], False``. The number of a single item stays, because it may be a
    date or a year. Text that does not begin with a list is one item.
    """
    markdown = scan(split_lines(text))
    top = [item for item in markdown.items if item.indent == 0]
    if not top or top[0].line != 0:
        return [text], False
    lines = text.split("\n")
    starts = [item.line for item in top]
    ends = [*starts[1:], len(lines)]
    texts = ["\n".join(lines[start:end]) for start, end in zip(starts, ends, strict=True)]
    if len(texts) == 1:
        return texts, False
    numbered = all(item.marker[0].isdigit() for item in top)
    return [_NUMBER.sub("", item) for item in texts], numbered


def _sentence(text: str) -> str:
    """Return ``text`` on one line, without the markers of lists and headings at the start of lines.

    ``- Use uv,`` and ``  not pip.`` on the next line give ``Use uv, not pip``: the period of a
    single sentence is removed. It stays after an abbreviation, and ``!`` and ``?`` stay. A comma,
    semicolon or colon at the end is removed, and an unclosed comment or fence is escaped. ``.``
    gives ''.
    """
    first, *below = (line.strip() for line in text.strip().split("\n"))
    lines = [_LEAD.sub("", first), *(_LEAD_BELOW.sub("", line) for line in below)]
    # Joined, also a marker that is alone on the first line has a space after it: it is removed now.
    line = _LEAD.sub("", " ".join(" ".join(lines).split()))
    line = _without_repeated_marks(line).rstrip(" ,;:")
    is_single = not re.search(r"[.!?]\s", line)
    if is_single and line.endswith(".") and not _ABBREVIATION.search(line):
        line = line[:-1]
    return without_open_blocks(line)


def _without_repeated_marks(line: str) -> str:
    """Return ``line`` with only the first of several punctuation marks at its end.

    ``Really ?!`` gives ``Really ?``: a space before the mark stays.
    """
    if not line.endswith(tuple(_PUNCTUATION)):
        return line
    body = line.rstrip(_PUNCTUATION + " ")
    marks = line[len(body) :]
    spaces = len(marks) - len(marks.lstrip())
    return body + marks[: spaces + 1]


def _fenced(snippet: Snippet, origin: str) -> str:
    """Return the code of ``snippet`` in a fence, below the line with its ``origin`` ('': no line).

    The fence is longer than any run of backticks in the code, which would close it.
    """
    code = textwrap.dedent(snippet.text.strip("\n")).rstrip()
    longest = max((len(run) for run in re.findall(r"`{3,}", code)), default=2)
    fence = "`" * (longest + 1)  # at least three
    info = _INFO.get(snippet.language, snippet.language)
    if not info and snippet.origin:
        info = snippet.origin.suffix.lstrip(".")
    head = f"`{origin}`\n\n" if origin else ""
    return encodable(f"{head}{fence}{info}\n{code}\n{fence}")
