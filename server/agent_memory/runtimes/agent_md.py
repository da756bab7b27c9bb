"""What the runtimes that read agent.md share: fields of the memory snippet and of the guide."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Scope, Segment, Source, Status
from agent_memory.runtimes.segments import merged

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText
    from agent_memory.runtimes.base import Runtime

NO_USER = "(No user agent.md)"
NO_PROJECT = "(No project agent.md)"
NO_FOLDER = "[project-root]/.deepagents (not in a project)"
"""What the prompt says in place of memory or a folder that does not exist."""
SNIPPET_FIELDS = frozenset({"user_memory", "project_memory"})
GUIDE_FIELDS = frozenset(
    {"agent_dir_absolute", "agent_dir_display", "project_memory_info", "project_deepagents_dir"}
)
"""Placeholders of the two templates: of the memory snippet, and of the guide to memory."""


def has_guide(template: str) -> bool:
    """Whether a user's ``template`` contains the guide: it has a placeholder of the guide."""
    return any(f"{{{name}}}" in template for name in GUIDE_FIELDS)


def fill_custom(template: str, fields: Mapping[str, str | Sequence[Segment]]) -> list[Segment]:
    """Return a user's ``template`` with each ``{name}`` of ``fields`` filled; other braces stay.

    ``fields`` has a text or segments for each name.
    """
    out: list[Segment] = []
    names = "|".join(map(re.escape, fields))
    copied_to = 0  # end of the part of the template that `out` contains
    for match in re.finditer(rf"\{{({names})\}}", template):
        out.append(Segment(template[copied_to : match.start()]))
        value = fields[match[1]]
        out += [Segment(value)] if isinstance(value, str) else value
        copied_to = match.end()
    out.append(Segment(template[copied_to:]))
    return merged(out)


def memory_fields(
    ctx: Context, sources: Sequence[Source], text_of: Callable[[FileText], str]
) -> dict[str, list[Segment]]:
    """Return the segments of the fields ``user_memory`` and ``project_memory``.

    If no file is loaded for a field, its segment says so. ``text_of`` returns a file's text as the
    runtime decodes it, with the same number of lines.
    """
    fields: dict[str, list[Segment]] = {"user_memory": [], "project_memory": []}
    for source in sources:
        if source.status is Status.LOADED and source.role is Role.MEMORY:
            text = text_of(ctx.store.read(source.path))
            kind = source.name or str(source.scope)  # the name of memory is a kind, such as `root`
            fields[f"{source.scope}_memory"].append(Segment(text, kind, source.path))
    fields["user_memory"] = fields["user_memory"] or [Segment(NO_USER)]
    fields["project_memory"] = fields["project_memory"] or [Segment(NO_PROJECT)]
    return fields


def guide_fields(
    ctx: Context, runtime: Runtime, root: Path | None, sources: Sequence[Source]
) -> dict[str, str]:
    """Return the fields of the guide: folders and the state of project memory.

    ``root`` is None outside of a project.
    """
    agent = runtime.agent_of(ctx)
    return {
        "agent_dir_absolute": str(ctx.user_folder / agent),
        "agent_dir_display": f"~/.deepagents/{agent}",
        "project_memory_info": _project_info(root, sources),
        "project_deepagents_dir": str(root / ".deepagents") if root else NO_FOLDER,
    }


def _project_info(root: Path | None, sources: Sequence[Source]) -> str:
    """Return how the prompt describes the project at ``root`` (None: outside of a project)."""
    if root is None:
        return "None (not in a git project)"
    memory = [source for source in sources if source.role is Role.MEMORY]
    has_loaded = any(
        source.scope is Scope.PROJECT and source.status is Status.LOADED for source in memory
    )
    return f"`{root}` (detected)" if has_loaded else f"`{root}` (no agent.md found)"
