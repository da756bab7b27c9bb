"""The version of a Python package in the lock file next to pyproject.toml.

A TOML parser needs 140 ms per megabyte. So the packages are found by their headers (1 ms), and only
the header of the requested package is parsed. package-lock.json is not read: no profile of an npm
package depends on the version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.formats.limits import FormatError
from agent_memory.formats.toml_parser import parse_toml

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from agent_memory.config.context import Context

LOCK_FILES = ("uv.lock", "poetry.lock")
_HEADER = lazy_compile(r"(?m)^\[\[package\]\][ \t\r]*\n((?:[^\[\r\n].*\n?)+)")
"""A package and its first lines, up to a blank line or the next header."""
_NAME = lazy_compile(r'(?m)^name = "([^"\n]+)"')


def locked_version(ctx: Context, root: Path, package: str) -> str:
    """Return the version of ``package``, a normalized name, in the first lock file that has it.

    '' if no lock file has it, or if that file has several versions or no version of it.
    """
    for name in LOCK_FILES:
        if name in ctx.store.names(root):
            content = ctx.store.read(root / name)
            headers = content.once(_headers, content.text).get(package, ())
            if headers:  # there may be one per platform or Python version
                return _version(headers[0]) if len(headers) == 1 else ""
    return ""


def _headers(text: str) -> Mapping[str, Sequence[str]]:
    """Return the first lines of each package in the lock file ``text``, by its name.

    A package has several headers if the file has several versions of it. The text of a file that
    cannot be read is '', so it has no packages.
    """
    headers: dict[str, list[str]] = {}
    for package in _HEADER.finditer(text):
        name = _NAME.search(package[1])
        if name:
            headers.setdefault(name[1], []).append(package[1])
    return headers


def _version(header: str) -> str:
    """Return the version in the first lines of a package, '' if they have none."""
    try:
        version = parse_toml(header).get("version")
    except FormatError:
        return ""
    return version if isinstance(version, str) else ""
