"""Gemini CLI: the user's GEMINI.md in the system instruction, the project's in the first message.

The text around them is read from the JavaScript bundle of the installed program.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from agent_memory.base.model import Exactness, Problem, Role, Scope, Segment, Source, Status
from agent_memory.config import project_root
from agent_memory.fs.program_text import Anchor
from agent_memory.l10n import t, untranslated
from agent_memory.runtimes import wording
from agent_memory.runtimes.agents import gemini_files, program_pieces
from agent_memory.runtimes.agents.gemini_files import FOLDER, NAME
from agent_memory.runtimes.agents.gemini_imports import Expander
from agent_memory.runtimes.agents.javascript import trimmed
from agent_memory.runtimes.agents.programs import ProgramSpec
from agent_memory.runtimes.base import Composition, Runtime
from agent_memory.runtimes.reading import numbered
from agent_memory.runtimes.segments import in_blocks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.runtimes.agents.programs import Program

_OWN = {
    "head": "--- From: ",
    "head_end": " ---\n",
    "tail": "\n--- End of: ",
    "tail_end": " ---",
    "open": "<!-- import of: ",
    "open_end": " -->\n",
    "close": "\n<!-- end of: ",
    "close_end": " -->",
    "failed": "<!-- not imported: ",
    "outside_end": " (outside of the project) -->",
    "dash": ": ",
    "failed_end": " -->",
    "again": "<!-- imported before: ",
    "again_end": " -->",
}
PROGRAM = ProgramSpec("gemini", "@google/gemini-cli", "agents.gemini-cli.path", "gemini_cli_path")


def _pattern(*parts: bytes | str) -> re.Pattern[bytes]:
    """Return a pattern of bytes and names of pieces, which are text of a template literal."""
    pieces = (
        rb"(?P<%s>[^`$]+)" % item.encode() if isinstance(item, str) else item for item in parts
    )
    return re.compile(b"".join(pieces))


def _files(program: Program) -> list[Path]:
    """Return the largest parts of the bundle first: the texts are in one of them."""
    found = list(program.folder.glob("bundle/*.js")) if program.folder else [program.path]
    return sorted(found, key=lambda path: (-path.stat().st_size, path.name))


_PATH = rb"\$\{importPath\}"
PIECES = program_pieces.PieceSpec(
    PROGRAM,
    _files,
    (
        Anchor(
            b"function concatenateInstructions(",
            _pattern(
                b"return `",
                "head",
                rb"\$\{item\.filePath\}",
                "head_end",
                rb"\$\{trimmedContent\}",
                "tail",
                rb"\$\{item\.filePath\}",
                "tail_end",
                b"`",
            ),
            before=0,
            after=1024,
        ),
        Anchor(
            b"validateImportPath(importPath, basePath",
            _pattern(b"`", "failed", _PATH, "outside_end", b"`"),
            before=0,
            after=512,
        ),
        Anchor(
            b"processedFiles.has(fullPath)",
            _pattern(b"`", "again", _PATH, "again_end", b"`"),
            before=0,
            after=512,
        ),
        Anchor(
            b"${imported.content}",
            _pattern(
                b"`",
                "open",
                _PATH,
                "open_end",
                rb"\$\{imported\.content\}",
                "close",
                _PATH,
                "close_end",
                b"`",
            ),
            before=256,
            after=256,
        ),
        Anchor(
            b"Failed to import ${importPath}",
            _pattern(_PATH, "dash", rb"\$\{message\d*\}", "failed_end", b"`"),
            before=0,
            after=512,
        ),
    ),
    {"b8ff7c78d14b9ca0": ("0.61.0", "0.61.0")},
    _OWN,
)


class GeminiCli(Runtime):
    """The profile of Gemini CLI."""

    id: ClassVar[str] = "gemini-cli"
    title: ClassVar[str] = "Gemini CLI"
    summary: ClassVar[str] = untranslated("GEMINI.md of the user and from the root down")
    settings: ClassVar[tuple[str, ...]] = (PROGRAM.key,)
    program: ClassVar[ProgramSpec | None] = PROGRAM
    markers: ClassVar[Mapping[str, int]] = {NAME: 45, f"~/{FOLDER}/{NAME}": 14}
    project_files: ClassVar[tuple[str, ...]] = (NAME,)
    memory_names: ClassVar[tuple[str, ...]] = (NAME,)
    container_tags: ClassVar[tuple[str, ...]] = ("loaded_context", "project_context")
    names_setting: ClassVar[str] = "`context.fileName` in .gemini/settings.json"

    def root(self, ctx: Context) -> Path | None:
        """Return the given root, else the nearest folder with any ``.git``."""
        return ctx.given_root or project_root.find_root(ctx.cwd.resolve(), project_root.has_git)

    def sources(self, ctx: Context) -> list[Source]:
        """Return the user's files, the project's from the root down, then their imports."""
        found = gemini_files.find(ctx, self.root(ctx))
        return numbered([*found, *_imports(ctx, found)])

    def follows_import(self, path: Path) -> bool:  # noqa: ARG002
        """Return True: any file is imported."""
        return True

    def condition(self, ctx: Context, path: Path) -> str:
        """Return when a file below the working folder is added, '' if it is not."""
        cwd = ctx.cwd.resolve()
        names = gemini_files.config(ctx).names or (NAME,)
        if path.name not in names or cwd not in path.parent.parents:
            return ""
        return t("added when {0} reads a file in {1}", self.title, path.parent)

    def reading(self, ctx: Context, path: Path) -> Composition:
        """Return the files between the working folder and ``path``, the nearest last.

        The heading above them is not part of it.
        """
        wrapper = program_pieces.load(ctx, self.root(ctx), PIECES)
        expander = Expander(ctx, wrapper.texts)
        out: list[Segment] = []
        for source in gemini_files.below(ctx, path):
            out += [Segment("\n\n" if out else ""), *_item(source, expander)]
        segments, roles = in_blocks([("user", out)])
        exactness = min(wrapper.exactness, Exactness.UNVERIFIED, key=wording.rank)
        return Composition(segments, exactness, wrapper.version, wrapper.origin, roles=roles)

    def compose(self, ctx: Context, sources: Sequence[Source], base: str = "") -> Composition:
        """Return ``base`` and the user's file in a system block, the project's in a user block."""
        wrapper = program_pieces.load(ctx, self.root(ctx), PIECES)
        expander = Expander(ctx, wrapper.texts)
        parts: dict[Scope, list[Segment]] = {Scope.USER: [], Scope.PROJECT: []}
        for source in sources:
            if source.order and source.role is Role.MEMORY:
                out = parts[source.scope]
                out += [Segment("\n\n" if out else ""), *_item(source, expander)]
        user = _in_tag("loaded_context", parts[Scope.USER])
        project = _in_tag("loaded_context", _in_tag("project_context", parts[Scope.PROJECT]))
        blocks = [("system", [Segment(base, "base")]), ("system", user), ("user", project)]
        segments, roles = in_blocks(blocks)
        exactness = wrapper.exactness
        problems: tuple[Problem, ...] = ()
        if gemini_files.config(ctx).flat:
            why = t("`importFormat: flat` is not shown; the preview shows imports in place")
            exactness, problems = (
                min(exactness, Exactness.UNVERIFIED, key=wording.rank),
                (Problem(why),),
            )
        return Composition(segments, exactness, wrapper.version, wrapper.origin, problems, roles)


def _in_tag(name: str, inside: list[Segment]) -> list[Segment]:
    return [Segment(f"<{name}>\n"), *inside, Segment(f"\n</{name}>")] if inside else []


def _item(source: Source, expander: Expander) -> list[Segment]:
    texts, path = expander.texts, source.path
    content = trimmed(expander.file(path, str(source.scope)))
    head = Segment(f"{texts['head']}{path}{texts['head_end']}")
    return [head, *content, Segment(f"{texts['tail']}{path}{texts['tail_end']}")]


def _imports(ctx: Context, sources: Sequence[Source]) -> list[Source]:
    """Return the files that ``sources`` import, with what becomes of them."""
    expander = Expander(ctx, _OWN)
    for source in sources:
        if source.status is Status.LOADED:
            expander.file(source.path, "")
    found: dict[Path, Source] = {}
    for (path, importer), error in expander.notes.items():
        by = t("imported by {0}", importer)
        outside = t("it is outside of the project")
        reason = f"{by}: {outside if error == 'outside' else error}" if error else by
        status = Status.IGNORED if error else Status.LOADED
        note = Source(path, Scope.PROJECT, Role.NOTE, status, reason, str(path), by=importer)
        found.setdefault(path, note)
    return list(found.values())
