"""Names of Claude MPM's agents and of their memory files.

Claude MPM 3.2.1 writes ``{id}_agent.md`` and keeps a hyphen of the id. Other versions write
``{id}_memories.md`` and ``{id}.md``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

FOLDER = ".claude-mpm"
SUFFIXES = ("_agent", "_memories", "")
"""Ends of the names of memory files, the preferred one first."""
_README = "readme.md"


def agent_id(name: str) -> str:
    """Return the id for a new file: lower case, one ``_`` for spaces in a row, hyphens stay.

    A trailing word ``agent`` or ``memories`` is removed: ``qa`` for "QA Agent". It stays if nothing
    else would be left.
    """
    plain = re.sub(r" +", "_", name.lower())
    return re.sub(r"[_-](agent|memories)\Z", "", plain) or plain


def agent_of(stem: str) -> str:
    """Return the agent in ``stem``, the name of a memory file without ``.md``, as spelled there.

    :func:`files_of` finds the file by this name.
    """
    for suffix in filter(None, SUFFIXES):
        if stem.endswith(suffix) and stem != suffix:  # a file `_agent.md` has no other name
            return stem.removesuffix(suffix)
    return stem


def memory_names(names: Collection[str]) -> list[str]:
    """Return those of the file names in a memories folder that are an agent's memory, sorted."""
    return sorted(name for name in names if name.endswith(".md") and name.lower() != _README)


def files_of(agent: str, names: Collection[str]) -> list[str]:
    """Return those of ``names`` that are files of ``agent``, the one that is read first.

    ``names`` are all names in the folder. The spelling of ``agent`` is tried as it is, then in
    lower case with ``_`` for each space, then as an id, then with ``-`` and ``_`` treated as equal.
    Only files of the first spelling that exists are returned, [] if none does.
    """
    files = memory_names(names)
    for spelling in dict.fromkeys((agent, agent.lower().replace(" ", "_"), agent_id(agent))):
        matches = [name for name in _candidates(spelling) if name in files]
        if matches:
            return matches
    agents = {agent_of(name.removesuffix(".md")) for name in files}
    spellings = sorted(name for name in agents if key_of(name) == key_of(agent))
    if not spellings:
        return []
    return [name for name in _candidates(spellings[0]) if name in files]


def key_of(agent: str) -> str:
    """Return the form in which all spellings of an agent's name are equal."""
    return agent_id(agent).replace("-", "_")


def new_file(agent: str) -> str:
    """Return the name of the file to create for ``agent``."""
    return f"{agent_id(agent)}{SUFFIXES[0]}.md"


def _candidates(agent: str) -> list[str]:
    """Return the names that the file of ``agent`` may have, the preferred one first.

    They have ``agent`` in this spelling.
    """
    return [f"{agent}{suffix}.md" for suffix in SUFFIXES]
