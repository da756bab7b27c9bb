"""Which version of a runtime is installed, and where: found on disk, never imported.

Search order: ``VIRTUAL_ENV``, the project's ``.venv``, the configured interpreter, the project's
``node_modules``.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from agent_memory.formats.json_parser import parse_json
from agent_memory.formats.limits import FormatError
from agent_memory.fs.reader import read_file
from agent_memory.l10n import t

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agent_memory.config.context import Context

MAX_JSON_BYTES = 1024 * 1024
"""A larger JSON file of a package is not read."""

Versions = tuple[str, str]
"""The first and the last version in which something was observed."""


class Installed(NamedTuple):
    """A package found on disk; ``found`` is the location in words.

    ``doubt`` is why the version is uncertain, '' if it is certain.
    """

    name: str
    version: str
    folder: Path  # site-packages, or the package's folder in node_modules
    found: str
    doubt: str = ""

    def __str__(self) -> str:
        return t("{0} {1} in {2}", self.name, self.version, self.found)


def release(version: str) -> tuple[int, ...]:
    """Return the numbers of ``version``, () if it is not a plain release such as 0.7.32."""
    if not re.fullmatch(r"\d{1,9}(\.\d{1,9})*", version):
        return ()
    return tuple(map(int, version.split(".")))


def within(version: str, versions: Versions) -> bool:
    """Whether ``version`` is a plain release in ``versions``, whose ends are included."""
    number = release(version)
    first, last = versions
    return bool(number) and release(first) <= number <= release(last)


def environments(ctx: Context, root: Path | None) -> Iterator[tuple[Path, str]]:
    """Yield (folder, location in words) of the Python environments that a runtime may be in.

    The folders may be missing.
    """
    active = ctx.env.get("VIRTUAL_ENV")
    if active:
        yield Path(active), "VIRTUAL_ENV"
    for base in _bases(ctx, root):
        yield base / ".venv", f"{base.name}/.venv"
    configured = ctx.settings.interpreter
    if configured:
        expanded = os.path.expanduser(configured)  # noqa: PTH111 -- Path's own may raise
        python = ctx.path_of("interpreter", expanded)  # {environment}/bin/python
        yield python.parent.parent, t("the configured interpreter")


def _bases(ctx: Context, root: Path | None) -> Sequence[Path]:
    """Return the folders to search: ``root`` if it is not None, and ``cwd``."""
    return tuple(dict.fromkeys(folder for folder in (root, ctx.cwd) if folder))


def find_package(ctx: Context, root: Path | None, name: str) -> Installed | None:
    """Return the first Python installation of distribution ``name``, None if not installed.

    In an editor the result is cached for a short time.
    """
    env, interpreter = ctx.env.get("VIRTUAL_ENV"), ctx.settings.interpreter
    key = ("distribution", name, root, ctx.cwd, env, interpreter)
    return ctx.programs.recent(key, lambda: _find_package(ctx, root, name))


def _find_package(ctx: Context, root: Path | None, name: str) -> Installed | None:
    """Return :func:`find_package` without its cache."""
    key = _normal(name)
    for environment, location in environments(ctx, root):
        for folder in site_packages(environment):
            records = _distributions(folder).get(key)
            if records:  # sorted: the newest version is the last one
                return Installed(name, _version(records[-1]), folder, location, _doubt(records))
    return None


def _doubt(records: Sequence[Path]) -> str:
    """Return why the version of a package is uncertain, '' if it is not.

    ``records`` are the folders of metadata of the package.
    """
    if len(records) > 1:
        versions = ", ".join(map(_version, records))
        return t("its metadata lists {0} versions: {1}", len(records), versions)
    if _is_editable(records[0]):
        return t("it is an editable installation, which is not read")
    return ""


def find_node_package(ctx: Context, root: Path | None, name: str) -> Installed | None:
    """Return the project's installation of npm package ``name``, None if not installed.

    A package.json without a version counts as not installed.
    """
    for base in _bases(ctx, root):
        folder = base / "node_modules" / name
        version = _json_table(folder / "package.json").get("version")
        if version is not None:
            return Installed(name, str(version), folder, f"{base.name}/node_modules")
    return None


def site_packages(prefix: Path) -> list[Path]:
    """Return the folders of packages of the environment ``prefix``, the most likely first.

    They are cached until ``prefix`` or its ``lib`` changes.
    """
    try:
        times = (prefix.stat().st_mtime_ns, (prefix / "lib").stat().st_mtime_ns)
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return _find_site_packages(prefix)
    cached = _site_packages_cache.get(prefix)
    if cached and cached[0] == times:
        return cached[1]
    folders = _find_site_packages(prefix)
    if folders:  # an environment that is still being created is not cached
        _site_packages_cache.pop(prefix, None)  # so that the new one is the last
        _site_packages_cache[prefix] = (times, folders)
        for old in list(_site_packages_cache)[:-_MAX_ENVIRONMENTS]:  # a copy, because of threads
            _site_packages_cache.pop(old, None)
    return folders


_site_packages_cache: dict[Path, tuple[tuple[int, int], list[Path]]] = {}
"""By environment, the oldest first: modification times of it and its ``lib`` in ns, and folders."""
_MAX_ENVIRONMENTS = 16
"""Environments whose package folders are cached."""


def _find_site_packages(prefix: Path) -> list[Path]:
    """Return :func:`site_packages` without its cache, [] if no folder exists.

    They are the folders in ``lib``, else those in ``lib64``, the newest Python first, else the one
    in ``Lib``, which Windows uses.
    """
    try:
        found = [*prefix.glob("lib/python3*/site-packages")]
        found = found or [*prefix.glob("lib64/python3*/site-packages")]
        if found:
            return sorted(found, key=_python_version, reverse=True)
        on_windows = prefix / "Lib" / "site-packages"
        return [on_windows] if on_windows.is_dir() else []
    except (OSError, ValueError):  # ValueError: a NUL in the name
        return []


def _python_version(folder: Path) -> tuple[int, ...]:
    """Return the version of Python for the sort: (3, 11) for ``…/python3.11/site-packages``.

    () if it is not a number.
    """
    return release(folder.parent.name.removeprefix("python"))


def distribution_version(folder: Path, name: str) -> str:
    """Return the newest version of distribution ``name`` in ``folder``, '' if it is missing.

    ``folder`` is one of :func:`site_packages`.
    """
    records = _distributions(folder).get(_normal(name))
    return _version(records[-1]) if records else ""


def _distributions(folder: Path) -> Mapping[str, list[Path]]:
    """Return :func:`_distributions_at` for the current time of ``folder``, {} if it is missing."""
    try:
        return _distributions_at(folder, folder.stat().st_mtime_ns)
    except OSError:
        return {}


@lru_cache(maxsize=16)
def _distributions_at(folder: Path, _mtime: int) -> Mapping[str, list[Path]]:
    """Return {normalized name: its ``*.dist-info`` folders}, the oldest version first.

    Versions that are not plain releases (``1.0rc1``) come before all others. Cached until
    ``_mtime``, the time of ``folder``, changes.
    """
    out: dict[str, list[Path]] = {}
    for info in folder.glob("*.dist-info"):
        if (info / "METADATA").is_file():  # an incomplete removal leaves folders without it
            name = info.name.removesuffix(".dist-info").rpartition("-")[0]
            out.setdefault(_normal(name), []).append(info)
    for records in out.values():
        records.sort(key=lambda info: (release(_version(info)), info.name))
    return out


def _version(info: Path) -> str:
    """Return the version in the name of ``info``: 0.7.6 for ``deepagents-0.7.6.dist-info``."""
    return info.name.removesuffix(".dist-info").rpartition("-")[2]


def _is_editable(info: Path) -> bool:
    """Whether the metadata ``info`` says "editable" (PEP 610): the code is in another folder."""
    about = _json_table(info / "direct_url.json").get("dir_info")
    return isinstance(about, dict) and bool(about.get("editable"))


def _json_table(path: Path) -> Mapping[str, Any]:
    """Return the object in the JSON file ``path``, {} if it cannot be read."""
    try:
        value = parse_json(read_file(path, cap=MAX_JSON_BYTES).text)
    except FormatError:
        return {}
    return value if isinstance(value, dict) else {}


def _normal(name: str) -> str:
    """Return the name of a distribution as PEP 503 normalizes it."""
    return re.sub(r"[-_.]+", "-", name).lower()
