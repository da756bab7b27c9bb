"""The wrapper text of an agent, read from its installed program.

The text around memory belongs to the agent's authors, so none of it is shipped: it is read from
the program, and the fallback is our own wording, with the reason.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.model import Exactness
from agent_memory.fs.cache_folder import cache_folder
from agent_memory.l10n import t
from agent_memory.runtimes.agents import verified
from agent_memory.runtimes.agents.programs import find_program
from agent_memory.runtimes.installed import Versions, within

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.fs.program_text import Anchor, Pieces
    from agent_memory.runtimes.agents.programs import Program, ProgramSpec

    Files = Callable[[Context, Program], Sequence[Path]]


class PieceSpec(NamedTuple):
    """Where the pieces of a program's text around memory are, and which are known.

    ``files`` returns the files of a program that may have the pieces, the most likely first. Each
    of ``anchors`` is a text to search for, and a pattern whose named groups are the pieces in the
    bytes around it. ``more`` are further files, each with its own anchors. ``known`` maps the
    :func:`digest` of all pieces to the versions they were compared in; ``own`` is our own wording.
    """

    program: ProgramSpec
    files: Files
    anchors: tuple[Anchor, ...]
    known: Mapping[str, Versions]
    own: Mapping[str, str]
    more: tuple[tuple[Files, tuple[Anchor, ...]], ...] = ()


class Search(NamedTuple):
    """A search for the pieces of ``anchors``: one of ``files`` must contain all of them."""

    files: Sequence[Path]
    anchors: tuple[Anchor, ...]


class Wrapper(NamedTuple):
    """The pieces by name, and in words where they come from.

    ``version`` is that of the program, '' if it is not installed or its version is not known.
    """

    texts: Mapping[str, str]
    exactness: Exactness
    version: str
    origin: str


def digest(texts: Mapping[str, str]) -> str:
    """Return the first 16 hex digits of the SHA-256 of ``texts``, in the order of their names."""
    joined = "\0".join(f"{name}\0{texts[name]}" for name in sorted(texts))
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def load(ctx: Context, root: Path | None, spec: PieceSpec) -> Wrapper:
    """Return the pieces of the installed program, or our own wording with the reason.

    Our own wording is used if the program is not installed, if a piece is not found in it, or while
    its files are still being read.
    """
    program = find_program(ctx, root, spec.program)
    if program is None:
        origin = t("wording of Agent Memory: {0} is not installed", spec.program.name)
        return Wrapper(spec.own, Exactness.OWN_WORDING, "", origin)
    results = [
        ctx.programs.read(search.files, search.anchors, cache_folder(ctx.env))
        for search in _searches(ctx, program, spec)
    ]
    if all(pieces.texts is not None for pieces in results):
        texts = _joined(results)
        exactness, origin = _exactness(ctx, program, spec, digest(texts))
        return Wrapper(texts, exactness, program.version, origin)
    why = (
        t("its texts are still being read")
        if any(pieces.pending for pieces in results)
        else t("its texts were not found, so this version differs")
    )
    origin = t("wording of Agent Memory: {0} is installed, but {1}", program, why)
    return Wrapper(spec.own, Exactness.OWN_WORDING, program.version, origin)


def record(ctx: Context, program: Program, spec: PieceSpec, texts: Mapping[str, str]) -> None:
    """Record that the preview with these ``texts`` was equal to a request of ``program``.

    The record holds on this machine.

    Raises:
        UsageError: the cache folder cannot be written.

    """
    files = _all_files(ctx, program, spec)
    verified.record(ctx, spec.program.agent_id, program, files, digest(texts))


def _searches(ctx: Context, program: Program, spec: PieceSpec) -> list[Search]:
    """Return the searches for the pieces of ``spec`` in the files of ``program``."""
    files_and_anchors = ((spec.files, spec.anchors), *spec.more)
    return [Search(files(ctx, program), anchors) for files, anchors in files_and_anchors]


def _all_files(ctx: Context, program: Program, spec: PieceSpec) -> list[Path]:
    """Return the files of all searches; a file that several searches have is repeated."""
    return [path for search in _searches(ctx, program, spec) for path in search.files]


def _joined(found: Sequence[Pieces]) -> dict[str, str]:
    """Return {name: text} of all pieces in ``found``, which all have texts.

    Of several pieces with the same name the last one counts.
    """
    return {
        name: raw.decode("utf-8", "replace")
        for pieces in found
        for name, raw in (pieces.texts or {}).items()
    }


def _exactness(
    ctx: Context, program: Program, spec: PieceSpec, texts_digest: str
) -> tuple[Exactness, str]:
    """Return how exact the texts with the digest are, and in words where they come from.

    They are exact if a prompt with them was compared with a request of this version of the program,
    by the authors of Agent Memory or on this machine.
    """
    versions = spec.known.get(texts_digest)
    if versions and within(program.version, versions):
        return Exactness.EXACT, str(program)
    files = _all_files(ctx, program, spec)
    if verified.is_verified(ctx, spec.program.agent_id, program, files, texts_digest):
        return Exactness.EXACT, t("{0} (compared on this machine)", program)
    if versions is None:
        return Exactness.UNVERIFIED, t("{0} (this text was not compared with the agent)", program)
    why = t("{0} (only compared in {1} to {2})", program, *versions)
    return Exactness.UNVERIFIED, why
