"""Qwen Code: QWEN.md and AGENTS.md with their imports, then rules, in the system message.

The text around them is read from the JavaScript of the installed program.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from agent_memory.base.model import Problem, Scope, Segment, Source, Status
from agent_memory.fs.program_text import Anchor
from agent_memory.l10n import t, untranslated
from agent_memory.runtimes.agents import gemini_cli, gemini_files
from agent_memory.runtimes.agents.agent import Agent, loaded_files
from agent_memory.runtimes.agents.javascript import trimmed
from agent_memory.runtimes.agents.program_pieces import PieceSpec
from agent_memory.runtimes.agents.programs import ProgramSpec
from agent_memory.runtimes.agents.qwen import files, rules
from agent_memory.runtimes.base import RulePatterns
from agent_memory.runtimes.segments import MessageBlock

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.runtimes.agents.programs import Program

_LARGEST = 4
"""Parts of the program that are searched; the texts are in the largest one."""


def _files(_ctx: Context, program: Program) -> list[Path]:
    """Return the largest scripts of the program's package, [] if they cannot be listed."""
    # without a package it is the program, a file, so it cannot be listed
    chunks = program.folder / "chunks" if program.folder else program.path
    try:
        return _largest(chunks, chunks.stat().st_mtime_ns)
    except OSError:
        return []


@lru_cache(maxsize=4)
def _largest(folder: Path, _mtime: int) -> list[Path]:
    """Return the ``_LARGEST`` largest scripts in ``folder``, the largest first.

    There are several hundred. The result is cached until ``_mtime``, the time of the folder,
    changes.
    """
    largest_first = sorted(folder.glob("*.js"), key=lambda path: (-gemini_cli.size_of(path), path))
    return largest_first[:_LARGEST]


_SHOWN = rb"\$\{displayPath\}"
PIECES = PieceSpec(
    ProgramSpec("qwen-code", "qwen", "@qwen-code/qwen-code"),
    _files,
    (
        Anchor(
            b"function concatenateInstructions(",
            gemini_cli.pattern(
                b"return `",
                "head",
                _SHOWN,
                "head_end",
                rb"\$\{trimmedContent\}",
                "tail",
                _SHOWN,
                "tail_end",
                b"`",
            ),
            before=0,
            after=1024,
        ),
        *gemini_cli.IMPORTS,
        Anchor(
            b"${rule.content}",
            gemini_cli.pattern(
                b"`",
                "rule",
                _SHOWN,
                "rule_head_end",
                rb"\$\{rule\.content\}",
                "rule_tail",
                _SHOWN,
                "rule_end",
                b"`",
            ),
            before=256,
            after=256,
        ),
    ),
    {"86866ec1bb15cdd9": ("0.24.4", "0.24.4")},
    {
        **gemini_cli.OWN_WORDING,
        "rule": "--- Rule of: ",
        "rule_head_end": " ---\n",
        "rule_tail": "\n--- End of: ",
        "rule_end": " ---",
    },
)


class QwenCode(Agent):
    """The profile of Qwen Code."""

    id: ClassVar[str] = "qwen-code"
    title: ClassVar[str] = "Qwen Code"
    summary: ClassVar[str] = untranslated(
        "QWEN.md and AGENTS.md from the folder above the root down"
    )
    pieces: ClassVar[PieceSpec] = PIECES
    markers: ClassVar[Mapping[str, int]] = {"QWEN.md": 47, "~/.qwen/QWEN.md": 8}
    project_files: ClassVar[tuple[str, ...]] = files.NAMES
    memory_names: ClassVar[tuple[str, ...]] = (*files.NAMES, files.LOCAL)
    folders: ClassVar[tuple[str, ...]] = (rules.FOLDER,)
    names_setting: ClassVar[str] = "`context.fileName` in .qwen/settings.json"

    def find(self, ctx: Context) -> list[Source]:
        """Return the memory files in load order, then their other imports, then the rules."""
        from agent_memory.runtimes.agents.gemini_imports import imported  # noqa: PLC0415 -- not at start
        from agent_memory.runtimes.agents.qwen.imports import QwenExpander  # noqa: PLC0415

        root = self.root(ctx)
        memory = files.find(ctx, root)
        memory_paths = {source.path for source in memory}
        # The expander needs texts, but only the paths of the imported files are used here.
        expander = QwenExpander(ctx, PIECES.own)
        imports = [file for file in imported(expander, memory) if file.path not in memory_paths]
        return [*memory, *imports, *rules.find(ctx, root)]

    def follows_import(self, path: Path, importer: Path) -> bool:  # noqa: ARG002
        """Return True: any file may import any file."""
        return True

    def patterns(self, ctx: Context, source: Source) -> RulePatterns | None:
        """Return `paths` of ``source``, None unless it is a conditional rule of the project.

        Only conditional rules are LISTED.
        """
        if source.status is not Status.LISTED or source.scope is not Scope.PROJECT:
            return None
        folder = self.root(ctx) or ctx.cwd.resolve()
        return RulePatterns(folder, rules.paths(ctx.store.read(source.path)))

    def blocks(
        self, ctx: Context, sources: Sequence[Source], texts: Mapping[str, str]
    ) -> Sequence[MessageBlock]:
        """Return a system block with the loaded files and rules, each between two lines.

        These lines contain the path, for a rule relative to the root, for another file relative to
        ``cwd`` and without control characters.
        """
        from agent_memory.runtimes.agents.qwen.imports import QwenExpander  # noqa: PLC0415 -- not at start

        expander = QwenExpander(ctx, texts)
        base = self.root(ctx) or ctx.cwd.resolve()
        out: list[Segment] = []
        for source in loaded_files(sources):
            if not source.name:  # an import, which is a part of the text of its importer
                continue
            out.append(Segment("\n\n" if out else ""))
            if source.name == rules.RULE:
                shown = os.path.relpath(source.path, base).replace("\\", "/")
                content = rules.pieces(ctx.store.read(source.path), source.scope)
                out.append(Segment(f"{texts['rule']}{shown}{texts['rule_head_end']}"))
                out += [*content, Segment(f"{texts['rule_tail']}{shown}{texts['rule_end']}")]
            else:
                shown = _printable(os.path.relpath(source.path, ctx.cwd.resolve()))
                content = trimmed(expander.expand_file(source.path, str(source.scope)))
                out.append(Segment(f"{texts['head']}{shown}{texts['head_end']}"))
                out += [*content, Segment(f"{texts['tail']}{shown}{texts['tail_end']}")]
        return [MessageBlock("system", out)]

    def not_shown(self, ctx: Context, sources: Sequence[Source]) -> list[Problem]:  # noqa: ARG002
        """Return a problem if the settings let Qwen Code send imports in a list of their own."""
        if not gemini_files.config(ctx, files.home(ctx), files.FOLDER).flat:
            return []
        return [Problem(t("`importFormat: flat` is not shown; the preview shows imports in place"))]


def _printable(path: str) -> str:
    """Return ``path`` without control characters."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f]", "", path)
