"""Parse the YAML of entry files: a small parser for the usual forms, ruamel.yaml for the rest.

Scalars follow the YAML 1.2 core schema: ``yes`` and dates are text. The small parser takes 20 µs
for an entry where ruamel.yaml takes 1.6 ms. It hands flow collections, anchors, comments and
tags over to ruamel.yaml, which is imported only then.
"""

from __future__ import annotations

import re
from typing import Any

_UNSUPPORTED = object()
_KEY = re.compile(r"([A-Za-z_][\w-]*):(?:[ \t]+([^ \t].*)|[ \t]*)\Z")
_ONE_LINE = re.compile(r"[^\W_][^:#]*\Z")
"""A plain scalar for certain: no indicator can follow."""
_NOT_PLAIN = re.compile(r"^[,\[\]{}#&*!|>'\"%@`]|^[-?:](?:[ \t]|\Z)|:(?:[ \t]|\Z)|[ \t]#")
_HEADER = re.compile(r"\|([1-9]?)([-+]?)[ \t]*\Z")
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_ESCAPES = dict(
    zip('0abtnvfre "/\\N_LP\t', '\0\a\b\t\n\v\f\r\x1b "/\\\x85\xa0\u2028\u2029\t', strict=True)
)
_CLOSED = {
    '"': re.compile(r'"(?:[^"\\]|\\.)*"\Z', re.DOTALL),
    "'": re.compile(r"'(?:[^']|'')*'\Z", re.DOTALL),
}
_INT = re.compile(r"[-+]?[0-9]+\Z")
_OTHER_INT = re.compile(r"0o[0-7]+\Z|0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z"
    r"|[-+]?\.(?:inf|Inf|INF)\Z|\.(?:nan|NaN|NAN)\Z"
)
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


class YamlError(ValueError):
    """The text is not YAML, not a mapping, or repeats a key."""


def load_mapping(text: str) -> dict[str, Any]:
    r"""Return the mapping in ``text`` (newlines are ``\n``), by the YAML 1.2 core schema.

    Raises:
        YamlError: it is not a YAML mapping with unique keys.

    """
    simple = _parse_simple(text)
    return _parse_with_ruamel(text) if simple is None else simple


def resolve(plain: str) -> Any:
    """Return the value of an unquoted scalar."""
    if plain in _WORDS:
        return _WORDS[plain]
    if plain[0] not in "0123456789+-.":
        return plain
    try:
        if _INT.match(plain):
            return int(plain)
        if _OTHER_INT.match(plain):
            return int(plain, 0)
    except ValueError as error:  # over Python's limit of digits
        raise YamlError(str(error)) from error
    if _FLOAT.match(plain):
        return float(plain.replace(".inf", "inf").replace(".nan", "nan").lower())
    return plain


def _parse_simple(text: str) -> dict[str, Any] | None:
    """Return a mapping of scalars and lists of scalars; None: ``text`` has other forms."""
    out: dict[str, Any] = {}
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        found = _KEY.match(lines[at])
        if not found:
            return None
        key, first = found[1], found[2]
        if key in out:
            raise YamlError(f"duplicate key '{key}'")
        end = at + 1
        while end < len(lines) and (lines[end][:1] in (" ", "\t") or not lines[end]):
            end += 1
        if end == at + 1 and first and _ONE_LINE.match(first):
            out[key] = resolve(first.rstrip(" \t"))
        else:
            out[key] = value = _simple_value(first, lines[at + 1 : end])
            if value is _UNSUPPORTED:
                return None
        at = end
    return out


def _simple_value(first: str | None, more: list[str]) -> Any:
    if first is not None:
        return _simple_scalar(first, more, 0)
    items: list[list[str]] = []
    for line in more:
        if line.startswith("  - "):
            items.append([line[4:].lstrip(" \t")])
        elif items and (line.startswith("    ") or not line):
            items[-1].append(line)
        else:
            return _UNSUPPORTED
    values = [_simple_scalar(item[0], item[1:], 2) for item in items]
    return _UNSUPPORTED if _UNSUPPORTED in values else values or None


