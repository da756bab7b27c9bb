"""Remember as a learned entry: the whole text is its body, under a summary and a kind."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agent_memory import secrets
from agent_memory.base.errors import UsageError
from agent_memory.base.model import Edit, Role, Scope
from agent_memory.base.text import whole
from agent_memory.entries.entry_file import Entry, render
from agent_memory.entries.markdown_store import MarkdownEntries
from agent_memory.entries.validation import Draft
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t
from agent_memory.language.similarity import same
from agent_memory.remember.plan import (
    Outcome,
    Plan,
    refused,
    secret_found,
)
from agent_memory.remember.preconditions import consent
from agent_memory.remember.snippet import is_code, origin_of, tidy
from agent_memory.runtimes import drover_entries
from agent_memory.runtimes.drover import Drover

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_memory.config.context import Context
    from agent_memory.remember.snippet import Snippet

_LATEST = 500
"""Entries of a folder that are looked through for the same words: the newest, by their names."""


@dataclass(frozen=True, slots=True)
class EntryTarget:
    """What the entry is to be; the text to remember becomes its body.

    ``scope`` is global, agent or run. Without a ``summary`` it is the first line of the text.
    ``agent`` and ``run`` ask for it (None: a person). ``id`` names the entry it takes the place
    of.
    """

    scope: str = "global"
    kind: str = "project"
    summary: str | None = None
    tags: tuple[str, ...] = ()
    agent: str | None = None
    run: str | None = None
    id: str | None = None


def plan_entry(
    ctx: Context,
    snippet: Snippet,
    target: EntryTarget,
    *,
    redact: bool = False,
    anyway: bool = False,
    create: bool = False,
) -> Plan:
    """Plan to save ``snippet`` as an entry of the project's folder of entries.

    Raises:
        EntryError: it breaks a limit or a rule of entries; a secret in the summary or a tag is
            one of them.
        UsageError: there is no folder of entries.

    """
    store = entries_of(ctx)
    found = tuple(secrets.find(snippet.text))
    if found and not redact:
        return secret_found(store.root, found)
    entry, old = store.prepare(_draft(ctx, snippet, target), redact=redact)
    path = store.path_of(entry)
    base = Plan(
        Outcome.READY,
        t("Saved as {0}/{1} entry '{2}'", entry.scope, entry.kind, entry.summary),
        path,
        secrets=found,
        item=entry.body,
        scope=Scope(entry.scope),
        role=Role.ENTRY,
        anyway=anyway,
        entry=replace(entry, path=path),
    )
    if not old and ctx.store.read(path).failure is not Failure.MISSING:
        return refused(path, t("{0} is there already and is not the entry {1}", path, entry.id))
    there = None if anyway or target.id else _same(store, entry)
    if there and there.path:
        message = t("This is already there as the entry '{0}' ({1})", there.summary, there.id)
        return replace(
            base, outcome=Outcome.DUPLICATE, message=message, path=there.path, entry=there
        )
    ready = _with_edit(ctx, base, render(entry), moves=any(item.path != path for item in old))
    ready = replace(ready, write=lambda: _save(store, entry, old))
    new = not create and ctx.entries is None and not store.root.is_dir()
    return consent(ctx, ready, store.root) if new else ready


def entries_of(ctx: Context) -> MarkdownEntries:
    """Return the entries that are asked for, set, or in a usual folder of the project.

    Raises:
        UsageError: there is no such folder.

    """
    folder = drover_entries.folder(ctx, Drover().root(ctx))
    if folder is None:
        raise UsageError(
            t(
                "there is no folder of entries here: name one with --store, or in the "
                "setting drover.entries"
            )
        )
    return MarkdownEntries(folder)


def _draft(ctx: Context, snippet: Snippet, target: EntryTarget) -> Draft:
    body = snippet.text
    if is_code(snippet):
        root = Drover().root(ctx)
        item = tidy(snippet, origin_of(snippet, root, ctx.home, Scope.PROJECT))
        body = item.block or item.text
    first = next((line.strip() for line in snippet.text.split("\n") if line.strip()), "")
    return Draft(
        target.scope,
        target.kind,
        first if target.summary is None else target.summary,
        body,
        target.agent,
        target.run,
        target.tags,
        target.id,
    )


def _same(store: MarkdownEntries, entry: Entry) -> Entry | None:
    """Return an entry of the same folder that says the same, in the same words."""
    for there in store.latest(store.path_of(entry).parent, _LATEST):
        if same(there.summary, entry.summary) and same(there.body, entry.body):
            return there
    return None


def _with_edit(ctx: Context, plan: Plan, text: str, *, moves: bool) -> Plan:
    """Return ``plan`` with the edit that an editor makes; none where an old file has to go."""
    if moves:
        return plan
    content = ctx.store.read(plan.path)
    if content.failure is Failure.MISSING:
        return replace(plan, creates=((plan.path, text),))
    return replace(plan, edits=(Edit(plan.path, whole(content.lines), text),))


def _save(store: MarkdownEntries, entry: Entry, old: Sequence[Entry]) -> None:
    store.save(entry, old)
