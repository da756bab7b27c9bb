"""Plans a learned entry: the text becomes its body, with a summary and a kind."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agent_memory import secrets
from agent_memory.base.errors import UsageError
from agent_memory.base.model import Edit, Role, Scope
from agent_memory.base.text import full_span
from agent_memory.entries.entry_file import Entry, render
from agent_memory.entries.markdown_store import MarkdownEntries
from agent_memory.entries.validation import REFERENCE_MAX, Draft, EntryError
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t
from agent_memory.language.similarity import same
from agent_memory.remember.formatting import format_snippet
from agent_memory.remember.plan import (
    Outcome,
    Plan,
    refused,
    secret_found,
)
from agent_memory.remember.preconditions import refuse_unsafe, require_consent
from agent_memory.remember.snippet import is_code, origin_of
from agent_memory.runtimes import drover_entries
from agent_memory.runtimes.drover import Drover
from agent_memory.runtimes.write_scope import write_scope

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.remember.snippet import Snippet
    from agent_memory.secrets import Secret

_MAX_BYTES = 4 * REFERENCE_MAX
"""Bytes of a body. No body is larger that :mod:`agent_memory.entries.validation` accepts: it limits
the length in UTF-16 units, of at most three bytes in UTF-8."""
_MAX_COMPARED = 500
"""The number of newest entries of a folder that are compared with a new one."""


@dataclass(frozen=True, slots=True)
class EntryTarget:
    """The fields of a learned entry; the text to remember becomes its body.

    ``scope`` is global, agent or run, ``summary`` the summary (None: the first line of the text),
    ``agent`` and ``run`` the author (None: a person), ``id`` the ID of the entry to replace (None:
    save a new one).
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
    allow_duplicate: bool = False,
    create: bool = False,
) -> Plan:
    """Plan to save ``snippet`` as an entry of the project's folder of entries.

    ``redact`` replaces secrets in the text and the summary, ``allow_duplicate`` saves the entry
    even if an equal one exists, ``create`` is the consent to create the folder of entries.

    Raises:
        EntryError: the entry breaks a limit or a rule of entries. It does so with a secret in a
            tag, and without ``redact`` also with one in the summary.
        UsageError: the folder of entries may not be read.

    """
    store = entries_of(ctx)
    found_secrets = tuple(secrets.find(snippet.text))
    if found_secrets and not redact:
        return secret_found(store.root, found_secrets)  # the path of the entry is not known yet
    # `replaced` are the loaded entries with the ID of `target`. It is [] without an ID, for a new
    # ID, and for the ID of a file that the store skips: that file is not overwritten.
    entry, replaced = store.prepare(_draft(ctx, snippet, target), redact=redact)
    path = store.path_of(entry)
    outside = store.roots.refusal(path)
    if outside:
        return refused(path, outside)
    base = _base_plan(store, entry, path, found_secrets, allow_duplicate=allow_duplicate)
    checked = refuse_unsafe(base, entry.summary, *entry.tags, most=_MAX_BYTES)
    if checked.outcome is Outcome.REFUSED:
        return checked
    if not replaced and ctx.store.read(path).failure is not Failure.MISSING:
        return refused(path, t("{0} already exists and is not the entry {1}", path, entry.id))
    # A `target` with an ID changes that entry, so its text may equal that of an entry.
    existing = None if allow_duplicate or target.id else _find_equal(store, entry)
    if existing and existing.path:  # an entry of the store always has a path
        return _already_saved(base, existing, existing.path)
    moves = any(previous.path != path for previous in replaced)
    ready = _with_edit(ctx, base, render(entry), moves=moves)
    ready = replace(ready, write=lambda: _save(store, entry, replaced))
    # A folder that the caller named may be created; that of a setting or project needs consent.
    needs_consent = not create and ctx.entries is None and not store.root.is_dir()
    return require_consent(ctx, ready, store.root) if needs_consent else ready


