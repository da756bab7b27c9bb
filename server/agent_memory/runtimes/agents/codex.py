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
from agent_memory.runtimes.agents.agent import Agent
from agent_memory.runtimes.agents.codex_files import NAMES, SPACE
from agent_memory.runtimes.agents.javascript import decoded
from agent_memory.runtimes.agents.program_pieces import PieceSpec
from agent_memory.runtimes.agents.programs import ProgramSpec
from agent_memory.runtimes.segments import line_breaks

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
    """Return where the native binary may be: the program itself, or in an npm package.

    Versions differ: it is in the package of ``program`` or in that of the platform, such as
    ``codex-linux-x64``, which is next to it or in its ``node_modules``.
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
        """Return the user's file, then those of each folder from the root to the working folder."""
        return codex_files.find(ctx, self._folders(ctx))

    def _folders(self, ctx: Context) -> list[Path]:
        """Return the folders from the root down to the working folder.

        It is only the working folder without a root, or if the root is not above it.
        """
        cwd, root = ctx.cwd.resolve(), self.root(ctx)
        upwards = [cwd, *cwd.parents]
        if root not in upwards:
            return [cwd]
        return upwards[: upwards.index(root) + 1][::-1]

    def blocks(
        self, ctx: Context, sources: Sequence[Source], texts: Mapping[str, str]
    ) -> Sequence[tuple[str, Sequence[Segment]]]:
        """Return (role, segments) of a user block: the user's file, then the project's.

        The heading names the working folder if there are files of the project. Without a loaded
        file the block has no segments.
        """
        loaded = [source for source in sources if source.order]
        if not loaded:
            return [("user", [])]
        user = [_user_segment(ctx, source) for source in loaded if source.scope is Scope.USER]
        project_files = [source for source in loaded if source.scope is Scope.PROJECT]
        project = list(_segments(ctx, project_files, codex_files.config(ctx).limit))
        place = f" for {ctx.cwd.resolve()}" if project else ""
        opening = texts["close"].replace("/", "", 1)  # the tag `</NAME>` as `<NAME>`
        out = [
            Segment(f"{texts['heading']}{place}\n\n{opening}\n"),
            *user,
            Segment(texts["separator"] if user and project else ""),
            *project,
            Segment(f"\n{texts['close']}"),
        ]
        return [("user", out)]

    def notices(self, ctx: Context, sources: Sequence[Source]) -> list[Problem]:
        """Return a problem for each file that the budget cuts or leaves out."""
        return _cut(sources, codex_files.config(ctx).limit)


def _segments(ctx: Context, sources: Sequence[Source], limit: int) -> Iterator[Segment]:
    """Yield the texts of the loaded project files with a blank line between.

    ``limit`` is their common budget in bytes; the text that exceeds it is cut.
    """
    left = limit
    for source in sources:
        content = ctx.store.read(source.path)
        if left != limit:  # another file precedes this one: loaded files are not empty
            yield Segment("\n\n")
        yield Segment(codex_files.sent(content, left), "project", source.path)
        left -= min(left, content.size)


def _user_segment(ctx: Context, source: Source) -> Segment:
    """Return the text of the user's file, which Codex trims; it does not trim the project's."""
    text = decoded(ctx.store.read(source.path))
    kept = text.lstrip(SPACE)
    line = line_breaks(text[: len(text) - len(kept)])
    return Segment(kept.rstrip(SPACE), "user", source.path, line)


def _cut(sources: Sequence[Source], limit: int) -> list[Problem]:
    """Return a problem for each file that the budget of ``limit`` bytes cuts or leaves out.

    It is TRUNCATED or IGNORED; a file of Codex has these only because of the budget.
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
