"""drover's instruction files: the chain from the root to the working folder."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Scope, Segment, Source, Status
from agent_memory.config import project_root
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t
from agent_memory.runtimes.reading import status_of, with_effect
from agent_memory.runtimes.segments import line_breaks
from agent_memory.secrets import cut

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.entries.instruction_mirror import InstructionFile
    from agent_memory.fs.reader import FileText

MAX_BYTES = 16384
"""Bytes of a file that drover reads."""
_MAX_DEPTH = 40
"""Folders from the working folder upwards in which drover looks for files."""
_JS_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What JavaScript's ``trim`` removes; Python's ``strip`` removes other characters."""
SHOWN = (Status.LOADED, Status.TRUNCATED, Status.EMPTY)
"""Statuses of files that are in the prompt."""


def root_of(ctx: Context) -> Path | None:
    """Return the root in the settings, else the nearest folder with a ``.git``, or None."""
    return ctx.given_root or project_root.find_root(ctx.cwd, project_root.has_git)


def sources(ctx: Context) -> list[Source]:
    """Return the files of :func:`_chain` as sources, the root's first."""
    return [_source(ctx, path) for path in _chain(ctx)]


def files(ctx: Context) -> list[InstructionFile]:
    """Return the instruction files that a run of drover mirrors as entries, with their text.

    The text of a truncated file ends with drover's note about it.
    """
    from agent_memory.entries.instruction_mirror import InstructionFile  # noqa: PLC0415 -- few need it

    root = root_of(ctx) or ctx.cwd
    loaded = []
    for source in sources(ctx):
        if source.status in SHOWN:
            text, note = content(ctx.store.read(source.path), source.path)
            folder = _folder(root, source.path)
            loaded.append(InstructionFile(source.path, folder, text.text + note))
    return loaded


def heading(root: Path, path: Path) -> str:
    """Return the heading of the file ``path`` in the prompt: its folder and its name."""
    return f"{_folder(root, path) or '(repo root)'} \u2014 {path.name}"


def _chain(ctx: Context) -> list[Path]:
    """Return the existing instruction files, and that of the first folder even if it is missing.

    The folders are those from the root down to ``cwd``, at most the ``_MAX_DEPTH`` nearest to
    ``cwd``. If ``cwd`` is outside of the root, it is the only one. The missing file has the first
    name of the settings.
    """
    root = root_of(ctx) or ctx.cwd
    folders = [ctx.cwd]
    if ctx.cwd.is_relative_to(root):
        upwards = [ctx.cwd, *ctx.cwd.parents][:_MAX_DEPTH]
        folders = [folder for folder in reversed(upwards) if folder.is_relative_to(root)]
    names = ctx.settings.drover_filenames
    paths = [folder / name for folder in folders for name in names]
    root_file = paths[:1]  # empty if the settings name no files
    return [*root_file, *(path for path in paths[1:] if _exists(ctx, path))]


def _folder(root: Path, path: Path) -> str:
    """Return the folder of ``path`` relative to ``root``, '' for the root itself.

    For any folder that is not below ``root``, drover shows ``../NAME``.
    """
    folder = path.parent
    if not folder.is_relative_to(root):
        return f"../{folder.name}"
    return "" if folder == root else folder.relative_to(root).as_posix()


def _exists(ctx: Context, path: Path) -> bool:
    """Whether ``path`` exists, readable or not."""
    return ctx.store.read(path).failure is not Failure.MISSING


def _source(ctx: Context, path: Path) -> Source:
    """Return the instruction file ``path`` as a source: its status, and what drover does."""
    content = ctx.store.read(path)
    if_empty = t("only its heading is shown, and drover adds none of the later files as entries")
    status, reason = status_of(content, empty=if_empty)
    source = Source(path, Scope.PROJECT, Role.INSTRUCTIONS, status, reason, str(path))
    if content.failure:
        return _after_failure(source, content)
    if status is Status.LOADED and not _decoded(content).strip(_JS_SPACE):
        return replace(source, status=Status.EMPTY, reason=if_empty)
    if status is Status.LOADED and content.size > MAX_BYTES:
        return replace(source, status=Status.TRUNCATED, reason=_reads_first_bytes(content.size))
    return source


def _after_failure(source: Source, content: FileText) -> Source:
    """Return ``source`` with what drover does with ``content``, which Agent Memory could not read.

    A missing file is returned as it is, and so is one that drover reads (OUTSIDE).
    """
    if content.failure in (Failure.MISSING, Failure.OUTSIDE):
        return source
    if content.failure is Failure.TOO_LARGE:  # only for Agent Memory
        return with_effect(source, _reads_first_bytes(content.size))
    if content.failure is not Failure.UNDECODABLE:
        return with_effect(source, t("drover leaves it out"))
    # Node decodes it nevertheless
    if content.size <= MAX_BYTES:
        loaded = replace(source, status=Status.LOADED)
        return with_effect(loaded, t("each invalid byte is read as U+FFFD"))
    effect = t(
        "drover reads the first {0:,} of its {1:,} bytes, each invalid one as U+FFFD",
        MAX_BYTES,
        content.size,
    )
    return with_effect(replace(source, status=Status.TRUNCATED), effect)


def _reads_first_bytes(size: int) -> str:
    """Return the sentence that drover reads only the start of a file of ``size`` bytes."""
    return t("drover reads the first {0:,} of its {1:,} bytes", MAX_BYTES, size)


def _decoded(content: FileText) -> str:
    """Return the text of a file as Node decodes it: invalid bytes become U+FFFD.

    '' for a file that cannot be read.
    """
    return content.text if content.ok else content.raw.decode("utf-8", "replace")


def content(file: FileText, path: Path) -> tuple[Segment, str]:
    """Return (text, note): the trimmed text of the first ``MAX_BYTES`` of ``file``.

    The note says that the file is longer; it is '' if it is not.
    """
    text, note = _decoded(file), ""
    if file.size > MAX_BYTES:
        raw = file.raw or text.encode("utf-8", "surrogatepass")
        start = raw[:MAX_BYTES].decode("utf-8", "replace")
        cut(text, len(start))  # only so that a secret that is cut in two is masked on output
        text = start
        note = f"\n\n[...truncated \u2014 file exceeds {MAX_BYTES} bytes]"
    body = text.lstrip(_JS_SPACE)
    first_line = line_breaks(text[: len(text) - len(body)])  # 0-based
    return Segment(body.rstrip(_JS_SPACE), "project", path, first_line), note
