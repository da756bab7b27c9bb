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
    runs = ((run, "module" if run["module"] else "app") for run in _RUN.finditer(text))
    return tuple((run[group], run.start(group)) for run, group in runs)


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
        folders = _packages("/".join(parts[:end]), listing)
        if folders:
            package, inner = ".".join(parts[:end]), parts[end]
            files = (path for folder in folders for path in listing.files_of(folder))
            stems = {path.rpartition("/")[2].partition(".")[0] for path in files}
            modules = {f"{package}.{stem}" for stem in stems if stem not in ("", "__init__")}
            # Of the packages inside it, only the one in ``name`` is added.
            if any(f"{folder}/{inner}" in listing.folders for folder in folders):
                modules.add(f"{package}.{inner}")
            return frozenset(modules)
    return None


def _packages(path: str, listing: Listing) -> list[str]:
    """Return the folders of the project that end with ``path`` and hold Python files."""
    return [
        folder
        for folder in listing.ending(path)
        if any(file.endswith(".py") for file in listing.files_of(folder))
    ]
