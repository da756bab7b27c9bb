"""Parse the YAML of entry files: a small parser for the usual forms, ruamel.yaml for the rest.

Scalars follow the YAML 1.2 core schema: ``yes`` and dates are text. The small parser takes 20 µs
for an entry where ruamel.yaml takes 1.6 ms. It hands flow collections, anchors, comments and
tags over to ruamel.yaml, which is imported only then.
"""

from __future__ import annotations

import re
import sys
from typing import Any

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.formats import yaml_limits
from agent_memory.formats.limits import MAX_DIGITS, FormatError
from agent_memory.l10n import t

_UNSUPPORTED = object()
"""Stands for a value of a form that the small parser leaves to ruamel.yaml."""
_KEY = lazy_compile(r"([A-Za-z_][\w-]*):(?:[ \t]+([^ \t].*)|[ \t]*)\Z")
"""A line with a key in the first column, and the text after its colon, if any."""
_ONE_LINE = lazy_compile(r"[^\W_][^:#]*\Z")
"""A plain scalar for certain: it begins with a letter or digit, no ``:`` or ``#`` can end it."""
_NOT_PLAIN = lazy_compile(r"^[,\[\]{}#&*!|>'\"%@`]|^[-?:](?:[ \t]|\Z)|:(?:[ \t]|\Z)|[ \t]#")
"""What shows that an unquoted text is not a plain scalar."""
_HEADER = lazy_compile(r"\|([1-9]?)([-+]?)[ \t]*\Z")
"""The first line of a ``|`` block: its indentation, and whether newlines at its end are dropped
(``-``) or preserved (``+``)."""
_ESCAPE = lazy_compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
"""An escape in double quotes: a code point in hexadecimal, or a character of ``_ESCAPES``."""
# The short escapes in double quotes, such as \n, and the character of each.
_ESCAPES = dict(
    zip('0abtnvfre "/\\N_LP\t', '\0\a\b\t\n\v\f\r\x1b "/\\\x85\xa0\u2028\u2029\t', strict=True)
)
_CLOSED = {
    '"': lazy_compile(r'"(?:[^"\\]|\\.)*"\Z', re.DOTALL),
    "'": lazy_compile(r"'(?:[^']|'')*'\Z", re.DOTALL),
}
"""By the quote: a whole scalar in such quotes."""
_INT = lazy_compile(r"[-+]?[0-9]+\Z")
"""A decimal integer."""
_OTHER_INT = lazy_compile(r"0o[0-7]+\Z|0x[0-9a-fA-F]+\Z")
"""An octal or hexadecimal number."""
_FLOAT = lazy_compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z"
    r"|[-+]?\.(?:inf|Inf|INF)\Z|\.(?:nan|NaN|NAN)\Z"
)
"""A number with a fraction or an exponent, an infinite one (``.inf``), or ``.nan``."""
_STAND_INS = {0: 0xFDD0, 0x85: 0xFDD1, 0x2028: 0xFDD2, 0x2029: 0xFDD3}
"""Characters that end the text or a line for ruamel.yaml, and the noncharacters that it gets."""
_ORIGINALS = {stand_in: code for code, stand_in in _STAND_INS.items()}
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
"""The plain scalars that are not text, and the value of each."""


class YamlError(ValueError):
    """The text is not YAML, not a mapping, repeats a key or exceeds a limit."""


def load_mapping(text: str, first_line: int = 0) -> dict[str, Any]:
    r"""Return the mapping in ``text`` (newlines are ``\n``), by the YAML 1.2 core schema.

    ``first_line`` is the line of its file on which ``text`` begins, from 0: it is added to the
    line in the message of an exceeded limit.

    Raises:
        YamlError: it is not a YAML mapping with unique keys, or exceeds a limit.

    """
    try:
        yaml_limits.ensure_size(text)
        simple = _parse_simple(text)
        return _parse_with_ruamel(text) if simple is None else simple
    except FormatError as error:
        raise YamlError(str(error.moved(first_line))) from error


def key_lines(text: str) -> list[int]:
    """Return the line, from 0, on which each key of the mapping ``text`` begins, in order.

    [] for a mapping in braces, or one that is indented. :func:`load_mapping` must accept ``text``.
    This takes 1.6 ms: it uses ruamel.yaml.
    """
    mapping = _composer().compose(text.translate(_STAND_INS))
    if mapping.flow_style or text[: mapping.start_mark.index].endswith(" "):
        return []
    return [text.count("\n", 0, key.start_mark.index) for key, _ in mapping.value]


