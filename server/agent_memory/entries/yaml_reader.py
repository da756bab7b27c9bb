"""The YAML that entry files use: a quick reader for what is usual, and drover's way to write.

Scalars follow the core schema of YAML 1.2: ``yes`` and dates are text. What the quick reader
does not know (flow collections, quotes with escapes, anchors …) goes to ruamel.yaml, which is
loaded only then.
"""

from __future__ import annotations

import re
from typing import Any

_UNKNOWN = object()
_KEY = re.compile(r"([A-Za-z_][\w-]*):(?:[ \t]+([^ \t].*)|[ \t]*)\Z")
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
    """The text is not YAML, or repeats a key."""


def load_mapping(text: str) -> dict[str, Any]:
    r"""Read ``text`` (newlines are ``\n``) as a mapping of the YAML 1.2 core schema.

    Raises:
        YamlError: it is none.

    """
    quick = _quick(text)
    return _slow(text) if quick is None else quick


def resolve(plain: str) -> Any:
    """Return what an unquoted scalar means."""
    if plain in _WORDS:
        return _WORDS[plain]
    if plain[0] not in "0123456789+-.":
        return plain
    if _INT.match(plain):
        return int(plain)
    if _OTHER_INT.match(plain):
        return int(plain, 0)
    if _FLOAT.match(plain):
        return float(plain.replace(".inf", "inf").replace(".nan", "nan").lower())
    return plain


def _quick(text: str) -> dict[str, Any] | None:
    """Read keys with plain or quoted values and lists of them; None: there is more than that."""
    out: dict[str, Any] = {}
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        found = _KEY.match(lines[at])
        if not found:
            return None
        key, first = found[1], found[2]
        if key in out:
            raise YamlError(f"the key '{key}' is there twice")
        end = at + 1
        while end < len(lines) and (lines[end][:1] in (" ", "\t") or not lines[end]):
            end += 1
        value = _quick_value(first, lines[at + 1 : end])
        if value is _UNKNOWN:
            return None
        out[key] = value
        at = end
    return out


def _quick_value(first: str | None, more: list[str]) -> Any:
    if first is not None:
        return _quick_scalar(first, more, 0)
    items: list[list[str]] = []
    for line in more:
        if line.startswith("  - "):
            items.append([line[4:].lstrip(" \t")])
        elif items and (line.startswith("    ") or not line):
            items[-1].append(line)
        else:
            return _UNKNOWN
    values = [_quick_scalar(item[0], item[1:], 2) for item in items]
    return _UNKNOWN if _UNKNOWN in values else values or None


def _quick_scalar(first: str, more: list[str], base: int) -> Any:
    """Return the value of a scalar with the lines behind its first; ``base`` indents its parent."""
    text = _literal(first, more, base) if first[:1] == "|" else None
    if text is not None:
        return text
    joined = _joined_lines([first, *more])
    return _UNKNOWN if joined is None else resolve_quoted(joined)


def _literal(header: str, lines: list[str], base: int) -> str | None:
    """Return the text of a ``|`` block; None: its header or indentation is not the usual."""
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
    """Fold the lines of one scalar into one; None: it is neither plain nor quoted, or not shut."""
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
        shut = quote == '"' and (len(out) - len(out.rstrip("\\"))) % 2 == 1
        out = out[:-1] + "\n" * breaks if shut else _trimmed(out, quote) + ("\n" * breaks or " ")
        out += text
        breaks = 0
    return out


def _trimmed(text: str, quote: str) -> str:
    """Strip the white space before a line break, but for one behind a backslash."""
    out = text.rstrip(" \t")
    escaped = quote == '"' and (len(out) - len(out.rstrip("\\"))) % 2 == 1
    return text[: len(out) + 1] if escaped else out


def resolve_quoted(text: str) -> Any:
    """Return what a scalar means, from the form it is written in."""
    if text[:1] == "'":
        return text[1:-1].replace("''", "'")
    if text[:1] == '"':
        return _ESCAPE.sub(_unescaped, text[1:-1]) if "\\" in text else text[1:-1]
    return resolve(text)


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    if len(code) > 1:
        return chr(int(code[1:], 16))
    if code not in _ESCAPES:
        raise YamlError(f"unknown escape \\{code}")
    return _ESCAPES[code]


def _slow(text: str) -> dict[str, Any]:
    from ruamel.yaml import YAML  # noqa: PLC0415 -- costs 50 ms, and few files need it
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415

    try:
        node = YAML(typ="safe", pure=True).compose(text)
        value = _value(node)
    except (YAMLError, ValueError, RecursionError) as error:
        raise YamlError(str(error).split("\n", 1)[0]) from error
    if not isinstance(value, dict):
        raise YamlError("the front matter is no mapping of keys to values")
    return value


def _value(node: Any) -> Any:
    if node is None:
        return None
    if node.id == "scalar":
        return node.value if node.style else resolve(node.value)
    if node.id == "sequence":
        return [_value(item) for item in node.value]
    out: dict[Any, Any] = {}
    for key, value in node.value:
        name = _value(key)
        if isinstance(name, list | dict):
            raise YamlError("a key is a list or a mapping")
        if name in out:
            raise YamlError(f"the key '{name}' is there twice")
        out[name] = _value(value)
    return out
