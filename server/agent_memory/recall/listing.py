"""Lists entries by what they are, how old they are and whether they were recalled."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.entries.validation import INSTRUCTIONS_TAG
from agent_memory.recall import usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_memory.entries.entry_file import Entry
    from agent_memory.entries.markdown_store import MarkdownEntries

_DAY = 24 * 60 * 60  # seconds


@dataclass(frozen=True, slots=True)
class EntryFilter:
    """The entries to list, of every agent and run unless one is named.

    Unlike :class:`agent_memory.entries.store.Filter`, it hides no entries of other agents.
    ``tags`` matches an entry with any of them, case-insensitively. ``older`` is the least number of
    days since the last change, ``unused`` that since the last change or recall, and since recalls
    are recorded (:meth:`Usage.last_used`). None and () do not restrict.
    """

    agent: str | None = None
    run: str | None = None
    scopes: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    older: float | None = None
    unused: float | None = None

    def takes(self, entry: Entry) -> bool:
        """Whether the filter matches ``entry``, apart from its age and use."""
        if self.agent is not None and entry.agent != self.agent:
            return False
        if self.run is not None and entry.run != self.run:
            return False
        if self.scopes and entry.scope not in self.scopes:
            return False
        if self.kinds and entry.kind not in self.kinds:
            return False
        wanted_tags = {tag.lower() for tag in self.tags}
        has_wanted_tag = any(tag.lower() in wanted_tags for tag in entry.tags)
        return has_wanted_tag or not wanted_tags

    def takes_age(self, entry: Entry, now: float) -> bool:
        """Whether the last change of ``entry`` is old enough at ``now``, in seconds since 1970."""
        return self.older is None or entry.changed <= _days_ago(self.older, now)


def _days_ago(days: float, now: float) -> float:
    """Return the time ``days`` before ``now`` (in seconds) in milliseconds since the epoch."""
    return (now - days * _DAY) * 1000


class ListedEntry(NamedTuple):
    """An entry, and when it was last recalled, in milliseconds since the epoch.

    None: never since recording began, or the time was not looked up.
    """

    entry: Entry
    recalled: int | None


def listed(
    store: MarkdownEntries,
    env: Mapping[str, str],
    wanted: EntryFilter,
    now: float | None = None,
) -> list[ListedEntry]:
    """Return the entries of ``store`` that ``wanted`` matches, the last changed first.

    ``now`` is in seconds since the epoch (None: the current time). Entries that mirror instruction
    files are left out.
    """
    now = time.time() if now is None else now
    recorded = usage.read(store.root, env)
    out = []
    for entry in store.current():
        if INSTRUCTIONS_TAG in entry.tags:
            continue
        if not (wanted.takes(entry) and wanted.takes_age(entry, now)):
            continue
        last_used = recorded.last_used(entry.id, entry.changed)
        if wanted.unused is not None and last_used > _days_ago(wanted.unused, now):
            continue
        out.append(ListedEntry(entry, recorded.last.get(entry.id)))
    return sorted(out, key=lambda listed_entry: -listed_entry.entry.changed)
