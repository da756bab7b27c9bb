"""The versions of frameworks that a text names, and those that the manifests declare."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text_cache import text_cache
from agent_memory.lint.shared.framework_names import ECOSYSTEMS, NAMES
from agent_memory.lint.shared.manifest_versions import numbers
from agent_memory.lint.shared.project_files import folders_up

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agent_memory.fs.listing import Listing
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project
    from agent_memory.lint.shared.framework_names import Ecosystem
    from agent_memory.lint.shared.manifest_ranges import Range

_MODULE = r"[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:/[\w.-]+)+"
"""A module of Go by its path: ``sigs.k8s.io/external-dns``."""
_REPOSITORY = r"@?[a-z0-9-]+/[a-z0-9][\w.-]*"
"""A package of Composer or npm (``@acme/charts``), or a module of Go without ``github.com/``."""
_LABEL = r" \([A-Z0-9_]+\) -(?= v\d)"
"""What a generator of lists writes between a package and its version: ``vue (VUE) - v3``."""
_LATIN = "A-Za-z0-9_\u00c0-\u024f"
"""Letters and digits that belong to the same word as a number before them."""
_NUMBER = r"(?:[1-9]\d?|0(?=\.\d))"
"""The first number of a version. Of version 0, the second number is needed."""
_NAMED = lazy_compile(
    r"(?<![\w.@/-])(?<!Design )(?<!Native )(?<!TypeScript )"
    r"(?!`?\.NET`? [\d.]+\*{0,2} SDK)(?P<span>`)?(?P<name>"
    + "|".join(map(re.escape, sorted(NAMES, key=len, reverse=True)))
    + rf"|(?:{_MODULE}|{_REPOSITORY})(?=`?\*{{0,2}} v\d)|@?[a-z][\w./-]*(?={_LABEL}))"
    + rf"(?(span)`?)\*{{0,2}}(?:{_LABEL})? (?P<range>\^)?v?"
    + rf"(?P<version>{_NUMBER}(?:\.\d{{1,3}}){{0,2}})(?:\.x){{0,2}}(?P<more>\+)?"
    + rf"(?![{_LATIN}%.-]*[{_LATIN}]|>)"
)
"""A framework, a module or a package of a vendor, and its version after a space.

``**React** 19``, ``Vue 3.x`` and, with the group ``more``, ``Vite 5+``. The name does not begin
within a word or a path (``my-react 19``), but it may be alone in a code span: `` `acme/sails` v3``.
After *Design*, *Native* or *TypeScript*, a name is part of another one: *Ant Design Vue 4*.

There is no match if the version goes on in Latin letters or digits (``React 18-like``, ``Vue 3D``)
or with ``>``. Text in Chinese, Japanese or Korean may follow without a space.
The SDK of .NET, which builds for older versions too, does not match: *.NET 10 SDK*.
"""
_VERSION = lazy_compile(rf" \^?v?{_NUMBER}(?![{_LATIN}])")
"""Part of every match of :data:`_NAMED`: a version and the space before it."""
_VERSION_OF = lazy_compile(rf"([A-Za-z]+)`?\*{{0,2}} \^?v?{_NUMBER}(?![{_LATIN}])")
"""A version and the word before it."""
_LAST_WORDS = frozenset(re.split("[^a-z]", name.lower())[-1] for name in NAMES)
"""The last words of the names: ``query`` of ``react query``, ``js`` of ``next.js``.

