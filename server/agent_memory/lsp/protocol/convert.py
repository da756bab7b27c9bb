"""Conversion between core values and LSP's JSON: paths, spans, findings.

All functions return plain dictionaries: typed objects cost 20 times as much to build, and
diagnostics are sent on every keystroke.
"""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from agent_memory.base.model import Severity
from agent_memory.base.text import Span, from_units, to_units

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lsprotocol import types

    from agent_memory.base.model import Finding
    from agent_memory.base.text import Encoding

SOURCE = "agent-memory"
_SEVERITY = {Severity.ERROR: 1, Severity.WARNING: 2, Severity.INFO: 3}  # DiagnosticSeverity
_UNNECESSARY = 1  # DiagnosticTag.Unnecessary
_DRIVE = re.compile("/[A-Za-z]:")  # the start of the path of a URI on Windows: "/C:"
_SHORT = 255
"""Characters of a path that is never too long."""


def to_path(uri: str) -> Path | None:
    """Return the absolute path of a ``file:`` URI.

    None for any other URI, for a relative path (on Windows also one without a drive), and for a
    name that the file system does not accept.
    """
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file":
        return None
    name = unquote(parts.path, errors="surrogateescape")
    if os.name == "nt":
        name = name[1:] if _DRIVE.match(name) else name  # "/C:/folder" is C:/folder
    if parts.netloc and parts.netloc != "localhost":  # a network share
        name = f"//{parts.netloc}{name}"
    if not name or "\0" in name or not _can_exist(name):
        return None
    path = Path(name)
    return path if path.is_absolute() else None


def _can_exist(name: str) -> bool:
    """Whether the file system accepts ``name``; False if it is too long or not encodable."""
    if len(name) <= _SHORT and name.isascii():  # most names, without a system call
        return True
    try:
        os.lstat(name)
    except OSError as error:  # a file that is missing or may not be read has a valid name
        return error.errno != errno.ENAMETOOLONG
    except ValueError:  # a lone surrogate
        return False
    return True


def real(path: Path) -> Path:
    """Return ``path`` with symlinks resolved; a symlink to itself stays.

    `Path.resolve` would raise an error for a symlink to itself, up to Python 3.12.
    """
    return Path(os.path.realpath(path))


def to_range(span: Span, lines: Sequence[str], encoding: Encoding) -> dict[str, Any]:
    """Return ``span`` of ``lines`` as an LSP range."""
    return {
        "start": _position(span.line, span.start, lines, encoding),
        "end": _position(span.end_line, span.end, lines, encoding),
    }


def range_json(value: types.Range) -> dict[str, Any]:
    """Return an LSP range as JSON."""
    return {
        end: {"line": position.line, "character": position.character}
        for end, position in (("start", value.start), ("end", value.end))
    }


def _position(line: int, column: int, lines: Sequence[str], encoding: Encoding) -> dict[str, int]:
    """Return the LSP position of ``column`` (code points) of ``line``.

    After a final newline it is the start of a line that ``lines`` do not have.
    """
    units = to_units(lines[line], column, encoding) if line < len(lines) else 0
    return {"line": line, "character": units}


def to_span(value: Any, lines: Sequence[str], encoding: Encoding) -> Span:
    """Return the span of ``value``, an LSP range as JSON, with both ends clamped to ``lines``.

    An end after the last line is column 0 of the line after it, which ``lines`` do not have.

    Raises:
        KeyError, TypeError: ``value`` is not a range.

    """
    bounds: list[int] = []  # line, start, end_line, end
    for end in ("start", "end"):
        line, units = value[end]["line"], value[end]["character"]
        if not (isinstance(line, int) and isinstance(units, int)):
            raise TypeError("a position's line or character is not a number")
        line = max(0, line)
        if line >= len(lines):
            bounds += [len(lines), 0]
        else:
            bounds += [line, from_units(lines[line], units, encoding)]
    return Span(*bounds)


def diagnostic(
    finding: Finding,
    lines: Sequence[str],
    encoding: Encoding,
    location: Location,
    page: str,
    *,
    advice: bool = True,
) -> dict[str, Any]:
    """Return ``finding`` as an LSP diagnostic.

    ``lines`` are those of its file. ``page`` is the address of its rule: editors link the code to
    it. ``location`` converts the related locations. Without ``advice``, the message is only the
    fact.
    """
    out: dict[str, Any] = {
        "range": to_range(finding.span, lines, encoding),
        "severity": _SEVERITY[finding.severity],
        "code": finding.code,
        "codeDescription": {"href": page},
        "source": SOURCE,
        "message": finding.message if advice else finding.fact,
        "data": {"name": finding.name, "fixable": bool(finding.fixes), **finding.data},
    }
    if finding.unnecessary:
        out["tags"] = [_UNNECESSARY]
    if finding.related:
        out["relatedInformation"] = [
            {"location": location(related.path, related.span), "message": related.message}
            for related in finding.related
        ]
    return out


if TYPE_CHECKING:
    Location = Callable[[Path, Span], dict[str, Any]]
    """Returns the LSP location of a span of a file."""
