"""What reading a file means for a source: status, reason, load order and problems."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agent_memory.base.model import Problem, Role, Severity, Source, Status
from agent_memory.fs.reader import Failure, FileText
from agent_memory.l10n import t, untranslated

if TYPE_CHECKING:
    from collections.abc import Sequence

_REASONS = {
    Failure.DIRECTORY: untranslated("this is a folder, not a file"),
    Failure.SPECIAL: untranslated("this is a pipe, socket or device, not a regular file"),
    Failure.LOOP: untranslated("the symlink points to itself"),
    Failure.DENIED: untranslated("permission denied"),
    Failure.TOO_LARGE: untranslated("the file exceeds 16 MiB, the limit of Agent Memory"),
    Failure.UNDECODABLE: untranslated("the file is not valid UTF-8"),
    Failure.IO: untranslated("the file could not be read"),
    Failure.OUTSIDE: untranslated(
        "a link leads out of the project, so the file is not shown until you trust the workspace"
    ),
}
"""The reason for each failure but that of a missing file."""


def status_of(content: FileText, *, empty: str = "") -> tuple[Status, str]:
    """Return (status, reason) of a file that was read, before a runtime's own rules apply.

    The reason of a loaded file is ''. ``empty`` replaces the reason of an empty file.
    """
    if content.failure is Failure.MISSING:
        return Status.MISSING, t("the file does not exist")
    if content.failure:
        return Status.UNREADABLE, t(_REASONS[content.failure])
    if not content.text:
        return Status.EMPTY, empty or t("the file is empty")
    return Status.LOADED, ""


def with_effect(source: Source, effect: str) -> Source:
    """Return ``source`` with ``effect``, which is also added at the end of its reason.

    The effect is what the runtime does with a file that it cannot read as it is. It is not for the
    failure ``OUTSIDE``: only Agent Memory does not read such a file, the runtime does.
    """
    return replace(source, reason=f"{source.reason}: {effect}", effect=effect)


def numbered(sources: Sequence[Source]) -> list[Source]:
    """Return ``sources`` with the loaded and truncated ones numbered from 1 in load order."""
    out, order = [], 0
    for source in sources:
        if source.status in (Status.LOADED, Status.TRUNCATED):
            order += 1
            out.append(replace(source, order=order))
        else:
            out.append(source)
    return out


def failures(sources: Sequence[Source], severity: Severity = Severity.ERROR) -> list[Problem]:
    """Return a problem for each UNREADABLE source, with its reason.

    ``severity`` is ERROR if the runtime fails or loses the file, WARNING if only its text is
    missing. Some files only Agent Memory does not read: too large, or hidden until the user trusts
    the workspace. A skill that is not loaded is no problem for the prompt, so it is left out.
    """
    return [
        Problem(t("{0}: {1}", source.path, source.reason), source.path, severity)
        for source in sources
        if source.status is Status.UNREADABLE and source.role is not Role.SKILL
    ]
