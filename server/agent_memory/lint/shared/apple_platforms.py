"""The oldest version of an Apple platform on which the apps of a project run."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.lint.shared.manifest_versions import PLATFORMS, Required, numbers
from agent_memory.lint.shared.project_files import folders_up

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_SETTINGS = {
    "IPHONEOS": "ios",
    "MACOSX": "macos",
    "TVOS": "tvos",
    "XROS": "visionos",
    "WATCHOS": "watchos",
}
"""The platform of a setting of Xcode, such as ``IPHONEOS_DEPLOYMENT_TARGET``."""
_SETTING = lazy_compile(r"\b([A-Z]+)_DEPLOYMENT_TARGET\b[^=\n]{0,40}= ?\"?(\d+(?:\.\d+)*)")
"""A setting in a project of Xcode or in an .xcconfig file, with its version."""
_PACKAGE = lazy_compile(
    r"\.(iOS|macOS|tvOS|visionOS|watchOS)\(\s*(?:\.v(\d+(?:_\d+)*)|\"(\d+(?:\.\d+)*)\")"
)
"""A platform of a Package.swift: ``.iOS(.v17)``, ``.macOS("14.2")``."""
_FILES_MAX = 20
"""Files of Xcode in a project that are read; with more, nothing is known."""


def oldest_platform(name: str, file: MemoryFile, project: Project) -> Required | None:
    """Return the oldest version of the platform ``name``, in lower case, that the apps run on.

    The nearest Package.swift above ``file`` says it, else all projects of Xcode with their
    .xcconfig files: the oldest version of all counts, since tests have targets too. None if
    neither does.
    """
    for folder in folders_up(project.folder_from_root(file.path) or "."):
        path = posixpath.normpath(posixpath.join(folder, "Package.swift"))
        if project.tree.has(path):
            return _oldest(path, _of_package(_text(path, project)), name)
    paths = _files_of_xcode(project)
    settings = [pair for path in paths for pair in _of_settings(_text(path, project))]
    return _oldest(paths[0], settings, name) if paths else None


def _files_of_xcode(project: Project) -> list[str]:
    """Return the projects of Xcode, then the .xcconfig files; [] for too many or no project."""
    listing = project.tree.listing
    projects = sorted(listing.by_name.get("project.pbxproj", ())) if listing else []
    if not projects or listing is None:
        return []
    found = [*projects, *sorted(path for path in listing.files if path.endswith(".xcconfig"))]
    return found if len(found) <= _FILES_MAX else []


def _text(path: str, project: Project) -> str:
    """Return the text of the file ``path``; '' if it cannot be read."""
    content = project.ctx.store.read(project.tree.root / path)
    return content.text if content.ok else ""


def _of_package(text: str) -> Iterator[tuple[str, str]]:
    """Yield (platform, version) for each platform of a Package.swift."""
    for name, symbol, written in _PACKAGE.findall(text):
        yield name.lower(), written or symbol.replace("_", ".")


def _of_settings(text: str) -> Iterator[tuple[str, str]]:
    """Yield (platform, version) for each setting in a file of Xcode."""
    for prefix, version in _SETTING.findall(text):
        if prefix in _SETTINGS:
            yield _SETTINGS[prefix], version


def _oldest(path: str, found: Iterable[tuple[str, str]], name: str) -> Required | None:
    """Return the oldest version of ``name`` in ``found``, that of the file ``path``, else None."""
    versions = [version for platform, version in found if platform == name]
    oldest = min(versions, key=numbers, default=None)
    label = next((each for each in PLATFORMS if each.lower() == name), name)
    return Required(path, f"{label} {oldest}", numbers(oldest)) if oldest else None
