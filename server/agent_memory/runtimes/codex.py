"""Codex CLI: AGENTS.md of the user and from the project's root down, in a user message.

The project's files share one budget of bytes, the root's first. The text around them is in the
binary as fragments of its Rust strings.
"""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from agent_memory.base.model import (
    Problem,
    Role,
    Scope,
    Segment,
    Severity,
    Source,
    Status,
)
from agent_memory.config import project_root
from agent_memory.fs.program_text import Anchor
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t, untranslated
from agent_memory.runtimes import program_pieces
from agent_memory.runtimes.base import Composition, Runtime
from agent_memory.runtimes.javascript import decoded
from agent_memory.runtimes.programs import ProgramSpec
from agent_memory.runtimes.reading import failures, numbered, status_of
from agent_memory.runtimes.segments import in_blocks, line_breaks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText
    from agent_memory.runtimes.programs import Program

NAMES = ("AGENTS.override.md", "AGENTS.md")
MAX_BYTES = 32 * 1024
_OWN = {
    "heading": "# Instructions from AGENTS.md",
    "close": "</INSTRUCTIONS>",
    "separator": "\n\n--- project ---\n\n",
}
_SPACE = (
    "\t\n\v\f\r \x85\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""What Rust's ``trim`` removes."""
_ABSENT = (Failure.MISSING, Failure.DIRECTORY)
PROGRAM = ProgramSpec("codex", "@openai/codex", "agents.codex.path", "codex_path")


def _files(program: Program) -> list[Path]:
    """Return the native binary: the program itself, or in the package of the platform."""
    found = [] if program.path.suffix == ".js" or program.path.is_dir() else [program.path]
    if program.folder:
        for base in (program.folder, *program.folder.parent.glob("codex-*")):
            found += [*base.glob("vendor/*/bin/codex*"), *base.glob("vendor/*/codex/codex*")]
        found += program.folder.glob("node_modules/@openai/codex-*/vendor/*/bin/codex*")
    return found


PIECES = program_pieces.PieceSpec(
    PROGRAM,
    _files,
    (
        Anchor(
            b"agents_md.instructions# ",
            re.compile(rb"agents_md\.instructions(?P<heading># [ -;=?-~]+)(?P<close></[A-Z_]+>)"),
        ),
        Anchor(b"agents_md.load", re.compile(rb"(?P<separator>\n\n--- [ -~]+ ---\n\n)agents_md")),
    ),
    {"739647c6af5ea2b1": ("0.169.0", "0.169.0")},
    _OWN,
)


class Config(NamedTuple):
    """The settings in config.toml that concern memory."""

    limit: int = MAX_BYTES
    fallbacks: tuple[str, ...] = ()


class Codex(Runtime):
    """The profile of Codex CLI."""

    id: ClassVar[str] = "codex"
    title: ClassVar[str] = "Codex"
    summary: ClassVar[str] = untranslated("AGENTS.md of the user and from the root down")
    settings: ClassVar[tuple[str, ...]] = (PROGRAM.key,)
    program: ClassVar[ProgramSpec | None] = PROGRAM
    markers: ClassVar[Mapping[str, int]] = {
        "AGENTS.override.md": 43,
        "AGENTS.md": 42,
        "~/.codex/AGENTS.md": 12,
    }
    project_files: ClassVar[tuple[str, ...]] = ("AGENTS.md", "AGENTS.override.md")
    memory_names: ClassVar[tuple[str, ...]] = NAMES
    container_tags: ClassVar[tuple[str, ...]] = ("INSTRUCTIONS",)

    def root(self, ctx: Context) -> Path | None:
        """Return the given root, else the nearest folder with any ``.git``."""
        return ctx.given_root or project_root.find_root(ctx.cwd.resolve(), project_root.has_git)

    def sources(self, ctx: Context) -> list[Source]:
        """Return the user's file, then those of each folder from the root to the working folder."""
        config = _config(ctx)
        found = _user(ctx, _home(ctx))
        left = config.limit
        for folder in self._folders(ctx):
            chosen: Source | None = None
            for name in dict.fromkeys((*NAMES, *config.fallbacks)):
                content = ctx.store.read(folder / name)
                if content.failure in _ABSENT and not os.path.islink(folder / name):  # noqa: PTH114
                    continue
                source = _hidden(content, chosen) if chosen else _project(content, left)
                found.append(source)
                if chosen is None:
                    chosen, left = source, left - _taken(source, content, left)
        first = self._folders(ctx)[0]
        if not any(item.path.parent == first for item in found):
            missing = t("the file does not exist")
            found.append(_source(first / "AGENTS.md", Scope.PROJECT, Status.MISSING, missing))
        return numbered(found)

    def _folders(self, ctx: Context) -> list[Path]:
        cwd, root = ctx.cwd.resolve(), self.root(ctx)
        folders = [cwd, *cwd.parents]
        return folders[: folders.index(root) + 1][::-1] if root in folders else [cwd]

    def compose(self, ctx: Context, sources: Sequence[Source], base: str = "") -> Composition:
        """Return ``base`` in a system block and the memory in a user block."""
        wrapper = program_pieces.load(ctx, self.root(ctx), PIECES)
        limit = _config(ctx).limit
        loaded = [source for source in sources if source.order]
        user = [_user_segment(ctx, item) for item in loaded if item.scope is Scope.USER]
        files = [source for source in loaded if source.scope is Scope.PROJECT]
        docs = list(_segments(ctx, files, limit))
        texts = wrapper.texts
        place = f" for {ctx.cwd.resolve()}" if docs else ""
        opening = texts["close"].replace("/", "", 1)
        out = [
            Segment(f"{texts['heading']}{place}\n\n{opening}\n"),
            *user,
            Segment(texts["separator"] if user and docs else ""),
            *docs,
            Segment(f"\n{texts['close']}"),
        ]
        blocks = [("system", [Segment(base, "base")]), ("user", out if loaded else [])]
        segments, roles = in_blocks(blocks)
        return Composition(
            segments,
            wrapper.exactness,
            wrapper.version,
            wrapper.origin,
            (*failures(sources, Severity.WARNING), *_cut(sources, limit)),
            roles,
        )


def _home(ctx: Context) -> Path:
    given = ctx.env.get("CODEX_HOME")
    return ctx.cwd / given if given else ctx.home / ".codex"


def _config(ctx: Context) -> Config:
    content = ctx.store.read(_home(ctx) / "config.toml")
    return content.once(_parse, content.text)


def _parse(text: str) -> Config:
    try:
        values = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return Config()
    limit = values.get("project_doc_max_bytes", MAX_BYTES)
    names = values.get("project_doc_fallback_filenames", [])
    return Config(
        limit if isinstance(limit, int) and limit >= 0 else MAX_BYTES,
        tuple(name for name in names if isinstance(name, str)) if isinstance(names, list) else (),
    )


def _source(path: Path, scope: Scope, status: Status, reason: str = "") -> Source:
    return Source(path, scope, Role.MEMORY, status, reason, str(path))


def _user(ctx: Context, folder: Path) -> list[Source]:
    """Return the user's files; the first that has text is read."""
    found: list[Source] = []
    chosen = None
    for name in NAMES:
        content = ctx.store.read(folder / name)
        if content.failure is Failure.MISSING and name != NAMES[-1]:
            continue
        source = _hidden(content, chosen) if chosen else _project(content, None)
        source = replace(source, scope=Scope.USER)
        found.append(source)
        chosen = chosen or (source if source.status is Status.LOADED else None)
    return found


def _hidden(content: FileText, chosen: Source) -> Source:
    name = chosen.path.name
    why = (
        t("{0} is read instead, although it is blank", name)
        if chosen.status is Status.EMPTY
        else t("{0} is read instead", name)
    )
    return _source(content.path, Scope.PROJECT, Status.SHADOWED, why)


def _project(content: FileText, left: int | None) -> Source:
    """Return a file that is read if ``left`` bytes of the budget (None: no budget) suffice."""
    status, reason = status_of(content)
    if content.failure is Failure.UNDECODABLE:
        status, reason = Status.LOADED, t("each invalid byte is read as U+FFFD")
    if status is Status.LOADED and left == 0:
        status, reason = Status.IGNORED, t("the budget of all project files is used up")
    elif status is Status.LOADED and not _text(content, left).strip(_SPACE):
        status, reason = Status.EMPTY, t("the file is blank")
    elif status is Status.LOADED and left is not None and content.size > left:
        status = Status.TRUNCATED
        reason = t("Codex sends the first {0:,} of its {1:,} bytes", left, content.size)
    return _source(content.path, Scope.PROJECT, status, reason)


def _taken(source: Source, content: FileText, left: int) -> int:
    """Return the bytes of the budget that a file uses."""
    return min(left, content.size) if source.status in (Status.LOADED, Status.TRUNCATED) else 0


def _text(content: FileText, left: int | None) -> str:
    """Return the text of the first ``left`` bytes, invalid ones as U+FFFD."""
    if left is None or content.size <= left:
        return decoded(content)
    raw = content.raw or content.text.encode("utf-8", "surrogatepass")
    return raw[:left].decode("utf-8", "replace")


def _segments(ctx: Context, sources: Sequence[Source], limit: int) -> Iterator[Segment]:
    """Yield the texts of the loaded project files with a blank line between."""
    left = limit
    for source in sources:
        content = ctx.store.read(source.path)
        if left != limit:
            yield Segment("\n\n")
        yield Segment(_text(content, left), "project", source.path)
        left -= min(left, content.size)


def _user_segment(ctx: Context, source: Source) -> Segment:
    text = decoded(ctx.store.read(source.path))
    kept = text.lstrip(_SPACE)
    line = line_breaks(text[: len(text) - len(kept)])
    return Segment(kept.rstrip(_SPACE), "user", source.path, line)


def _cut(sources: Sequence[Source], limit: int) -> list[Problem]:
    """Return a problem for each file that the budget cuts or leaves out."""
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
        if source.status is Status.TRUNCATED
        or (source.status is Status.IGNORED and source.role is Role.MEMORY)
    ]
