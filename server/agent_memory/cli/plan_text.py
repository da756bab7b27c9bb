"""Sentences about a plan to remember, with paths as seen from the working directory."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.remember.plan import Plan


def result_text(plan: Plan, cwd: Path, *, written: bool) -> str:
    """Return what a ready ``plan`` did, or would do if it was not ``written``.

    The plan saves an entry, creates a file, or adds to one.
    """
    path = shown_path(plan.path, cwd)
    location = f"{path}:{plan.line + 1}"
    if plan.entry:
        entry = plan.entry
        saved = "Saved" if written else "Would be saved"
        headline = f"{saved} as {entry.scope}/{entry.kind} entry '{entry.summary}' in {path}"
    elif plan.creates and not plan.evicts:  # with evicted items, the new file may be their archive
        count = plan.formatted.count
        items = "1 item" if count == 1 else f"{count} items"
        headline = (
            f"Created {path} and added {items}"
            if written
            else f"{path} would be created with {items}"
        )
    else:
        added = "Added" if written else "Would be added"
        heading = f"'{plan.section}' in " if plan.section else ""
        if heading and plan.new_section:
            heading = f"the new heading {heading}"
        headline = f"{added} to {heading}{location}"
    return ". ".join((headline, *plan.notes))


def shown_path(path: Path, cwd: Path) -> str:
    """Return ``path`` relative to ``cwd`` if it is below it, else the absolute path."""
    return path.relative_to(cwd).as_posix() if path.is_relative_to(cwd) else str(path)
