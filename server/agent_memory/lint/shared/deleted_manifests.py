"""The file that defined a command, such as a Makefile, and that git deleted."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from agent_memory.lint.shared.project_files import folders_up
from agent_memory.lint.shared.runners import just, make, taskfile

if TYPE_CHECKING:
    from agent_memory.fs.listing import Listing
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_MANIFESTS = {
    "composer": ("composer.json",),
    "just": just.FILES,
    "make": make.FILES,
    "npm": ("package.json",),
    "task": taskfile.FILES,
}
"""By the tool of a command: the names of the files that define its scripts, tasks or targets."""
_GENERATORS = frozenset({"cmakelists.txt", "configure", "configure.ac", "extconf.rb"})
"""Names, in lower case, of files from which a tool creates a Makefile."""


def deleted_manifest(tool: str, file: MemoryFile, project: Project) -> str | None:
    """Return the path of the file that defined the commands of ``tool`` until git deleted it.

    It was in the folder of ``file`` or above. None without one, if git ignores it, so that a
    program may create it, and if another file of the project may define the commands.
    """
    names, base = _MANIFESTS.get(tool, ()), project.folder_from_root(file.path)
    deleted, listing = project.tree.deleted.files, project.tree.listing
    if not deleted or listing is None or any(map(listing.by_name.get, names)):
        return None
    paths = (
        posixpath.normpath(posixpath.join(folder, name))
        for folder in folders_up(base or ".")
        for name in names
    )
    path = next((each for each in paths if each in deleted), None)
    if path is None or project.tree.ignored.covers(path):
        return None
    return None if tool == "make" and _may_define_targets(listing) else path


def _may_define_targets(listing: Listing) -> bool:
    """Return whether a file may be a Makefile of another name, or one to create a Makefile from."""
    return any(
        name.startswith(("makefile", "gnumakefile")) or name.endswith(".mk") or name in _GENERATORS
        for name in listing.by_folded_name
    )
