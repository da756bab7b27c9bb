"""drover: instruction files from the root to the working folder, skills and learned entries.

drover is not published, so it has no template to read: structure, limits and order are drover's,
the sentences are ours. Instructions and entries are opt-in in drover; the preview shows both.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, ClassVar

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Exactness, Role, Scope, Segment, Source, Status
from agent_memory.l10n import t, untranslated
from agent_memory.runtimes import drover_entries, drover_instructions
from agent_memory.runtimes.base import Composition, Detection, Runtime
from agent_memory.runtimes.reading import numbered
from agent_memory.runtimes.segments import merged
from agent_memory.skills import discovery
from agent_memory.skills.discovery import SkillFolder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.skills.discovery import Skill

_ULID_FILE = lazy_compile(r"[0-9A-HJKMNP-TV-Z]{26}\.md\Z")
"""The name of an entry's file; a ULID has digits and capital letters except I, L, O and U."""
_INSTRUCTIONS = """
## Project instructions

These come from the instruction files of this folder and of those above it, the most general
first, and hold for everything you do here.

"""


class Drover(Runtime):
    """The profile of drover."""

    id: ClassVar[str] = "drover"
    title: ClassVar[str] = "drover"
    summary: ClassVar[str] = untranslated(
        "AGENTS.md and CLAUDE.md from the root down, and learned entries"
    )
    settings: ClassVar[tuple[str, ...]] = (
        "skillFolders",
        "drover.entries",
        "drover.filenames",
        "drover.maxIndexEntries",
        "drover.seedMemory",
        "drover.writesPerTurn",
    )
    node_packages: ClassVar[tuple[str, ...]] = ("@drover/memory", "@droveragent/memory")
    memory_names: ClassVar[tuple[str, ...]] = ("AGENTS.md", "CLAUDE.md")
    folders: ClassVar[tuple[str, ...]] = (".drover",)
    max_file_bytes: ClassVar[int | None] = drover_instructions.MAX_BYTES

    def detected(self, ctx: Context, root: Path) -> Detection | None:
        """Return a detection if a folder of entries exists, else None.

        Its weight is less than that of any marker, because a folder of another program can have the
        same name.
        """
        entries = drover_entries.folder(ctx, root)
        if entries is None or not os.path.isdir(entries):  # noqa: PTH112 -- Path.is_dir may raise
            return None
        return Detection(5, t("{0} contains entries", entries.name))

    @staticmethod
    def role_of(path: Path) -> Role | None:
        """Return ENTRY for a file named by a ULID, None for any other file."""
        return Role.ENTRY if _ULID_FILE.match(path.name) else None

    def root(self, ctx: Context) -> Path | None:
        """Return the root in the settings, else the nearest folder with a ``.git``, or None.

        A folder ``.git`` counts, and so does the file of a worktree or submodule.
        """
        return drover_instructions.root_of(ctx)

    def agents(self, ctx: Context) -> list[str]:
        """Return the ids of the agents that have entries."""
        return drover_entries.agents(ctx, self.root(ctx))

    def sources(self, ctx: Context) -> list[Source]:
        """Return the instruction files, the root's first, then skills and entries."""
        instructions = drover_instructions.sources(ctx)
        entries = drover_entries.sources(ctx, self.root(ctx), self.agent_of(ctx))
        return [*numbered(instructions), *discovery.sources_of(self.skills(ctx)), *entries]

    def skills(self, ctx: Context) -> list[Skill]:
        """Return the skills of the folders in the settings."""
        return discovery.discover(ctx, _skill_folders(ctx))

    def compose(self, ctx: Context, sources: Sequence[Source], base: str = "") -> Composition:
        """Return base, instructions (the root's first), skills and the index of entries."""
        from agent_memory.entries.index_block import index_block  # noqa: PLC0415 -- few use drover

        root = self.root(ctx) or ctx.cwd
        index = index_block(
            drover_entries.store(ctx, root),
            self.agent_of(ctx),
            ctx.settings.drover_index,
        )
        entries = [
            segment
            for text, entry in index.parts  # the entry is None for a title
            for segment in drover_entries.segments(text, entry)
        ]
        instructions = _instructions_block(ctx, root, sources)
        out = [Segment(base, "base")] if base else []
        for block in (instructions, _skills_block(self.skills(ctx)), entries):
            if out and block:  # a block begins with a newline, so this makes a blank line
                out.append(Segment("\n"))
            out += block
        return Composition(
            tuple(merged(out)),
            Exactness.OWN_WORDING,
            origin=t("structure and limits of drover, wording of Agent Memory"),
        )


def _instructions_block(ctx: Context, root: Path, sources: Sequence[Source]) -> list[Segment]:
    """Return the block of instruction files, each below a heading; [] if none is shown."""
    out: list[Segment] = []
    for source in sources:
        is_shown = source.status in drover_instructions.SHOWN
        if source.role is not Role.INSTRUCTIONS or not is_shown:
            continue
        before = "\n\n" if out else _INSTRUCTIONS
        out.append(Segment(f"{before}### {drover_instructions.heading(root, source.path)}\n\n"))
        text, note = drover_instructions.content(ctx.store.read(source.path), source.path)
        out += [text, Segment(note)]
    return out


def _skill_folders(ctx: Context) -> list[SkillFolder]:
    """Return the skill folders of the settings; a label is the path as it is written there."""
    return [
        SkillFolder(ctx.path_of("skill_folders", name), name, Scope.PROJECT, name)
        for name in ctx.settings.skill_folders
    ]


def _skills_block(skills: Sequence[Skill]) -> list[Segment]:
    """Return the listed ones of ``skills`` below a heading, [] if none is listed."""
    listed = [skill for skill in skills if skill.status is Status.LISTED]
    out = [Segment("\n## Available skills\n", "skills")] if listed else []
    for skill in listed:
        text = f"- **{skill.name}**: {skill.file.description}"
        item = Segment(text, "skills", skill.path, skill.file.line, skill.name)
        out += [Segment("\n", "skills"), item]
    return out
