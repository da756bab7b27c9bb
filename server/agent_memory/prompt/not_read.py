"""Why a runtime does not look for a file, and what to do so that its text is read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from agent_memory.base.model import Role, Scope
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t
from agent_memory.prompt.answer import Action
from agent_memory.runtimes.classify import MEMORY_NAMES

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.prompt.runtime_view import RuntimeView


def why_not_read(view: RuntimeView, path: Path) -> tuple[str, Action | None]:
    """Return (reason, action) for an existing file that ``view`` has no source for.

    The action is None if nothing helps.
    """
    title = t(view.runtime.title)
    folder, cwd, root = path.parent, view.cwd, view.root
    has_memory_name = path.name in view.runtime.memory_names
    if has_memory_name and folder in root.parents:
        reason = t("it is above {0}, where {1} stops", root, title)
        return reason, Action(t("Move it into {0}", root))
    if not (has_memory_name and view.runtime.reads_each_folder):
        summary = t(view.runtime.summary)
        reason = t("{0} does not look for this file: it reads {1}", title, summary)
        return reason, action_to_read(view, path)
    # The runtime reads files of this name from the root down to `cwd`: this is in another folder.
    reason = t("{0} reads only the folders from {1} down to {2}, where it starts", title, root, cwd)
    return reason, Action(t("Start {0} in {1}", title, folder))


def action_to_read(view: RuntimeView, path: Path) -> Action | None:
    """Return how to get the text of ``path`` read, by the least change that works.

    The first of these that works: import ``path``, link to it, add its name to a setting, or move
    its text to the project's memory file, which is created if it is missing. None if ``path`` is
    outside of the project or is that memory file, or if the runtime has no project memory.
    """
    if not path.is_relative_to(view.root):
        return None
    target = view.runtime.memory_path(view.ctx, Scope.PROJECT)
    if target is None or target == path:
        return None
    missing = view.ctx.store.read(target).failure is Failure.MISSING
    importer = _importer(view, path, target)
    if importer:
        line = _import_of(path, importer)
        if importer == target and missing:
            message = t("Create {0} with the line `{1}`", target, line)
            return Action(message, "create", target, f"{line}\n")
        return Action(t("Add the line `{0}` to {1}", line, importer), "open", importer)
    title = t(view.runtime.title)
    is_memory_next_to_target = path.name in MEMORY_NAMES and path.parent == target.parent
    if is_memory_next_to_target and missing:
        return Action(t("Make {0} a link to {1}", target.name, path.name))
    if is_memory_next_to_target and view.runtime.names_setting:
        return Action(t("Add `{0}` to {1}", path.name, view.runtime.names_setting))
    if missing:
        return Action(
            t("Create {0} with what {1} should know", target, title), "create", target, ""
        )
    return Action(t("Move what {0} should know to {1}", title, target), "open", target)


def _import_of(path: Path, importer: Path) -> str:
    """Return the line for ``importer`` that imports ``path``.

    ``@name`` without a dot or slash could mean a person, so it becomes ``@./name``.
    """
    name = os.path.relpath(path, importer.parent).replace(os.sep, "/")
    return f"@{name}" if "." in name or "/" in name else f"@./{name}"


def _importer(view: RuntimeView, path: Path, target: Path) -> Path | None:
    """Return the first file that can import ``path``, None if there is no such file.

    ``target`` comes first, even if it is missing, then the project's memory files in the prompt.
    """
    loaded = [source for source in view.prompt.sources if view.order(source)]
    project_memory = [
        source.path
        for source in loaded
        if source.scope is Scope.PROJECT and source.role is Role.MEMORY
    ]
    for importer in (target, *project_memory):
        if view.runtime.follows_import(path, importer):
            return importer
    return None
