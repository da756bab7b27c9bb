"""drover: instruction files from the root to the working folder, skills and learned entries.

drover is not published, so it has no template to read: structure, limits and order are drover's,
the sentences are ours. Instructions and entries are opt-in in drover; the preview shows both.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from agent_memory.base.model import Exactness, Role, Scope, Segment, Source, Status
from agent_memory.config import project_root
from agent_memory.entries.index_block import index_block
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t, untranslated
from agent_memory.runtimes import drover_entries
from agent_memory.runtimes.base import Composition, Runtime
from agent_memory.runtimes.reading import numbered, status_of, with_effect
from agent_memory.runtimes.segments import line_breaks, merged
from agent_memory.secrets import cut
from agent_memory.skills import discovery
from agent_memory.skills.discovery import SkillFolder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText
    from agent_memory.skills.discovery import Skill

MAX_BYTES = 16384
_MAX_DEPTH = 40
_JS_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What JavaScript's ``trim`` removes; Python's ``strip`` removes other characters."""
_ULID_FILE = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}\.md\Z")
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
        "drover.writesPerTurn",
    )
    node_packages: ClassVar[tuple[str, ...]] = ("@drover/memory", "@droveragent/memory")
    memory_names: ClassVar[tuple[str, ...]] = ("AGENTS.md", "CLAUDE.md")
    folders: ClassVar[tuple[str, ...]] = (".drover",)
    max_file_bytes: ClassVar[int | None] = MAX_BYTES

    def detected(self, ctx: Context, root: Path) -> tuple[int, str] | None:
        """Return a small weight if a folder of entries exists, because names can coincide."""
        entries = drover_entries.folder(ctx, root)
        exists = entries and entries.is_dir()
        return (5, t("{0} contains entries", entries.name)) if entries and exists else None

    @staticmethod
    def role_of(path: Path) -> Role | None:
        """Return ENTRY for a file named by a ULID."""
        return Role.ENTRY if _ULID_FILE.match(path.name) else None

    def root(self, ctx: Context) -> Path | None:
        """Return the given root, else the nearest folder with any ``.git``."""
        return ctx.given_root or project_root.find_root(ctx.cwd, project_root.has_git)

    def agents(self, ctx: Context) -> list[str]:
        """Return the ids of the agents that have entries."""
        return drover_entries.agents(ctx, self.root(ctx))

    def sources(self, ctx: Context) -> list[Source]:
        """Return the instruction files, the root's first, then skills and entries."""
        found = [_instructions(ctx, path) for path in self._chain(ctx)]
        entries = drover_entries.sources(ctx, self.root(ctx), self.agent_of(ctx))
        return [*numbered(found), *discovery.sources_of(self.skills(ctx)), *entries]

    def _chain(self, ctx: Context) -> list[Path]:
        """Return the existing instruction files, and the root's first one even if missing."""
        root = self.root(ctx) or ctx.cwd
        folders = [ctx.cwd]
        if ctx.cwd.is_relative_to(root):
            between = [ctx.cwd, *ctx.cwd.parents][:_MAX_DEPTH]
            folders = [folder for folder in between if folder.is_relative_to(root)][::-1]
        names = ctx.settings.drover_filenames
        paths = [folder / name for folder in folders for name in names]
        first = paths[:1]
        return [*first, *(path for path in paths[1:] if _exists(ctx, path))]

    def skills(self, ctx: Context) -> list[Skill]:
        """Return the skills of the folders in the settings."""
        return discovery.discover(ctx, _skill_folders(ctx))

    def compose(self, ctx: Context, sources: Sequence[Source], base: str = "") -> Composition:
        """Return base, instructions (the root's first), skills and the index of entries."""
        root = self.root(ctx) or ctx.cwd
        index = index_block(
            drover_entries.store(ctx, self.root(ctx)),
            self.agent_of(ctx),
            ctx.settings.drover_index,
        )
        blocks = [
            self._block(ctx, root, sources),
            _skills_block(self.skills(ctx)),
            [
                piece
                for text, entry in index.parts
                for piece in drover_entries.segments(text, entry)
            ],
        ]
        out = [Segment(base, "base")] if base else []
        for block in blocks:
            out += [Segment("\n"), *block] if block and out else block
        return Composition(
            tuple(merged(out)),
            Exactness.OWN_WORDING,
            origin=t("structure and limits of drover, wording of Agent Memory"),
        )

    def _block(self, ctx: Context, root: Path, sources: Sequence[Source]) -> list[Segment]:
        out: list[Segment] = []
        for source in sources:
            shown = source.status in (Status.LOADED, Status.TRUNCATED, Status.EMPTY)
            if source.role is not Role.INSTRUCTIONS or not shown:
                continue
            head = _INSTRUCTIONS if not out else "\n\n"
            out.append(Segment(f"{head}### {_place(root, source.path)}\n\n"))
            content = _content(ctx.store.read(source.path), source.path)
            out += [content[0], Segment(content[1])]
        return out


