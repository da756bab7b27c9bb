"""Claude MPM's memory files of a project: one per agent, written atomically, nothing lost.

Evicted items are appended to ``memories/archive/`` before they are removed from the file. A crash
in between leaves them in both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from agent_memory import secrets
from agent_memory.base.errors import UsageError
from agent_memory.base.text import newline_of, split_lines, with_final_newline, without_newline
from agent_memory.config.agent_id import check_agent
from agent_memory.fs.atomic_write import update, update_and_settle
from agent_memory.fs.reader import Failure
from agent_memory.l10n import t
from agent_memory.learnings import memory_file
from agent_memory.learnings.eviction import (
    Evicted,
    Limits,
    NotAdded,
    with_limits,
)
from agent_memory.learnings.extract import RECENT, SECTION_OF
from agent_memory.learnings.memory_file import FileChange, as_utf8
from agent_memory.learnings.sections import find_item, sections_of
from agent_memory.markdown.inline import without_open_blocks
from agent_memory.runtimes.claude_mpm import REQUIRED, ClaudeMpm, memories_folder
from agent_memory.runtimes.claude_mpm_config import load
from agent_memory.runtimes.claude_mpm_names import agent_id, agent_of, files_of, new_file
from agent_memory.runtimes.write_scope import write_scope

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from agent_memory.config.context import Context
    from agent_memory.fs.reader import FileText

_UPDATED = re.compile(r"Last Updated: ([^|>\n]{1,80})(?:\||-->)")
"""The time in the header comment, up to ``|`` or the end of the comment."""
_README = """# Agent memories

Each file here is what one agent has learned about this project. The agent reads its file before
it starts a task; what it learns is added at the end of a section.

## Editing

Edit the files as you like: correct, remove, move and add items. They are ordinary Markdown and
belong in version control.

## Limits

A file has at most {size} KB and {sections} sections of {items} items. When there is no more
room, the oldest item is moved to the folder `archive`.

## Sections

Every file has these, others can be added:

