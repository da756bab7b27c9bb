"""Drover's checks of an entry, with its messages: limits, ids, scopes, ownership."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agent_memory import secrets
from agent_memory.base.errors import UsageError
from agent_memory.base.ulid import is_ulid
from agent_memory.entries.entry_file import KINDS, SCOPES
from agent_memory.l10n import t

if TYPE_CHECKING:
    from agent_memory.entries.entry_file import Entry

SUMMARY_MAX = 200
BODY_MAX = 4000
REFERENCE_MAX = 65536
"""In UTF-16 units, as the two above: of the body of a reference."""
TAGS_MAX = 12
INSTRUCTIONS_TAG = "instructions"
"""The tag of entries that mirror an instruction file: only the file can be edited."""
_OWNER_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""The id of an agent or a run, for ``fullmatch``; it is also the name of its folder."""


class EntryError(UsageError):
    """An entry is not valid, not found or not the agent's to change.

    ``reason`` is drover's code: ``not_found``, ``invalid_scope``, ``path_escape``, ``io`` (a field
    or parameter breaks a limit or has an unknown value), ``invalid_id`` or ``denied``.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class SecretError(EntryError):
    """An entry contains a secret; it can be saved redacted."""

    def __init__(self, kinds: str) -> None:
        super().__init__("denied", t("Not saved: the text contains a secret ({0})", kinds))


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry to save. With the ``id`` of an existing entry, it replaces that one."""

    scope: str
    kind: str
    summary: str
    body: str
    agent: str | None = None
    run: str | None = None
    tags: tuple[str, ...] = ()
    id: str | None = None


def units(text: str) -> int:
    """Return the length of ``text`` in UTF-16 code units, as drover counts."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def check_owner_name(name: str, value: str) -> None:
    """Raise an error unless ``value``, the id of an agent or a run, can be a folder name.

    ``name`` is the name of the field in the message: ``agentId`` or ``runId``.

    Raises:
        EntryError: ``value`` cannot be a folder name.

    """
    if not _OWNER_NAME.fullmatch(value):
        message = f"{name} must match /^[a-zA-Z0-9_-]{{1,64}}$/ (got '{value}')"
        raise EntryError("path_escape", message)


def checked(draft: Draft, *, redact: bool) -> Draft:
    """Return ``draft`` if it is valid; ``redact`` replaces the secrets in summary and body.

    Raises:
        EntryError: a field is not valid or exceeds a limit, its agent or run is missing, a tag is
            reserved, or despite ``redact`` a secret is left, such as in a tag.
        SecretError: without ``redact``, it contains a secret.

    """
    if draft.id is not None:
        check_id(draft.id)
    check_scope(draft.scope, draft.agent, draft.run)
    check_kind(draft.kind)
    if any(tag.lower() == INSTRUCTIONS_TAG for tag in draft.tags):
        raise EntryError(
            "denied", f"the tag '{INSTRUCTIONS_TAG}' is reserved for instruction files"
        )
    if redact:
        draft = replace(
            draft,
            summary=secrets.redact_for_memory(draft.summary),
            body=secrets.redact_for_memory(draft.body),
        )
    _check_lengths(draft)
    found_secrets = secrets.find("\n".join((draft.summary, draft.body, *draft.tags)))
    kinds = ", ".join(dict.fromkeys(secret.title for secret in found_secrets))
    if kinds and redact:
        message = t("not saved: a secret cannot be redacted ({0}). Remove it", kinds)
        raise EntryError("denied", message)
    if kinds:
        raise SecretError(kinds)
    return draft


def _check_lengths(draft: Draft) -> None:
    """Raise ``EntryError`` for text or tags over a limit, or text that is blank."""
    length = units(draft.summary) if draft.summary.strip() else 0
    if not 1 <= length <= SUMMARY_MAX:
        raise EntryError("io", f"summary must be 1-{SUMMARY_MAX} chars (got {length})")
    body_max = REFERENCE_MAX if draft.kind == "reference" else BODY_MAX
    length = units(draft.body) if draft.body.strip() else 0
    if not 1 <= length <= body_max:
        raise EntryError("io", f"body must be 1-{body_max} chars (got {length})")
    if len(draft.tags) > TAGS_MAX:
        raise EntryError("io", f"tags must be at most {TAGS_MAX} (got {len(draft.tags)})")


def check_id(entry_id: str) -> None:
    """Raise an error unless ``entry_id`` is a ULID.

    Raises:
        EntryError: ``entry_id`` is not a ULID.

    """
    if not is_ulid(entry_id):
        raise EntryError("invalid_id", f"id must be a 26-char ULID (got '{entry_id}')")


def check_scope(scope: str, agent: str | None, run: str | None) -> None:
    """Raise an error unless ``scope`` exists and has the agent or run that it needs.

    Raises:
        EntryError: the scope is unknown or lacks its agent or run, or the id ``agent`` or ``run``
            cannot be a folder name, even if the scope does not need it.

    """
    if scope not in SCOPES:
        known = ", ".join(SCOPES)
        raise EntryError("invalid_scope", f"scope must be one of {known} (got '{scope}')")
    if scope == "agent" and not agent:
        raise EntryError("invalid_scope", "scope 'agent' requires agentId")
    if agent:
        check_owner_name("agentId", agent)
    if scope == "run" and not run:
        raise EntryError("invalid_scope", "scope 'run' requires runId")
    if run:
        check_owner_name("runId", run)


def check_kind(kind: str) -> None:
    """Raise an error unless ``kind`` is one of ``KINDS``.

    Raises:
        EntryError: the kind is unknown.

    """
    if kind not in KINDS:
        raise EntryError("io", f"kind must be one of {', '.join(KINDS)} (got '{kind}')")


def check_owner(verb: str, entry: Entry, agent: str | None, run: str | None) -> None:
    """Raise an error unless ``agent`` may change ``entry``.

    An agent may change its own entries, global ones and those of a run without an agent; a person
    (``agent`` None) may change those of any agent. With a ``run``, an entry of another run may not
    be changed. ``verb`` is for the message, such as ``forget``.

    Raises:
        EntryError: it mirrors an instruction file, or belongs to another agent or run.

    """
    if INSTRUCTIONS_TAG in entry.tags:
        raise EntryError(
            "denied",
            f"cannot {verb} '{entry.id}' — it's a loaded project-instruction file. "
            "Edit the file on disk instead.",
        )
    if agent and entry.scope != "global" and entry.agent not in (None, agent):
        raise EntryError("denied", f"cannot {verb} '{entry.id}' — owned by a different agent.")
    if run and entry.scope == "run" and entry.run != run:
        raise EntryError("denied", f"cannot {verb} '{entry.id}' — it belongs to another run.")
