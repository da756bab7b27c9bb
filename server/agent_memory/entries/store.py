"""Entries: what an agent learned, stored as drover does, one file per entry.

``<root>/global/<ULID>.md``, ``<root>/agents/<agent>/<ULID>.md``, ``<root>/runs/<run>/<ULID>.md``.
Another storage engine is another subclass of :class:`EntryStore`: it loads, saves and drops
entries. Everything common (limits, messages, isolation, order) is here.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agent_memory.base.ulid import new_ulid
from agent_memory.entries import validation
from agent_memory.entries.entry_file import SCOPES, Entry
from agent_memory.entries.validation import EntryError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from agent_memory.entries.validation import Draft


@dataclass(frozen=True, slots=True)
class Filter:
    """The entries to return, and the agent and run that request them.

    Default ``scopes``: global, plus agent and run if these are given. ``tags`` matches an entry
    with any of them, case-insensitively. Empty ``kinds`` or ``tags`` match every entry.
    """

    agent: str | None = None
    run: str | None = None
    scopes: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    def checked(self) -> Filter:
        """Return the filter with the default scopes filled in.

        Raises:
            EntryError: a scope or kind is unknown, a scope needs an agent or run that is missing,
                or the id of the agent or run cannot be a folder name.

        """
        for scope in self.scopes:
            validation.check_scope(scope, self.agent, self.run)
        for kind in self.kinds:
            validation.check_kind(kind)
        if self.scopes:
            return self
        scopes = ["global"]
        if self.agent:
            scopes.append("agent")
        if self.run:
            scopes.append("run")
        return replace(self, scopes=tuple(scopes))

    def takes(self, entry: Entry) -> bool:
        """Whether the filter matches ``entry``; entries of other agents and runs never match.

        The filter must be one that :meth:`checked` has returned.
        """
        if entry.scope not in self.scopes or (self.kinds and entry.kind not in self.kinds):
            return False
        if entry.scope == "agent" and entry.agent != self.agent:
            return False
        if entry.scope == "run" and not self._takes_entry_of_run(entry):
            return False
        wanted = {tag.lower() for tag in self.tags}
        return not wanted or not wanted.isdisjoint(tag.lower() for tag in entry.tags)

    def _takes_entry_of_run(self, entry: Entry) -> bool:
        """Whether ``entry``, whose scope is "run", is of the run and the agent of the filter.

        An entry without an agent is of every agent in its run. A filter without an agent matches
        the entries of all of them.
        """
        if entry.run != self.run:
            return False
        return not self.agent or entry.agent in (None, self.agent)


class EntryStore(ABC):
    """A set of entries. Of several with one id, the last one loaded is current."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock

    @abstractmethod
    def load(self) -> list[Entry]:
        """Return every entry; of several with one id, the current one last.

        Usually, the global ones come first, then those of agents, then those of runs.
        """

    @abstractmethod
    def save(self, entry: Entry, old: Sequence[Entry]) -> Entry:
        """Write ``entry`` and return it as stored, such as with its path.

        ``old`` are the entries with the same id that it replaces.
        """

    @abstractmethod
    def drop(self, entries: Sequence[Entry]) -> None:
        """Remove ``entries``."""

    def find(self, wanted: Filter | None = None) -> list[Entry]:
        """Return the entries that ``wanted`` (None: global ones) matches, last changed first.

        Raises:
            EntryError: as for :meth:`Filter.checked`.

        """
        wanted = (wanted or Filter()).checked()
        return sorted(filter(wanted.takes, self.current()), key=lambda entry: -entry.changed)

    def current(self) -> list[Entry]:
        """Return the current entry of each id."""
        return list({entry.id: entry for entry in self.load()}.values())

    def with_id(self, entry_id: str) -> list[Entry]:
        """Return every entry with the ID ``entry_id``, the current one last.

        Raises:
            EntryError: ``entry_id`` is not a ULID.

        """
        validation.check_id(entry_id)
        return [entry for entry in self.load() if entry.id == entry_id]

    def put(self, draft: Draft, *, redact: bool = False, by_person: bool = False) -> Entry:
        """Save ``draft``, and return the entry as stored.

        With an existing id, it replaces that entry; ``created`` and unknown front matter are
        preserved. ``redact`` replaces secrets in summary and body. ``by_person``: a person may
        replace the entry of any agent or run; else the agent and run of the draft must be allowed
        to change it (:func:`validation.check_owner`).

        Raises:
            EntryError: a field is not valid or exceeds a limit, its agent or run is missing, it
                contains a secret, or it would replace the mirror of an instruction file or
                another agent's entry.
            UsageError: the file cannot be written.

        """
        return self.save(*self.prepare(draft, redact=redact, by_person=by_person))

    def prepare(
        self, draft: Draft, *, redact: bool = False, by_person: bool = False
    ) -> tuple[Entry, list[Entry]]:
        """Return the entry that :meth:`put` would save, and those it would replace ([]: it is new).

        The options are those of :meth:`put`.

        Raises:
            EntryError: as for :meth:`put`.

        """
        draft = validation.checked(draft, redact=redact)
        now = int(self._clock() * 1000)
        old = self.with_id(draft.id) if draft.id else []  # the current one is the last
        if old:
            agent, run = (None, None) if by_person else (draft.agent, draft.run)
            validation.check_owner("overwrite", old[-1], agent, run)
        entry = Entry(
            id=draft.id or new_ulid(now),
            scope=draft.scope,
            kind=draft.kind,
            summary=draft.summary,
            body=draft.body.strip(),
            created=old[-1].created if old else now,
            agent=draft.agent if draft.scope != "global" else None,
            run=draft.run if draft.scope == "run" else None,
            tags=draft.tags,
            updated=now if old else None,
            extra=old[-1].extra if old else "",
        )
        return entry, old

    def forget(self, entry_id: str, agent: str | None = None, run: str | None = None) -> Entry:
        """Remove the entry ``entry_id`` on behalf of ``agent`` (None: a person), and return it.

        ``run`` is the run of the agent, None outside of runs. See :meth:`discard`.

        Raises:
            EntryError: the id is not a ULID, or the entry does not exist, mirrors an instruction
                file, or is not the agent's.
            UsageError: its file cannot be removed.

        """
        versions = self.with_id(entry_id)
        if not versions:
            raise EntryError("not_found", f"no memory '{entry_id}' to forget.")
        validation.check_owner("forget", versions[-1], agent, run)
        self.discard(versions)
        return versions[-1]

    def discard(self, entries: Sequence[Entry]) -> None:
        """Remove ``entries``; a store with a trash moves them there."""
        self.drop(entries)


class InMemoryEntries(EntryStore):
    """Entries in memory only, for a temporary run or a test."""

    def __init__(
        self, entries: Iterable[Entry] = (), clock: Callable[[], float] = time.time
    ) -> None:
        super().__init__(clock)
        self._entries = list(entries)

    def load(self) -> list[Entry]:
        """Return the entries by scope, in each the last saved one last."""
        return sorted(self._entries, key=lambda entry: SCOPES.index(entry.scope))

    def save(self, entry: Entry, old: Sequence[Entry]) -> Entry:
        """Store ``entry`` in place of ``old``."""
        self.drop(old)
        self._entries.append(entry)
        return entry

    def drop(self, entries: Sequence[Entry]) -> None:
        """Remove every entry with the id of one of ``entries``."""
        gone = {entry.id for entry in entries}
        self._entries = [entry for entry in self._entries if entry.id not in gone]
