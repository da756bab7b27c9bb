"""deepagents for JavaScript: the listed AGENTS.md files in the middleware's own system text.

It is a library, so the caller lists the files: the setting ``sources``, or else the files of
deepagents-code. Its template is read from the installed package.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Scope, Segment, Source
from agent_memory.base.text import BOM
from agent_memory.fs.program_text import Anchor
from agent_memory.l10n import t, untranslated
from agent_memory.runtimes import wording
from agent_memory.runtimes.agents.agent import Agent, loaded_files, sent_source
from agent_memory.runtimes.agents.javascript import decoded
from agent_memory.runtimes.agents.program_pieces import PieceSpec
from agent_memory.runtimes.agents.programs import ProgramSpec
from agent_memory.runtimes.agents_md import passed_files
from agent_memory.runtimes.segments import MessageBlock, part

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText
    from agent_memory.runtimes.agents.programs import Program

_FIELD = "{memory_contents}"
"""The placeholder for the memory."""
_OWN_HEAD, _, _OWN_TAIL = wording.AGENT_MEMORY.partition("{agent_memory}\n")
"""Without the blank line that the Python package has after the memory."""


def _files(_ctx: Context, program: Program) -> list[Path]:
    """Return the scripts of the package, whose folder is ``program.path``."""
    return sorted(program.path.glob("dist/*.js"), key=str)


PIECES = PieceSpec(
    ProgramSpec("deepagents-js", "", "deepagents"),
    _files,
    (
        Anchor(
            b"MEMORY_SYSTEM_PROMPT = context`",
            # the template literal: in TAIL a backtick is escaped
            lazy_compile(
                rb"context`\n(?P<head>[^`$]*?)\{memory_contents\}(?P<tail>(?:[^`$\\]|\\`)*)\n`;"
            ),
            before=0,
            after=16384,
        ),
    ),
    {"2df105e99f0dad15": ("1.14.1", "1.14.1")},
    {"head": _OWN_HEAD, "tail": _OWN_TAIL.rstrip("\n")},
)


class DeepagentsJs(Agent):
    """The profile of the npm package deepagents."""

    id: ClassVar[str] = "deepagents-js"
    title: ClassVar[str] = "deepagents for JavaScript"
    summary: ClassVar[str] = untranslated("a list of AGENTS.md files, comments included")
    pieces: ClassVar[PieceSpec] = PIECES
    settings: ClassVar[tuple[str, ...]] = ("sources",)
    node_packages: ClassVar[tuple[str, ...]] = ("deepagents",)
    container_tags: ClassVar[tuple[str, ...]] = ("agent_memory", "memory_guidelines")
    project_files: ClassVar[tuple[str, ...]] = (".deepagents/AGENTS.md", "AGENTS.md")
    memory_names: ClassVar[tuple[str, ...]] = ("AGENTS.md",)
    reads_each_folder: ClassVar[bool] = False

    def find(self, ctx: Context) -> list[Source]:
        """Return the files that the program passes to the SDK, in that order.

        A file of white space is sent, an empty one is not.
        """
        sources = []
        for path, kind in passed_files(ctx, self.agent_of(ctx), self.root(ctx)):
            content = ctx.store.read(ctx.path_of("sources", path))
            scope = Scope.USER if content.path.is_relative_to(ctx.user_folder) else Scope.PROJECT
            source = sent_source(content, scope, _text(content), t("the file is empty"))
            sources.append(replace(source, display=path, name=kind))
        return sources

    def blocks(
        self, ctx: Context, sources: Sequence[Source], texts: Mapping[str, str]
    ) -> Sequence[MessageBlock]:
        """Return a system block: the template with the loaded files in place of its placeholder."""
        # The program has the template as a literal, which is indented and escapes backticks.
        whole = f"{texts['head']}{_FIELD}{texts['tail']}".replace("\\`", "`")
        head, _, tail = textwrap.dedent(whole).partition(_FIELD)
        files: list[Segment] = []
        for source in loaded_files(sources):
            between = "\n\n" if files else ""
            files.append(Segment(f"{between}{source.display}\n"))
            text = _text(ctx.store.read(source.path))
            files.append(Segment(text, source.name or str(source.scope), source.path))
        memory = [
            piece
            for segment in files or [Segment(wording.NOTHING_LOADED)]
            for piece in _inserted(segment, head, tail)
        ]
        return [MessageBlock("system", [Segment(head), *memory, Segment(tail)])]


def _text(content: FileText) -> str:
    """Return the text that is sent of a file: without byte order mark."""
    return decoded(content).removeprefix(BOM)


def _inserted(segment: Segment, head: str, tail: str) -> Iterator[Segment]:
    """Yield ``segment`` as JavaScript's ``replace`` inserts it between ``head`` and ``tail``.

    This function interprets ``$`` in the inserted text: ``$&`` becomes the placeholder, ``$``` and
    ``$'`` the text before and after the placeholder, and ``$$`` becomes ``$``.
    """
    meanings = {"$": "$", "&": _FIELD, "`": head, "'": tail}
    piece_start = 0
    for match in re.finditer(r"\$([$&`'])", segment.text):
        yield part(segment, piece_start, match.start())
        yield Segment(meanings[match[1]])
        piece_start = match.end()
    yield part(segment, piece_start, len(segment.text))
