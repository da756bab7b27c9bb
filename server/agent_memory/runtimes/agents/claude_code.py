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
from agent_memory.runtimes.agents.agent import Agent, loaded_files
from agent_memory.runtimes.agents.claude_imports import IS_TEXT, MEMORY, PROJECT, USER, parsed
from agent_memory.runtimes.agents.javascript import decoded, trimmed
from agent_memory.runtimes.agents.program_pieces import PieceSpec
from agent_memory.runtimes.agents.programs import ProgramSpec
from agent_memory.runtimes.base import RulePatterns
from agent_memory.runtimes.segments import MessageBlock

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.runtimes.agents.programs import Program
    from agent_memory.runtimes.base import OddCondition

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
    """Return the files that may contain the code of ``program``; they may be missing.

    They are the program itself, and in its npm package the binary and the script of older versions.
    """
    files = [program.path] if program.path.is_file() else []
    if program.folder:
        files += [program.folder / "bin/claude.exe", program.folder / "cli.js"]
    return files


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
        # The file to create. `add_source` ignores it if the file exists, so has a source.
        loader.add_source(root / "CLAUDE.md", PROJECT, Status.MISSING, t("the file does not exist"))
        loaded = [loader.sources[file.path] for file in loader.loaded]
        others = [source for source in loader.sources.values() if source not in loaded]
        return [*loaded, *others]

    def blocks(
        self, ctx: Context, sources: Sequence[Source], texts: Mapping[str, str]
    ) -> Sequence[MessageBlock]:
        """Return a user block with the loaded files, without segments if no file is loaded."""
        loaded = loaded_files(sources)
        if not loaded:
            return [MessageBlock("user", [])]
        out = [Segment(f"{_OPEN}{texts['head']}")]
        for source in loaded:
            out += [Segment("\n\n"), *_item(ctx, source, texts)]
        return [MessageBlock("user", [*out, Segment(_CLOSE)])]

    def not_shown(self, ctx: Context, sources: Sequence[Source]) -> list[Problem]:
        """Return a problem if Claude Code sends only a part of its own memory.

        Claude Code sends a note in place of the rest, and the preview lacks this note.
        """
        return _cut_own_memory(ctx, sources)

    def follows_import(self, path: Path, importer: Path) -> bool:  # noqa: ARG002
        """Whether ``path`` has the suffix of a text file or no suffix; any ``importer`` will do."""
        return IS_TEXT.fullmatch(str(path)) is not None

    def condition(self, ctx: Context, path: Path) -> str:
        """Return in words when ``path`` is sent after the start of a session, '' if it is not."""
        return claude_reading.condition(ctx, path)

    def later_imports(self, ctx: Context, paths: Iterable[Path]) -> list[Source]:
        """Return the imports of those ``paths`` that are added when Claude Code reads a file."""
        return claude_reading.later_imports(ctx, paths)

    def patterns(self, ctx: Context, source: Source) -> RulePatterns | None:
        """Return `paths` of ``source``, relative to the folder that contains ``.claude``.

        None unless ``source`` is a conditional rule of the project. Only such rules are LISTED.
        """
        if source.status is not Status.LISTED or source.scope is not Scope.PROJECT:
            return None
        globs = parsed(ctx.store.read(source.path)).paths
        if globs is None:  # only if the file was changed after `source` was found
            return None
        return RulePatterns(claude_files.folder_of(source.path), globs)

    def odd_condition(self, ctx: Context, source: Source) -> OddCondition | None:
        """Return the condition of ``source`` if it has another effect than it seems to have.

        Else return None, as for a file that is not in a folder of rules, so has no condition.
        """
        if f"/{claude_files.RULES}/" not in source.path.as_posix():
            return None
        return claude_conditions.odd_condition(decoded(ctx.store.read(source.path)))

    def reading_blocks(
        self, ctx: Context, path: Path, texts: Mapping[str, str]
    ) -> Sequence[MessageBlock]:
        """Return a user block with the files that are added when Claude Code reads ``path``.

        Unlike at the start, a heading does not say of which kind its file is.
        """
        out: list[Segment] = []
        for file in claude_reading.added(ctx, path):
            kind = "user" if file.kind == USER else "project"
            text = file.text
            pieces = [Segment(piece.text, kind, file.path, piece.line) for piece in text.pieces]
            head = f"{_OPEN}{texts['item']}{file.path}{texts['colon']}"
            out += [Segment("\n\n" if out else ""), Segment(head), *pieces, Segment(_CLOSE)]
        return [MessageBlock("user", out)]

    def memory_path(self, ctx: Context, scope: Scope) -> Path | None:
        """Return the CLAUDE.md of the user, or the loaded memory file of the root.

        If no file of the root is loaded, it is the CLAUDE.md to create there. The file of the user
        may be missing, too.
        """
        if scope is Scope.USER:
            return claude_files.config_folder(ctx) / "CLAUDE.md"
        root = self.root(ctx) or ctx.cwd.resolve()
        names = (*claude_files.NAMES, *claude_files.AGENTS_NAMES)
        paths = [root / name for name in names]
        loaded = {file.path for file in claude_files.find(ctx).loaded}
        return next((path for path in paths if path in loaded), paths[0])


def _item(ctx: Context, source: Source, texts: Mapping[str, str]) -> list[Segment]:
    """Return the text of the loaded file ``source`` below its heading.

    ``source.name`` is the kind of the file (``user``, ``local``); the heading contains the words
    of ``texts`` about this kind.
    """
    path, scope = source.path, str(source.scope)
    text = parsed(ctx.store.read(path))
    pieces = [Segment(piece.text, scope, path, piece.line) for piece in text.pieces]
    if source.name == MEMORY:
        sent = claude_own_memory.sent(text.body).text
        pieces = trimmed(pieces)
        # A cut or changed text is one segment, so lines below a removed comment are numbered too
        # low.
        if sent != text.body:
            pieces = [Segment(sent, scope, path, pieces[0].line)]
    head = f"{texts['item']}{path}{texts[source.name]}{texts['colon']}"
    return [Segment(head), *trimmed(pieces)]


def _cut_own_memory(ctx: Context, sources: Sequence[Source]) -> list[Problem]:
    """Return a problem if Claude Code cuts the loaded file in which it keeps its own memory."""
    problems = []
    for source in loaded_files(sources):
        if source.name != MEMORY:
            continue
        text = parsed(ctx.store.read(source.path))
        if claude_own_memory.sent(text.body).is_cut:
            why = t(
                "{0}: Claude Code sends at most {1} lines and {2:,} characters of it and a note, "
                "which is not shown. Move details to other files",
                source.path,
                claude_own_memory.MAX_LINES,
                claude_own_memory.MAX_LENGTH,
            )
            problems.append(Problem(why, source.path))
    return problems
