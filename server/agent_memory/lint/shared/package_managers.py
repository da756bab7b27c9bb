"""The package managers whose commands a memory file has, and the one that a project uses."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text_cache import TextCache
from agent_memory.formats.json_parser import parse_json
from agent_memory.formats.limits import FormatError
from agent_memory.lint.shared.project_files import folders_up
from agent_memory.lint.shared.workspaces import belongs_to

if TYPE_CHECKING:
    from agent_memory.lint.project import Project

_CALL = lazy_compile(
    r"(?:\A|&&|;)[ \t]*(?:\$[ \t]+)?(?P<call>(?P<tool>npm|pnpm|yarn|bun|poetry)[ \t]+"
    r"(?:install|i|ci|add|run|sync|lock)\b)(?P<rest>(?:(?!&&)[^;|#>\n])*)"
)
"""A command at the start of a line or after ``&&`` or ``;``: ``npm install lodash``.

``rest`` ends at the next command, a redirection or a comment.
"""
_INSTALLS = frozenset({"install", "i", "ci", "add"})
"""Commands of a manager of Node that install packages."""
_ELSEWHERE = lazy_compile(
    r"(?:^|[ \t])(?:-g|-C|--global|--location|--prefix|--dir|--cwd|--no-save)\b"
)
"""Options of an installation in another folder, or outside of the project's dependencies."""
_LOCKS = {
    "npm": ("package-lock.json", "npm-shrinkwrap.json"),
    "yarn": ("yarn.lock",),
    "pnpm": ("pnpm-lock.yaml",),
    "bun": ("bun.lock", "bun.lockb"),
    "poetry": ("poetry.lock",),
    "uv": ("uv.lock",),
}
"""The lock files of each manager."""
_OF_NODE = ("npm", "yarn", "pnpm", "bun")
"""The package managers of Node."""


class Installation(NamedTuple):
    """A command of a package manager, also one of poetry that installs nothing (``poetry run``).

    ``start`` and ``end`` are the columns of the tool and the command. ``packages`` are the words
    after them, without options. ``is_plain``: it is ``install``, ``i`` or ``add`` without packages
    and options.
    """

    tool: str
    packages: tuple[str, ...]
    start: int
    end: int
    is_plain: bool


class Used(NamedTuple):
    """The package manager that a project uses, and the file that says so."""

    tool: str
    file: str


@TextCache
def installations_in(text: str) -> tuple[Installation, ...]:
    """Return the commands in ``text`` that depend on the package manager of the project.

    Of the managers of Node, only installations count: any of these managers can run a script. All
    commands of poetry count, because it runs programs of its own environment.
    """
    out = []
    for call in _CALL.finditer(text):
        words = call["rest"].split()
        _tool, command = call["call"].split()
        if call["tool"] != "poetry" and command not in _INSTALLS:
            continue  # `npm run build`
        if _ELSEWHERE.search(call["rest"]):
            continue  # `npm install -g`
        packages = tuple(word for word in words if not word.startswith("-"))
        is_plain = not words and command in ("install", "i", "add")
        out.append(Installation(call["tool"], packages, *call.span("call"), is_plain=is_plain))
    return tuple(out)


def used_instead(tool: str, folder: str, project: Project) -> Used | None:
    """Return the manager that the project uses in ``folder`` in place of ``tool``.

    None if the project uses ``tool`` in any folder, or if nothing says which manager it uses. Also
    None if only a folder above says so, and ``folder`` is not part of its workspace.
    """
    group = ("poetry", "uv") if tool == "poetry" else _OF_NODE
    for outer in folders_up(folder):
        used = _used_in(outer, group, project)
        if used is None:
            continue
        # The nearest folder with such files decides. '': they name several managers.
        if used.tool in ("", tool) or _is_used(tool, project):
            return None
        return used if belongs_to(folder, outer, project) else None
    return None


def _used_in(folder: str, group: tuple[str, ...], project: Project) -> Used | None:
    """Return the manager of ``group`` that the files of ``folder`` name.

    These are lock files and, for the managers of Node, package.json. None if they name no manager;
    ``Used("", "")`` if they name several.
    """
    names = project.ctx.store.names(project.tree.root / folder)
    found = [Used(tool, lock) for tool in group for lock in _LOCKS[tool] if lock in names]
    if "package.json" in names and group == _OF_NODE:
        declared = _declared(folder, project)
        if declared:
            found.append(Used(declared, "package.json"))
    if not found:
        return None
    tools = {used.tool for used in found}
    return found[0] if len(tools) == 1 else Used("", "")


def _declared(folder: str, project: Project) -> str:
    """Return the manager that the package.json of ``folder`` declares, '' if it declares none.

    The result is ``pnpm`` for ``"packageManager": "pnpm@10.1.0"``.
    """
    content = project.ctx.store.read(project.tree.root / folder / "package.json")
    try:
        manifest = parse_json(content.text) if content.ok else None
    except FormatError:
        return ""
    value = manifest.get("packageManager") if isinstance(manifest, dict) else None
    return value.partition("@")[0] if isinstance(value, str) else ""


def _is_used(tool: str, project: Project) -> bool:
    """Return whether the project uses ``tool`` in any folder.

    A folder has a lock file of ``tool``, or the root's .gitignore names one. For poetry, a
    pyproject.toml that mentions it is enough. Also True if the project has too many files to list.
    """
    listing = project.tree.listing
    if listing is None:  # unknown: report nothing
        return True
    ignored = project.ctx.store.read(project.tree.root / ".gitignore").text
    if any(lock in listing.by_name or lock in ignored for lock in _LOCKS[tool]):
        return True
    manifests = listing.by_name.get("pyproject.toml", ()) if tool == "poetry" else ()
    contents = (project.ctx.store.read(project.tree.root / path) for path in manifests)
    return any("poetry" in content.text for content in contents if content.ok)
