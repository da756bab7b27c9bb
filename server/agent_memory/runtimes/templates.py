"""The template of an installed runtime, read as a literal.

A runtime's wording belongs to its authors, so none of it is shipped here. For a byte-exact prompt
the literal is read from the source of the installed package. The fallback is our own wording,
with the reason.
"""

from __future__ import annotations

import hashlib
import string
from typing import TYPE_CHECKING, NamedTuple

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


class Template(NamedTuple):
    """The text of a template, and where it comes from.

    ``version`` is that of the package, '' if the package is not installed.
    """

    text: str
    exactness: Exactness
    version: str = ""
    origin: str = ""


class TemplateSpec(NamedTuple):
    """The literal to look for: ``name`` in ``module``, a path below site-packages.

    ``known`` maps the :func:`digest` of a text to the versions it was compared in; ``fields`` are
    the placeholders the profile can fill; ``own`` is our own wording. With ``function``, the
    literal is an f-string in that function.
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
    """Return the names of the placeholders of ``template``, None if its format is invalid."""
    try:
        parsed = list(string.Formatter().parse(template))
    except ValueError:
        return None
    return {name for _, name, _, _ in parsed if name is not None}


def load(
    ctx: Context, root: Path | None, package: Installed | None, spec: TemplateSpec
) -> Template:
    """Return the template of ``spec`` in ``package``, else our own wording with the reason.

    Our own wording is used if the package is not installed (None), or if its template is missing
    or has a placeholder that the profile cannot fill.
    """
    if package is None:
        return Template(spec.own, Exactness.OWN_WORDING, origin=_not_installed(ctx, root))
    path = package.folder / spec.module
    text = formatted(path, spec.function, spec.name) if spec.function else literal(path, spec.name)
    if text is None:
        # A doubt is the more likely cause: the source of an editable package is elsewhere.
        why = package.doubt or t("{0} does not define {1}", spec.module, spec.name)
        return _own(spec, package, why)
    fields = fields_of(text)
    if fields is None or not fields <= spec.fields:
        return _own(spec, package, t("its {0} has unknown placeholders", spec.name))
    exactness, origin = _exactness(package, spec.known.get(digest(text)))
    return Template(text, exactness, package.version, origin)


def _exactness(package: Installed, versions: Versions | None) -> tuple[Exactness, str]:
    """Return how exact a template of ``package`` is, and its origin.

    ``versions`` are those it was compared in, None if it never was.
    """
    if package.doubt:
        return Exactness.UNVERIFIED, f"{package} ({package.doubt})"
    if versions is None:
        why = t("{0} (this template was not compared with the real runtime)", package)
        return Exactness.UNVERIFIED, why
    if not within(package.version, versions):
        why = t("{0} (this template was only compared in {1} to {2})", package, *versions)
        return Exactness.UNVERIFIED, why
    return Exactness.EXACT, str(package)


def _own(spec: TemplateSpec, package: Installed, why: str) -> Template:
    """Return our own wording; ``why`` is why the template of ``package`` cannot be used."""
    origin = t("wording of Agent Memory: {0} is installed, but {1}", package, why)
    return Template(spec.own, Exactness.OWN_WORDING, package.version, origin)


def _not_installed(ctx: Context, root: Path | None) -> str:
    """Return the origin of our own wording: the environments that were searched."""
    searched = [
        location if site_packages(environment) else t("{0} (no packages)", location)
        for environment, location in environments(ctx, root)
    ]
    if not searched:
        return t("wording of Agent Memory: the runtime is not installed")
    return t("wording of Agent Memory: the runtime is not installed in {0}", ", ".join(searched))
