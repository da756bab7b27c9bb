"""Cline CLI: the rules of the working folder and of the user at the end of the system message."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Role, Segment, Source
from agent_memory.fs.program_text import Anchor
from agent_memory.l10n import untranslated
from agent_memory.runtimes.agents import cline_files
from agent_memory.runtimes.agents.agent import Agent, loaded_files
from agent_memory.runtimes.agents.javascript import trimmed
from agent_memory.runtimes.agents.program_pieces import PieceSpec
from agent_memory.runtimes.agents.programs import ProgramSpec
from agent_memory.runtimes.segments import MessageBlock

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.runtimes.agents.programs import Program


def _files(_ctx: Context, program: Program) -> list[Path]:
    """Return the files that may be the native binary: the program, or one for a platform.

    The packages for platforms, such as ``@cline/cli-linux-x64``, are next to that of the program.
    """
    files = [program.path] if program.path.is_file() else []
    if program.folder:
        files += program.folder.parent.glob("@cline/cli-*/bin/cline*")
    return files


PIECES = PieceSpec(
    ProgramSpec("cline", "cline", "cline", platforms="@cline/cli-"),
    _files,
    (
        Anchor(
            b".instructions}`).join(",
            # `\n\nHEAD\n${a.map((b)=>`ITEM${b.name}\n${b.instructions}`).join(
            lazy_compile(
                rb"`\n\n(?P<head>[^`$\n]+)\n\$\{[\w$]+\.map\(\(?[\w$]+\)?=>"
                rb"`(?P<item>[^`$\n]+)\$\{[\w$]+\.name\}\n\$\{[\w$]+\.instructions\}`"
            ),
            before=256,
            after=64,
        ),
    ),
    {"19b5dd273efec0eb": ("3.0.65", "3.0.65")},
    {"head": "# Instructions", "item": "## "},
)


class Cline(Agent):
    """The profile of Cline CLI."""

    id: ClassVar[str] = "cline"
    title: ClassVar[str] = "Cline"
    summary: ClassVar[str] = untranslated(".clinerules and AGENTS.md of the working folder")
    pieces: ClassVar[PieceSpec] = PIECES
    markers: ClassVar[Mapping[str, int]] = {".clinerules": 49, "~/.cline/rules": 6}
    project_files: ClassVar[tuple[str, ...]] = ("AGENTS.md",)
    memory_names: ClassVar[tuple[str, ...]] = ("AGENTS.md",)
    reads_each_folder: ClassVar[bool] = False
    folders: ClassVar[tuple[str, ...]] = cline_files.FOLDERS

    @staticmethod
    def role_of(path: Path) -> Role | None:
        """Return MEMORY for a file with a suffix of rules in a folder of rules, else None."""
        # a slash in front, because `path` is relative for a file of a git revision
        name = f"/{path.as_posix()}"
        is_below_rules = any(f"/{folder}/" in name for folder in cline_files.FOLDERS)
        return Role.MEMORY if is_below_rules and path.suffix in cline_files.SUFFIXES else None

    def find(self, ctx: Context) -> list[Source]:
        """Return the rules that are sent, sorted by name, then those that are not sent."""
        return cline_files.find(ctx)

    def blocks(
        self, ctx: Context, sources: Sequence[Source], texts: Mapping[str, str]
    ) -> Sequence[MessageBlock]:
        """Return a system block with the rules, each below its name."""
        out: list[Segment] = []
        for source in loaded_files(sources):
            before = "\n\n" if out else f"{texts['head']}\n"
            rule = cline_files.rule(ctx.store.read(source.path))
            text = Segment(rule.body, str(source.scope), source.path, rule.line)
            out += [Segment(f"{before}{texts['item']}{source.name}\n"), *trimmed([text])]
        return [MessageBlock("system", out)]
