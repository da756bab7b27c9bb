"""Export learnings as data, merge an export, compare two exports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from agent_memory.base.errors import UsageError
from agent_memory.config.agent_id import check_agent
from agent_memory.language.similarity import equality_key
from agent_memory.learnings.eviction import NotAdded
from agent_memory.learnings.sections import items_of
from agent_memory.secrets import mask

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agent_memory.learnings.store import Learnings


def export(learnings: Learnings) -> tuple[dict[str, Any], dict[str, str]]:
    """Return an export of the items of all agents, and {agent: why its file cannot be read}.

    The export is ``{"version": 1, "agents": {agent: {section: [item]}}}``, as :func:`merge` and
    :func:`exported` accept it.
    """
    files, unreadable = {}, {}
    for agent in learnings.agents():
        try:
            files[agent] = items_of(learnings.read(agent))
        except UsageError as why:
            unreadable[agent] = str(why)
    return {"version": 1, "agents": files}, unreadable


def merge(learnings: Learnings, data: Mapping[str, Any]) -> tuple[int, list[str]]:
    """Add the items of an export; return how many were added, and why each other one was not.

    An item that exists already is not added.

    Raises:
        UsageError: ``data`` is not an export, or memory is switched off.

    """
    added, refused = 0, []
    learnings.ensure_enabled()
    for agent, sections in exported(data).items():
        for name, items in sections.items():
            for item in items:
                try:
                    learnings.add_to(agent, name, item)
                    added += 1
                except (NotAdded, UsageError) as why:
                    refused.append(f"{agent}: {mask(name)}: {why}")
    return added, refused


def exported(data: Any) -> dict[str, dict[str, list[str]]]:
    """Return the items in ``data``, an export, as {agent: {section: [item]}}.

    Raises:
        UsageError: ``data`` is not an export.

    """
    agents = data.get("agents") if isinstance(data, dict) else None
    if not isinstance(agents, dict) or data.get("version") != 1:
        raise UsageError('not an export of memories: expected {"version": 1, "agents": {…}}')
    out: dict[str, dict[str, list[str]]] = {}
    for name, sections in agents.items():
        if not name or set(name) & set("/\\\0"):  # no file of the folder can have this name
            check_agent(name)  # raises the error
        if not isinstance(sections, dict) or not all(map(_is_list_of_text, sections.values())):
            raise UsageError(f"not an export of memories: agents.{name} is not a table of lists")
        out[name] = sections
    return out


def _is_list_of_text(items: Any) -> bool:
    """Whether ``items`` is a list of strings only; it may be empty."""
    return isinstance(items, list) and all(isinstance(item, str) for item in items)


class ItemDifference(NamedTuple):
    """An item in only one of two exports: ``sign`` is ``-`` for the old one, ``+`` for the new."""

    agent: str
    section: str
    sign: str
    item: str


def differences(
    old: Mapping[str, Mapping[str, Sequence[str]]], new: Mapping[str, Mapping[str, Sequence[str]]]
) -> list[ItemDifference]:
    """Return the items of each section that only ``old`` or only ``new`` has in this section.

    Both are tables as :func:`exported` returns them. An item that was moved to another section
    gives two differences.
    """
    out = []
    for agent in sorted({*old, *new}):
        before, after = old.get(agent, {}), new.get(agent, {})
        for section in dict.fromkeys([*before, *after]):
            old_items, new_items = before.get(section, ()), after.get(section, ())
            old_keys = set(map(equality_key, old_items))
            new_keys = set(map(equality_key, new_items))
            out += [
                ItemDifference(agent, section, "-", item)
                for item in old_items
                if equality_key(item) not in new_keys
            ]
            out += [
                ItemDifference(agent, section, "+", item)
                for item in new_items
                if equality_key(item) not in old_keys
            ]
    return out