def _already_saved(plan: Plan, existing: Entry, path: Path) -> Plan:
    """Return ``plan`` as a duplicate of the entry ``existing`` in the file ``path``."""
    message = t("Already saved as the entry '{0}' ({1})", existing.summary, existing.id)
    return replace(plan, outcome=Outcome.DUPLICATE, headline=message, path=path, entry=existing)


def _base_plan(
    store: MarkdownEntries,
    entry: Entry,
    path: Path,
    redacted: tuple[Secret, ...],
    *,
    allow_duplicate: bool,
) -> Plan:
    """Return the plan to save ``entry`` to ``path``, without the edit.

    ``redacted`` are the secrets that were replaced in its text.
    """
    return Plan(
        Outcome.READY,
        t("Saved as {0}/{1} entry '{2}'", entry.scope, entry.kind, entry.summary),
        path,
        secrets=redacted,
        item=entry.body,
        scope=Scope(entry.scope),
        role=Role.ENTRY,
        allow_duplicate=allow_duplicate,
        entry=replace(entry, path=path),
        roots=store.roots,
    )


def entries_of(ctx: Context) -> MarkdownEntries:
    """Return the entries of the given folder, of the setting, or of the project's usual folder.

    The folder need not exist: then there are no entries, and saving one needs consent.

    Raises:
        UsageError: the folder may not be read.

    """
    root = Drover().root(ctx)
    folder = drover_entries.folder_to_create(ctx, root)
    if folder is None:  # the folder leads to files that must not be read in `ctx`
        raise UsageError(t("The folder of entries is outside of what may be read here"))
    mirrors = drover_entries.mirrors(ctx, root)
    return MarkdownEntries(folder, mirrors=mirrors, roots=write_scope(ctx, Drover()))


def _draft(ctx: Context, snippet: Snippet, target: EntryTarget) -> Draft:
    """Return the entry to save, with ``snippet`` as its body.

    Source code becomes a fence below its origin, but a selection that is only a comment becomes a
    bullet. If ``target`` has no summary, the first line with text in ``snippet`` becomes the
    summary.

    Raises:
        EntryError: the summary has several lines.

    """
    body = snippet.text
    if is_code(snippet):
        root = Drover().root(ctx)
        item = format_snippet(snippet, origin_of(snippet, root, ctx.home, Scope.PROJECT))
        body = item.text
    if target.summary is not None and len(target.summary.strip().splitlines()) > 1:
        # "io" is drover's code for a field that is not valid.
        raise EntryError("io", t("the summary has several lines. Write it on one line"))
    first_line = next((line.strip() for line in snippet.text.split("\n") if line.strip()), "")
    return Draft(
        scope=target.scope,
        kind=target.kind,
        summary=first_line if target.summary is None else target.summary,
        body=body,
        agent=target.agent,
        run=target.run,
        tags=target.tags,
        id=target.id,
    )


def _find_equal(store: MarkdownEntries, entry: Entry) -> Entry | None:
    """Return an entry in the folder of ``entry`` with the same summary and body; None without one.

    Letter case, punctuation and spaces are ignored. Only the newest ``_MAX_COMPARED`` entries are
    compared.
    """
    for existing in store.latest(store.path_of(entry).parent, _MAX_COMPARED):
        if same(existing.summary, entry.summary) and same(existing.body, entry.body):
            return existing
    return None


def _with_edit(ctx: Context, plan: Plan, text: str, *, moves: bool) -> Plan:
    """Return ``plan`` with the edit for editors, which gives its file the text ``text``.

    If the entry ``moves`` to another path, there is no edit: that of one file cannot express it.
    """
    if moves:
        return plan
    content = ctx.store.read(plan.path)
    if content.failure is Failure.MISSING:
        return replace(plan, creates=((plan.path, text),))
    return replace(plan, edits=(Edit(plan.path, full_span(content.lines), text),))


def _save(store: MarkdownEntries, entry: Entry, replaced: Sequence[Entry]) -> None:
    """Save ``entry`` in place of ``replaced``; returns nothing, as ``Plan.write`` must."""
    store.save(entry, replaced)
