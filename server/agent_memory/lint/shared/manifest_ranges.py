"""The ranges of versions that manifests declare for packages, in the notation of each.

In npm and composer, ``^1.2`` is 1.2 and later of version 1, and ``~1.2.3`` 1.2.3 and later of 1.2.
The same are ``~> 1.2`` and ``~> 1.2.3`` of RubyGems and Hex, and ``~=1.2`` and ``~=1.2.3`` of
Python (PEP 440). Cargo reads ``1.2`` as ``^1.2``. For version 0, ``^0.8`` is only 0.8.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.formats.json_parser import parse_json
from agent_memory.formats.limits import FormatError
from agent_memory.formats.toml_parser import parse_toml
from agent_memory.lint.shared.manifest_versions import numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Rows = Iterator[tuple[str, str, str]]
    """A package, its range as it is written, and the same in the notation of npm."""

_STARTS = tuple("^~>=<0123456789")
"""What a range begins with. Other values are words, such as ``latest``."""
_FROM = lazy_compile(r"(?<![\d.])(\d+)(?:\.|\Z|\s|-|\|)")
"""The major version in each part of a range: 18 and 19 of ``^18.2.0 || ^19.0.0``.

It is a number that is not after a dot, with a dot, a separator or the end of the range after it.
"""
_ONE = lazy_compile(r"[\^~]?(\d+(?:\.\d+){1,2})\Z")
"""A range with one lower bound of at least two numbers: ``^15.5.12``, ``~5.9.0``, ``4.1.0``."""
_MINOR = 2
"""Numbers of a version without a patch: ``1.2``."""
_PIN = lazy_compile(r"(~>|~=|~|==|=)?\s*v?(\d+(?:\.\d+)*)\Z")
"""A range with one bound in any notation."""
_REQUIREMENT = lazy_compile(r"\s*([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*([<>=~!][^;#]*)?")
"""A line of requirements.txt or a dependency of pyproject.toml (PEP 508): ``rich[jupyter]>=13.7``.

