"""The versions of npm packages that a project declares, and those that a text names."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text_cache import text_cache
from agent_memory.formats.json_parser import parse_json
from agent_memory.formats.limits import FormatError
from agent_memory.lint.shared.project_files import folders_up

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_memory.fs.reader import FileText
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_MANAGERS = ("npm", "pnpm", "yarn", "bun")
"""Package managers; ``packageManager`` declares one with its version: ``pnpm@10.1.0``."""
_PACKAGES = {
    "angular": ("@angular/core",),
    "ant design": ("antd",),
    "astro": ("astro",),
    "axios": ("axios",),
    "biome": ("@biomejs/biome",),
    "capacitor": ("@capacitor/core",),
    "cypress": ("cypress",),
    "daisyui": ("daisyui",),
    "electron": ("electron",),
    "eslint": ("eslint",),
    "expo": ("expo",),
    "express": ("express",),
    "fastify": ("fastify",),
    "hono": ("hono",),
    "jest": ("jest",),
    "mantine": ("@mantine/core",),
    "mongoose": ("mongoose",),
    "msw": ("msw",),
    "nestjs": ("@nestjs/core",),
    "next.js": ("next",),
    "nuxt": ("nuxt",),
    "nx": ("nx",),
    "pinia": ("pinia",),
    "playwright": ("@playwright/test", "playwright"),
    "prettier": ("prettier",),
    "prisma": ("prisma", "@prisma/client"),
    "react hook form": ("react-hook-form",),
    "react query": ("@tanstack/react-query", "react-query"),
    "react router dom": ("react-router-dom", "react-router"),
    "react router": ("react-router", "react-router-dom"),
    "react": ("react",),
    "react-router": ("react-router", "react-router-dom"),
    "redux toolkit": ("@reduxjs/toolkit",),
    "rxjs": ("rxjs",),
    "storybook": ("storybook",),
    "svelte": ("svelte",),
    "sveltekit": ("@sveltejs/kit",),
    "tailwind css": ("tailwindcss",),
    "tailwind": ("tailwindcss",),
    "tailwindcss": ("tailwindcss",),
    "tanstack query": ("@tanstack/react-query", "@tanstack/vue-query", "@tanstack/svelte-query"),
    "tanstack router": ("@tanstack/react-router",),
    "turborepo": ("turbo",),
    "typescript eslint": (
        "typescript-eslint",
        "@typescript-eslint/eslint-plugin",
        "@typescript-eslint/parser",
    ),
    "typescript": ("typescript",),
    "typescript-eslint": (
        "typescript-eslint",
        "@typescript-eslint/eslint-plugin",
        "@typescript-eslint/parser",
    ),
    "vite": ("vite",),
    "vitest": ("vitest",),
    "vue router": ("vue-router",),
    "vue": ("vue",),
    "webpack": ("webpack",),
    "zod": ("zod",),
    "zustand": ("zustand",),
    **{name: (f"{name}@",) for name in _MANAGERS},
}
"""By the name that people write, in lower case: the npm packages."""
_NAMED = lazy_compile(
    r"(?<![\w.@/-])(?<!Design )(?<!Native )(?<!TypeScript )(?P<name>Angular|Ant Design|Astro|Axios"
    r"|Biome|Capacitor|Cypress|DaisyUI|Electron|ESLint|Expo|Express|Fastify|Hono|Jest|Mantine|Mongoose|MSW"
    r"|NestJS|Next\.js|Nuxt|Nx|Pinia|Playwright|Prettier|Prisma|React(?: Router(?: DOM)?"
    r"| Hook Form| Query)?|react-router|Redux Toolkit|RxJS|Storybook|Svelte(?:Kit)?"
    r"|Tailwind(?: ?CSS)?|TanStack (?:Query|Router)|Turborepo|TypeScript(?: ESLint)?"
    r"|typescript-eslint|Vite(?:st)?|Vue(?: Router)?|Webpack|Zod|Zustand|p?npm|Yarn|yarn|Bun)"
    r"\*{0,2} v?(?P<version>[1-9]\d?(?:\.\d{1,3}){0,2})(?:\.x){0,2}(?P<more>\+)?(?![\w%.-]*\w|>)"
)
_VERSION = lazy_compile(r" v?[1-9]\d?(?!\w)")
"""Part of every match of :data:`_NAMED`: a version and the space before it."""
_VERSION_OF = lazy_compile(r"([A-Za-z]+)\*{0,2} v?[1-9]\d?(?!\w)")
"""A version and the word before it."""
_LAST_WORDS = frozenset(re.split("[^a-z]", name)[-1] for name in _PACKAGES)
"""The last words of the names: ``query`` of ``react query``, ``js`` of ``next.js``."""
_RANGE_STARTS = tuple("^~>=0123456789")
_FROM = lazy_compile(r"(?<![\d.])(\d+)(?:\.|\Z|\s|-)")
"""The major version in each part of a range: 18 and 19 of ``^18.2.0 || ^19.0.0``."""
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

    ``file`` is the path of the manifest below the root.

    ``oldest`` is the oldest version of a range such as ``^15.5.12``, () for other forms.
    """

    file: str
    package: str
    text: str
    majors: frozenset[int]
    oldest: tuple[int, ...]


