"""drover's learned entries as sources and as segments of a prompt.

The store of entries takes 10 ms to import, which a project without entries does not need: the
functions import it.
"""

from __future__ import annotations

import os
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
"""Where a folder of entries is expected, the first one being the one to create."""
_PARTS = frozenset({"global", "agents", "runs"})
"""Subfolders of a store; a folder with one of them is taken for a store."""
_SCOPES = {"global": Scope.GLOBAL, "agent": Scope.AGENT, "run": Scope.RUN}


def folder(ctx: Context, root: Path | None) -> Path | None:
    """Return the folder of entries: the requested one, that of the settings, or a usual one.

    None without such a folder. None as well if the folder or a subfolder is hidden: it is a link
    that leads out of the project, and the user has not trusted the project.
    """
    entries_folder = _folder_even_if_hidden(ctx, root)
    if entries_folder is None:
        return None
    parts = (entries_folder, *(entries_folder / name for name in _PARTS))
    return None if any(map(ctx.store.hides, parts)) else entries_folder


def scope_folders(ctx: Context, root: Path | None) -> list[Path]:
    """Return the folders in :func:`folder` that may hold entries, whether or not they exist."""
    entries_folder = folder(ctx, root)
    return [entries_folder / name for name in sorted(_PARTS)] if entries_folder else []


def folder_to_create(ctx: Context, root: Path | None) -> Path | None:
    """Return :func:`folder`, or if no folder of entries exists, the one to create.

    None if a link in place of the folder leads out of a project that the user has not trusted.
    """
    existing = _folder_even_if_hidden(ctx, root)
    if existing:
        return folder(ctx, root)
    usual = (root or ctx.cwd) / _USUAL[0]
    return None if ctx.store.hides(usual) else usual


def _folder_even_if_hidden(ctx: Context, root: Path | None) -> Path | None:
    """Return :func:`folder` without regard to trust: a link may lead out of the project.

    A folder in ``root`` or ``cwd`` with a name of ``_USUAL`` counts if it has one of the subfolders
    of a store.
    """
    if ctx.entries:  # requested, on the command line for example
        return ctx.entries
    if ctx.settings.drover_entries:
        return ctx.path_of("drover_entries", ctx.settings.drover_entries)
    for base in dict.fromkeys((root or ctx.cwd, ctx.cwd)):
        for name in _USUAL:
            if not _PARTS.isdisjoint(ctx.store.names(base / name)):
                return base / name
    return None


def store(ctx: Context, root: Path | None) -> EntryStore:
    """Return a snapshot of the entries of :func:`folder`, as a run starts with them.

    It includes mirrors, the instruction files as entries. It is empty without a folder.
    """
    from agent_memory.entries.markdown_store import MarkdownEntries  # noqa: PLC0415 -- see above
    from agent_memory.entries.store import InMemoryEntries  # noqa: PLC0415

    entries_folder = folder(ctx, root)
    if entries_folder is None:
        return InMemoryEntries(())
    return InMemoryEntries(MarkdownEntries(entries_folder, mirrors=mirrors(ctx, root)).load())


def mirrors(ctx: Context, root: Path | None) -> Mirrors:
    """Return the instruction files as entries; none without a store or if the setting is off."""
    from agent_memory.entries import instruction_mirror  # noqa: PLC0415 -- see above

    entries_folder = folder(ctx, root)
    if entries_folder is None or not ctx.settings.drover_seed:
        return instruction_mirror.NO_MIRRORS
    project = root or ctx.cwd
    # None: the store is outside of the project, so other projects may use it too
    owner = project if entries_folder.is_relative_to(project) else None
    return instruction_mirror.mirrors(drover_instructions.files(ctx), owner)


def agents(ctx: Context, root: Path | None) -> list[str]:
    """Return the ids of the agents with a folder of entries, in the order of the store."""
    from agent_memory.entries.markdown_store import MarkdownEntries  # noqa: PLC0415 -- see above

    entries_folder = folder(ctx, root)
    if entries_folder is None:
        return []
    places = (place for place, _ in MarkdownEntries(entries_folder).folders())
    return [place.agent for place in places if place.agent is not None]