def _simple_scalar(first: str, more: list[str], base: int) -> Any:
    """Return the value of a scalar: ``first`` line, ``more`` lines, ``base`` parent indentation."""
    if not more and _ONE_LINE.match(first):
        return resolve(first.rstrip(" \t"))
    text = _literal_block(first, more, base) if first[:1] == "|" else None
    if text is not None:
        return text
    joined = _joined_lines([first, *more])
    return _UNSUPPORTED if joined is None else _resolve_quoted(joined)


def _literal_block(header: str, lines: list[str], base: int) -> str | None:
    """Return the text of a ``|`` block; None if its header or indentation is unusual."""
    match = _HEADER.match(header)
    filled = [line for line in lines if line.strip(" ")]
    if not match or not filled:
        return None
    first = filled[0]
    indent = base + int(match[1]) if match[1] else len(first) - len(first.lstrip(" "))
    if any(line[:indent].strip(" ") for line in filled):
        return None
    text = "\n".join(line[indent:] for line in lines)
    core = text.rstrip("\n")
    if match[2] == "-":
        return core
    return text + "\n" if match[2] else core + "\n"


def _joined_lines(lines: list[str]) -> str | None:
    """Return the lines of one scalar folded into one; None if not plain and not a closed quote."""
    quote = lines[0][0] if lines[0][:1] in _CLOSED else ""
    out = lines[0] if len(lines) == 1 else _fold(lines, quote)
    out = out.rstrip(" \t")
    if quote:
        return out if _CLOSED[quote].match(out) else None
    return None if not out or _NOT_PLAIN.search(out) else out


def _fold(lines: list[str], quote: str) -> str:
    out, breaks = lines[0], 0
    for line in lines[1:]:
        text = line.lstrip(" \t")
        if not text:
            breaks += 1
            continue
        if quote == '"' and _ends_with_backslash(out):  # an escaped newline
            out = out[:-1] + "\n" * breaks
        else:
            out = _without_trailing_blanks(out, quote) + ("\n" * breaks or " ")
        out += text
        breaks = 0
    return out


def _without_trailing_blanks(text: str, quote: str) -> str:
    """Return ``text`` without the blanks before its newline; an escaped blank stays."""
    out = text.rstrip(" \t")
    return text[: len(out) + 1] if quote == '"' and _ends_with_backslash(out) else out


def _ends_with_backslash(text: str) -> bool:
    """Whether ``text`` ends with a backslash that is not escaped itself."""
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1


def _resolve_quoted(text: str) -> Any:
    """Return the value of a scalar, quoted or plain."""
    if text[:1] == "'":
        return text[1:-1].replace("''", "'")
    if text[:1] == '"':
        return _ESCAPE.sub(_unescaped, text[1:-1]) if "\\" in text else text[1:-1]
    return resolve(text)


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    if len(code) > 1 and int(code[1:], 16) <= 0x10FFFF:
        return chr(int(code[1:], 16))
    if code not in _ESCAPES:
        raise YamlError(f"unknown escape \\{code}")
    return _ESCAPES[code]


def _parse_with_ruamel(text: str) -> dict[str, Any]:
    from ruamel.yaml import YAML  # noqa: PLC0415 -- costs 50 ms, and few files need it
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415

    try:
        value = _value(YAML(typ="safe", pure=True).compose(text), {})
    except (YAMLError, ValueError, RecursionError) as error:
        raise YamlError(str(error).split("\n", 1)[0]) from error
    if not isinstance(value, dict):
        raise YamlError("the front matter is not a mapping")
    return value


def _value(node: Any, known: dict[Any, Any]) -> Any:
    """Return the value of ``node``. ``known`` holds lists and mappings, so an alias costs nothing.

    Without it, a few lines of nested aliases would expand to gigabytes.
    """
    if node is None:
        return None
    if node.id == "scalar":
        return node.value if node.style else resolve(node.value)
    if node not in known:
        known[node] = _collection(node, known)
    return known[node]


def _collection(node: Any, known: dict[Any, Any]) -> Any:
    if node.id == "sequence":
        return [_value(item, known) for item in node.value]
    out: dict[Any, Any] = {}
    for key, value in node.value:
        name = _value(key, known)
        if isinstance(name, list | dict):
            raise YamlError("a key is a list or a mapping")
        if name in out:
            raise YamlError(f"duplicate key '{name}'")
        out[name] = _value(value, known)
    return out
