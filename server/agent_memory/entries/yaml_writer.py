r"""Render strings as YAML scalars as drover does: npm's ``yaml`` 2 with its defaults.

A string is plain if it parses back unchanged, else double-quoted (single-quoted if it contains
double quotes). Several lines become a block (``|``, ``|-`` or ``|+``); everything else is folded at
80 columns. Widths count UTF-16 units, as JavaScript does.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.entries.yaml_reader import YamlError, load_mapping, resolve

WIDTH = 80
"""Columns of a line, in UTF-16 units."""
_BREAKS_FROM = 40
"""Units of a text in quotes from which on its newlines become line breaks, as in npm's ``yaml``."""
_NOT_PLAIN = lazy_compile(
    r"""^[\n\t ,\[\]{}#&*!|>'"%@`]|^[?-]\Z|^[?-][ \t]|[\n:][ \t]|[ \t]\n|[\n\t ]#|[\n\t :]\Z"""
)
"""What shows that a text without quotes would not parse back unchanged."""
_CONTROL = lazy_compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Control characters, except tab and newline: a text with one is written in double quotes."""
_NEVER_RAW = lazy_compile("[\x7f-\x9f\u2028\u2029\ufeff]")
"""Characters that JSON does not escape, but that must not be in a YAML text as they are."""
# YAML's short escapes, by the code of the character in hexadecimal.
_SHORT_ESCAPES = {
    "0000": "0", "0007": "a", "000b": "v", "001b": "e",
    "0085": "N", "00a0": "_", "2028": "L", "2029": "P",
}  # fmt: skip


class _Break(NamedTuple):
    """A line break in a folded text.

    ``inside_word``: it is after the unit at ``position``. Else it replaces the space there.
    """

    position: int
    inside_word: bool


def scalar(text: str, indent: str, at_start: int | None = None) -> str:
    """Return ``text`` as a YAML scalar; a lone surrogate becomes U+FFFD.

    ``indent`` is the prefix of continuation lines; ``at_start`` is the column at which the first
    line begins (None: it has the indentation of the others). Text in double quotes that would not
    parse back after folding is not folded.
    """
    units = _units(text)
    rendered = _joined(_scalar(units, indent, at_start))
    if rendered[0] == '"' and "\n" in rendered and not _parses_as(rendered, text):
        return quoted(text)
    return rendered


def quoted(text: str, _indent: str = "", _at_start: int = 0) -> str:
    """Return ``text`` as a double-quoted scalar on one line; a lone surrogate becomes U+FFFD.

    Line separators and control characters are escaped. The unused parameters are those of
    :func:`scalar`, so that either function can be passed.
    """
    return _on_one_line(_joined(_units(text)))


def _parses_as(rendered: str, text: str) -> bool:
    """Whether ``rendered`` parses as ``text``; drover's folding loses some blanks."""
    try:  # with a key below, as in an entry file
        return bool(load_mapping(f"key: {rendered}\nnext: 1\n")["key"] == text)
    except YamlError:
        return False


def _on_one_line(text: str) -> str:
    """Return ``text`` in double quotes on one line, however long."""
    quoted = json.dumps(text, ensure_ascii=False)
    return _NEVER_RAW.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)


def _scalar(text: str, indent: str, at_start: int | None) -> str:
    """Return ``text`` in the form that drover chooses: plain, quoted, or a block.

    ``indent`` and ``at_start``: see :func:`scalar`.
    """
    if _CONTROL.search(text):
        return _double(text, indent, at_start)
    if "\n" in text:
        return _block(text, indent, at_start)
    if _NOT_PLAIN.search(text) or not isinstance(resolve(text), str):  # such as "", "true" or "1"
        return _quoted(text, indent, at_start)
    return _folded(text, indent, at_start, in_double_quotes=False)


