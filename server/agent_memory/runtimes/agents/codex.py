"""Codex CLI: AGENTS.md of the user and from the project's root down, in a user message.

The project's files share one budget of bytes, the root's first. The text around them is in the
binary as fragments of its Rust strings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import (
    Problem,
    Scope,
    Segment,
    Source,
    Status,
)
from agent_memory.fs.program_text import Anchor
from agent_memory.l10n import t, untranslated
from agent_memory.runtimes.agents import codex_files
from agent_memory.runtimes.agents.agent import Agent, loaded_files
from agent_memory.runtimes.agents.codex_files import NAMES, SPACE
from agent_memory.runtimes.agents.javascript import decoded
from agent_memory.runtimes.agents.program_pieces import PieceSpec
from agent_memory.runtimes.agents.programs import ProgramSpec
from agent_memory.runtimes.segments import MessageBlock, line_breaks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.runtimes.agents.programs import Program

_OWN = {
    "heading": "# Instructions from AGENTS.md",
    "close": "</INSTRUCTIONS>",
    "separator": "\n\n--- project ---\n\n",
}
"""Our own wording, by the names of the pieces."""
PROGRAM = ProgramSpec("codex", "codex", "@openai/codex")


def _files(_ctx: Context, program: Program) -> list[Path]:
    """Return the files that may be the native binary: the program, or a file of an npm package.

    The place depends on the version: the package of ``program``, or that of the platform, such as
    ``codex-linux-x64``, which is next to the former or in its ``node_modules``.
    """
    is_script = program.path.suffix == ".js"
    paths = [] if is_script or program.path.is_dir() else [program.path]
    if program.folder:
        for package in (program.folder, *program.folder.parent.glob("codex-*")):
            paths += [*package.glob("vendor/*/bin/codex*"), *package.glob("vendor/*/codex/codex*")]
        paths += program.folder.glob("node_modules/@openai/codex-*/vendor/*/bin/codex*")
    return paths


PIECES = PieceSpec(
    PROGRAM,
    _files,
    (
        Anchor(
            b"# AGENTS.md ",
            # `[ -;=?-~]` is printable ASCII without `<` and `>`
            lazy_compile(rb"(?P<heading># AGENTS\.md [ -;=?-~]+)(?P<close></[A-Z_]+>)"),
            before=0,
            after=256,
        ),
        Anchor(
            b"agents_md",
            lazy_compile(
                rb"(?P<separator>\n\n--- [ -~]+ ---\n\n)"
                rb"(?:\n\nevent [\w/]+)?agents_md"  # 0.144.6 has a name between
            ),
            before=64,
            after=64,
        ),
    ),
    {"739647c6af5ea2b1": ("0.169.0", "0.169.0")},
    _OWN,
)


class Codex(Agent):
    """The profile of Codex CLI."""

    id: ClassVar[str] = "codex"
    title: ClassVar[str] = "Codex"
    summary: ClassVar[str] = untranslated("AGENTS.md of the user and from the root down")
    pieces: ClassVar[PieceSpec] = PIECES
    markers: ClassVar[Mapping[str, int]] = {
        "AGENTS.override.md": 43,
        "AGENTS.md": 42,
        "~/.codex/AGENTS.md": 12,
    }
    project_files: ClassVar[tuple[str, ...]] = ("AGENTS.md", "AGENTS.override.md")
    memory_names: ClassVar[tuple[str, ...]] = NAMES
    container_tags: ClassVar[tuple[str, ...]] = ("INSTRUCTIONS",)
    names_setting: ClassVar[str] = "`project_doc_fallback_filenames` in ~/.codex/config.toml"

    def find(self, ctx: Context) -> list[Source]:
        """Return the user's files, then those of the project from the root down to ``cwd``."""
        return codex_files.find(ctx, self._folders(ctx))

    def _folders(self, ctx: Context) -> list[Path]:
        """Return the folders from the root down to the working folder.

        Without a root, or if it is not above the working folder, return only the latter.
        """
        cwd, root = ctx.cwd.resolve(), self.root(ctx)
        upwards = [cwd, *cwd.parents]
        if root not in upwards:
            return [cwd]
        return upwards[: upwards.index(root) + 1][::-1]

    def blocks(
        self, ctx: Context, sources: Sequence[Source], texts: Mapping[str, str]
    ) -> Sequence[MessageBlock]:
        """Return a user block: the user's file, then those of the project, below a heading.

        The heading names the working folder if files of the project are loaded. Without a loaded
        file the block has no segments.
        """
        loaded = loaded_files(sources)
        if not loaded:
            return [MessageBlock("user", [])]
        user = [_user_segment(ctx, source) for source in loaded if source.scope is Scope.USER]
        project_files = [source for source in loaded if source.scope is Scope.PROJECT]
        project = list(_segments(ctx, project_files, codex_files.config(ctx).limit))
        place = f" for {ctx.cwd.resolve()}" if project else ""
        opening_tag = texts["close"].replace("/", "", 1)  # `<NAME>` from `</NAME>`
        out = [
            Segment(f"{texts['heading']}{place}\n\n{opening_tag}\n"),
            *user,
            Segment(texts["separator"] if user and project else ""),
            *project,
            Segment(f"\n{texts['close']}"),
        ]
        return [MessageBlock("user", out)]

    def notices(self, ctx: Context, sources: Sequence[Source]) -> list[Problem]:
        """Return a problem for each file that the budget cuts or leaves out."""
        return _budget_problems(sources, codex_files.config(ctx).limit)


def _segments(ctx: Context, sources: Sequence[Source], limit: int) -> Iterator[Segment]:
    """Yield the texts of the loaded project files ``sources`` with a blank line between two.

    ``limit`` is their common budget in bytes; the text that exceeds it is cut.
    """
    left = limit
    for number, source in enumerate(sources):
        content = ctx.store.read(source.path)
        if number:
            yield Segment("\n\n")
        yield Segment(codex_files.sent(content, left), "project", source.path)
        left -= min(left, content.size)


def _user_segment(ctx: Context, source: Source) -> Segment:
    """Return the text of the user's file, which Codex trims, unlike files of the project."""
    text = decoded(ctx.store.read(source.path))
    kept = text.lstrip(SPACE)
    removed_start = text[: len(text) - len(kept)]
    return Segment(kept.rstrip(SPACE), "user", source.path, line_breaks(removed_start))


def _budget_problems(sources: Sequence[Source], limit: int) -> list[Problem]:
    """Return a problem for each file that the budget of ``limit`` bytes cuts or leaves out.

    Such a file is TRUNCATED or IGNORED. A file of Codex has these statuses for no other reason.
    """
    return [
        Problem(
            t(
                "{0}: {1}. The budget is {2:,} bytes for all project files; set "
                "`project_doc_max_bytes` in config.toml or shorten the files above it",
                source.path,
                source.reason,
                limit,
            ),
            source.path,
        )
        for source in sources
        if source.status in (Status.TRUNCATED, Status.IGNORED)
    ]
