"""The template of a runtime that the user has installed, read as a literal.

A runtime's wording is its authors' own, so none of it is shipped here. For a byte-exact prompt
the literal is taken from the installed package's source file; without one, our own wording
stands in its place, and the answer says why.
"""

from __future__ import annotations

import hashlib
import string
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.base.model import Exactness
from agent_memory.l10n import t
from agent_memory.runtimes.installed import (
    Installed,
    Versions,
    environments,
    site_packages,
    within,
)
from agent_memory.runtimes.python_literals import formatted, literal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from agent_memory.config.context import Context


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

    ``function``: the literal is an f-string inside this function, not one of the module.
    ``known`` maps the first 16 hex digits of a text's SHA-256 to the versions it was observed
    in; ``fields`` are the placeholders the profile can fill; ``own`` is our own wording.
    """

    module: str
    name: str
    known: Mapping[str, Versions]
    fields: frozenset[str]
    own: str
    function: str = ""


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
    path = package.folder / wanted.module
    text = (
        formatted(path, wanted.function, wanted.name)
        if wanted.function
        else literal(path, wanted.name)
    )
    if text is None:
        why = package.doubt or t("it has no {0} in {1}", wanted.name, wanted.module)
        return _own(wanted, package, why)
    fields = fields_of(text)
    if fields is None or not fields <= wanted.fields:
        return _own(
            wanted, package, t("its {0} has placeholders that are not known here", wanted.name)
        )
    exactness, why = _judge(package, wanted.known.get(digest(text)))
    return Template(text, exactness, package.version, f"{package}{why}")


def _judge(package: Installed, versions: Versions | None) -> tuple[Exactness, str]:
    if package.doubt:
        return Exactness.UNVERIFIED, f" ({package.doubt})"
    if versions is None:
        return Exactness.UNVERIFIED, t(" (this template was not compared with the real runtime)")
    if not within(package.version, versions):
        why = t(" (the template is known, but only for {0} to {1})", *versions)
        return Exactness.UNVERIFIED, why
    return Exactness.EXACT, ""


def _own(wanted: Wanted, package: Installed, why: str) -> Template:
    origin = t("wording of Agent Memory: {0} is installed, but {1}", package, why)
    return Template(wanted.own, Exactness.OWN_WORDING, package.version, origin)


def _not_installed(ctx: Context, root: Path | None) -> str:
    looked = []
    for prefix, found in environments(ctx, root):
        state = "" if site_packages(prefix) else t(" (no packages there)")
        looked.append(f"{found}{state}")
    where = t("; looked in {0}", ", ".join(looked)) if looked else ""
    return t("wording of Agent Memory: the runtime is not installed{0}", where)
