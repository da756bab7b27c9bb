"""Gemini CLI: the user's GEMINI.md in the system instruction, the project's in the first message.

The text around them is read from the JavaScript bundle of the installed program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Problem, Scope, Segment, Source
from agent_memory.fs.program_text import Anchor
from agent_memory.l10n import t, untranslated
from agent_memory.runtimes.agents import gemini_files
from agent_memory.runtimes.agents.agent import Agent, loaded_files
from agent_memory.runtimes.agents.gemini_files import FOLDER, NAME
from agent_memory.runtimes.agents.javascript import trimmed
from agent_memory.runtimes.agents.program_pieces import PieceSpec
from agent_memory.runtimes.agents.programs import ProgramSpec
from agent_memory.runtimes.segments import MessageBlock, with_short_gaps

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.runtimes.agents.gemini_imports import GeminiExpander
    from agent_memory.runtimes.agents.programs import Program

OWN_WORDING = {
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
"""Texts around files and imports, for a program whose own texts cannot be read; by piece."""
PROGRAM = ProgramSpec("gemini-cli", "gemini", "@google/gemini-cli")


def pattern(*parts: bytes | str) -> re.Pattern[bytes]:
    """Return the pattern that ``parts`` form: bytes are patterns, a str is the name of a piece.

    A piece is text of a JavaScript template literal, up to the next ``$`` or the closing backtick.
    """
    patterns = (
        rb"(?P<%s>[^`$]+)" % part.encode() if isinstance(part, str) else part for part in parts
    )
    return lazy_compile(b"".join(patterns))


def _files(_ctx: Context, program: Program) -> list[Path]:
    """Return the scripts of the npm package, the largest first; without a package, the program.

    The largest script is the one that is likely to have the texts.
    """
    found = list(program.folder.glob("bundle/*.js")) if program.folder else [program.path]
    return sorted(found, key=lambda path: (-size_of(path), path.name))


def size_of(path: Path) -> int:
    """Return the size of the file ``path`` in bytes, 0 if it is missing or a broken link."""
    try:
        return path.stat().st_size
    except OSError:
        return 0


_PATH = rb"\$\{importPath\}"
IMPORTS = (
    Anchor(
        b"validateImportPath(importPath, basePath",
        pattern(b"`", "failed", _PATH, "outside_end", b"`"),
        before=0,
        after=512,
    ),
    Anchor(
        b"processedFiles.has(fullPath)",
        pattern(b"`", "again", _PATH, "again_end", b"`"),
        before=0,
        after=512,
    ),
    Anchor(
        b"${imported.content}",
        pattern(
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
        pattern(_PATH, "dash", rb"\$\{message\d*\}", "failed_end", b"`"),
        before=0,
        after=512,
    ),
)
"""Where the texts around imports are; Qwen Code has them as well."""
PIECES = PieceSpec(
    PROGRAM,
    _files,
    (
        Anchor(
            b"function concatenateInstructions(",
            pattern(
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
        *IMPORTS,
    ),
    {"b8ff7c78d14b9ca0": ("0.61.0", "0.61.0")},
    OWN_WORDING,
)


class GeminiCli(Agent):
    """The profile of Gemini CLI."""

    id: ClassVar[str] = "gemini-cli"
    title: ClassVar[str] = "Gemini CLI"
    summary: ClassVar[str] = untranslated("GEMINI.md of the user and from the root down")
    pieces: ClassVar[PieceSpec] = PIECES
    compared_reading: ClassVar[bool] = True
    markers: ClassVar[Mapping[str, int]] = {NAME: 45, f"~/{FOLDER}/{NAME}": 14}
    project_files: ClassVar[tuple[str, ...]] = (NAME,)
    memory_names: ClassVar[tuple[str, ...]] = (NAME,)
    container_tags: ClassVar[tuple[str, ...]] = ("loaded_context", "project_context")
    names_setting: ClassVar[str] = "`context.fileName` in .gemini/settings.json"

    def find(self, ctx: Context) -> list[Source]:
        """Return the user's files, the project's from the root down, and ignored ones above it.

        The imports of the loaded files follow.
        """
        from agent_memory.runtimes.agents import gemini_imports  # noqa: PLC0415 -- not at start

        found = gemini_files.find(ctx, self.root(ctx))
        # The expander needs texts, but only the paths of the imported files are used here.
        expander = gemini_imports.GeminiExpander(ctx, PIECES.own)
        return [*found, *gemini_imports.imported(expander, found)]

    def reading_blocks(
        self, ctx: Context, path: Path, texts: Mapping[str, str]
    ) -> Sequence[MessageBlock]:
        """Return a user block with the files below the working folder and down to ``path``.

        The file nearest to ``path`` is the last one. The lines that Gemini CLI writes above and
        below all of these files are not part of the block.
        """
        from agent_memory.runtimes.agents import gemini_imports  # noqa: PLC0415 -- not at start

        expander = gemini_imports.GeminiExpander(ctx, texts)
        out: list[Segment] = []
        for source in gemini_files.below(ctx, path):
            out += [Segment("\n\n" if out else ""), *_item(source, expander)]
        return [MessageBlock("user", out)]

    def blocks(
        self, ctx: Context, sources: Sequence[Source], texts: Mapping[str, str]
    ) -> Sequence[MessageBlock]:
        """Return a system block with the user's files and a user block with the project's.

        Gemini CLI leaves at most one blank line in a row in the system block.
        """
        from agent_memory.runtimes.agents import gemini_imports  # noqa: PLC0415 -- not at start

        expander = gemini_imports.GeminiExpander(ctx, texts)
        items: dict[Scope, list[Segment]] = {Scope.USER: [], Scope.PROJECT: []}
        for source in loaded_files(sources):
            is_import = source.by is not None
            if not is_import:  # an import is a part of the item of its importer
                of_scope = items[source.scope]
                of_scope += [Segment("\n\n" if of_scope else ""), *_item(source, expander)]
        user = _in_tag("loaded_context", items[Scope.USER])
        project = _in_tag("loaded_context", _in_tag("project_context", items[Scope.PROJECT]))
        return [MessageBlock("system", with_short_gaps(user)), MessageBlock("user", project)]

    def follows_import(self, path: Path, importer: Path) -> bool:  # noqa: ARG002
        """Return True: any file may import any file."""
        return True

    def condition(self, ctx: Context, path: Path) -> str:
        """Return in words when ``path`` is sent after the start of a session, '' if it is not."""
        names = gemini_files.config(ctx).names or (NAME,)
        return self.condition_below(ctx, path) if path.name in names else ""

    def not_shown(self, ctx: Context, sources: Sequence[Source]) -> list[Problem]:  # noqa: ARG002
        """Return a problem if the settings let Gemini CLI send imports in a list of their own."""
        if not gemini_files.config(ctx).flat:
            return []
        return [Problem(t("`importFormat: flat` is not shown; the preview shows imports in place"))]


def _in_tag(name: str, inside: list[Segment]) -> list[Segment]:
    """Return ``inside`` between the tags of ``name``, [] if ``inside`` is empty."""
    return [Segment(f"<{name}>\n"), *inside, Segment(f"\n</{name}>")] if inside else []


def _item(source: Source, expander: GeminiExpander) -> list[Segment]:
    """Return the trimmed text of ``source`` with its imports, between two lines with its path."""
    texts, path = expander.texts, source.path
    content = trimmed(expander.expand_file(path, str(source.scope)))
    head = Segment(f"{texts['head']}{path}{texts['head_end']}")
    return [head, *content, Segment(f"{texts['tail']}{path}{texts['tail_end']}")]
