"""Entries: what an agent learned, kept as drover keeps it, one file an entry.

``<root>/global/<ULID>.md``, ``<root>/agents/<agent>/<ULID>.md``, ``<root>/runs/<run>/<ULID>.md``.
Another engine is one more subclass of :class:`EntryStore`: it loads, saves and drops entries,
and everything that is promised about them (limits, messages, isolation, order) is here.
"""

from __future__ import annotations

import re
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agent_memory import secrets
from agent_memory.context import UsageError
from agent_memory.entryfile import KINDS, SCOPES, Entry
from agent_memory.ulid import is_ulid, new_ulid

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

SUMMARY_MAX = 200
BODY_MAX = 4000
REFERENCE_MAX = 65536
TAGS_MAX = 12
INSTRUCTIONS_TAG = "instructions"
_SEGMENT = re.compile(r"[a-zA-Z0-9_-]{1,64}")


class EntryError(UsageError):
    """An entry that is not taken, found or given up.

    ``reason`` is drover's: ``not_found``, ``invalid_scope``, ``path_escape``, ``io``,
    ``invalid_id`` or ``denied``.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Draft:
    """What is to be put. With the ``id`` of an entry that is there, it takes its place."""

    scope: str
    kind: str
    summary: str
    body: str
    agent: str | None = None
    run: str | None = None
    tags: tuple[str, ...] = ()
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Filter:
    """Which entries are meant, and who asks.

    Without ``scopes``: global, that of ``agent`` and that of ``run``, as far as they are given.
    ``tags`` matches an entry with any of them, without regard to case.
    """

    agent: str | None = None
    run: str | None = None
    scopes: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    def check(self) -> Filter:
        """Return the filter with its scopes filled in.

        Raises:
            EntryError: a scope is unknown, or needs an agent or run that is not given.

        """
        for scope in self.scopes:
            _check_scope(scope, self.agent, self.run)
        for kind in self.kinds:
            _check_kind(kind)
        if self.scopes:
            return self
        given = ("global", *("agent",) * bool(self.agent), *("run",) * bool(self.run))
        return replace(self, scopes=given)

    def takes(self, entry: Entry) -> bool:
        """Whether ``entry`` is meant; entries of other agents and runs never are."""
        if entry.scope not in self.scopes or (self.kinds and entry.kind not in self.kinds):
            return False
        if entry.scope == "agent" and entry.agent != self.agent:
            return False
        if entry.scope == "run" and not self._takes_run(entry):
            return False
        wanted = {tag.lower() for tag in self.tags}
        return not wanted or not wanted.isdisjoint(tag.lower() for tag in entry.tags)

    def _takes_run(self, entry: Entry) -> bool:
        mine = not self.agent or entry.agent in (None, self.agent)
        return entry.run == self.run and mine


class EntryStore(ABC):
    """Entries behind one interface. Where an id is there twice, the last one loaded counts."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock

    @abstractmethod
    def load(self) -> list[Entry]:
        """Return every entry: global, then agents, then runs, each in the order of their ids."""

    @abstractmethod
    def save(self, entry: Entry, old: Sequence[Entry]) -> Entry:
        """Write ``entry``; ``old`` are those of its id, which it takes the place of."""

    @abstractmethod
    def drop(self, entries: Sequence[Entry]) -> None:
        """Remove ``entries``."""

    def find(self, wanted: Filter | None = None) -> list[Entry]:
        """Return the entries that ``wanted`` takes, the last changed first."""
        wanted = (wanted or Filter()).check()
        return sorted(filter(wanted.takes, self.current()), key=lambda entry: -entry.changed)

    def current(self) -> list[Entry]:
        """Return the entry that counts for each id."""
        return list({entry.id: entry for entry in self.load()}.values())

    def with_id(self, entry_id: str) -> list[Entry]:
        """Return every entry of the id, the one that counts last.

        Raises:
            EntryError: it is no ULID.

        """
        _check_id(entry_id)
        return [entry for entry in self.load() if entry.id == entry_id]

    def put(self, draft: Draft, *, redact: bool = False) -> Entry:
        """Save ``draft``; one with a known id keeps ``created`` and unknown front matter.

        Raises:
            EntryError: it is over a limit, misses its agent or run, holds a secret, or would
                take the place of an instruction file or of another agent's entry.
            UsageError: it cannot be written.

        """
        return self.save(*self.prepare(draft, redact=redact))

    def prepare(self, draft: Draft, *, redact: bool = False) -> tuple[Entry, list[Entry]]:
        """Return the entry that :meth:`put` saves and those of its id; nothing is written.

        Raises:
            EntryError: as for :meth:`put`.

        """
        draft = _clean(draft, redact=redact)
        now = int(self._clock() * 1000)
        old = self.with_id(draft.id) if draft.id else []
        if old:
            _check_owner("overwrite", old[-1], draft.agent, draft.run)
        entry = Entry(
            draft.id or new_ulid(now),
            draft.scope,
            draft.kind,
            draft.summary,
            draft.body.strip(),
            old[-1].created if old else now,
            draft.agent if draft.scope != "global" else None,
            draft.run if draft.scope == "run" else None,
            draft.tags,
            now if old else None,
            old[-1].extra if old else "",
        )
        return entry, old

    def forget(self, entry_id: str, agent: str | None = None, run: str | None = None) -> Entry:
        """Remove the entry ``entry_id``, for ``agent`` (None: a person) in ``run``.

        Raises:
            EntryError: there is none, it mirrors an instruction file, or it is not the agent's.

        """
        found = self.with_id(entry_id)
        if not found:
            raise EntryError("not_found", f"no memory '{entry_id}' to forget.")
        _check_owner("forget", found[-1], agent, run)
        self.drop(found)
        return found[-1]


