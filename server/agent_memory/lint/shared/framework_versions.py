"""The versions of npm packages that a project declares, and those that a text names."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text_cache import TextCache
from agent_memory.formats.json_parser import parse_json
from agent_memory.formats.limits import FormatError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_memory.fs.reader import FileText
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_PACKAGES = {
    "angular": ("@angular/core",),
    "astro": ("astro",),
    "electron": ("electron",),
    "eslint": ("eslint",),
    "expo": ("expo",),
    "express": ("express",),
    "jest": ("jest",),
    "nestjs": ("@nestjs/core",),
    "next.js": ("next",),
    "nuxt": ("nuxt",),
    "prisma": ("prisma", "@prisma/client"),
    "react": ("react",),
    "react router": ("react-router", "react-router-dom"),
    "react-router": ("react-router", "react-router-dom"),
    "svelte": ("svelte",),
    "sveltekit": ("@sveltejs/kit",),
    "tailwind": ("tailwindcss",),
    "tailwind css": ("tailwindcss",),
    "tailwindcss": ("tailwindcss",),
    "typescript": ("typescript",),
    "vite": ("vite",),
    "vitest": ("vitest",),
    "vue": ("vue",),
    "zod": ("zod",),
}
"""By the name that people write, in lower case: the npm packages."""
_NAMED = lazy_compile(
    r"(?<![\w.-])(?<!Design )(?<!Native )(?<!TypeScript )(?P<name>Angular|Astro|Electron|ESLint"
    r"|Expo|Express|Jest|NestJS|Next\.js|Nuxt|Prisma|React(?: Router)?|react-router|Svelte(?:Kit)?"
    r"|Tailwind(?: ?CSS)?|TypeScript|Vite(?:st)?|Vue|Zod)\*{0,2} v?"
    r"(?P<version>[1-9]\d?(?:\.\d{1,3}){0,2})(?:\.x){0,2}(?P<more>\+)?(?![\w%.-]*\w)"
)
_FROM = lazy_compile(r"(?<![\d.])(\d+)(?:\.|\Z|\s|-)")
_ONE = lazy_compile(r"[\^~]?(\d+(?:\.\d+){1,2})\Z")
"""A range with one lower bound of at least two numbers: ``^15.5.12``, ``~5.9.0``, ``4.1.0``."""
_FIELDS = ("dependencies", "devDependencies", "peerDependencies")
_MANIFESTS_MAX = 200
"""Manifests of a project; with more, its frameworks are not checked."""


class Named(NamedTuple):
    """A framework with a version in a line; ``start`` and ``end`` are the columns of the version.

    ``is_least``: the text says that later versions are right too (``18+``).
    """

    name: str
    version: tuple[int, ...]
    start: int
    end: int
    is_least: bool


class Declared(NamedTuple):
    """What a manifest says of a package: its range, and the major versions that are in it.

    ``oldest`` is the oldest version of a range such as ``^15.5.12``, () for other forms.
    """

    package: str
    text: str
    majors: frozenset[int]
    oldest: tuple[int, ...]


@TextCache
def named_frameworks(line: str) -> tuple[Named, ...]:
    """Return the frameworks that ``line`` names with a version."""
    return tuple(
        Named(
            found["name"].lower(),
            numbers(found["version"]),
            *found.span("version"),
            is_least=bool(found["more"]),
        )
        for found in _NAMED.finditer(line)
    )


def numbers(version: str) -> tuple[int, ...]:
    """Return the numbers of a version such as ``15.1``."""
    return tuple(map(int, version.split(".")))


def declared(name: str, file: MemoryFile, project: Project) -> Declared | None:
    """Return what the nearest package.json above ``file`` declares of the framework ``name``.

    Without one, what all others of the project agree on. None if it is not known.
    """
    packages = _PACKAGES[name]
    folder = project.below_root(file.path)
    while folder is not None:
        found = _declared_in(posixpath.normpath(posixpath.join(folder, "package.json")), project)
        for package in packages:
            if package in found:
                return found[package]
        folder = None if folder in ("", ".") else posixpath.dirname(folder) or "."
    every = file.memo.once(_of_project, project)
    some = [found[package] for found in every for package in packages if package in found]
    same = some and all(one.majors == some[0].majors for one in some)
    return some[0] if same else None


def _of_project(project: Project) -> list[Mapping[str, Declared]]:
    """Return what each package.json of the project declares; [] if there are too many."""
    listing = project.tree.listing
    paths = listing.by_name.get("package.json", []) if listing else []
    if len(paths) > _MANIFESTS_MAX:
        return []
    return [_declared_in(path, project) for path in paths]


def _declared_in(path: str, project: Project) -> Mapping[str, Declared]:
    """Return {package: what the package.json ``path`` declares}; {} if it cannot be read."""
    if not project.tree.has(path):
        return {}
    content = project.ctx.store.read(project.tree.root / path)
    return content.once(_parsed_manifest, content) if content.ok else {}


def _parsed_manifest(content: FileText) -> Mapping[str, Declared]:
    """Return {package: its declaration} for the frameworks in a package.json; {} if invalid.

    Versions that are not a range of numbers (``workspace:*``, an address) are left out.
    """
    try:
        manifest = parse_json(content.text)
    except FormatError:
        return {}
    if not isinstance(manifest, dict):
        return {}
    wanted = {package for packages in _PACKAGES.values() for package in packages}
    tables = [table for field in _FIELDS if isinstance(table := manifest.get(field), dict)]
    ranges = [item for table in tables for item in table.items()]  # (package, range)
    return {
        package: Declared(package, text, frozenset(map(int, _FROM.findall(text))), _oldest(text))
        for package, text in ranges
        if package in wanted and isinstance(text, str) and text[:1] in "^~>=0123456789"
    }


def _oldest(text: str) -> tuple[int, ...]:
    """Return the lower bound of the range ``text``, () if :data:`_ONE` does not match it."""
    found = _ONE.match(text)
    return numbers(found[1]) if found else ()