The groups are the package and its range, None if it has none.
"""
_HEX = lazy_compile(r"\{:(\w+),\s*\"([^\"]+)\"")
"""``{:phoenix, "~> 1.7"``, a dependency in mix.exs."""
_GEM = lazy_compile(r"^\s*gem\s+[\"']([\w-]+)[\"']\s*,\s*[\"']([^\"']+)[\"']", re.MULTILINE)
"""``gem "rails", "~> 7.1"`` in a Gemfile."""
_LOCKED_GEM = lazy_compile(r"^ {4}([\w-]+) \((\d[\d.]*)\)$", re.MULTILINE)
"""``rails (7.1.2)`` in a Gemfile.lock, where the dependencies of a gem have a larger indent."""
_MODULE = lazy_compile(
    r"^(?:require )?\s*([\w.-]+/[\w./-]+?)(?:/v\d+)? (v\d+[\d.]*)$", re.MULTILINE
)
"""A module that the project itself requires: a line without ``// indirect``.

The groups are ``github.com/labstack/echo`` and ``v4.12.0`` of ``github.com/labstack/echo/v4
v4.12.0``.
"""
_TARGET = lazy_compile(r"<TargetFrameworks?>([^<]*)<")
"""``<TargetFrameworks>net8.0;net9.0<``."""
_NET = lazy_compile(r"net(\d+\.\d+)(?:-\w+)?\Z")
"""``net8.0`` or ``net8.0-windows``."""
_PACKAGE = lazy_compile(
    r"<Package(?:Reference|Version)\s+Include=\"([\w.]+)\"\s+Version=\"([\d.]+)\""
)
"""``<PackageReference Include="Microsoft.EntityFrameworkCore" Version="8.0.1"``."""
_PLUGIN = lazy_compile(
    r"(?:\bid\s*\(?\s*[\"'](?:org\.)?(springframework\.boot|jetbrains\.kotlin\.\w+)[\"']\)?"
    r"|\b(kotlin)\(\"\w+\"\))\s*version\s*\(?\s*[\"']([\d.]+)[\"']"
)
"""``id("org.springframework.boot") version "3.4.1"``, ``kotlin("jvm") version "2.0"``.

The last group is the version, the other one that matched the plugin.
"""
_POM = lazy_compile(
    r"<artifactId>(spring-boot)-starter-parent</artifactId>\s*<version>([\d.]+)<"
    r"|<(kotlin|quarkus|spring-boot)(?:\.platform)?\.version>([\d.]+)<"
)
"""The parent of a pom.xml for Spring Boot, or ``<quarkus.platform.version>3.8.1<``.

Of each alternative, the groups are the framework and its version.
"""
_WRAPPER = lazy_compile(r"^distributionUrl=\S*/gradle-(\d[\d.]*)-(?:bin|all)\.zip$", re.MULTILINE)
"""The Gradle that the wrapper downloads: ``…/gradle-8.13-bin.zip``."""

_JVM = {
    "jetbrains": "Kotlin",
    "kotlin": "Kotlin",
    "ktor": "Ktor",
    "quarkus": "Quarkus",
    "springboot": "Spring Boot",
    "springframework": "Spring Boot",
}
"""The framework, by a short form of its name in a build file.

The short form of a key in a version catalog is without separators and ``version``. That of a plugin
or a property is without dashes and all after the first dot.
"""


class Range(NamedTuple):
    """A range of versions as it is written, the major versions in it and the oldest version.

    ``oldest`` is () without one lower bound of two numbers or more. ``fixed`` is how many of the
    first numbers all versions of the range share: 1 of ``^1.2``, 2 of ``^0.8`` and ``~1.2.3``, 3 of
    ``1.2.3``. It is 0 with a ``>``, as any later version may be in the range (``>=8``), else 1
    without ``oldest``, also of alternatives (``^18.2 || ^19``).
    """

    text: str
    majors: frozenset[int]
    oldest: tuple[int, ...]
    fixed: int


def ranges(name: str, text: str) -> dict[str, Range]:
    """Return {package: its range} of the manifest ``text``; empty if it is not valid.

    ``name`` is the name of its file: one of :data:`_READERS`, or a file ``*.csproj``. A package
    with another value than a range, such as ``workspace:*`` or ``latest``, is left out.
    """
    read = _READERS["*.csproj" if name.endswith(".csproj") else name]
    try:
        rows = list(read(text))
    except FormatError:
        return {}
    return {
        package: parsed(in_npm, as_written)
        for package, as_written, in_npm in rows
        if in_npm.startswith(_STARTS)
    }


def parsed(text: str, as_written: str) -> Range:
    """Return the range of ``text``, which has the notation of npm.

    ``as_written`` is the same range in the notation of the manifest. ``fixed`` is how many of the
    first numbers all versions of the range share, as in :class:`Range`.
    """
    majors = frozenset(map(int, _FROM.findall(text)))
    lower_bound = _ONE.match(text)
    oldest = numbers(lower_bound[1]) if lower_bound else ()
    if ">" in text:
        fixed = 0
    elif not oldest:
        fixed = 1
    elif text.startswith("^"):
        fixed = 1 if oldest[0] else _MINOR
    else:
        fixed = _MINOR if text.startswith("~") else len(oldest)
    return Range(as_written, majors, oldest, fixed)


# -- notations


def _pinned(text: str) -> str:
    """Return a range of composer, Hex, RubyGems, Go or Python in the notation of npm.

    A range with several bounds, such as ``>=1.2,<2``, is returned as it is.
    """
    pin = _PIN.match(text)
    if pin is None:
        return text  # such as `^1.2` or `>=1.2,<2`: its numbers are read as those of npm
    operator, version = pin.groups()
    if operator in (None, "=", "=="):
        return version
    if len(numbers(version)) > _MINOR:  # `~> 1.2.3` is 1.2.3 and later of 1.2
        return f"~{version}"
    # `~> 0.20` has 0.21 in it, which `^0.20` has not.
    return f">={version}" if version.startswith("0.") else f"^{version}"


def _of_cargo(text: str) -> str:
    """Return a range of Cargo in the notation of npm: ``1.2`` is ``^1.2``, ``=1.2.3`` is 1.2.3."""
    return f"^{text}" if text[:1].isdigit() else text.removeprefix("=").strip()


# -- manifests


def _tables(values: object, *keys: str) -> Iterator[Mapping[str, Any]]:
    """Yield the table at each of ``keys`` in ``values``; a key without a table is skipped."""
    tables = values if isinstance(values, dict) else {}
    yield from (tables[key] for key in keys if isinstance(tables.get(key), dict))


def _versions(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield each package of ``table`` with its version: ``a = "1"``, ``a = { version = "1" }``.

    A package without a version, such as one with a path, is left out.
    """
    for package, value in table.items():
        version = value.get("version") if isinstance(value, dict) else value
        if isinstance(version, str):
            yield package, version


def _package_json(text: str) -> Rows:
    """Yield the dependencies, and the package manager as ``pnpm@``: ``pnpm`` could be a dependency.

    Without a package manager or its version, the last row has an empty range, which :func:`ranges`
    leaves out.
    """
    values = parse_json(text)
    for table in _tables(values, "dependencies", "devDependencies", "peerDependencies"):
        for package, value in table.items():
            if isinstance(value, str):
                yield package, value, value
    manager = values.get("packageManager", "") if isinstance(values, dict) else ""
    name, _, release = str(manager).partition("@")
    release = release.partition("+")[0]  # without the hash after "+"
    yield f"{name}@", release, release


def _composer_json(text: str) -> Rows:
    """Yield the dependencies, also those for development, and PHP, which is declared as one."""
    for table in _tables(parse_json(text), "require", "require-dev"):
        for package, value in table.items():
            if isinstance(value, str):
                yield package, value, _pinned(value)


def _cargo_toml(text: str) -> Rows:
    """Yield the dependencies of the package and of its workspace that have a version."""
    values = parse_toml(text)
    kinds = ("dependencies", "dev-dependencies", "build-dependencies")
    workspaces = list(_tables(values, "workspace"))
    for owner in (values, *workspaces):
        for table in _tables(owner, *kinds):
            for package, version in _versions(table):
                yield package, version, _of_cargo(version)


def _pyproject_toml(text: str) -> Rows:
    """Yield the dependencies, also optional ones, in the standard tables and in Poetry's."""
    values = parse_toml(text)
    for project in _tables(values, "project"):
        lists = [project.get("dependencies")]
        for table in _tables(project, "optional-dependencies"):
            lists += table.values()
        for entries in lists:
            if isinstance(entries, list):
                yield from _requirements("\n".join(map(str, entries)))
    for tool in _tables(values, "tool"):
        for poetry in _tables(tool, "poetry"):
            for table in _tables(poetry, "dependencies"):
                for package, version in _versions(table):
                    yield package.lower(), version, version  # Poetry has the notation of npm


def _requirements(text: str) -> Rows:
    """Yield the package of each line with a range, its name in lower case and with dashes.

    Python ignores letter case in a name, and an underscore is the same as a dash.
    """
    for line in text.split("\n"):
        requirement = _REQUIREMENT.match(line)
        if requirement and requirement[2]:
            version = requirement[2].strip()
            yield requirement[1].lower().replace("_", "-"), version, _pinned(version)


def _found(pattern: re.Pattern[str], text: str) -> Rows:
    """Yield the package and the range of each match: the two groups of ``pattern``."""
    for match in pattern.finditer(text):
        package, version = match.groups()
        yield package, version, _pinned(version.removeprefix("v"))


def _project_of_dotnet(text: str) -> Rows:
    """Yield the packages, and the target: ``net8.0`` is version 8.0 of .NET.

    Several targets are alternatives. If one is of another kind, such as ``netstandard2.0``, no
    target is yielded.
    """
    yield from _found(_PACKAGE, text)
    for target in _TARGET.findall(text):
        names = [name.strip() for name in target.split(";") if name.strip()]
        matches = [match for match in map(_NET.match, names) if match]
        if names and len(matches) == len(names):
            yield "TargetFramework", target, " || ".join(match[1] for match in matches)


def _version_catalog(text: str) -> Rows:
    """Yield the frameworks, libraries and plugins of a Gradle catalog that have a version.

    A framework has a key of its own, such as ``springBootVersion = "3.4.1"``. A library is called
    ``com.google.dagger:hilt-android``, a plugin by its id.
    """
    values = parse_toml(text)
    versions: Mapping[str, Any] = next(_tables(values, "versions"), {})
    for key, value in versions.items():
        framework = _JVM.get(re.sub("[-_.]|version", "", key.lower()))
        if framework and isinstance(value, str):
            yield framework, value, value
    for table in _tables(values, "libraries", "plugins"):
        for entry in table.values():
            package, pinned = _of_catalog(entry, versions)
            if isinstance(package, str) and isinstance(pinned, str):
                yield package, pinned, pinned


def _of_catalog(entry: object, versions: Mapping[str, Any]) -> tuple[object, object]:
    """Return (package, version) of an entry of a Gradle catalog; None for what it does not have.

    The entry is ``"group:name:1.2"`` or a table, whose version may refer to a key of ``versions``.
    """
    if isinstance(entry, str):
        coordinates, _, written = entry.rpartition(":")
        return coordinates, written
    if not isinstance(entry, dict):
        return None, None
    package = entry.get("module") or entry.get("id") or f"{entry.get('group')}:{entry.get('name')}"
    version = entry.get("version")
    if isinstance(version, dict) and isinstance(version.get("ref"), str):
        version = versions.get(version["ref"])
    return package, version


def _gradle_wrapper(text: str) -> Rows:
    """Yield the version of Gradle that the wrapper runs."""
    yield from (("Gradle", version, version) for version in _WRAPPER.findall(text))


def _of_jvm(pattern: re.Pattern[str], text: str) -> Rows:
    """Yield the frameworks that the matches of ``pattern`` name, with their versions."""
    for match in pattern.finditer(text):
        name, version = filter(None, match.groups())  # the groups of the alternative that matched
        # ``springframework`` of ``springframework.boot``, ``springboot`` of ``spring-boot``
        short_name = re.sub(r"-|\..*", "", name)
        yield _JVM[short_name], version, version


_READERS: dict[str, Callable[[str], Rows]] = {
    "package.json": _package_json,
    "composer.json": _composer_json,
    "Cargo.toml": _cargo_toml,
    "pyproject.toml": _pyproject_toml,
    "requirements.txt": _requirements,
    "mix.exs": partial(_found, _HEX),
    "Gemfile": partial(_found, _GEM),
    "Gemfile.lock": partial(_found, _LOCKED_GEM),
    "go.mod": partial(_found, _MODULE),
    "Directory.Packages.props": _project_of_dotnet,
    "Directory.Build.props": _project_of_dotnet,
    "*.csproj": _project_of_dotnet,
    "libs.versions.toml": _version_catalog,
    "gradle-wrapper.properties": _gradle_wrapper,
    "build.gradle.kts": partial(_of_jvm, _PLUGIN),
    "build.gradle": partial(_of_jvm, _PLUGIN),
    "pom.xml": partial(_of_jvm, _POM),
}
"""By the name of a manifest: the function that yields its packages."""
