"""opencode: the first kind of instruction file that the project has, nearest first.

The files are in the system message, after the environment.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from agent_memory.base.model import Exactness, Problem, Segment, Source
from agent_memory.config import project_root
from agent_memory.fs.program_text import Anchor
from agent_memory.l10n import t, untranslated
from agent_memory.runtimes import wording
from agent_memory.runtimes.agents import opencode_files, program_pieces
from agent_memory.runtimes.agents.programs import ProgramSpec
from agent_memory.runtimes.base import Composition, Runtime
from agent_memory.runtimes.reading import numbered
from agent_memory.runtimes.segments import in_blocks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.runtimes.agents.programs import Program

PROGRAM = ProgramSpec("opencode", "opencode-ai", "agents.opencode.path", "opencode_path")


def _files(program: Program) -> list[Path]:
    inside = program.folder.glob("bin/opencode*") if program.folder else ()
    others = program.folder.parent.glob("opencode-*/bin/opencode*") if program.folder else ()
    return [program.path, *inside, *others]


PIECES = program_pieces.PieceSpec(
    PROGRAM,
    _files,
    (
        Anchor(
            b'fn("Instruction.system")',
            re.compile(rb"\[`(?P<head>[^`$]+)\$\{\w+\}(?P<end>[^`$]+)\$\{\w+\[\w+\]\}`\]"),
        ),
    ),
    {"30d8723174e20a10": ("1.18.33", "1.18.33")},
    {"head": "From: ", "end": "\n"},
)


class Opencode(Runtime):
    """The profile of opencode."""

    id: ClassVar[str] = "opencode"
    title: ClassVar[str] = "opencode"
    summary: ClassVar[str] = untranslated(
        "AGENTS.md, or else CLAUDE.md, from the nearest folder up"
    )
    settings: ClassVar[tuple[str, ...]] = (PROGRAM.key,)
    program: ClassVar[ProgramSpec | None] = PROGRAM
    markers: ClassVar[Mapping[str, int]] = {"opencode.json": 48, "AGENTS.md": 41}
    project_files: ClassVar[tuple[str, ...]] = ("AGENTS.md",)
    memory_names: ClassVar[tuple[str, ...]] = ("AGENTS.md", "CLAUDE.md")
    names_setting: ClassVar[str] = "`instructions` in opencode.json"

    def root(self, ctx: Context) -> Path | None:
        """Return the given root, else the nearest folder with any ``.git``."""
        return ctx.given_root or project_root.find_root(ctx.cwd.resolve(), project_root.has_git)

    def sources(self, ctx: Context) -> list[Source]:
        """Return the user's file, the project's, the nearest first, and the listed ones."""
        return numbered(opencode_files.find(ctx, self.root(ctx)))

    def condition(self, ctx: Context, path: Path) -> str:
        """Return when a file below the working folder is added, '' if it is not."""
        names = opencode_files.names(ctx)
        if path.name not in names or ctx.cwd.resolve() not in path.parent.parents:
            return ""
        first = next(name for name in names if opencode_files.exists(ctx, path.parent / name))
        if first != path.name:
            return ""
        return t("added when {0} reads a file in {1}", self.title, path.parent)

    def reading(self, ctx: Context, path: Path) -> Composition:
        """Return the files between ``path`` and the working folder, the nearest first."""
        wrapper = program_pieces.load(ctx, self.root(ctx), PIECES)
        out = _items(ctx, opencode_files.below(ctx, path), wrapper.texts)
        segments, roles = in_blocks([("user", out)])
        exactness = min(wrapper.exactness, Exactness.UNVERIFIED, key=wording.rank)
        return Composition(segments, exactness, wrapper.version, wrapper.origin, roles=roles)

    def compose(self, ctx: Context, sources: Sequence[Source], base: str = "") -> Composition:
        """Return ``base`` and the files, each in a system block."""
        wrapper = program_pieces.load(ctx, self.root(ctx), PIECES)
        out = _items(ctx, [source for source in sources if source.order], wrapper.texts)
        segments, roles = in_blocks([("system", [Segment(base, "base")]), ("system", out)])
        exactness, problems = wrapper.exactness, []
        globs = opencode_files.patterns(ctx)
        if globs:
            why = t("these `instructions` are not shown: {0}", ", ".join(globs))
            exactness = min(exactness, Exactness.UNVERIFIED, key=wording.rank)
            problems.append(Problem(why))
        return Composition(
            segments, exactness, wrapper.version, wrapper.origin, tuple(problems), roles
        )


def _items(ctx: Context, sources: Sequence[Source], texts: Mapping[str, str]) -> list[Segment]:
    out: list[Segment] = []
    for source in sources:
        gap = "\n" if out else ""
        text = opencode_files.text(ctx, source.path)
        out += [
            Segment(f"{gap}{texts['head']}{source.path}{texts['end']}"),
            Segment(text, str(source.scope), source.path),
        ]
    return out
