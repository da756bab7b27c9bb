"""Claude Code: CLAUDE.md, rules and imports in the first user message.

The text around them is read from the installed program (2.1.330: a native binary that holds its
JavaScript). Versions before 2.1.330 have other texts, and no AGENTS.md.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Problem, Scope, Segment, Source, Status
from agent_memory.fs.program_text import Anchor
from agent_memory.l10n import t, untranslated
from agent_memory.runtimes.agents import (
    claude_conditions,
    claude_files,
    claude_own_memory,
    claude_reading,
)
from agent_memory.runtimes.agents.agent import Agent
from agent_memory.runtimes.agents.claude_imports import IS_TEXT, MEMORY, PROJECT, USER, parsed
from agent_memory.runtimes.agents.javascript import decoded, trimmed
from agent_memory.runtimes.agents.program_pieces import PieceSpec
from agent_memory.runtimes.agents.programs import ProgramSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.runtimes.agents.programs import Program

_NAME = rb"[\w$]+"  # an identifier of JavaScript
_TEXT = rb"[^\"\\]+"  # inside of a string without escapes
# The minified function that returns the label of a kind of file, and the template of an item:
# ="HEAD";function a(b){switch(b){case"Project":return" (LABEL)";case"Local":…case"User":return"…"
# …:`ITEM${c.path}${a(c.type)}COLON`
_PATTERN = lazy_compile(
    rb'="(?P<head>'
    + _TEXT
    + rb')";function '
    + _NAME
    + rb"\("
    + _NAME
    + rb"\)\{switch\("
    + _NAME
    + rb'\)\{case"Project":return"(?P<project>'
    + _TEXT
    + rb')";case"Local":return"(?P<local>'
    + _TEXT
    + rb')";case"AutoMem":return"(?P<memory>'
    + _TEXT
    + rb')";case"Managed":return"'
    + _TEXT
    + rb'";case"User":return"(?P<user>'
    + _TEXT
    + rb')".*?:`(?P<item>[^`$\\]+)\$\{'
    + _NAME
    + rb"\.path\}\$\{"
    + _NAME
    + rb"\("
    + _NAME
    + rb"\.type\)\}(?P<colon>[^`$\\]+)`",
    re.DOTALL,
)
_OWN = {
    "head": "These are the instructions of the user and of the project. Follow them.",
    "project": " (from the project)",
    "local": " (from the project, private)",
    "memory": " (notes of the agent)",
    "user": " (from the user)",
    "item": "From ",
    "colon": ":\n\n",
}
"""Our own wording, by the names of the pieces."""
PROGRAM = ProgramSpec("claude-code", "claude", "@anthropic-ai/claude-code")


def _files(_ctx: Context, program: Program) -> list[Path]:
    """Return the program if it is a file, and the binary and older script of its npm package.

    The latter two may be missing. They are left out if the program has no npm package.
    """
    inside = (
        [program.folder / "bin/claude.exe", program.folder / "cli.js"] if program.folder else []
    )
    return [*([program.path] if program.path.is_file() else []), *inside]


PIECES = PieceSpec(
    PROGRAM,
    _files,
    (Anchor(b'{case"Project":return"', _PATTERN),),
    {"b61b2e345633f538": ("2.1.330", "2.1.330")},
    _OWN,
)
_OPEN, _CLOSE = "<system-reminder>\n", "\n</system-reminder>"


class ClaudeCode(Agent):
    """The profile of Claude Code."""

    id: ClassVar[str] = "claude-code"
    title: ClassVar[str] = "Claude Code"
    summary: ClassVar[str] = untranslated("CLAUDE.md, rules and imports, or else AGENTS.md")
    pieces: ClassVar[PieceSpec] = PIECES
    compared_reading: ClassVar[bool] = True
    markers: ClassVar[Mapping[str, int]] = {
        "CLAUDE.md": 46,
        ".claude/rules": 44,
        "~/.claude/CLAUDE.md": 15,
    }
    project_files: ClassVar[tuple[str, ...]] = (*claude_files.NAMES, claude_files.LOCAL_NAME)
    memory_names: ClassVar[tuple[str, ...]] = ("CLAUDE.md", claude_files.LOCAL_NAME)
    folders: ClassVar[tuple[str, ...]] = (claude_files.RULES,)
    container_tags: ClassVar[tuple[str, ...]] = ("system-reminder",)

    def find(self, ctx: Context) -> list[Source]:
        """Return the files in load order, then the ones that are not loaded."""
        loader = claude_files.find(ctx)
        root = self.root(ctx) or loader.cwd
        # The file to create. The first source of a path counts: this one has no effect if the file
        # was found.
        loader.add_source(root / "CLAUDE.md", PROJECT, Status.MISSING, t("the file does not exist"))
        loaded = [loader.sources[file.path] for file in loader.loaded]
        others = [source for source in loader.sources.values() if source not in loaded]
        return [*loaded, *others]

    def blocks(
        self, ctx: Context, sources: Sequence[Source], texts: Mapping[str, str]
    ) -> Sequence[tuple[str, Sequence[Segment]]]:
        """Return (role, segments) of a user block with the memory, no segments without memory."""
        loaded = [source for source in sources if source.order]
        if not loaded:
            return [("user", [])]
        out = [Segment(f"{_OPEN}{texts['head']}")]
        for source in loaded:
            out += [Segment("\n\n"), *_item(ctx, source, texts)]
        return [("user", [*out, Segment(_CLOSE)])]

    def not_shown(self, ctx: Context, sources: Sequence[Source]) -> list[Problem]:
        """Return a problem if Claude Code sends only a part of its own memory.

        It adds a note about the rest, which the preview lacks.
        """
        return _cut_own_memory(ctx, sources)

    def follows_import(self, path: Path, importer: Path) -> bool:  # noqa: ARG002
        """Whether ``path`` has the suffix of a text file or no suffix; any ``importer`` will do."""
        return IS_TEXT.fullmatch(str(path)) is not None

    def condition(self, ctx: Context, path: Path) -> str:
        """Return when ``path`` is added or sent after the start, '' if it is not."""
        return claude_reading.condition(ctx, path)

    def later_imports(self, ctx: Context, paths: Iterable[Path]) -> list[Source]:
        """Return the imports of those ``paths`` that are added when Claude Code reads a file."""
        return claude_reading.later_imports(ctx, paths)

    def patterns(self, ctx: Context, source: Source) -> tuple[Path, tuple[str, ...]] | None:
        """Return the folder that holds ``.claude``, and `paths` of a conditional rule.

        None if ``source`` is not such a rule, or is one of the user, for all projects.
        """
        # only a conditional rule is LISTED
        if source.status is not Status.LISTED or source.scope is not Scope.PROJECT:
            return None
        globs = parsed(ctx.store.read(source.path)).paths
        # None only if the file was changed after `source` was found
        return (claude_files.folder_of(source.path), globs) if globs else None

    def odd_condition(self, ctx: Context, source: Source) -> tuple[int, str] | None:
        """Return (line from 0, sentence) about a condition that is not what it looks like.

        None if the condition is what it looks like, and for a file without a condition: only a file
        in a folder of rules has one.
        """
        if f"/{claude_files.RULES}/" not in source.path.as_posix():
            return None
        return claude_conditions.odd_condition(decoded(ctx.store.read(source.path)))

    def reading_blocks(
        self, ctx: Context, path: Path, texts: Mapping[str, str]
    ) -> Sequence[tuple[str, Sequence[Segment]]]:
        """Return (role, segments) of the files that are added when Claude Code reads ``path``.

        Unlike at the start, no heading has the label of a kind.
        """
        out: list[Segment] = []
        for file in claude_reading.added(ctx, path):
            kind = "user" if file.kind == USER else "project"
            parts = [Segment(part, kind, file.path, line) for part, line in file.text.pieces]
            head = f"{_OPEN}{texts['item']}{file.path}{texts['colon']}"
            out += [Segment("\n\n" if out else ""), Segment(head), *parts, Segment(_CLOSE)]
        return [("user", out)]

    def memory_path(self, ctx: Context, scope: Scope) -> Path | None:
        """Return the CLAUDE.md of the user or of the root, or the file that is read instead.

        It may be missing: then it is the one to create.
        """
        if scope is Scope.USER:
            return claude_files.config_folder(ctx) / "CLAUDE.md"
        root = self.root(ctx) or ctx.cwd.resolve()
        names = (*claude_files.NAMES, *claude_files.AGENTS_NAMES)
        paths = [root / name for name in names]
        loaded = {file.path for file in claude_files.find(ctx).loaded}
        return next((path for path in paths if path in loaded), paths[0])


def _item(ctx: Context, source: Source, texts: Mapping[str, str]) -> list[Segment]:
    """Return the loaded file ``source`` below its heading.

    The name of ``source`` is the kind of its file (``user``, ``local``), which the heading
    describes.
    """
    path, scope = source.path, str(source.scope)
    text = parsed(ctx.store.read(path))
    pieces = [Segment(piece, scope, path, line) for piece, line in text.pieces]
    if source.name == MEMORY:
        sent, _ = claude_own_memory.sent(text.body)
        pieces = trimmed(pieces)
        # A cut or changed text is one piece: below a removed comment its line numbers are too low.
        if sent != text.body:
            pieces = [Segment(sent, scope, path, pieces[0].line)]
    head = f"{texts['item']}{path}{texts[source.name]}{texts['colon']}"
    return [Segment(head), *trimmed(pieces)]


def _cut_own_memory(ctx: Context, sources: Sequence[Source]) -> list[Problem]:
    """Return a problem for each loaded file that Claude Code has written itself and cuts."""
    problems = []
    for source in sources:
        if not source.order or source.name != MEMORY:
            continue
        _, is_cut = claude_own_memory.sent(parsed(ctx.store.read(source.path)).body)
        if is_cut:
            why = t(
                "{0}: Claude Code sends at most {1} lines and {2:,} characters of it and a note, "
                "which is not shown. Move details to other files",
                source.path,
                claude_own_memory.MAX_LINES,
                claude_own_memory.MAX_LENGTH,
            )
            problems.append(Problem(why, source.path))
    return problems
