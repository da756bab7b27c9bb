"""What one agent does with a file or line: the values that explanations are made of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from agent_memory.l10n import untranslated

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.prompt.compose import Prompt
    from agent_memory.runtimes.base import Runtime


class FileOutcome(StrEnum):
    """What becomes of a file or line."""

    LOADED = "loaded"
    ON_DEMAND = "on-demand"  # added when the agent reads another file
    CUT = "cut"  # in part or as a whole, by a budget or limit
    COMMENT_DROPPED = "comment-dropped"
    FRONT_MATTER_DROPPED = "front-matter-dropped"
    NOT_FOLLOWED = "not-followed"  # an import, or a line with one
    SHADOWED = "shadowed"
    EMPTY = "empty"
    MISSING = "missing"
    UNREADABLE = "unreadable"
    NOT_READ = "not-read"


WORDS = {
    FileOutcome.LOADED: untranslated("loaded"),
    FileOutcome.ON_DEMAND: untranslated("loaded on demand"),
    FileOutcome.CUT: untranslated("cut off"),
    FileOutcome.COMMENT_DROPPED: untranslated("comment removed"),
    FileOutcome.FRONT_MATTER_DROPPED: untranslated("front matter removed"),
    FileOutcome.NOT_FOLLOWED: untranslated("import not followed"),
    FileOutcome.SHADOWED: untranslated("shadowed"),
    FileOutcome.EMPTY: untranslated("empty"),
    FileOutcome.MISSING: untranslated("missing"),
    FileOutcome.UNREADABLE: untranslated("unreadable"),
    FileOutcome.NOT_READ: untranslated("not read"),
}
"""The outcomes for people."""


@dataclass(frozen=True, slots=True)
class Action:
    """What to do. ``kind`` is ``create``, ``open`` or ``advice``.

    ``create``: create ``path`` with ``text``; ``open``: open ``path``; ``advice``: only a message.
    """

    message: str
    kind: str = "advice"
    path: Path | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What the runtime of ``prompt`` does with a file or a line of it.

    ``reason`` is a sentence without a period. The file is number ``order``, from 1, ``of`` the
    loaded files; both are None if it is not loaded. ``role`` is that of the first message with text
    of the file, None without such a message. ``bytes`` are the (start, end) of the file or line in
    the UTF-8 text of the prompt. ``by`` is the file that imports or replaces this file; of a line
    whose import is not followed, it is the file to import.
    """

    prompt: Prompt
    outcome: FileOutcome
    reason: str
    action: Action | None = None
    order: int | None = None
    of: int | None = None
    role: str | None = None
    bytes: tuple[tuple[int, int], ...] = ()
    by: Path | None = None

    @property
    def is_loaded(self) -> bool:
        """Whether the file is loaded, at least in part."""
        return self.order is not None

    @property
    def runtime(self) -> Runtime:
        """The runtime that the answer is about."""
        return self.prompt.choice.runtime
