"""opencode: the first kind of instruction file that the project has, nearest first.

The files are in the system message, after the environment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Problem, Segment, Source
from agent_memory.fs.program_text import Anchor
from agent_memory.l10n import t, untranslated
from agent_memory.runtimes.agents import opencode_files
from agent_memory.runtimes.agents.agent import Agent, loaded_files
from agent_memory.runtimes.agents.program_pieces import PieceSpec
from agent_memory.runtimes.agents.programs import ProgramSpec
from agent_memory.runtimes.segments import MessageBlock

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.runtimes.agents.programs import Program

PROGRAM = ProgramSpec("opencode", "opencode", "opencode-ai")


def _files(_ctx: Context, program: Program) -> list[Path]:
    """Return the files that may contain the code of ``program``.

    They are the program itself, and the binaries in its npm package and in those of platforms,
    such as ``opencode-linux-x64``, which are next to it.
    """
    files = [program.path]
    if program.folder:
        files += program.folder.glob("bin/opencode*")
        files += program.folder.parent.glob("opencode-*/bin/opencode*")
    return files


PIECES = PieceSpec(
    PROGRAM,
    _files,
    (
        Anchor(
            b'fn("Instruction.system")',
            # [`HEAD${a}END${b[c]}`]
            lazy_compile(rb"\[`(?P<head>[^`$]+)\$\{\w+\}(?P<end>[^`$]+)\$\{\w+\[\w+\]\}`\]"),
        ),
    ),
    {"30d8723174e20a10": ("1.18.33", "1.18.33")},
    {"head": "From: ", "end": "\n"},
)
_OPEN, _CLOSE = "<system-reminder>\n", "\n</system-reminder>"


class Opencode(Agent):
    """The profile of opencode."""

    id: ClassVar[str] = "opencode"
    title: ClassVar[str] = "opencode"
    summary: ClassVar[str] = untranslated(
        "AGENTS.md, or else CLAUDE.md, from the nearest folder up"
    )
    pieces: ClassVar[PieceSpec] = PIECES
    compared_reading: ClassVar[bool] = True
    markers: ClassVar[Mapping[str, int]] = {"opencode.json": 48, "AGENTS.md": 41}
    project_files: ClassVar[tuple[str, ...]] = ("AGENTS.md",)
    memory_names: ClassVar[tuple[str, ...]] = ("AGENTS.md", "CLAUDE.md")
    names_setting: ClassVar[str] = "`instructions` in opencode.json"

    def find(self, ctx: Context) -> list[Source]:
        """Return the user's file, the project's, the nearest first, and those in `instructions`."""
        return opencode_files.find(ctx, self.root(ctx))

    def blocks(
        self, ctx: Context, sources: Sequence[Source], texts: Mapping[str, str]
    ) -> Sequence[MessageBlock]:
        """Return a system block with the loaded files."""
        return [MessageBlock("system", _items(ctx, loaded_files(sources), texts))]

    def condition(self, ctx: Context, path: Path) -> str:
        """Return in words when ``path`` is sent after the start of a session, '' if it is not.

        Of each folder only the file with the first existing name is sent.
        """
        names = opencode_files.names(ctx)
        existing = (name for name in names if opencode_files.exists(ctx, path.parent / name))
        first_existing = next(existing, "")
        return self.condition_below(ctx, path) if path.name == first_existing else ""

    def reading_blocks(
        self, ctx: Context, path: Path, texts: Mapping[str, str]
    ) -> Sequence[MessageBlock]:
        """Return a user block with the files that are added when the agent reads ``path``.

        They are the memory files in the folders from that of ``path`` up to below the working
        folder, without ``path`` itself and the files that were sent at the start. Without such
        files the block has no segments.
        """
        already_sent = {path, *(source.path for source in loaded_files(self.sources(ctx)))}
        files = [file for file in opencode_files.below(ctx, path) if file.path not in already_sent]
        if not files:
            return [MessageBlock("user", [])]
        items = _items(ctx, files, texts, "\n\n")
        return [MessageBlock("user", [Segment(_OPEN), *items, Segment(_CLOSE)])]

    def not_shown(self, ctx: Context, sources: Sequence[Source]) -> list[Problem]:  # noqa: ARG002
        """Return a problem if `instructions` has patterns or addresses: those are not followed."""
        names = ", ".join(opencode_files.patterns(ctx))
        return [Problem(t("these `instructions` are not shown: {0}", names))] if names else []


def _items(
    ctx: Context, sources: Sequence[Source], texts: Mapping[str, str], between: str = "\n"
) -> list[Segment]:
    """Return the texts of ``sources``, each below its path; ``between`` separates two of them."""
    out: list[Segment] = []
    for source in sources:
        before = between if out else ""
        text = opencode_files.text(ctx, source.path)
        out += [
            Segment(f"{before}{texts['head']}{source.path}{texts['end']}"),
            Segment(text, str(source.scope), source.path),
        ]
    return out