def _quoted(text: str, indent: str, at_start: int | None) -> str:
    """Return ``text`` in quotes: double, but single if it contains double and no single ones.

    Several lines are always in double quotes, because only these have an escape for a newline.
    ``indent`` and ``at_start``: see :func:`scalar`.
    """
    if '"' in text and "'" not in text:
        if "\n" in text:
            return _double(text, indent, at_start)
        return _folded(f"'{text}'", indent, at_start, in_double_quotes=False)
    return _double(text, indent, at_start)


def _double(text: str, indent: str, at_start: int | None) -> str:
    """Return ``text`` in double quotes, folded: its JSON form with YAML's escapes.

    ``indent`` and ``at_start``: see :func:`scalar`.
    """
    quoted = json.dumps(text, ensure_ascii=False)
    out, at = [], 0
    while at < len(quoted):
        if quoted.startswith(" \\n", at):
            out.append("\\ ")  # a space before a line break would be folded away
            at += 1
        if quoted[at] != "\\":
            out.append(quoted[at])
            at += 1
            continue
        length, replacement = _escape(quoted, at, indent)
        out.append(replacement)
        at += length
    return _folded("".join(out), indent, at_start, in_double_quotes=True)


def _escape(quoted: str, at: int, indent: str) -> tuple[int, str]:
    r"""Return the length in units of the JSON escape at ``at``, and its replacement in YAML.

    ``quoted`` is the JSON form of the whole text. In a long text (:data:`_BREAKS_FROM`), a ``\n``
    that is not at the end of the text becomes line breaks; see :func:`_line_breaks`.
    """
    kind = quoted[at + 1]
    if kind == "u":
        return len("\\u0000"), _code_escape(quoted[at + 2 : at + 6])
    is_at_end = quoted[at + 2] == '"'  # the closing quote: JSON escapes all others
    if kind != "n" or is_at_end or len(quoted) < _BREAKS_FROM:
        return 2, "\\" + kind
    return _line_breaks(quoted, at, indent)


def _code_escape(code: str) -> str:
    """Return the shortest escape in YAML of the character ``code``, four hexadecimal digits."""
    if code in _SHORT_ESCAPES:
        return "\\" + _SHORT_ESCAPES[code]
    return "\\x" + code[2:] if code.startswith("00") else "\\u" + code


def _line_breaks(quoted: str, at: int, indent: str) -> tuple[int, str]:
    r"""Return the length in units of the escapes ``\n`` from ``at`` on, and their line breaks.

    These are n + 1 for n newlines, because folding drops one; the next line begins with ``indent``.
    A ``\n`` at the end of the text is left out.
    """
    length, replacement = 2, "\n\n"
    while quoted[at + length : at + length + 2] == "\\n" and quoted[at + length + 2] != '"':
        replacement += "\n"
        length += 2
    replacement += indent
    if quoted[at + length] == " ":  # unescaped, it would count as indentation of the next line
        replacement += "\\"
    return length, replacement


def _block(text: str, indent: str, at_start: int | None) -> str:
    """Return several lines verbatim as a ``|`` block; unlike drover, long lines are not folded.

    The text is in quotes instead if its last line, or every line, has only spaces and tabs: a
    parser would read these as indentation. (Drover writes a block there.)
    ``indent`` and ``at_start``: see :func:`scalar`.
    """
    core = text.rstrip("\n\t ")
    last_line_is_blank = re.search(r"\n[\t ]+\Z", text)
    has_only_blanks = not core and text.strip("\n")
    if last_line_is_blank or has_only_blanks:
        return _quoted(text, indent, at_start)
    lead = core[: len(core) - len(core.lstrip(" \n"))]
    # A space at the start would count as indentation, unless the header states the indentation:
    # always 2, counted from the column of the parent.
    header = ("2" if " " in lead else "") + _chomping(core, text)
    body = text.removesuffix("\n")  # a line of a block ends with a newline anyway
    # The first line is indented below. Of the others, those that are not blank are indented.
    indented = re.sub(r"\n+(?!\n|\Z)", lambda newlines: newlines[0] + indent, body)
    return f"|{header}\n{indent}{indented}"