def resolve(plain: str) -> Any:
    """Return the value of an unquoted scalar: text, a number, a boolean or None."""
    if plain in _WORDS:
        return _WORDS[plain]
    if plain[0] not in "0123456789+-.":  # most scalars: a number begins with one of these
        return plain
    if _INT.match(plain) or _OTHER_INT.match(plain):
        if len(plain) > MAX_DIGITS:  # infinite, as in JavaScript
            return float("-inf" if plain[0] == "-" else "inf")
        return int(plain) if _INT.match(plain) else int(plain, 0)  # 0: by the prefix 0o or 0x
    if _FLOAT.match(plain):
        return float(plain.lower().replace(".inf", "inf").replace(".nan", "nan"))
    return plain


def _parse_simple(text: str) -> dict[str, Any] | None:
    """Return the mapping ``text``; None if it has other values than scalars and lists of these.

    None is no error: ruamel.yaml parses such a text, or one with a comment.

    Raises:
        YamlError: a key is repeated, or an escape is unknown.

    """
    out: dict[str, Any] = {}
    lines = text.split("\n")
    start = 0  # the line of the next key
    while start < len(lines):
        key_line = _KEY.match(lines[start])
        if not key_line:
            return None
        key, after_colon = key_line[1], key_line[2]
        if key in out:
            raise YamlError(f"duplicate key '{key}'")
        end = start + 1  # the line after the value, which has all indented and blank lines
        while end < len(lines) and (lines[end][:1] in (" ", "\t") or not lines[end]):
            end += 1
        if end == start + 1 and after_colon and _ONE_LINE.match(after_colon):
            out[key] = resolve(after_colon.rstrip(" \t"))  # most values: this saves a call
        else:
            out[key] = value = _simple_value(after_colon, lines[start + 1 : end])
            if value is _UNSUPPORTED:
                return None
        start = end
    return out


def _simple_value(after_colon: str | None, following: list[str]) -> Any:
    """Return the value of a key; ``_UNSUPPORTED`` unless it is a scalar or list of usual form.

    ``after_colon`` is the text after the colon (None if it is missing), ``following`` are the
    further lines of the value. A key without any text has the value None.
    """
    if after_colon is not None:
        return _simple_scalar(after_colon, following, 0)
    items: list[list[str]] = []  # the lines of each item
    for line in following:
        if line.startswith("  - "):  # the indentation that drover writes
            items.append([line[4:].lstrip(" \t")])
        elif items and (line.startswith("    ") or not line):
            items[-1].append(line)
        else:
            return _UNSUPPORTED
    values = [_simple_scalar(item[0], item[1:], 2) for item in items]
    if _UNSUPPORTED in values:
        return _UNSUPPORTED
    return values or None  # without items: the key has no text


def _simple_scalar(first: str, following: list[str], parent_indent: int) -> Any:
    """Return the value of a scalar; ``_UNSUPPORTED`` for one of unusual form and for other values.

    ``first`` is its first line without indentation, ``following`` are its further lines.
    ``parent_indent`` is the column of the key or list item to which the scalar belongs.
    """
    if not following and _ONE_LINE.match(first):
        return resolve(first.rstrip(" \t"))
    if first[:1] == "|":
        text = _literal_block(first, following, parent_indent)
        return _UNSUPPORTED if text is None else text
    joined = _joined_lines([first, *following])
    return _UNSUPPORTED if joined is None else _value_of_scalar(joined)


def _literal_block(header: str, lines: list[str], parent_indent: int) -> str | None:
    """Return the text of a ``|`` block; None if its header or indentation is unusual.

    ``header`` is ``|``, ``|-``, ``|2+`` and so on. ``parent_indent``: see :func:`_simple_scalar`.
    """
    match = _HEADER.match(header)
    if not match:
        return None
    explicit_indent, chomping = match[1], match[2]
    filled = [line for line in lines if line.strip(" ")]
    if not filled:  # each line ends with a newline, and only + preserves them
        return "\n" * len(lines) if chomping == "+" else ""
    first = filled[0]
    own_indent = len(first) - len(first.lstrip(" "))
    indent = parent_indent + int(explicit_indent) if explicit_indent else own_indent
    if any(line[:indent].strip(" ") for line in filled):  # one line is indented less
        return None
    text = "\n".join(line[indent:] for line in lines)
    without_newlines = text.rstrip("\n")
    if chomping == "-":
        return without_newlines
    return text + "\n" if chomping == "+" else without_newlines + "\n"


def _joined_lines(lines: list[str]) -> str | None:
    """Return the ``lines`` of a value folded into one text, with its quotes if it has any.

    None if the value is neither a plain scalar nor one in quotes that end with it.
    """
    quote = lines[0][0] if lines[0][:1] in _CLOSED else ""
    text = lines[0] if len(lines) == 1 else _fold(lines, quote)
    text = text.rstrip(" \t")
    if quote:
        return text if _CLOSED[quote].match(text) else None
    if not text or _NOT_PLAIN.search(text):
        return None
    return text