A version is directly after one of them.
"""
_MODULE_VERSION = lazy_compile(r"(?:/[\w.-]+`?\*{0,2}|\) -) v\d")
"""The end of a module, a package or a label, and the version after it."""
FRAMEWORKS = {
    name.lower(): (ecosystem, ecosystem.frameworks[name]) for name, ecosystem in NAMES.items()
}
"""By the name of a framework in lower case: (its ecosystem, its packages)."""
_MANIFESTS_MAX = 200
"""Manifests of one ecosystem in a project; with more, only those above the memory file count."""


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
    """What a manifest says of a package; ``file`` is the path of the manifest below the root."""

    file: str
    package: str
    range: Range


def _may_name(text: str) -> bool:
    """Return whether ``text`` may have a framework and its version: the prefilter.

    Only False is certain.
    """
    if _VERSION.search(text) is None:
        return False
    if any(word.lower() in _LAST_WORDS for word in _VERSION_OF.findall(text)):
        return True
    return _MODULE_VERSION.search(text) is not None


@text_cache(_may_name)
def named_frameworks(line: str) -> tuple[Named, ...]:
    """Return the frameworks, modules and packages that ``line`` names with a version.

    Their names are in lower case.
    """
    if not _may_name(line):  # `text_cache` tests all lines at once; :data:`_NAMED` is slow on each
        return ()
    return tuple(
        Named(
            match["name"].lower(),
            stated_version(match),
            *match.span("version"),
            is_least=bool(match["more"]),
        )
        for match in _NAMED.finditer(line)
    )


def stated_version(match: re.Match[str]) -> tuple[int, ...]:
    """Return the first numbers that all versions of a range share.

    They are (18,) for ``^18.2``, (0, 8) for ``^0.8.1``, (5, 9) for ``~5.9.2`` and all numbers
    without a prefix. Groups of ``match`` are ``range``, the caret or the tilde, and ``version``.
    """
    version, prefix = numbers(match["version"]), match["range"]
    if not prefix:
        return version
    fixed = 1 if prefix == "^" and version[0] > 0 else 2
    return version[:fixed]


def declared(name: str, file: MemoryFile, project: Project, folder: str = "") -> list[Declared]:
    """Return what the nearest manifest declares of the framework ``name``, from ``folder`` up.

    ``folder`` '' is that of ``file``. ``name`` can also be that of a package, or of a module with
    or without its ``github.com/``. If no manifest from ``folder`` up declares the framework, the
    result is what each manifest of the project declares; empty if no manifest does.
    """
    framework = FRAMEWORKS.get(name.lower())
    if framework:
        return _declared_by(*framework, file, project, folder)
    for ecosystem in ECOSYSTEMS:  # `name` is that of a package or module: try each ecosystem
        names = (name, f"github.com/{name}") if "/" in name else (name,)
        declarations = _declared_by(ecosystem, names, file, project, folder)
        if declarations:
            return declarations
    return []


def _declared_by(
    ecosystem: Ecosystem,
    packages: tuple[str, ...],
    file: MemoryFile,
    project: Project,
    folder: str,
) -> list[Declared]:
    """Return what the manifests of ``ecosystem`` declare of ``packages`` (:func:`declared`).

    If the nearest manifest declares several of them, only the first one is returned.
    """
    base = folder or project.folder_from_root(file.path)
    folders = [] if base is None else folders_up(base)  # None: outside of the project
    for outer in folders:
        for manifest in ecosystem.manifests:  # no file is called `*.csproj`: never found here
            path = posixpath.normpath(posixpath.join(outer, manifest))
            nearest = next(_declarations(path, packages, project), None)
            if nearest:
                return [nearest]
    paths = file.memo.once(_manifests, project)[ecosystem.manifests]
    return [each for path in paths for each in _declarations(path, packages, project)]


def _manifests(project: Project) -> Mapping[tuple[str, ...], list[str]]:
    """Return {names of the manifests of an ecosystem: paths of these manifests in ``project``}.

    A list of more than ``_MANIFESTS_MAX`` paths is left empty. All lists are empty if the project
    has too many files to list.
    """
    listing = project.tree.listing
    if listing is None:
        return {manifests: [] for manifests, _ in ECOSYSTEMS}
    paths_of = {}
    for manifests, _ in ECOSYSTEMS:
        paths = [path for name in manifests for path in _files_called(name, listing)]
        paths_of[manifests] = paths if len(paths) <= _MANIFESTS_MAX else []
    return paths_of


def _files_called(name: str, listing: Listing) -> list[str]:
    """Return the paths of the files called ``name``; of ``*.csproj``, those with this ending."""
    if name.startswith("*"):
        return sorted(path for path in listing.files if path.endswith(name[1:]))
    return listing.by_name.get(name, [])


def _declarations(path: str, packages: tuple[str, ...], project: Project) -> Iterator[Declared]:
    """Yield what the manifest at ``path`` declares of ``packages``; nothing if it is unreadable."""
    if not project.tree.has(path):
        return
    content = project.ctx.store.read(project.tree.root / path)
    if not content.ok:
        return
    from agent_memory.lint.shared.manifest_ranges import ranges  # noqa: PLC0415 -- few files need it

    by_package: Mapping[str, Range] = content.once(ranges, posixpath.basename(path), content.text)
    for package in packages:
        if package in by_package:
            # The name of a package manager has an "@" at the end in ``by_package``: `pnpm@`.
            yield Declared(path, package.rstrip("@"), by_package[package])
