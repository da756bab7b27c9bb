"""The Python modules that commands run, and those that a project has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text_cache import TextCache
from agent_memory.lint.shared.shell_fences import START

if TYPE_CHECKING:
    from agent_memory.fs.listing import Listing
    from agent_memory.lint.project import Project

_RUN = lazy_compile(
    rf"{START}(?:python3?[ \t]+-m[ \t]+(?P<module>[a-z_]\w*(?:\.\w+)+)(?=[ \t]|\Z)"
    r"|(?:python3?[ \t]+-m[ \t]+)?(?:uvicorn|hypercorn|gunicorn|daphne)\b(?:[ \t]+[^\s;&|]+)*?"
    r"[ \t]+(?P<app>[a-z_]\w*(?:\.\w+)+):[a-z_])"
)
"""``python -m shop.load`` or ``uvicorn --reload shop.api:app``, also after ``uv run``.

The name of the module has a dot: one without may be that of an installed program (``pytest``).
"""
_PARTS = ("-m", "uvicorn", "hypercorn", "gunicorn", "daphne")
"""Parts of which :data:`_RUN` needs one: few commands have one, and compiling it takes 0.4 ms."""


@TextCache
def modules_in(text: str) -> tuple[tuple[str, int], ...]:
    """Return (dotted name, column) of each module that the command line ``text`` runs."""
    if not any(map(text.__contains__, _PARTS)):
        return ()
    modules = []
    for run in _RUN.finditer(text):
        group = "module" if run["module"] else "app"
        modules.append((run[group], run.start(group)))
    return tuple(modules)


def modules_beside(name: str, project: Project) -> frozenset[str] | None:
    """Return the dotted names of the modules in the innermost existing package of module ``name``.

    ``name`` is one of them if it exists. None: the project has no package of its first part, so
    that the module may be installed, or too many files to list.

    For ``shop.api.app``, they are the modules in ``shop/api``. If that folder has no Python files,
    they are those in ``shop``, of which none is ``name``.
    """
    listing = project.tree.listing
    if listing is None:
        return None
    parts = name.split(".")
    for end in range(len(parts) - 1, 0, -1):  # of "shop.api.app": shop/api, then shop
        folders = _folders_of_package("/".join(parts[:end]), listing)
        if folders:
            names = _names_in(folders, parts[end], listing)
            package = ".".join(parts[:end])
            return frozenset(f"{package}.{module}" for module in names)
    return None


def _names_in(folders: list[str], subfolder: str, listing: Listing) -> set[str]:
    """Return the names of the files in ``folders`` without extensions, as those of modules.

    ``subfolder`` is one of the names if one of ``folders`` has it: it may be a package.
    """
    files = (path for folder in folders for path in listing.files_of(folder))
    stems = {path.rpartition("/")[2].partition(".")[0] for path in files}
    names = stems - {"", "__init__"}
    if any(f"{folder}/{subfolder}" in listing.folders for folder in folders):
        names.add(subfolder)
    return names


def _folders_of_package(path: str, listing: Listing) -> list[str]:
    """Return the folders of the project that end with ``path`` and have Python files."""
    return [
        folder
        for folder in listing.ending(path)
        if any(file.endswith(".py") for file in listing.files_of(folder))
    ]
