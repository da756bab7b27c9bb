"""Moves a list item between user and project memory.

The plan is one set of edits, so an editor undoes it in one step. The command line writes the new
location before it clears the old one: after a crash in between, both contain the text.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from agent_memory import secrets
from agent_memory.base.errors import UsageError
from agent_memory.base.model import Scope
from agent_memory.config.write_roots import with_project_of
from agent_memory.fs.atomic_write import update
from agent_memory.l10n import t
from agent_memory.remember import insert, planner, unsafe_text
from agent_memory.remember.list_items import as_item, equal_items, item_at, removal_of
from agent_memory.remember.plan import Outcome, Plan, refused
from agent_memory.remember.preconditions import require_consent
from agent_memory.remember.scopes import known_scope, memory_path
from agent_memory.remember.snippet import FormattedItem
from agent_memory.runtimes.selection import choose
from agent_memory.runtimes.write_scope import write_scope

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.base.model import Edit
    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText
    from agent_memory.fs.write_roots import WriteRoots


@dataclass(frozen=True, slots=True)
class Move:
    """``plan`` for the new location, and ``removal``, the edit that clears the old one.

    Without ``removal`` nothing can be moved; the plan's message says why. ``old_text`` is that
    of the file that ``removal`` was computed for, ``item`` the list item that it removes.
    """

    plan: Plan
    removal: Edit | None = None
    old_text: str = field(default="", repr=False)
    item: FormattedItem = field(default_factory=FormattedItem, repr=False)

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Every edit of the move."""
        return (*self.plan.edits, *((self.removal,) if self.removal else ()))


def move(
    ctx: Context,
    path: Path,
    line: int,
    scope: Scope | str,
    *,
    create: bool = False,
    runtime_id: str | None = None,
) -> Move:
    """Plan to move the list item at ``line`` (from 0) of ``path`` into the memory of ``scope``.

    If the target contains an identical item, the item is only removed from ``path``. If the item
    has a secret or unsafe text, or the target cannot be changed or needs consent, the plan says so
    and there is no removal. ``create`` is the consent to create the project's memory folder.
    ``runtime_id`` None: the runtime of the settings, else a detected one.

    Raises:
        UsageError: there is no such item, it is in that memory already, a file may not be written
            to, the runtime, agent or scope is not valid, or the scope has no memory file.

    """
    content = ctx.store.read(path)
    list_item = item_at(content.lines, line) if content.ok else None
    if list_item is None:
        raise UsageError(t("{0}:{1}: there is no list item to move", path, line + 1))
    ctx, choice = choose(ctx, runtime_id)
    target_scope = known_scope(scope)
    target = memory_path(ctx, choice, target_scope)
    if _same_file(target, path):
        raise _already_in_memory(path, line, target_scope)
    # The user has named `path`, so its project may be written to as well.
    roots = with_project_of(write_scope(ctx, choice.runtime), path)
    for file in (path, target):
        roots.check(file)
    text = "".join(content.lines[list_item.line : list_item.end_line])
    item = as_item(text, list_item)
    blocked = _blocked(target, text, item)
    if blocked:
        return Move(blocked)
    plan = replace(_plan_target(ctx, target, item, target_scope, create=create), roots=roots)
    if plan.outcome is not Outcome.READY:
        return Move(plan, None, content.text, item)
    return Move(plan, removal_of(path, content.lines, list_item), content.text, item)


def _plan_target(
    ctx: Context, target: Path, item: FormattedItem, scope: Scope, *, create: bool
) -> Plan:
    """Return the plan to add ``item`` to the file ``target``.

    The plan has no edit if the file contains an identical item. A similar item does not count.
    """
    existing = equal_items(ctx.store.read(target).lines, item)
    if existing:
        line = existing[0].line
        message = t("Already in {0} (line {1})", target.name, line + 1)
        return Plan(Outcome.READY, message, target, line=line, formatted=item)
    plan = insert.into_file(ctx, target, item, allow_duplicate=True, scope=scope)
    if plan.outcome is Outcome.READY and not create:
        plan = require_consent(ctx, plan, target.parent)
    return plan


def _already_in_memory(path: Path, line: int, scope: Scope) -> UsageError:
    """Return the error for an item on ``line`` (from 0) that is in the memory of ``scope``."""
    if scope is Scope.USER:
        return UsageError(t("{0}:{1} is already in user memory", path, line + 1))
    return UsageError(t("{0}:{1} is already in project memory", path, line + 1))


def _blocked(target: Path, text: str, item: FormattedItem) -> Plan | None:
    """Return the plan that says why ``item`` must not be moved to ``target``; None if it may be.

    ``text`` is the item as it is in its file.
    """
    found_secrets = tuple(secrets.find(text))
    if found_secrets:
        kinds = ", ".join(dict.fromkeys(secret.title for secret in found_secrets))
        message = t("Not moved: the item contains a secret ({0})", kinds)
        return Plan(Outcome.SECRET, message, target, secrets=found_secrets)
    unsafe = unsafe_text.why_unsafe(item.text)
    return refused(target, t("Not moved: {0}", unsafe)) if unsafe else None


def apply(move: Move) -> None:
    """Add the item of ``move`` to its new location, then remove it from the old one.

    Raises:
        UsageError: ``move`` has no removal, or a file cannot be written.

    """
    if move.removal is None:
        raise UsageError(move.plan.message)
    if move.plan.edits or move.plan.creates:  # both empty if the target contains the item already
        planner.apply(move.plan)
    _remove(move.removal, move.item, move.old_text, move.plan.roots)


def _same_file(one: Path, other: Path) -> bool:
    """Whether both paths lead to the same file; ``..``, links or letter case may differ."""
    try:
        return one.samefile(other)
    except OSError:  # a file is not on disk yet
        return os.path.realpath(one) == os.path.realpath(other)


def _remove(removal: Edit, wanted: FormattedItem, old_text: str, roots: WriteRoots) -> None:
    """Write ``removal``, which was computed for ``old_text``, to its file.

    If the file has another text now, the nearest item that equals ``wanted`` is removed instead. If
    no item equals it, or the file is gone, nothing is written.
    """
    if not removal.path.exists():  # `update` would create it
        return

    def change(content: FileText) -> str:
        """Return the text without the item; unchanged if no equal item exists."""
        if content.text == old_text:
            return insert.edited(content, [removal])
        equal = equal_items(content.lines, wanted)
        if not equal:
            return content.text
        nearest = min(equal, key=lambda item: abs(item.line - removal.span.line))
        return insert.edited(content, [removal_of(removal.path, content.lines, nearest)])

    update(removal.path, change, roots)
