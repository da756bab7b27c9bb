"""The files that a snippet can be saved to by name: all that a runtime reads as memory here.

Files of the chosen runtime come first, then those of the others: memory and instruction files
between the project's root and the file, skills, Claude MPM's memories, and the notes that any of
these link to.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory import runtimes
from agent_memory.base.model import Role, Scope, Source, Status
from agent_memory.l10n import t
from agent_memory.remember.linked_notes import linked_notes
from agent_memory.runtimes.selection import choose, is_available
from agent_memory.runtimes.write_scope import write_scope

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.config.context import Context
    from agent_memory.runtimes.selection import Choice

_NO_ENTRIES = Path(os.devnull)
"""In place of the folder of entries: it is not a folder, so it contains none."""


@dataclass(frozen=True, slots=True)
class Target:
    """A file and the runtime that reads it; ``ctx`` and ``choice`` are those of that runtime.

    ``label`` names the file in messages ('': its file name). ``instead_of`` is the id of the
    chosen runtime if only another one reads the file.
    """

    source: Source
    ctx: Context
    choice: Choice
    label: str = ""
    instead_of: str = ""

    @property
    def refusal(self) -> str:
        """Why nothing can be saved here, '' if something can."""
        source = self.source
        if source.status in (Status.SHADOWED, Status.IGNORED, Status.UNREADABLE):
            runtime = self.choice.runtime.id
            return t("{0} does not read {1}: {2}", runtime, source.path, source.reason)
        if source.role is Role.SKILL and source.scope is Scope.GLOBAL:
            return t(
                "{0} belongs to an installed package: the next version would overwrite it",
                source.path,
            )
        return ""


def available_targets(ctx: Context, runtime_id: str | None = None) -> list[Target]:
    """Return the files that a snippet can be saved to, those of the chosen runtime first.

    Without ``runtime_id``, that is the one of the settings, else a detected one. Missing files are
    included only for the chosen runtime. Files that must not be written are left out.

    Raises:
        UsageError: the runtime is unknown or the agent's id is not valid.

    """
    by_real_path: dict[str, Target] = {}
    for number, (runtime_ctx, choice) in enumerate(all_choices(ctx, runtime_id)):
        is_chosen = number == 0
        roots = write_scope(runtime_ctx, choice.runtime)
        for target in targets_of(runtime_ctx, choice):
            if target.refusal or roots.refusal(target.source.path):
                continue
            if is_chosen or target.source.status is not Status.MISSING:
                # The first runtime of a file counts, also if others reach it by a link.
                by_real_path.setdefault(os.path.realpath(target.source.path), target)
    return list(by_real_path.values())


def choose_for_files(ctx: Context, runtime_id: str | None) -> tuple[Context, Choice]:
    """Return ``ctx`` with the chosen agent and without learned entries, and the choice.

    The choice is a runtime and an agent. Without ``runtime_id``, the runtime is that of the
    settings, else a detected one. Entries are left out because they are never targets, and reading
    many is slow.

    Raises:
        UsageError: the runtime is unknown or the agent's id is not valid.

    """
    ctx, choice = choose(ctx, runtime_id)
    return ctx.with_(entries=_NO_ENTRIES), choice


def all_choices(ctx: Context, runtime_id: str | None) -> Iterator[tuple[Context, Choice]]:
    """Yield the chosen runtime, then every other one that is available, each with its context."""
    chosen_ctx, chosen = choose_for_files(ctx, runtime_id)
    yield chosen_ctx, chosen
    for runtime in runtimes.RUNTIMES:
        if runtime.id != chosen.runtime.id and is_available(ctx, ctx.given_root, runtime):
            yield choose_for_files(ctx, runtime.id)


def targets_of(ctx: Context, choice: Choice) -> Iterator[Target]:
    """Yield the sources of a runtime, then the notes that they link to."""
    sources = choice.runtime.sources(ctx)
    for source in sources:
        yield Target(source, ctx, choice)
    for note in linked_notes(ctx, choice, sources):
        yield Target(note, ctx, choice)
