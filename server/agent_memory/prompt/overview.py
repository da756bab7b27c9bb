"""The table file x agent: every known memory file, and what each agent does with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Scope, Status
from agent_memory.prompt.explain import explain_file
from agent_memory.prompt.runtime_view import RuntimeView
from agent_memory.runtimes.classify import is_user_file
from agent_memory.runtimes.known_files import known_files, made_for
from agent_memory.runtimes.several import Listed, listed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.prompt.answer import Answer

_ROLES = (Role.MEMORY, Role.INSTRUCTIONS, Role.NOTE, Role.SKILL)
"""Roles of the sources that have a row."""


@dataclass(frozen=True, slots=True)
class Row:
    """A file: ``answers`` are those of the listed runtimes, ``selected`` that of the chosen one.

    ``made_for`` is the name of the agent that the file belongs to, '' for several or none.
    """

    path: Path
    scope: Scope
    made_for: str
    answers: tuple[Answer, ...]
    selected: Answer

    @property
    def read_by(self) -> list[str]:
        """The ids of the listed runtimes whose prompt contains text of the file."""
        return [item.runtime.id for item in self.answers if item.is_loaded]


@dataclass(frozen=True, slots=True)
class Overview:
    """All rows; ``complete`` is False if memory files of the project may be missing in them.

    Then it has too many files to be searched in time, or more than ``known_files.MAX_FILES``.
    """

    root: Path
    listed: Listed
    rows: tuple[Row, ...]
    complete: bool


def overview(ctx: Context, runtime_id: str | None = None, chosen: str | None = None) -> Overview:
    """Return the table for the runtimes of the settings, or only for ``runtime_id``.

    It has a row for each memory file of the project and each existing source of the runtimes,
    sorted by path, files outside of the project last. ``chosen`` is the id of the selected runtime,
    by default the first one of the table.

    Raises:
        UsageError: the runtime is unknown or the agent id is invalid.

    """
    runtimes = listed(ctx, runtime_id)
    by_id = {runtime.id: RuntimeView(ctx, runtime.id) for runtime in runtimes.runtimes}
    views = list(by_id.values())
    selected = views[0]
    if chosen:
        selected = by_id.get(chosen) or RuntimeView(ctx, chosen)
    root = selected.root
    paths, complete = known_files(root)
    all_paths = dict.fromkeys([*paths, *_sources([*views, selected])])
    project_first = sorted(all_paths, key=lambda path: (not path.is_relative_to(root), path))
    rows = [_row(ctx, root, path, views, selected) for path in project_first]
    return Overview(root, runtimes, tuple(rows), complete)


def _sources(views: Sequence[RuntimeView]) -> list[Path]:
    """Return the paths of the existing sources that have a row, once for each of ``views``."""
    return [
        source.path
        for view in views
        for source in view.sources
        if source.role in _ROLES and source.status is not Status.MISSING
    ]


def _row(
    ctx: Context, root: Path, path: Path, views: Sequence[RuntimeView], selected: RuntimeView
) -> Row:
    """Return the row of ``path``; ``views`` are those of the listed runtimes.

    The scope is that of the file as a source of the first listed runtime that has it as one. If
    there is no such runtime, the location of the file decides.
    """
    # `selected` is often one of `views`: the set has it once, so that it gives only one answer.
    answers = {view: explain_file(view, path) for view in {*views, selected}}
    is_in_project = path.is_relative_to(root) and not is_user_file(path, ctx.home)
    agent = made_for(path.relative_to(root).as_posix()) if is_in_project else None
    scope_by_location = Scope.PROJECT if is_in_project else Scope.USER
    sources = (view.source(path) for view in views)
    return Row(
        path,
        next((source.scope for source in sources if source), scope_by_location),
        agent or "",
        tuple(answers[view] for view in views),
        answers[selected],
    )
