"""Mistral Vibe: AGENTS.md of the user and from the trusted folder down, in the system message.

Its texts are read from the installed Python package.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Problem, Scope, Segment, Source
from agent_memory.fs.program_text import Anchor
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t, untranslated
from agent_memory.runtimes.agents import vibe_files
from agent_memory.runtimes.agents.agent import Agent, loaded_files
from agent_memory.runtimes.agents.program_pieces import PieceSpec
from agent_memory.runtimes.agents.programs import ProgramSpec
from agent_memory.runtimes.segments import MessageBlock, line_breaks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.runtimes.agents.programs import Program


def _template(_ctx: Context, program: Program) -> list[Path]:
    """Return the file with the sentences around the memory, [] if no package is installed."""
    return [program.folder / "vibe/core/prompts/agents_doc.md"] if program.folder else []


def _code(_ctx: Context, program: Program) -> list[Path]:
    """Return the file with the headings of memory files, [] if no package is installed."""
    return [program.folder / "vibe/core/system_prompt.py"] if program.folder else []


PIECES = PieceSpec(
    ProgramSpec("mistral-vibe", "vibe", "mistral-vibe", is_python=True),
    _template,
    (
        Anchor(
            b"$sections",
            # the whole file: HEAD, $sections, TAIL
            lazy_compile(rb"\A\s*(?P<head>\S[^$]*?)\s*\$sections\s*(?P<tail>\S[^$]*?)\s*\Z"),
        ),
    ),
    {"8d496302d280037d": ("3.0.2", "3.0.2")},
    {
        "head": "The instructions below are those of the user and of the project.",
        "tail": "Follow them where they concern the task.",
        "user": "## From the user",
        "user_item": "From ",
        "user_end": "/AGENTS.md:",
        "project": "## From the project",
        "item": "From ",
        "item_end": "/AGENTS.md:",
    },
    more=(
        (
            _code,
            (
                Anchor(
                    b"{user_doc.strip()}",
                    # f"USER\n\nUSER_ITEM{VIBE_HOME.path}USER_END\n\n{user_doc.strip()}" …
                    # doc_sections.append("PROJECT") … f"ITEM{doc_dir}ITEM_END\n\n
                    lazy_compile(
                        rb"f\"(?P<user>[^\"\\{]+)\\n\\n(?P<user_item>[^\"\\{]+)\{VIBE_HOME\.path\}"
                        rb"(?P<user_end>[^\"\\{]+)\\n\\n\{user_doc\.strip\(\)\}\".*?"
                        rb"project_docs:\s+doc_sections\.append\(\"(?P<project>[^\"\\]+)\"\).*?"
                        rb"f\"(?P<item>[^\"\\{]+)\{doc_dir\}(?P<item_end>[^\"\\{]+)\\n\\n",
                        re.DOTALL,
                    ),
                    before=512,
                    after=2048,
                ),
            ),
        ),
    ),
)


class MistralVibe(Agent):
    """The profile of Mistral Vibe."""

    id: ClassVar[str] = "mistral-vibe"
    title: ClassVar[str] = "Mistral Vibe"
    summary: ClassVar[str] = untranslated("AGENTS.md of the user and of the trusted folder")
    pieces: ClassVar[PieceSpec] = PIECES
    markers: ClassVar[Mapping[str, int]] = {".vibe": 37, "~/.vibe/AGENTS.md": 7}
    project_files: ClassVar[tuple[str, ...]] = (vibe_files.NAME,)
    memory_names: ClassVar[tuple[str, ...]] = (vibe_files.NAME,)

    def find(self, ctx: Context) -> list[Source]:
        """Return the user's file, those from the trusted folder down, then ignored ones."""
        return vibe_files.find(ctx, self.root(ctx))

    def condition(self, ctx: Context, path: Path) -> str:
        """Return in words when ``path`` is sent after the start of a session, '' if it is not."""
        return self.condition_below(ctx, path) if path.name == vibe_files.NAME else ""

    def blocks(
        self, ctx: Context, sources: Sequence[Source], texts: Mapping[str, str]
    ) -> Sequence[MessageBlock]:
        """Return a system block: the loaded files between two sentences.

        Without a loaded file the block has no segments.
        """
        files: list[Segment] = []
        has_project_title = False
        for source in loaded_files(sources):
            folder = source.path.parent
            if source.scope is Scope.USER:
                head = f"{texts['user']}\n\n{texts['user_item']}{folder}{texts['user_end']}"
            else:
                title = "" if has_project_title else f"{texts['project']}\n\n"
                head = f"{title}{texts['item']}{folder}{texts['item_end']}"
                has_project_title = True
            files += [Segment(f"\n\n{head}\n\n"), _segment(ctx, source)]
        if not files:
            return [MessageBlock("system", [])]
        tail = Segment(f"\n\n{texts['tail']}")
        return [MessageBlock("system", [Segment(texts["head"]), *files, tail])]

    def not_shown(self, ctx: Context, sources: Sequence[Source]) -> list[Problem]:
        """Return a problem for each file whose encoding Mistral Vibe guesses."""
        return [
            Problem(
                t("{0}: the file is not valid UTF-8, and Mistral Vibe guesses its encoding", path),
                path,
            )
            for path in (source.path for source in loaded_files(sources))
            if ctx.store.read(path).failure is Failure.UNDECODABLE
        ]


def _segment(ctx: Context, source: Source) -> Segment:
    """Return the trimmed text of the file ``source``, with the line at which it begins."""
    text = vibe_files.text(ctx.store.read(source.path))
    kept = text.lstrip()
    removed_start = text[: len(text) - len(kept)]
    return Segment(kept.rstrip(), str(source.scope), source.path, line_breaks(removed_start))
