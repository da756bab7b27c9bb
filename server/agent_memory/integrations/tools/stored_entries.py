"""The tools that read and remove learned entries: recall, list, get and forget.

An agent finds global entries and its own. It cannot see, change or remove any others.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, cast

from agent_memory import serialize
from agent_memory.entries.store import Filter
from agent_memory.entries.validation import EntryError, check_owner
from agent_memory.integrations.tools.answers import (
    EntryList,
    EntryRow,
    Forgotten,
    OneEntry,
    Recalled,
    stored,
)
from agent_memory.integrations.tools.parameters import (
    AnyTags,
    Days,
    Id,
    Kinds,
    Limit,
    ListLimit,
    Query,
    Scopes,
    UnusedDays,
)
from agent_memory.integrations.tools.toolbox import readable_errors
from agent_memory.recall import usage
from agent_memory.recall.engine import LIMIT, Recall
from agent_memory.recall.listing import EntryFilter, listed
from agent_memory.remember.entry_planner import entries_of

if TYPE_CHECKING:
    from agent_memory.config.context import Context
    from agent_memory.entries.entry_file import Entry
    from agent_memory.entries.markdown_store import MarkdownEntries
    from agent_memory.integrations.tools.toolbox import Toolbox

_LISTED = 50
"""Entries that are listed unless the agent passes a limit."""


class StoredEntryTools:
    """Find, list, read and forget entries. ``box`` is the project."""

    def __init__(self, box: Toolbox) -> None:
        self._box = box

    def recall(
        self,
        query: Query,
        scopes: Scopes = (),
        kinds: Kinds = (),
        tags: AnyTags = (),
        limit: Limit = LIMIT,
    ) -> Recalled:
        """Search learned entries, best match first. Use it before you ask the person.

        Each entry has a relevance from 0 to 1. If none is relevant, the answer has an advice:
        search again with other words.
        """
        with readable_errors():
            ctx = self._box.fresh()
            store = entries_of(ctx)
            wanted = Filter(ctx.agent, ctx.run, scopes, kinds, tags)
            with contextlib.closing(Recall.open(store.root, ctx.env)) as index:
                hits = index.search(query, wanted, limit, store.mirrors)
            usage.record(store.root, ctx.env, hits)
        answer = serialize.recall_json(hits, ctx.settings.allowed_secrets)
        return cast("Recalled", {**stored(), **answer})

    def list_entries(
        self,
        scopes: Scopes = (),
        kinds: Kinds = (),
        tags: AnyTags = (),
        older_days: Days = 0,
        unused_days: UnusedDays = 0,
        limit: ListLimit = _LISTED,
    ) -> EntryList:
        """List learned entries without their bodies, the last changed first.

        To find what is outdated, filter by age or by use.
        """
        with readable_errors():
            ctx = self._box.fresh()
            store = entries_of(ctx)
            # Only Filter excludes other agents, and only EntryFilter compares ages.
            mine = Filter(ctx.agent, ctx.run, scopes, kinds, tags).checked()
            # 0 days, the default, is no limit.
            ages = EntryFilter(older=older_days or None, unused=unused_days or None)
            selected = [item for item in listed(store, ctx.env, ages) if mine.takes(item.entry)]
        allowed = ctx.settings.allowed_secrets
        complete_rows = [serialize.listed_json(item, allowed) for item in selected[:limit]]
        # Without the body, and in the shape of the declared answer.
        rows = [{key: row[key] for key in EntryRow.__annotations__} for row in complete_rows]
        return cast("EntryList", {**stored(), "entries": rows, "count": len(selected)})

    def get_entry(self, id: Id) -> OneEntry:  # noqa: A002 -- the name drover's tool has
        """Return one learned entry, with its body."""
        with readable_errors():
            ctx = self._box.fresh()
            entry = visible(entries_of(ctx), ctx, id)
        score = 0.0  # the entry was not searched for
        row = serialize.entry_json(entry, score, ctx.settings.allowed_secrets)
        return cast("OneEntry", {**stored(), "entry": row})

    def forget(self, id: Id, *, granted: bool = False) -> Forgotten:  # noqa: A002 -- as above
        """Move a learned entry to the trash, if the person allows it. They can restore it."""
        with readable_errors():
            ctx = self._box.fresh()
            store = entries_of(ctx)
            entry = _removable(store, ctx, id)
            needed = {"forget": removal_detail(entry)}
            # Unlike `remember` with `evict`, this tool has no parameter for a power.
            self._box.powers.require(needed, agreed={}, granted=granted)
            store.forget(id, ctx.agent, ctx.run)
        return {"id": entry.id, "message": f"forgot memory '{entry.id}'."}

    def missing_powers_to_forget(self, id: Id) -> dict[str, str]:  # noqa: A002 -- as above
        """Return the powers that a person has not given yet for :meth:`forget`.

        Each has a sentence on what it would do.
        """
        ctx = self._box.fresh()
        entry = _removable(entries_of(ctx), ctx, id)
        return self._box.powers.missing({"forget": removal_detail(entry)})


def visible(store: MarkdownEntries, ctx: Context, entry_id: str) -> Entry:
    """Return the entry ``entry_id`` if the agent of ``ctx`` may read it.

    Raises:
        EntryError: it is not a ULID, does not exist, or belongs to another agent or run.

    """
    entries = store.with_id(entry_id)  # the current one is the last
    if not entries or not Filter(ctx.agent, ctx.run).checked().takes(entries[-1]):
        raise EntryError("not_found", f"no memory '{entry_id}'.")
    return entries[-1]


def _removable(store: MarkdownEntries, ctx: Context, entry_id: str) -> Entry:
    """Return the entry ``entry_id`` if the agent of ``ctx`` may remove it when a person allows it.

    Raises:
        EntryError: as for :func:`visible`, or the entry mirrors an instruction file.

    """
    entry = visible(store, ctx, entry_id)
    check_owner("forget", entry, ctx.agent, ctx.run)
    return entry


def removal_detail(entry: Entry) -> str:
    """Return the sentence that shows a person which entry would be removed."""
    return f"The entry is '{entry.summary}'."
