"""Moves a learned entry into project or user memory, and a list item back into an entry.

A promoted entry goes to the trash of its store. So the way back restores it with its id, kind and
tags if the item is unchanged; else it makes a new entry.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agent_memory import secrets
from agent_memory.base.errors import UsageError
from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Role, Scope
from agent_memory.config.write_roots import with_project_of
from agent_memory.entries.entry_file import render
from agent_memory.entries.validation import EntryError, check_owner
from agent_memory.l10n import t
from agent_memory.remember import planner
from agent_memory.remember.entry_planner import EntryTarget, entries_of
from agent_memory.remember.formatting import format_snippet
from agent_memory.remember.list_items import as_item, item_at, removal_of
from agent_memory.remember.move import Move
from agent_memory.remember.plan import Outcome, Plan, secret_found
from agent_memory.remember.snippet import Snippet
from agent_memory.runtimes.selection import choose
from agent_memory.runtimes.write_scope import write_scope

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.entries.entry_file import Entry
    from agent_memory.entries.markdown_store import MarkdownEntries

_ENDS = (".", "!", "?", ":", "\u3002", "\uff01", "\uff1f")  # then a summary needs no period
_MARKER = lazy_compile(r"\A(?:[-*+]|\d+[.)])[ \t]+")
"""The marker of a list item at the start of a text."""
_SUMMARY_MAX = 100
"""Characters of a summary that is made from a text."""


@dataclass(frozen=True, slots=True)
class Promotion:
    """``plan`` adds the text to a memory file; then ``entries`` go to the trash of ``store``.

    ``entries`` are all with the promoted ID, of which the last one is current.
    """

    plan: Plan
    store: MarkdownEntries
    entries: tuple[Entry, ...]


def promote(  # noqa: PLR0913 -- the options of the one planner
    ctx: Context,
    entry_id: str,
    target: str | Path,
    *,
    section: str | None = None,
    create: bool = False,
    runtime_id: str | None = None,
    by_agent: bool = False,
) -> Promotion:
    """Plan to move the entry ``entry_id`` to ``target``: project, user, or a memory file.

    The options are those of :func:`agent_memory.remember.planner.plan`.

    Raises:
        EntryError: the ID is not a ULID, or the entry does not exist, belongs to another agent or
            run, or mirrors an instruction file.
        UsageError: as for that function, or the folder of entries may not be read.

    """
    store = entries_of(ctx)
    versions = store.with_id(entry_id)
    if not versions:
        raise EntryError("not_found", f"no memory '{entry_id}' to promote.")
    current = versions[-1]
    check_owner("promote", current, ctx.agent, ctx.run)
    plan = planner.plan(
        ctx,
        Snippet(text_of(current)),
        target,
        section=section,
        create=create,
        runtime_id=runtime_id,
        by_agent=by_agent,
    )
    return Promotion(plan, store, tuple(versions))


def apply(promotion: Promotion, *, keep: bool = False) -> Plan:
    """Write the promotion, the memory file first; return its plan as it was carried out.

    ``keep`` leaves the entry where it is. If the memory contains the text already, only the entry
    is moved to the trash.

    Raises:
        UsageError: the plan is neither ready nor a duplicate, or a file cannot be written.

    """
    plan = promotion.plan
    done = plan if plan.outcome is Outcome.DUPLICATE else planner.apply(plan)
    if not keep:
        promotion.store.discard(promotion.entries)
    return done


def demote(
    ctx: Context, path: Path, line: int, target: EntryTarget, *, create: bool = False
) -> Move:
    """Plan to move the list item at ``line`` (from 0) of ``path`` into an entry.

    ``create`` is the consent to create the project's folder of entries. If the item is an unchanged
    promoted entry, that entry is restored from the trash, and ``target`` is not used. A plan that
    is not ready, for example because the item has a secret, comes without a removal. The ``roots``
    of the plan also contain ``path``, from which ``move.apply`` removes the item.

    Raises:
        EntryError: the new entry breaks a limit or a rule of entries.
        UsageError: there is no such item, ``path`` may not be written to, the folder of entries
            may not be read, or the runtime or agent of the settings is not valid.

    """
    content = ctx.store.read(path)
    list_item = item_at(content.lines, line) if content.ok else None
    if list_item is None:
        raise UsageError(t("{0}:{1}: there is no list item to move", path, line + 1))
    text = "".join(content.lines[list_item.line : list_item.end_line])
    found_secrets = tuple(secrets.find(text))
    if found_secrets:
        return Move(secret_found(path, found_secrets))
    item = as_item(text, list_item)
    ctx, choice = choose(ctx, None)
    # The user has named `path`, so its project may be written to as well.
    roots = with_project_of(write_scope(ctx, choice.runtime), path)
    roots.check(path)
    store = entries_of(ctx)
    plan = _plan_restoring_item(store, item.text)
    if plan is None:
        # A bullet of `item` has no list marker, but a block has.
        plain = item.bullets[0] if item.bullets else _MARKER.sub("", item.block, count=1)
        plan = planner.plan(ctx, Snippet(plain), _summarized(target, plain), create=create)
    removal = removal_of(path, content.lines, list_item)
    is_ready = plan.outcome is Outcome.READY
    return Move(replace(plan, roots=roots), removal if is_ready else None, content.text, item)


def text_of(entry: Entry) -> str:
    """Return the text of ``entry`` as one item of a memory file: summary and body.

    The summary is left out if the body begins with it; letter case and the period of the summary
    are ignored. A body without a fence becomes one line without ``-`` bullets.
    """
    summary, body = entry.summary.strip(), entry.body.strip()
    if "```" not in body and "~~~" not in body:
        body = " ".join(
            line.strip().removeprefix("- ") for line in body.split("\n") if line.strip()
        )
    if body.casefold().startswith(summary.rstrip(".").casefold()):
        return body
    return f"{summary}{'' if summary.endswith(_ENDS) else '.'} {body}"


def _plan_restoring_item(store: MarkdownEntries, item: str) -> Plan | None:
    """Return the plan to restore the entry in the trash that was promoted as the text ``item``.

    None if there is no such entry.
    """
    for trashed in store.trash().entries():
        promoted = format_snippet(Snippet(text_of(trashed.entry)))
        if promoted.text == item:
            return _plan_restoring(store, trashed.entry)
    return None


def _plan_restoring(store: MarkdownEntries, entry: Entry) -> Plan:
    """Return the plan to move ``entry`` back from the trash."""
    path = store.path_of(entry)
    return Plan(
        Outcome.READY,
        t("Restored the entry '{0}'", entry.summary),
        path,
        item=entry.body,
        scope=Scope(entry.scope),
        role=Role.ENTRY,
        entry=replace(entry, path=path),
        creates=((path, render(entry)),),
        write=lambda: _restore(store, entry.id),
    )


def _restore(store: MarkdownEntries, entry_id: str) -> None:
    """Move the entry back from the trash; returns nothing, as ``Plan.write`` must."""
    store.trash().restore(entry_id)


def _summarized(target: EntryTarget, text: str) -> EntryTarget:
    """Return ``target``; if it has no summary, with the first sentence of ``text`` as one."""
    if target.summary is not None:
        return target
    return replace(target, summary=_first_sentence(text))


def _first_sentence(text: str) -> str:
    """Return the first sentence of ``text``, on one line and without the mark at its end.

    At the end of ``text``, only periods are removed: ``!`` and ``?`` stay. A sentence of more than
    ``_SUMMARY_MAX`` characters is cut and ends with an ellipsis.
    """
    flat = " ".join(text.split())
    # The last mark is the period of Chinese and Japanese, which no space follows.
    found = [flat.find(mark) for mark in (". ", "! ", "? ", "\u3002")]
    ends = [end for end in found if end > 0]  # -1: not found; 0: nothing is before the mark
    sentence = flat[: min(ends, default=len(flat))].rstrip(".")
    if len(sentence) <= _SUMMARY_MAX:
        return sentence
    return sentence[: _SUMMARY_MAX - 1].rstrip() + "…"
