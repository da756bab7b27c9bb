"""Which version of an agent's program is installed, and where: found on disk, never run.

Search order: the setting ``agents.ID.path``, PATH (symlinks are followed to the package), the
project's ``node_modules``.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.formats.json_parser import parse_json
from agent_memory.fs.reader import read_file
from agent_memory.l10n import t
from agent_memory.runtimes.installed import (
    MAX_JSON_BYTES,
    distribution_version,
    site_packages,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.config.context import Context

_RELEASE = lazy_compile(r"\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.-]+)?")
"""A version such as ``1.2.3`` or ``1.2.3-beta.1``."""
_PARENTS = 4
"""Folders above an executable that may be its package."""
_SUFFIXES = (".exe", ".cmd", "") if sys.platform == "win32" else ("",)
"""Ends of the name of an executable, the one that is tried first in front."""


class ProgramSpec(NamedTuple):
    """The program of the agent ``agent_id``: its command, '' for a library, and its package.

    The package is that of npm, or of Python if ``is_python``.
    """

    agent_id: str
    command: str
    package: str
    is_python: bool = False
    platforms: str = ""  # the start of the names of npm packages that have the native program

    @property
    def name(self) -> str:
        """The name of the program for people."""
        return self.command or self.package

    @property
    def key(self) -> str:
        """The key of the setting for the path of the program, such as ``agents.codex.path``."""
        return f"agents.{self.agent_id}.path"

    @property
    def field(self) -> str:
        """The name of the same setting as a field of ``Settings``, such as ``codex_path``."""
        return f"{self.agent_id.replace('-', '_')}_path"


class Program(NamedTuple):
    """A program found on disk; ``version`` is '' if it is not known.

    ``path`` is the file that is run, ``folder`` its npm package if it belongs to one (for Python
    the folder of all packages), ``found`` the location in words.
    """

    name: str
    version: str
    path: Path
    folder: Path | None
    found: str

    def __str__(self) -> str:
        return t("{0} {1} in {2}", self.name, self.version or "?", self.found)


def find_program(ctx: Context, root: Path | None, spec: ProgramSpec) -> Program | None:
    """Return the installed program that ``spec`` describes, None if it is not found.

    In an editor the result is cached for a short time.
    """
    path = ctx.env.get("PATH", "")
    key = (spec.agent_id, getattr(ctx.settings, spec.field), path, root, ctx.cwd)
    return ctx.programs.recent(key, lambda: _find(ctx, root, spec))


def configured_path(ctx: Context, spec: ProgramSpec) -> str:
    """Return the path in the setting for ``spec``, '' if it is not set; the path may be missing."""
    configured: str = getattr(ctx.settings, spec.field)
    if not configured:
        return ""
    path = os.path.expanduser(configured)  # noqa: PTH111 -- Path's own may raise
    return os.path.join(ctx.cwd, path)  # noqa: PTH118 -- a text, see `_candidates`


def _find(ctx: Context, root: Path | None, spec: ProgramSpec) -> Program | None:
    """Return :func:`find_program` without its cache."""
    for path, location in _candidates(ctx, root, spec):
        program = _program(path, spec, location)
        if program:
            return program
    return None


def _candidates(ctx: Context, root: Path | None, spec: ProgramSpec) -> Iterator[tuple[str, str]]:
    """Yield (path, location in words) for each path the program may have; most are missing.

    The paths are texts: a hundred ``Path`` objects would take 1 ms of the first check.
    """
    configured = configured_path(ctx, spec)
    if configured:
        yield configured, t("the setting `{0}`", spec.key)
    if spec.command:  # else it is a library, which is not on PATH
        for folder in filter(None, ctx.env.get("PATH", "").split(os.pathsep)):
            for suffix in _SUFFIXES:
                yield os.path.join(folder, f"{spec.command}{suffix}"), "PATH"  # noqa: PTH118
    if not spec.is_python:
        for base in dict.fromkeys((root or ctx.cwd, ctx.cwd)):
            yield f"{base}/node_modules/{spec.package}", f"{base.name}/node_modules"


def _program(path: str, spec: ProgramSpec, location: str) -> Program | None:
    """Return the program at ``path``, which is an executable or the folder of a package.

    None if ``path`` does not exist, or is a folder without the package of ``spec``. The version of
    an executable without a package is the one in its real path, such as ``tool/1.2.3/tool``; '' if
    the path has none.
    """
    try:
        if not os.path.exists(path):  # noqa: PTH110 -- most paths are missing
            return None
        real = Path(path).resolve()
        is_file = real.is_file()
    except (OSError, RuntimeError, ValueError):  # a symlink loop, a NUL in the name
        return None
    folders = list(real.parents)[:_PARENTS] if is_file else [real]
    for folder in folders:
        package, version = _package(folder, spec)
        if version:
            return Program(spec.name, version, real, package, location)
    if not is_file:
        return None
    versions = (part for part in reversed(real.parts) if _RELEASE.fullmatch(part))
    return Program(spec.name, next(versions, ""), real, None, location)


def _package(folder: Path, spec: ProgramSpec) -> tuple[Path, str]:
    """Return (folder, version) of the package of ``spec``; the version is '' if it is not found.

    For npm the folder is ``folder`` itself. For Python ``folder`` is an environment, and the
    returned folder is the one with all of its packages.
    """
    if not spec.is_python:
        return folder, _package_version(folder, spec)
    for packages in site_packages(folder):
        version = distribution_version(packages, spec.package)
        if version:
            return packages, version
    return folder, ""


def _package_version(folder: Path, spec: ProgramSpec) -> str:
    """Return the version of the npm package in ``folder``, '' if it is not that of ``spec``.

    A package of the program for a platform, such as ``@cline/cli-linux-x64``, counts as well.
    """
    try:
        manifest = parse_json(read_file(folder / "package.json", cap=MAX_JSON_BYTES).text)
        name = str(manifest["name"])
        is_platform = spec.platforms and name.startswith(spec.platforms)
        return str(manifest["version"]) if name == spec.package or is_platform else ""
    except (ValueError, KeyError, TypeError, RecursionError):  # missing, invalid or incomplete
        return ""
