"""The template of a runtime that the user has installed, read as a literal.

A runtime's wording is its authors' own, so none of it is shipped here. For a byte-exact prompt
the literal is taken from the installed package's source file: parsed, never imported or run.
Packages are looked for in this order, and the answer says where: ``VIRTUAL_ENV``, the
project's ``.venv``, the configured interpreter, the project's ``node_modules``.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
import string
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.model import Exactness

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agent_memory.context import Context

MAX_SOURCE_BYTES = 4 * 1024 * 1024
"""A Python file over this size holds no template; it is not parsed."""

Versions = tuple[str, str]
"""The first and the last version for which a fact was observed."""


@dataclass(frozen=True, slots=True)
class Installed:
    """A package found on disk. ``found`` says in words where.

    ``doubt`` is not empty where the version cannot be told for sure, and says why.
    """

    name: str
    version: str
    folder: Path  # site-packages, or the package's folder in node_modules
    found: str
    doubt: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.version} in {self.found}"


@dataclass(frozen=True, slots=True)
class Template:
    """A template's text and what is known of it."""

    text: str
    exactness: Exactness
    version: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The literal to look for: ``name`` in ``module``, a path below site-packages.

    ``known`` maps the first 16 hex digits of a text's SHA-256 to the versions it was observed
    in; ``fields`` are the placeholders the profile can fill; ``own`` is our own wording.
    """

    module: str
    name: str
    known: Mapping[str, Versions]
    fields: frozenset[str]
    own: str


def release(version: str) -> tuple[int, ...]:
    """Return ``version`` as numbers; () where it is no plain release such as 0.7.32."""
    if not re.fullmatch(r"\d{1,9}(\.\d{1,9})*", version):
        return ()
    return tuple(map(int, version.split(".")))


def within(version: str, versions: Versions) -> bool:
    """Whether ``version`` is a release from the first to the last of ``versions``."""
    number = release(version)
    return bool(number) and release(versions[0]) <= number <= release(versions[1])


def environments(ctx: Context, root: Path | None) -> Iterator[tuple[Path, str]]:
    """Yield the environments a runtime may be installed in, with the words for each."""
    active = ctx.env.get("VIRTUAL_ENV")
    if active:
        yield Path(active), "VIRTUAL_ENV"
    for base in _bases(ctx, root):
        yield base / ".venv", f"{base.name}/.venv"
    configured = ctx.settings.interpreter
    if configured:
        yield Path(configured).expanduser().parent.parent, "the configured interpreter"


def _bases(ctx: Context, root: Path | None) -> Sequence[Path]:
    return tuple(dict.fromkeys(folder for folder in (root, ctx.cwd) if folder))


def find_package(ctx: Context, root: Path | None, name: str) -> Installed | None:
    """Return the first Python installation of distribution ``name``, None where there is none."""
    stem = _normal(name)
    for prefix, found in environments(ctx, root):
        for folder in _site_packages(prefix):
            records = _distributions(folder).get(stem)
            if records:
                return Installed(name, _version(records[-1]), folder, found, _doubt(records))
    return None


def _doubt(records: Sequence[Path]) -> str:
    if len(records) > 1:
        versions = ", ".join(map(_version, records))
        return f"{len(records)} versions are recorded there: {versions}"
    if _is_editable(records[0]):
        return "it is an editable installation, which is not followed"
    return ""


def find_node_package(ctx: Context, root: Path | None, name: str) -> Installed | None:
    """Return the project's installation of npm package ``name``, None where there is none."""
    for base in _bases(ctx, root):
        folder = base / "node_modules" / name
        try:
            raw = (folder / "package.json").read_bytes()[:MAX_SOURCE_BYTES]
            version = str(json.loads(raw)["version"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            continue
        return Installed(name, version, folder, f"{base.name}/node_modules")
    return None


def _site_packages(prefix: Path) -> list[Path]:
    try:
        folders = sorted(prefix.glob("lib*/python3*/site-packages"), reverse=True)
        windows = prefix / "Lib" / "site-packages"
        return [*folders, *([windows] if not folders and windows.is_dir() else [])]
    except OSError:
        return []


def _distributions(folder: Path) -> Mapping[str, list[Path]]:
    try:
        return _distributions_at(folder, folder.stat().st_mtime_ns)
    except OSError:
        return {}


@lru_cache(maxsize=16)
def _distributions_at(folder: Path, _mtime: int) -> Mapping[str, list[Path]]:
    """Return the ``*.dist-info`` folders by distribution, the oldest version first."""
    out: dict[str, list[Path]] = {}
    for info in folder.glob("*.dist-info"):
        if (info / "METADATA").is_file():  # a folder left over by a broken removal has none
            name = info.name.removesuffix(".dist-info").rpartition("-")[0]
            out.setdefault(_normal(name), []).append(info)
    for records in out.values():
        records.sort(key=lambda info: (release(_version(info)), info.name))
    return out


def _version(info: Path) -> str:
    return info.name.removesuffix(".dist-info").rpartition("-")[2]


def _is_editable(info: Path) -> bool:
    """Whether the record says "editable" (PEP 610): the code stands elsewhere."""
    try:
        record = json.loads((info / "direct_url.json").read_bytes()[:65536])
        return bool(record["dir_info"]["editable"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def literal(path: Path, name: str) -> str | None:
    """Return the string that module-level ``name`` of ``path`` is assigned, or None.

    Adjacent literals are joined, as Python does; anything that would have to be computed is None.
    """
    try:
        info = path.stat()
    except OSError:
        return None
    if info.st_size > MAX_SOURCE_BYTES or not path.is_file():
        return None
    return _literals(path, info.st_mtime_ns, info.st_size).get(name)


@lru_cache(maxsize=32)
def _literals(path: Path, _mtime: int, _size: int) -> Mapping[str, str]:
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.AnnAssign) and node.value:
            targets, value = [node.target], node.value
        else:
            continue
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            found |= dict.fromkeys(names, value.value)
        else:
            for name in names:  # assigned again by something that would have to be computed
                found.pop(name, None)
    return found


def digest(text: str) -> str:
    """Return the first 16 hex digits of the SHA-256 of ``text`` as UTF-8."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def fields_of(template: str) -> set[str] | None:
    """Return the names of the placeholders of ``template``; None: ``str.format`` refuses it."""
    try:
        parsed = list(string.Formatter().parse(template))
    except ValueError:
        return None
    return {name for _, name, _, _ in parsed if name is not None}


def load(ctx: Context, root: Path | None, package: Installed | None, wanted: Wanted) -> Template:
    """Return the template ``wanted``, or our own wording with the reason why not."""
    if package is None:
        return Template(wanted.own, Exactness.OWN_WORDING, origin=_not_installed(ctx, root))
    text = literal(package.folder / wanted.module, wanted.name)
    if text is None:
        why = package.doubt or f"it has no {wanted.name} in {wanted.module}"
        return _own(wanted, package, why)
    fields = fields_of(text)
    if fields is None or not fields <= wanted.fields:
        return _own(wanted, package, f"its {wanted.name} has placeholders that are not known here")
    exactness, why = _judge(package, wanted.known.get(digest(text)))
    return Template(text, exactness, package.version, f"{package}{why}")


def _judge(package: Installed, versions: Versions | None) -> tuple[Exactness, str]:
    if package.doubt:
        return Exactness.UNVERIFIED, f" ({package.doubt})"
    if versions is None:
        return Exactness.UNVERIFIED, " (this template was not compared with the real runtime)"
    if not within(package.version, versions):
        span = f"{versions[0]} to {versions[1]}"
        return Exactness.UNVERIFIED, f" (the template is known, but only for {span})"
    return Exactness.EXACT, ""


def _own(wanted: Wanted, package: Installed, why: str) -> Template:
    origin = f"wording of Agent Memory: {package} is installed, but {why}"
    return Template(wanted.own, Exactness.OWN_WORDING, package.version, origin)


def _not_installed(ctx: Context, root: Path | None) -> str:
    looked = []
    for prefix, found in environments(ctx, root):
        state = "" if _site_packages(prefix) else " (no packages there)"
        looked.append(f"{found}{state}")
    where = f"; looked in {', '.join(looked)}" if looked else ""
    return f"wording of Agent Memory: the runtime is not installed{where}"
