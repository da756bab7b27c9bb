"""drover's learned entries as sources and as segments of a prompt.

The store of entries takes 10 ms to import, which a project without entries does not need: the
functions import it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Scope, Segment, Source, Status
from agent_memory.l10n import t
from agent_memory.runtimes import drover_instructions

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.entries.entry_file import Entry
    from agent_memory.entries.instruction_mirror import Mirrors
    from agent_memory.entries.markdown_store import MarkdownEntries
    from agent_memory.entries.store import EntryStore

_USUAL = (".memory", "memory", "entries", ".deepagents/entries")
_PARTS = frozenset({"global", "agents", "runs"})
"""Subfolders of a store; a folder with one of them is taken for a store."""
_SCOPES = {"global": Scope.GLOBAL, "agent": Scope.AGENT, "run": Scope.RUN}


def folder(ctx: Context, root: Path | None) -> Path | None:
    """Return the folder of entries: the requested one, that of the settings, or a usual one.

    None if there is no such folder, or if it or a part of it may not be read.
    """
    found = _found(ctx, root)
    parts = (found, *(found / name for name in _PARTS)) if found else ()
    return None if any(map(ctx.store.hides, parts)) else found


def folder_to_create(ctx: Context, root: Path | None) -> Path | None:
    """Return :func:`folder`, else the one for the first entry; None if it may not be read."""
    usual = (root or ctx.cwd) / _USUAL[0]
    if _found(ctx, root) is None and not ctx.store.hides(usual):
        return usual
    return folder(ctx, root)


def _found(ctx: Context, root: Path | None) -> Path | None:
    """Return what :func:`folder` returns, although it may not be read."""
    if ctx.entries:
        return ctx.entries
    if ctx.settings.drover_entries:
        return ctx.path_of("drover_entries", ctx.settings.drover_entries)
    for base in dict.fromkeys(item for item in (root, ctx.cwd) if item):
        for name in _USUAL:
            if not _PARTS.isdisjoint(ctx.store.names(base / name)):
                return base / name
    return None


def store(ctx: Context, root: Path | None) -> EntryStore:
    """Return the entries of :func:`folder` at the start of a run, as they are now."""
    from agent_memory.entries.markdown_store import MarkdownEntries  # noqa: PLC0415 -- see above
    from agent_memory.entries.store import InMemoryEntries  # noqa: PLC0415

    found = folder(ctx, root)
    loaded = MarkdownEntries(found, mirrors=mirrors(ctx, root)).load() if found else ()
    return InMemoryEntries(loaded)


def mirrors(ctx: Context, root: Path | None) -> Mirrors:
    """Return the instruction files as entries, none if a run stores no entries."""
    from agent_memory.entries import instruction_mirror  # noqa: PLC0415 -- see above

    found = folder(ctx, root)
    if found is None or not ctx.settings.drover_seed:
        return instruction_mirror.NO_MIRRORS
    base = root or ctx.cwd
    own = base if found.is_relative_to(base) else None  # None: other projects may use the store
    return instruction_mirror.mirrors(drover_instructions.files(ctx), own)


def agents(ctx: Context, root: Path | None) -> list[str]:
    """Return the ids of the agents that have a folder of entries."""
    found = folder(ctx, root)
    if found is None:
        return []
    return sorted(name for name in ctx.store.names(found / "agents") if not name.startswith("."))


def sources(ctx: Context, root: Path | None, agent: str) -> list[Source]:
    """Return every entry: the ones in the index in its order, then the others with reasons.

    The others are files of mirrors, entries that are not in the index, and invalid files.
    """
    from agent_memory.entries.index_block import index_block  # noqa: PLC0415 -- see above
    from agent_memory.entries.markdown_store import MarkdownEntries  # noqa: PLC0415
    from agent_memory.entries.store import InMemoryEntries  # noqa: PLC0415

    found = folder(ctx, root)
    if found is None:
        return []
    on_disk = MarkdownEntries(found, mirrors=mirrors(ctx, root))
    stored = on_disk.stored()
    entries = InMemoryEntries(on_disk.mirrors.over(stored))
    most = ctx.settings.drover_index  # entries in the index
    index = index_block(entries, agent, most)
    shown = [entry for _, entry in index.parts if entry]
    left_out = {entry.id for entry in index.left_out}  # for lack of room
    written_mirrors = [entry for entry in stored if on_disk.mirrors.hides(entry)]
    # The index has mirrors too, but their sources are the instruction files.
    mirrored = {entry.id for entry in on_disk.mirrors.entries}
    out = [
        _source(entry, Status.LISTED, t("its summary is in the index"), number)
        for number, entry in enumerate(shown, 1)
        if entry.id not in mirrored
    ]
    known = {entry.id for entry in shown} | mirrored
    out += [_mirror(entry, renewed=entry.id in mirrored) for entry in written_mirrors]
    for entry in entries.current():
        if entry.id not in known:
            is_left_out = entry.id in left_out
            why = no_room(most) if is_left_out else _why_never_listed(entry, ctx.run)
            ignored = _source(entry, Status.IGNORED, why, None)
            out.append(replace(ignored, left_out=is_left_out))
    return out + [_skipped(on_disk, path, why) for path, why in on_disk.skipped()]


def _why_never_listed(entry: Entry, run: str | None) -> str:
    """Return why the index never has ``entry``: it is one of a run or of another agent."""
    if entry.scope != "run":
        return t("it belongs to the agent {0}", entry.agent)
    if entry.run == run:
        return t("the index has no entries of a run; recall finds it")
    return t("the index has no entries of a run; recall finds it in run {0}", entry.run)


def _mirror(entry: Entry, *, renewed: bool) -> Source:
    """Return the file of an entry that drover wrote for an instruction file.

    ``renewed``: the instruction file still exists.
    """
    why = (
        t("drover renews it from the instruction file at the start of a run")
        if renewed
        else t("it mirrors an instruction file that no longer exists; remove it")
    )
    return _source(entry, Status.LISTED if renewed else Status.IGNORED, why, None)


def _source(entry: Entry, status: Status, reason: str, order: int | None) -> Source:
    """Return the file of ``entry``; ``order`` is its number in the index from 1, None outside."""
    assert entry.path is not None  # noqa: S101 -- it was read from a file
    scope = _SCOPES[entry.scope]
    return Source(
        entry.path, scope, Role.ENTRY, status, reason, str(entry.path), order, name=entry.id
    )


def _skipped(entries: MarkdownEntries, path: Path, why: str) -> Source:
    """Return the file ``path`` that is not a valid entry."""
    place = entries.place_of(path)
    scope = _SCOPES[place.scope] if place else Scope.GLOBAL
    effect = t("drover silently skips it")
    return Source(
        path,
        scope,
        Role.ENTRY,
        Status.UNREADABLE,
        f"{effect}: {why}",
        str(path),
        name=path.stem,
        linked=path.is_symlink(),
        effect=effect,
    )


def no_room(most: int) -> str:
    """Return why an entry is not in an index of at most ``most`` entries."""
    return t("the index is full (limit: {0}); recall still finds it", most)


def segments(text: str, entry: Entry | None) -> list[Segment]:
    """Return a piece of the index; that of an entry points to the summary in its file."""
    from agent_memory.entries.validation import INSTRUCTIONS_TAG  # noqa: PLC0415 -- see above

    if entry is None or entry.path is None:
        return [Segment(text, "entries")]
    newlines = text[: len(text) - len(text.lstrip("\n"))]
    # A mirror has the path of the instruction file, which has no summary: it points to its start.
    is_mirror = INSTRUCTIONS_TAG in entry.tags and entry.path.stem != entry.id
    line = 0 if is_mirror else _SUMMARY_LINE
    summary = Segment(text[len(newlines) :], "entries", entry.path, line, entry.id)
    return [Segment(newlines, "entries"), summary]


_SUMMARY_LINE = 4
"""0-based line of the summary: drover writes ``---``, id, scope and kind before it."""