def _may_name(text: str) -> bool:
    """Return False for a text without a framework with its version: the prefilter."""
    if _VERSION.search(text) is None:
        return False
    return any(word.lower() in _LAST_WORDS for word in _VERSION_OF.findall(text))


@text_cache(_may_name)
def named_frameworks(line: str) -> tuple[Named, ...]:
    """Return the frameworks that ``line`` names with a version."""
    if not _may_name(line):
        return ()
    return tuple(
        Named(
            match["name"].lower(),
            numbers(match["version"]),
            *match.span("version"),
            is_least=bool(match["more"]),
        )
        for match in _NAMED.finditer(line)
    )


def numbers(version: str) -> tuple[int, ...]:
    """Return the numbers of a version such as ``15.1``."""
    return tuple(map(int, version.split(".")))


def declared(name: str, file: MemoryFile, project: Project, folder: str = "") -> list[Declared]:
    """Return what the nearest package.json above ``file`` declares of the framework ``name``.

    ``name`` is a key of :data:`_PACKAGES`. With ``folder``, it is the nearest one in or above that
    folder. If none above declares the framework, the result is what each package.json of the
    project declares; empty if none does.
    """
    packages = _PACKAGES[name]
    base = folder or project.below_root(file.path)
    folders = [] if base is None else folders_up(base)
    for outer in folders:
        path = posixpath.normpath(posixpath.join(outer, "package.json"))
        by_package = _declared_in(path, project)
        for package in packages:
            if package in by_package:
                return [by_package[package]]
    return [
        by_package[package]
        for by_package in file.memo.once(_of_project, project)
        for package in packages
        if package in by_package
    ]


def _of_project(project: Project) -> list[Mapping[str, Declared]]:
    """Return what each package.json of ``project`` declares, by package.

    Empty if there are too many, or too many files to list.
    """
    listing = project.tree.listing
    paths = listing.by_name.get("package.json", []) if listing else []
    if len(paths) > _MANIFESTS_MAX:
        return []
    return [_declared_in(path, project) for path in paths]


def _declared_in(path: str, project: Project) -> Mapping[str, Declared]:
    """Return what the package.json at ``path`` declares, by package; empty if it is missing."""
    if not project.tree.has(path):
        return {}
    content = project.ctx.store.read(project.tree.root / path)
    return content.once(_parsed, path, content) if content.ok else {}


def _parsed(path: str, content: FileText) -> Mapping[str, Declared]:
    """Return what a package.json declares, by package; empty if it is not valid.

    The package manager is ``pnpm@``, since a dependency may be called ``pnpm``. A range that is not
    a version, such as ``workspace:*`` or ``latest``, is left out.
    """
    try:
        manifest = parse_json(content.text)
    except FormatError:
        return {}
    values = manifest if isinstance(manifest, dict) else {}
    fields = [values.get(field) for field in _FIELDS]
    ranges = [item for field in fields if isinstance(field, dict) for item in field.items()]
    manager, _, release = str(values.get("packageManager", "")).partition("@")
    ranges.append((f"{manager}@", release.partition("+")[0]))  # without the hash after "+"
    frameworks = {package for packages in _PACKAGES.values() for package in packages}
    declarations = {}
    for package, text in ranges:
        is_range = isinstance(text, str) and text[:1] in _RANGE_STARTS
        if package in frameworks and is_range:
            majors = frozenset(map(int, _FROM.findall(text)))
            declarations[package] = Declared(path, package.rstrip("@"), text, majors, _oldest(text))
    return declarations


def _oldest(text: str) -> tuple[int, ...]:
    """Return the oldest version of a range such as ``^15.5.12``, () for other forms."""
    lower_bound = _ONE.match(text)
    return numbers(lower_bound[1]) if lower_bound else ()