def _chomping(core: str, text: str) -> str:
    """Return the chomping indicator of ``text`` as a ``|`` block, by the newlines at its end.

    ``-`` for none, '' for one, ``+`` for several. A text of newlines only always has ``+``: else
    the parser would drop them. ``core`` is ``text`` without the blanks and newlines at its end.
    """
    newlines = text.count("\n", len(core))
    if not newlines:
        return "-"
    return "" if core and newlines == 1 else "+"


def _folded(text: str, indent: str, at_start: int | None, *, in_double_quotes: bool) -> str:
    """Return ``text``, broken at single spaces so that lines stay within :data:`WIDTH`.

    A line without such a space is broken inside a word if it is ``in_double_quotes``, where a
    backslash escapes the newline; else it stays longer.
    ``indent`` and ``at_start``: see :func:`scalar`.
    """
    # Units from one break to the next: a line, and the space that the break replaces.
    step = 1 + WIDTH - len(indent)
    if len(text) <= step:  # as in npm's `yaml`, even if the first line begins further right
        return text
    first_end = WIDTH - (len(indent) if at_start is None else at_start)
    out, start = "", 0
    for position, inside_word in _breaks(text, step, first_end, in_double_quotes):
        line = text[start : position + 1] + "\\" if inside_word else text[start:position]
        out += line + "\n" + indent
        start = position + 1
    return out + text[start:]


def _breaks(
    text: str,
    step: int,
    end: int,
    in_double_quotes: bool,  # noqa: FBT001
) -> list[_Break]:
    """Return the breaks of ``text``, in order.

    The first line must end before the position ``end``, each later one ``step`` units after the
    break above it. If it has no space to break at, only text ``in_double_quotes`` is broken.
    """
    breaks: list[_Break] = []
    space = 0  # the last space of this line at which it can break; 0: none
    escape = (-1, -1)  # first and last unit of the latest escape
    at = 0
    while at < len(text):
        first = at
        if in_double_quotes and text[at] == "\\":
            at += {"x": 3, "u": 5}.get(text[at + 1 : at + 2], 1)  # to the last unit of the escape
            escape = (first, at)
        if text[first] == "\n":  # `text` has line breaks of its own, with indentation
            end, space = first + 1 + WIDTH, 0
            at += 1
            continue
        if text[first] == " " and _is_between_words(text, first):
            space = first
        if at >= end and space:
            breaks.append(_Break(space, inside_word=False))
            end, space = space + step, 0
        elif at >= end and in_double_quotes:
            while text[at - 1] in " \t" and at < len(text) - 1:  # blanks may exceed the width
                at += 1
            position = _break_inside_word(text, at, escape)
            breaks.append(_Break(position, inside_word=True))
            end, space = position + step, 0
        at += 1
    return breaks


def _break_inside_word(text: str, at: int, escape: tuple[int, int]) -> int:
    """Return the unit after which the word at ``at`` is broken, so that a backslash fits.

    ``at`` is the first unit that is beyond the width, or the last unit of an escape that is.
    ``escape`` is the first and last unit of the latest escape.
    """
    first, last = escape
    # The backslash needs the column of the unit before `at`. An escape is not broken but moves to
    # the next line as a whole.
    position = at - 2 if at > last + 1 else first - 1
    if "\udc00" <= text[position + 1 : position + 2] <= "\udfff":
        position -= 1  # never between surrogates; JavaScript would split them
    return position


def _is_between_words(text: str, at: int) -> bool:
    """Whether neither a blank nor an end of ``text`` is next to the space at ``at``."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]  # '' at an end
    return before.strip(" \n\t") != "" and after.strip(" \n\t") != ""


def _units(text: str) -> str:
    """Return ``text`` with one character per UTF-16 unit."""
    if text.isascii() or max(text) <= "\uffff":  # each character is one unit
        return text
    raw = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(int.from_bytes(raw[at : at + 2], "little")) for at in range(0, len(raw), 2))


def _joined(units: str) -> str:
    """Return the text of which :func:`_units` returns ``units``; a lone surrogate gives U+FFFD."""
    if units.isascii():
        return units
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