def _fold(lines: list[str], quote: str) -> str:
    """Return ``lines`` as YAML folds them; ``quote`` is '' for a plain scalar.

    A newline becomes a space, n blank lines become n newlines.
    """
    out, blank_lines = lines[0], 0
    for line in lines[1:]:
        text = line.lstrip(" \t")
        if not text:
            blank_lines += 1
            continue
        if quote == '"' and _ends_with_backslash(out):  # an escaped newline
            out = out[:-1] + "\n" * blank_lines
        else:
            out = _without_trailing_blanks(out, quote) + ("\n" * blank_lines or " ")
        out += text
        blank_lines = 0
    return out


def _without_trailing_blanks(text: str, quote: str) -> str:
    """Return ``text`` without the blanks at its end, except one that is escaped.

    ``quote`` is the quote around ``text``: only in double quotes, a backslash escapes a blank.
    """
    out = text.rstrip(" \t")
    return text[: len(out) + 1] if quote == '"' and _ends_with_backslash(out) else out


def _ends_with_backslash(text: str) -> bool:
    """Whether ``text`` ends with a backslash that is not escaped itself."""
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1


def _value_of_scalar(text: str) -> Any:
    """Return the value of a scalar, quoted or plain."""
    if text[:1] == "'":
        return text[1:-1].replace("''", "'")
    if text[:1] == '"':
        return _ESCAPE.sub(_unescaped, text[1:-1]) if "\\" in text else text[1:-1]
    return resolve(text)


def _unescaped(match: re.Match[str]) -> str:
    """Return the character of the escape ``match``, one of :data:`_ESCAPE`.

    After the backslash is a code point in hexadecimal (``u00e4``) or a key of :data:`_ESCAPES`
    (``n``).

    Raises:
        YamlError: there is no such code point or key.

    """
    code = match[1]
    is_hexadecimal = len(code) > 1
    if is_hexadecimal and int(code[1:], 16) <= sys.maxunicode:
        return chr(int(code[1:], 16))
    if code not in _ESCAPES:
        raise YamlError(t("unknown escape \\{0}", code))
    return _ESCAPES[code]


def _parse_with_ruamel(text: str) -> dict[str, Any]:
    """Return the mapping in the front matter ``text``, parsed by ruamel.yaml.

    Raises:
        YamlError: it is not valid, or not a mapping.
        FormatError: it exceeds a limit.

    """
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415 -- costs 50 ms, few files need it

    try:
        value = _value(_composer().compose(text.translate(_STAND_INS)), ())
    except YAMLError as error:
        raise YamlError(str(error).split("\n", 1)[0]) from error
    except (ArithmeticError, LookupError, TypeError, AttributeError) as error:
        raise YamlError(t("it cannot be parsed")) from error  # such as an escape out of range
    if not isinstance(value, dict):
        raise YamlError("the front matter is not a mapping")
    return value


def _composer() -> Any:
    """Return a YAML object of ruamel.yaml with the limits of this product."""
    from ruamel.yaml import YAML  # noqa: PLC0415 -- costs 50 ms, and few files need it
    from ruamel.yaml.composer import Composer  # noqa: PLC0415
    from ruamel.yaml.reader import Reader  # noqa: PLC0415
    from ruamel.yaml.scanner import Scanner  # noqa: PLC0415

    class Lenient(Reader):
        """A reader that accepts control characters, as npm's ``yaml`` does."""

        def check_printable(self, data: Any) -> None:
            """Accept all characters of ``data``: the method of ``Reader`` raises an error."""

    class Scanning(yaml_limits.BoundedScanner, Scanner):
        """A scanner with limits."""

    class Bounded(yaml_limits.BoundedComposer, Composer):
        """A composer with limits, which also accepts an anchor that is used again."""

        def __init__(self, loader: Any = None) -> None:
            super().__init__(loader)
            self.warn_double_anchors = False

    yaml = YAML(typ="safe", pure=True)
    yaml.Composer, yaml.Reader, yaml.Scanner = Bounded, Lenient, Scanning
    return yaml


def _value(node: Any, above: tuple[Any, ...]) -> Any:
    """Return the value of ruamel.yaml's ``node``, which is inside the nodes ``above``.

    ``node`` is None if the whole text is empty; then the value is None, too.

    Raises:
        YamlError: an alias contains itself, or a key is repeated or not a scalar.

    """
    if node is None:
        return None
    if node.id == "scalar":
        text = node.value.translate(_ORIGINALS)
        return text if node.style else resolve(text)  # a plain scalar has no style
    if node in above:
        raise YamlError(t("an alias contains itself (line {0})", node.start_mark.line + 1))
    above = (*above, node)
    if node.id == "sequence":
        return [_value(item, above) for item in node.value]
    out: dict[Any, Any] = {}
    for key, value in node.value:
        name = _value(key, above)
        if isinstance(name, list | dict):
            raise YamlError("a key is a list or a mapping")
        if name in out:
            raise YamlError(f"duplicate key '{name}'")
        out[name] = _value(value, above)
    return out
