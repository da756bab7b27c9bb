"""The text of a new memory file: headings to fill in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Scope
from agent_memory.runtimes.claude_mpm import REQUIRED

if TYPE_CHECKING:
    from collections.abc import Iterable

_HEADINGS = {
    Scope.PROJECT: ("Commands", "Architecture", "Conventions", "Mistakes to avoid"),
    Scope.USER: ("Preferences", "Style", "Tools"),
}
_TITLES = {Scope.PROJECT: "Project memory", Scope.USER: "User memory"}
_IN_EDITOR = ("Preferences", "Project")
"""Headings of the file that the VS Code extension creates."""
_OUR_HEADINGS = frozenset({*_HEADINGS[Scope.PROJECT], *_HEADINGS[Scope.USER], *_IN_EDITOR})
"""Headings of files that we create."""
_CLAUDE_MPM_HEADINGS = frozenset(REQUIRED)
"""Headings of files that Claude MPM creates."""


def fresh_text(scope: Scope) -> str:
    """Return the text of a new memory file of ``scope``, which is USER or PROJECT."""
    headings = "".join(f"\n## {heading}\n" for heading in _HEADINGS[scope])
    return f"# {_TITLES[scope]}\n{headings}"


def is_fresh(headings: Iterable[str]) -> bool:
    """Whether a file with these ``headings`` below its title was created to be filled in.

    A user may have removed headings from a file of Agent Memory, and may have added headings to a
    file of Claude MPM.
    """
    # Headings of Claude MPM end with a limit such as "(Max: 15 items)"
    names = {heading.partition(" (")[0] for heading in headings}
    if not names:  # no such file has a title alone
        return False
    return names <= _OUR_HEADINGS or names >= _CLAUDE_MPM_HEADINGS