class InMemoryEntries(EntryStore):
    """Entries of a throw-away run or a test: nothing is written."""

    def __init__(
        self, entries: Iterable[Entry] = (), clock: Callable[[], float] = time.time
    ) -> None:
        super().__init__(clock)
        self._entries = list(entries)

    def load(self) -> list[Entry]:
        """Return the entries by scope."""
        return sorted(self._entries, key=lambda entry: SCOPES.index(entry.scope))

    def save(self, entry: Entry, old: Sequence[Entry]) -> Entry:
        """Keep ``entry``."""
        self.drop(old)
        self._entries.append(entry)
        return entry

    def drop(self, entries: Sequence[Entry]) -> None:
        """Forget ``entries``."""
        gone = {entry.id for entry in entries}
        self._entries = [entry for entry in self._entries if entry.id not in gone]


def units(text: str) -> int:
    """Return the length of ``text`` in UTF-16 units, in which drover counts."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def check_segment(name: str, value: str) -> None:
    """See that an agent's or run's id can be the name of a folder.

    Raises:
        EntryError: it cannot.

    """
    if not _SEGMENT.fullmatch(value):
        message = f"{name} must match /^[a-zA-Z0-9_-]{{1,64}}$/ (got '{value}')"
        raise EntryError("path_escape", message)


def _clean(draft: Draft, *, redact: bool) -> Draft:
    """Return ``draft`` if it keeps every rule."""
    if draft.id is not None:
        _check_id(draft.id)
    _check_scope(draft.scope, draft.agent, draft.run)
    _check_kind(draft.kind)
    if any(tag.lower() == INSTRUCTIONS_TAG for tag in draft.tags):
        raise EntryError("denied", f"the tag '{INSTRUCTIONS_TAG}' is kept for instruction files")
    if redact:
        draft = replace(
            draft,
            summary=secrets.redact_for_memory(draft.summary),
            body=secrets.redact_for_memory(draft.body),
        )
    _check_lengths(draft)
    found = secrets.find("\n".join((draft.summary, draft.body, *draft.tags)))
    kinds = ", ".join(dict.fromkeys(secret.title for secret in found))
    if kinds and not redact:
        raise EntryError("denied", f"not saved: the text holds a secret ({kinds}). --redact it")
    return draft


def _check_lengths(draft: Draft) -> None:
    length = units(draft.summary) if draft.summary.strip() else 0
    if not 1 <= length <= SUMMARY_MAX:
        raise EntryError("io", f"summary must be 1-{SUMMARY_MAX} chars (got {length})")
    most = REFERENCE_MAX if draft.kind == "reference" else BODY_MAX
    length = units(draft.body) if draft.body.strip() else 0
    if not 1 <= length <= most:
        raise EntryError("io", f"body must be 1-{most} chars (got {length})")
    if len(draft.tags) > TAGS_MAX:
        raise EntryError("io", f"tags must be at most {TAGS_MAX} (got {len(draft.tags)})")


def _check_id(entry_id: str) -> None:
    if not is_ulid(entry_id):
        raise EntryError("invalid_id", f"id must be a 26-char ULID (got '{entry_id}')")


def _check_scope(scope: str, agent: str | None, run: str | None) -> None:
    if scope not in SCOPES:
        known = ", ".join(SCOPES)
        raise EntryError("invalid_scope", f"scope must be one of {known} (got '{scope}')")
    if scope == "agent" and not agent:
        raise EntryError("invalid_scope", "scope 'agent' requires agentId")
    if agent:
        check_segment("agentId", agent)
    if scope == "run" and not run:
        raise EntryError("invalid_scope", "scope 'run' requires runId")
    if run:
        check_segment("runId", run)


def _check_kind(kind: str) -> None:
    if kind not in KINDS:
        raise EntryError("io", f"kind must be one of {', '.join(KINDS)} (got '{kind}')")


def _check_owner(what: str, entry: Entry, agent: str | None, run: str | None) -> None:
    """See that whoever asks may change ``entry``: a person may, an agent its own and global ones.

    Raises:
        EntryError: it mirrors a file, or belongs to another agent or run.

    """
    if INSTRUCTIONS_TAG in entry.tags:
        raise EntryError(
            "denied",
            f"cannot {what} '{entry.id}' — it's a loaded project-instruction file. "
            "Edit the file on disk instead.",
        )
    if agent and entry.scope != "global" and entry.agent not in (None, agent):
        raise EntryError("denied", f"cannot {what} '{entry.id}' — owned by a different agent.")
    if run and entry.scope == "run" and entry.run != run:
        raise EntryError("denied", f"cannot {what} '{entry.id}' — it belongs to another run.")
