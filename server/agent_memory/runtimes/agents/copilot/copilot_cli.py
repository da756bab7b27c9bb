"""GitHub Copilot CLI: instruction files of user and project in the system message.

The text above the table of conditional files is read from the native module that Copilot CLI
unpacks into the user's cache folder at its first start.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Role, Scope, Segment, Status
from agent_memory.fs.program_text import Anchor
from agent_memory.l10n import untranslated
from agent_memory.runtimes.agents.agent import Agent, loaded_files
from agent_memory.runtimes.agents.copilot import files, rules
from agent_memory.runtimes.agents.program_pieces import PieceSpec
from agent_memory.runtimes.agents.programs import ProgramSpec
from agent_memory.runtimes.base import RulePatterns
from agent_memory.runtimes.segments import MessageBlock

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agent_memory.base.model import Source
    from agent_memory.config.context import Context
    from agent_memory.runtimes.agents.programs import Program


def _files(ctx: Context, program: Program) -> list[Path]:
    """Return the native modules of this version in the cache of Copilot CLI.

    They are those of every version if the version of ``program`` is unknown ('').
    """
    given = ctx.env.get("COPILOT_CACHE_HOME") or ctx.env.get("XDG_CACHE_HOME")
    cache = Path(given) if given else ctx.home / ".cache"
    version = program.version or "*"
    return sorted(cache.glob(f"copilot/pkg/*/{version}/prebuilds/*/runtime.node"))


_SENTENCE = rb"[A-Z][A-Za-z ,`]+\."
# The pieces `a` to `g` are the lines above the rows of the table, in this order.
PIECES = PieceSpec(
    ProgramSpec("copilot-cli", "copilot", "@github/copilot"),
    _files,
    (
        Anchor(
            b"&lt;imported_custom_instruction",
            lazy_compile(
                rb"instruction(?P<a>%b)(?P<b>%b)(?P<c>%b)(?P<d>%b)(?P<e>%b)"
                rb"(?P<f>\|[A-Za-z |]+\|)(?P<g>\|[- |]+\|)" % ((_SENTENCE,) * 5)
            ),
            before=0,
            after=1024,
        ),
    ),
    {"383ba3ddae2d8d96": ("1.0.102", "1.0.102")},
    {
        "a": "These files have instructions for the files that match their pattern.",
        "b": "Read one before you change such a file.",
        "f": "| Pattern | File | Description |",
        "g": "| --- | --- | --- |",
    },
)
_OPEN, _CLOSE = "<custom_instruction>\n", "\n</custom_instruction>"


class CopilotCli(Agent):
    """The profile of GitHub Copilot CLI."""

    id: ClassVar[str] = "copilot-cli"
    title: ClassVar[str] = "Copilot CLI"
    summary: ClassVar[str] = untranslated(
        "copilot-instructions.md, AGENTS.md, CLAUDE.md, GEMINI.md and instructions with patterns"
    )
    pieces: ClassVar[PieceSpec] = PIECES
    markers: ClassVar[Mapping[str, int]] = {
        ".github/copilot-instructions.md": 39,
        ".github/instructions": 38,
        "~/.copilot/copilot-instructions.md": 9,
    }
    project_files: ClassVar[tuple[str, ...]] = (files.GITHUB, *files.NAMES)
    memory_names: ClassVar[tuple[str, ...]] = (*files.NAMES, files.NAME)
    folders: ClassVar[tuple[str, ...]] = (rules.INSTRUCTIONS,)
    container_tags: ClassVar[tuple[str, ...]] = (
        "custom_instruction",
        "imported_custom_instruction",
    )

    @staticmethod
    def role_of(path: Path) -> Role | None:
        """Return MEMORY for ``*.instructions.md`` in any folder, None for any other file."""
        return Role.MEMORY if path.name.endswith(rules.SUFFIX) else None

    def find(self, ctx: Context) -> list[Source]:
        """Return copilot-instructions.md and the like with their imports, then instructions.

        The latter are files such as ``*.instructions.md``, with or without patterns.
        """
        root = self.root(ctx)
        return [*files.find(ctx, root), *rules.find(ctx, root)]

    def follows_import(self, path: Path, importer: Path) -> bool:  # noqa: ARG002
        """Whether the imports of ``importer``, which is not itself imported, are followed.

        They are for the user's copilot-instructions.md, and for the files of a project with a name
        in ``files.IMPORTING``.
        """
        is_user = importer.name == files.NAME and importer.parent.name != ".github"
        return is_user or importer.name in files.IMPORTING

    def patterns(self, ctx: Context, source: Source) -> RulePatterns | None:
        """Return the patterns of ``source``, None unless it is a conditional file of the project.

        Only files with a pattern are LISTED: they are the rows of the table.
        """
        if source.status is not Status.LISTED or source.scope is not Scope.PROJECT:
            return None
        folder = rules.base_of(ctx, self.root(ctx), source)
        return RulePatterns(folder, rules.globs(ctx.store.read(source.path)))

    def blocks(
        self, ctx: Context, sources: Sequence[Source], texts: Mapping[str, str]
    ) -> Sequence[MessageBlock]:
        """Return a system block: files in XML elements, then instructions, then their table.

        The table has the instructions that hold only for some files.
        """
        # An import is a part of the text of its importer.
        loaded = [source for source in loaded_files(sources) if not source.by]
        elements = self._elements(ctx, [file for file in loaded if file.name != rules.ALWAYS])
        plain = _instructions(ctx, [file for file in loaded if file.name == rules.ALWAYS])
        root = self.root(ctx)
        rows = [rules.row(ctx, root, file) for file in sources if file.status is Status.LISTED]
        if rows:
            lines_above = [texts[name] for name in sorted(texts)]  # pieces `a` to `g`
            table = "\n".join([*lines_above, *rows])
            plain += [Segment("\n\n" if plain else ""), Segment(table)]
        if elements and plain:  # only then Copilot CLI ends the text with a newline
            return [MessageBlock("system", [*elements, Segment("\n\n"), *plain, Segment("\n")])]
        return [MessageBlock("system", [*elements, *plain])]

    def _elements(self, ctx: Context, sources: Sequence[Source]) -> list[Segment]:
        """Return the texts of ``sources`` with their imports, each in an XML element of its own."""
        from agent_memory.runtimes.agents.copilot.imports import text_of  # noqa: PLC0415 -- not at start

        root = self.root(ctx)
        out: list[Segment] = []
        for source in sources:
            between = "\n\n" if out else ""
            kind = str(source.scope)
            inside = text_of(ctx, source.path, kind, files.import_root(ctx, root, source))
            out += [Segment(f"{between}{_OPEN}"), *inside, Segment(_CLOSE)]
        return out


def _instructions(ctx: Context, sources: Sequence[Source]) -> list[Segment]:
    """Return the texts of ``sources``, which are instructions without pattern."""
    out: list[Segment] = []
    for source in sources:
        text = rules.text(ctx.store.read(source.path))
        out += [Segment("\n\n" if out else ""), Segment(text, str(source.scope), source.path)]
    return out