def _place(root: Path, path: Path) -> str:
    folder = path.parent
    shown = str(folder.relative_to(root)) if folder.is_relative_to(root) else f"../{folder.name}"
    return f"{'(repo root)' if folder == root else shown} \u2014 {path.name}"


def _exists(ctx: Context, path: Path) -> bool:
    return ctx.store.read(path).failure is not Failure.MISSING


def _instructions(ctx: Context, path: Path) -> Source:
    content = ctx.store.read(path)
    why = t("only its heading is shown, and drover adds none of the later files as entries")
    status, reason = status_of(content, empty=why)
    source = Source(path, Scope.PROJECT, Role.INSTRUCTIONS, status, reason, str(path), name="root")
    if status is Status.UNREADABLE and content.failure is not Failure.UNDECODABLE:
        return with_effect(source, t("drover leaves it out"))
    if status is Status.LOADED and not _decoded(content).strip(_JS_SPACE):
        return replace(source, status=Status.EMPTY, reason=why)
    if content.failure is Failure.UNDECODABLE:
        source = replace(source, status=Status.LOADED)
        source = with_effect(source, t("each invalid byte is read as U+FFFD"))
    if source.status is Status.LOADED and content.size > MAX_BYTES:
        why = t("drover reads the first {0:,} of its {1:,} bytes", MAX_BYTES, content.size)
        return replace(source, status=Status.TRUNCATED, reason=why)
    return source


def _decoded(content: FileText) -> str:
    """Return the text as Node decodes it: invalid bytes become U+FFFD."""
    return content.text if content.ok else content.raw.decode("utf-8", "replace")


def _content(content: FileText, path: Path) -> tuple[Segment, str]:
    """Return the trimmed and truncated text, and the note that follows a truncated one."""
    text, note = _decoded(content), ""
    if content.size > MAX_BYTES:
        raw = content.raw or text.encode("utf-8", "surrogatepass")
        whole, text = text, raw[:MAX_BYTES].decode("utf-8", "replace")
        cut(whole, len(text))
        note = f"\n\n[...truncated \u2014 file exceeds {MAX_BYTES} bytes]"
    left = text.lstrip(_JS_SPACE)
    line = line_breaks(text[: len(text) - len(left)])
    return Segment(left.rstrip(_JS_SPACE), "project", path, line), note


def _skill_folders(ctx: Context) -> list[SkillFolder]:
    return [
        SkillFolder(ctx.path_of("skill_folders", name), name, Scope.PROJECT, name)
        for name in ctx.settings.skill_folders
    ]


def _skills_block(found: Sequence[Skill]) -> list[Segment]:
    listed = [skill for skill in found if skill.status is Status.LISTED]
    out = [Segment("\n## Available skills\n", "skills")] if listed else []
    for skill in listed:
        text = f"- **{skill.name}**: {skill.file.description}"
        entry = Segment(text, "skills", skill.path, skill.file.line, skill.name)
        out += [Segment("\n", "skills"), entry]
    return out