def sources(ctx: Context, root: Path | None, agent: str) -> list[Source]:
    """Return every file in :func:`folder` as a source: first the entries in the index, in order.

    Then follow the mirrors (entries that drover wrote for instruction files), the entries that are
    not in the index, and invalid files, each with the reason. [] without a folder.
    """
    from agent_memory.entries.index_block import index_block  # noqa: PLC0415 -- see above
    from agent_memory.entries.markdown_store import MarkdownEntries  # noqa: PLC0415
    from agent_memory.entries.store import InMemoryEntries  # noqa: PLC0415

    entries_folder = folder(ctx, root)
    if entries_folder is None:
        return []
    on_disk = MarkdownEntries(entries_folder, mirrors=mirrors(ctx, root))
    stored = on_disk.stored()
    entries = InMemoryEntries(on_disk.mirrors.merged_into(stored))
    index = index_block(entries, agent, ctx.settings.drover_index)
    in_index = [entry for _, entry in index.parts if entry]  # None: the text is a title
    # The index has mirrors too, but their sources are the instruction files.
    mirrored = {entry.id for entry in on_disk.mirrors.entries}
    listed = [
        _source(entry, Status.LISTED, t("its summary is in the index"), number)
        for number, entry in enumerate(in_index, 1)
        if entry.id not in mirrored
    ]
    # mirrors of instruction files, existing and deleted ones
    mirror_files = [entry for entry in stored if on_disk.mirrors.hides(entry)]
    left_out = {entry.id for entry in index.left_out}
    has_source = {entry.id for entry in in_index} | mirrored
    not_in_index = [entry for entry in entries.current() if entry.id not in has_source]
    return [
        *listed,
        *(_mirror(entry, renewed=entry.id in mirrored) for entry in mirror_files),
        *(_outside_index(ctx, entry, has_no_room=entry.id in left_out) for entry in not_in_index),
        *(_skipped(on_disk, path, why) for path, why in on_disk.skipped()),
    ]


def _outside_index(ctx: Context, entry: Entry, *, has_no_room: bool) -> Source:
    """Return the file of ``entry``, which is not in the index, as a source with the reason.

    ``has_no_room``: the index is full; else the entry is of a kind that the index never has.
    """
    why = no_room(ctx.settings.drover_index) if has_no_room else _why_never_listed(entry, ctx.run)
    return replace(_source(entry, Status.IGNORED, why, None), left_out=has_no_room)


def _why_never_listed(entry: Entry, run: str | None) -> str:
    """Return why the index never has ``entry``: it is of a run or of another agent.

    ``run`` is the current run, None without one.
    """
    if entry.scope != "run":
        return t("it belongs to the agent {0}", entry.agent)
    if entry.run == run:
        return t("the index has no entries of a run; recall finds it")
    return t("the index has no entries of a run; recall finds it in run {0}", entry.run)


def _mirror(entry: Entry, *, renewed: bool) -> Source:
    """Return the file of a mirror, an entry that drover wrote for an instruction file, as a source.

    ``renewed``: the instruction file still exists, so drover writes the entry again.
    """
    why = (
        t("drover renews it from the instruction file at the start of a run")
        if renewed
        else t("it mirrors an instruction file that no longer exists; remove it")
    )
    return _source(entry, Status.LISTED if renewed else Status.IGNORED, why, None)


def _source(entry: Entry, status: Status, reason: str, order: int | None) -> Source:
    """Return the file of ``entry`` as a source.

    ``order`` is the number of the entry in the index, from 1; None if the index lacks it.
    """
    assert entry.path is not None  # noqa: S101 -- it was read from a file
    scope = _SCOPES[entry.scope]
    return Source(
        entry.path, scope, Role.ENTRY, status, reason, str(entry.path), order, name=entry.id
    )


def _skipped(entries: MarkdownEntries, path: Path, why: str) -> Source:
    """Return the file ``path``, which is not a valid entry, as a source; ``why`` is the reason."""
    place = entries.place_of(path)
    scope = _SCOPES[place.scope] if place else Scope.GLOBAL  # None: not the path of an entry
    effect = t("drover silently skips it")
    return Source(
        path,
        scope,
        Role.ENTRY,
        Status.UNREADABLE,
        f"{effect}: {why}",
        str(path),
        name=path.stem,
        linked=os.path.islink(path),  # noqa: PTH114 -- Path.is_symlink may raise
        effect=effect,
    )


def no_room(most: int) -> str:
    """Return why an entry is not in an index of at most ``most`` entries."""
    return t("the index is full (limit: {0}); recall still finds it", most)


def segments(text: str, entry: Entry | None) -> list[Segment]:
    """Return ``text``, a part of the index, as segments.

    The text about an ``entry`` gets the path of its file and the line of the summary there, except
    for the newlines before the text. A title (``entry`` is None) and an entry in no file get none.
    """
    from agent_memory.entries.validation import INSTRUCTIONS_TAG  # noqa: PLC0415 -- see above

    if entry is None or entry.path is None:
        return [Segment(text, "entries")]
    summary = text.lstrip("\n")
    newlines = text[: len(text) - len(summary)]
    # `path` of a mirror is the instruction file, which has no summary: its first line counts.
    is_mirror = INSTRUCTIONS_TAG in entry.tags and entry.path.stem != entry.id
    line = 0 if is_mirror else _SUMMARY_LINE
    return [
        Segment(newlines, "entries"),
        Segment(summary, "entries", entry.path, line, entry.id),
    ]


_SUMMARY_LINE = 4
"""0-based line of the summary: drover writes ``---``, id, scope and kind before it."""