{required}
"""


@dataclass(frozen=True, slots=True)
class AgentFile:
    """Status of one agent's file.

    ``size`` is in bytes, ``updated`` the time in its header comment as written ('': none), ``over``
    a phrase for each limit it exceeds, ``failure`` why it cannot be read ('': it can).
    """

    agent: str
    path: Path
    size: int
    sections: int
    items: int
    updated: str
    over: tuple[str, ...]
    failure: str = ""


class Learnings:
    """The memories folder of the project of ``ctx``.

    ``size_kb`` overrides the size limits of config.yml (None or 0: they apply). ``unsafe`` returns
    why a text must not be saved, '' if it may. ``clock`` returns the current time in UTC.
    """

    def __init__(
        self,
        ctx: Context,
        *,
        size_kb: int | None = None,
        unsafe: Callable[[str], str] = lambda _: "",
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._ctx = ctx
        self._clock = clock
        self._size_kb = size_kb
        self._unsafe = unsafe
        self.root = ClaudeMpm().root(ctx) or ctx.cwd
        self.folder = memories_folder(self.root)
        self._roots = write_scope(ctx, ClaudeMpm())
        self.config = load(ctx, self.root)

    def agents(self) -> list[str]:
        """Return the ids of the agents that have a file, sorted."""
        return ClaudeMpm().agents(self._ctx)

    def path_of(self, agent: str) -> Path:
        """Return the path of the agent's file: an existing one, else that of a new file.

        Raises:
            UsageError: no file exists, and ``agent`` is not a valid id for a new one.

        """
        names = files_of(agent, self._ctx.store.names(self.folder))  # the first is read
        if not names:
            check_agent(agent_id(agent))
        return self.folder / (names[0] if names else new_file(agent))

    def name_of(self, agent: str) -> str:
        """Return the name of ``agent`` as spelled in its file name; without a file, its id."""
        names = files_of(agent, self._ctx.store.names(self.folder))
        return agent_of(names[0].removesuffix(".md")) if names else agent_id(agent)

    def fresh_text(self, path: Path) -> str:
        """Return the text of a new file ``path``: a header and empty sections."""
        agent = agent_of(path.stem)
        return memory_file.default_text(agent, self.root.name, self._clock(), self.limits(agent))

    def limits(self, agent: str) -> Limits:
        """Return the limits of ``agent``, its overrides included."""
        limits = Limits(
            sections=self.config.limits["max_sections"],
            items=self.config.limits["max_items_per_section"],
        )
        return with_limits(limits, self._size_kb or self.config.size_kb(agent))

    def read(self, agent: str) -> str:
        """Return the text of the agent's file on disk, not that of an unsaved buffer.

        Raises:
            UsageError: the file does not exist or cannot be read, or ``agent`` is not a valid id.

        """
        content = self._ctx.store.saved(self.path_of(agent))
        if content.failure is Failure.MISSING:
            known = ", ".join(self.agents()) or "none"
            raise UsageError(
                t("{0} has no memory file in {1}; agents with one: {2}", agent, self.folder, known)
            )
        if content.failure:
            raise UsageError(t("{0}: cannot be read ({1})", content.path, content.failure.words))
        return content.text

    def add(self, agent: str, learning_type: str, text: str) -> FileChange:
        """Add ``text`` as a learning of ``learning_type``; unknown types go to Recent Learnings.

        Raises:
            NotAdded: the text is empty, too long, a duplicate or unsafe, contains a secret, would
                not be parsed as a list item, or there is no room for it.
            UsageError: memory is switched off, ``agent`` is not a valid id for a new file, or a
                file cannot be written.

        """
        return self.add_to(agent, SECTION_OF.get(learning_type, RECENT), text)

    def add_to(self, agent: str, section: str, text: str) -> FileChange:
        """Add ``text`` as an item of the section named ``section``.

        Raises:
            NotAdded, UsageError: as for :meth:`add`.

        """
        found_secrets = [*secrets.find(section), *secrets.find(text)]
        if found_secrets:
            titles = ", ".join(dict.fromkeys(secret.title for secret in found_secrets))
            raise NotAdded(t("the text contains a secret ({0})", titles))
        # On one line, and without a comment or fence that would swallow the lines below it.
        item = without_open_blocks(" ".join(text.split()))
        if not item:
            raise NotAdded(t("the text is empty"))
        why = self._unsafe(f"## {section}\n- {item}")
        if why:
            raise NotAdded(why)
        limits = self.limits(agent)
        return self._change(
            agent, lambda old: memory_file.add(old, section, item, limits, self._clock())
        )

    def clean(self, agent: str, *, dry: bool = False) -> FileChange:
        """Repair the agent's file, remove duplicates and enforce the limits.

        With ``dry``, the change is only computed and nothing is written.

        Raises:
            NotAdded: headings and prose alone exceed the limit, or an unclosed fence or comment
                would swallow a section.
            UsageError: the file cannot be read or written, or memory is switched off (without
                ``dry``).

        """
        limits, agent = self.limits(agent), self.name_of(agent)

        def cleaned(old: str) -> FileChange:
            """Return the repaired and tidied text as a change.

            Its update comment gets the current time only if the text differs from ``old``.
            """
            repaired = memory_file.repair(old, agent, self.root.name, limits, self._clock())
            tidied = memory_file.tidied(repaired.text, limits)
            text = tidied.text
            if text != old:
                text = memory_file.stamped(text, self._clock())
            return replace(tidied, text=text, notes=(*repaired.notes, *tidied.notes))

        text = self.read(agent)  # a missing file is an error, it is not created
        return cleaned(text) if dry else self._change(agent, cleaned)

    def status(self) -> list[AgentFile]:
        """Return the status of every agent's file."""
        return [self._status(agent) for agent in self.agents()]

    def ensure_enabled(self) -> None:
        """Raise an error unless memory is switched on.

        Raises:
            UsageError: config.yml switches it off.

        """
        if not self.config.enabled:
            raise UsageError(
                t("{0}: memory.enabled is false, so nothing was saved", self.config.path)
            )

    def _change(self, agent: str, change: Callable[[str], FileChange]) -> FileChange:
        """Write the agent's file as ``change`` returns it, and return that change.

        ``change`` gets the current text; if the file is missing or blank, that of a new file.
        Evicted items are archived before the file is written.

        Raises:
            NotAdded: ``change`` raises it.
            UsageError: memory is switched off, ``agent`` is not a valid id for a new file, or a
                file cannot be written.

        """
        self.ensure_enabled()
        path = self.path_of(agent)
        agent = agent_of(path.stem)
        self._make_folder()
        done = FileChange("")  # the last change that `write` has computed

        def write(content: FileText) -> str:
            """Return the changed text, or the current one if it contains the change already."""
            nonlocal done
            old = content.text
            # `done.text` is set in a second call, after another program has written the file.
            if done.text and self._contains(done, old):
                return old
            if not old.strip("\ufeff \t\r\n"):
                old = self.fresh_text(path)
            done = change(old)
            self._archive(agent, done.evicted)
            return done.text

        update_and_settle(path, write, self._roots)
        return done

    @staticmethod
    def _contains(done: FileChange, text: str) -> bool:
        """Whether ``text`` contains what ``done`` added, so that it need not be added again.

        For a change without a new item, such as :meth:`clean`, it must equal the text of ``done``.
        """
        if not done.section:
            return text == done.text
        item = split_lines(done.text)[done.line].strip()[2:]  # without the marker and its space
        return bool(item) and find_item(text, item) is not None

    def archive_of(self, agent: str) -> Path:
        """Return the path of the agent's archive of evicted items."""
        return self.folder / "archive" / f"{self.name_of(agent)}.md"

    def _archive(self, agent: str, evicted: Sequence[Evicted]) -> None:
        """Add ``evicted`` to the archive of ``agent``; without items, nothing is written."""
        if evicted:
            day = f"{self._clock():%Y-%m-%d}"
            update(
                self.archive_of(agent),
                lambda content: archive_text(content.text, agent, evicted, day),
                self._roots,
            )

    def _make_folder(self) -> None:
        """Create the folder and its README.md, unless that file exists."""
        limits = self.limits("")  # the defaults: no agent has this id
        readme = _README.format(
            size=limits.size // 1024,
            sections=limits.sections,
            items=limits.items,
            required="\n".join(f"- {name}" for name in REQUIRED),
        )
        path = self.folder / "README.md"
        if not path.exists():
            # If another program creates it meanwhile, it keeps that text.
            update(path, lambda content: readme if content.failure else content.text, self._roots)

    def _status(self, agent: str) -> AgentFile:
        """Return the status of the saved file of ``agent``."""
        path = self.path_of(agent)
        content = self._ctx.store.saved(path)
        sections = sections_of(content.lines)
        limits = self.limits(agent)
        over: list[str] = []
        if content.size > limits.size:
            over.append(f"{content.size:,} of {limits.size:,} bytes")
        if len(sections) > limits.sections:
            over.append(f"{len(sections)} of {limits.sections} sections")
        over += [
            f"{len(section.items)} of {limits.items} items in '{section.name}'"
            for section in sections
            if len(section.items) > limits.items
        ]
        stamp = _UPDATED.search(content.text)
        return AgentFile(
            agent,
            path,
            size=content.size,
            sections=len(sections),
            items=sum(len(section.items) for section in sections),
            updated=stamp[1].rstrip() if stamp else "",
            over=tuple(over),
            failure=content.failure.words if content.failure else "",
        )


def archive_text(old: str, agent: str, evicted: Sequence[Evicted], day: str = "") -> str:
    """Return the archive ``old`` ('': a new one) with the items ``evicted`` on ``day`` appended.

    ``day`` is YYYY-MM-DD, '' for today in UTC. A row that the archive contains is not repeated,
    because a repeated write archives the same items again.
    """
    day = day or f"{datetime.now(UTC):%Y-%m-%d}"
    text = old or f"# Archive of {as_utf8(agent)}\n\nItems that were evicted for newer ones.\n\n"
    lines = split_lines(text)
    newline = newline_of(lines)
    # With \n before and after each line. A row can have several lines, like the item in it.
    existing = "\n".join(["", *map(without_newline, lines), ""])
    rows = [f"{item.text} <!-- {item.section}, {day} -->" for item in evicted]
    added = "".join(f"{row}\n" for row in rows if f"\n{row}\n" not in existing)
    if not added:
        return text
    return with_final_newline(text, newline) + added.replace("\n", newline)
