"""The template of a runtime that the user has installed, read as a literal.

A runtime's wording is its authors' own, so none of it is shipped here. For a byte-exact prompt
the literal is taken from the installed package's source file: parsed, never imported or run.
Packages are looked for in this order: the configured interpreter, ``VIRTUAL_ENV``, the
project's ``.venv``, the project's ``node_modules``; the answer says where.
"""

from __future__ import annotations

import ast
import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.model import Exactness

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agent_memory.context import Context


@dataclass(frozen=True, slots=True)
class Installed:
    """A Python package found on disk. ``found`` says in words where."""

    name: str
    version: str
    folder: Path  # the site-packages folder
    found: str


@dataclass(frozen=True, slots=True)
class Template:
    """A template's text and what is known of it."""

    text: str
    exactness: Exactness
    version: str = ""
    origin: str = "the runtime is not installed: structure as documented, wording of Agent Memory"


def site_packages(ctx: Context, root: Path | None) -> Iterator[tuple[Path, str]]:
    """Yield the folders a runtime's package may be installed in, with where they come from."""
    configured = ctx.settings.interpreter
    if configured:
        prefix = Path(configured).expanduser().parent.parent
        yield from _libs(prefix, "the configured interpreter")
    active = ctx.env.get("VIRTUAL_ENV")
    if active:
        yield from _libs(Path(active), "VIRTUAL_ENV")
    for base in dict.fromkeys(folder for folder in (root, ctx.cwd) if folder):
        yield from _libs(base / ".venv", f"{base.name}/.venv")


def _libs(prefix: Path, found: str) -> Iterator[tuple[Path, str]]:
    for folder in sorted(prefix.glob("lib*/python3*/site-packages"), reverse=True):
        yield folder, found
    windows = prefix / "Lib" / "site-packages"
    if windows.is_dir():
        yield windows, found


def find_package(ctx: Context, root: Path | None, name: str) -> Installed | None:
    """Return the first installation of distribution ``name``, None where there is none."""
    for folder, found in site_packages(ctx, root):
        stem = re.sub(r"[-_.]+", "_", name).lower()
        for info in sorted(folder.glob("*.dist-info")):
            dist, _, version = info.name.removesuffix(".dist-info").rpartition("-")
            if re.sub(r"[-_.]+", "_", dist).lower() == stem:
                return Installed(name, version, folder, found)
    return None


def literal(path: Path, name: str) -> str | None:
    """Return the string that module-level ``name`` of ``path`` is assigned, or None.

    Adjacent literals are joined, as Python does; anything that would have to be computed is None.
    """
    try:
        info = path.stat()
    except OSError:
        return None
    return _literals(path, info.st_mtime_ns, info.st_size).get(name)


@lru_cache(maxsize=32)
def _literals(path: Path, _mtime: int, _size: int) -> Mapping[str, str]:
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return {}
    found: dict[str, str] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            targets, value = node.targets, node.value
        elif isinstance(node, ast.AnnAssign) and node.value:
            targets, value = [node.target], node.value
        else:
            continue
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            found |= {target.id: value.value for target in targets if isinstance(target, ast.Name)}
    return found


def digest(text: str) -> str:
    """Return the SHA-256 of ``text`` as UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def load(
    package: Installed | None, module: str, name: str, known: Mapping[str, str], own: str
) -> Template:
    """Return the template ``name`` of ``module`` (a path in the package's folder).

    ``known`` maps the first 8 hex digits of a template's SHA-256 to the versions it belongs
    to; ``own`` is our own wording, used where nothing is found.
    """
    if package is None:
        return Template(own, Exactness.OWN_WORDING)
    text = literal(package.folder / module, name)
    origin = f"{package.name} {package.version} in {package.found}"
    if text is None:
        moved = f"{origin} has no {name} in {module}: wording of Agent Memory"
        return Template(own, Exactness.OWN_WORDING, package.version, moved)
    exact = digest(text)[:8] in known
    return Template(
        text, Exactness.EXACT if exact else Exactness.UNVERIFIED, package.version, origin
    )
