"""What the probes ask of every interface, and the answers."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from agent_memory.config.context import Context
from kit import write

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_numbers = itertools.count()


@dataclass
class Answer:
    """What one interface answers: the prompt, and by path the status of its sources."""

    text: str
    sources: dict[Path, str]
    says: list[str] = field(default_factory=list)


class RefusedError(Exception):
    """The interface refused a change; the message says why."""


@dataclass(frozen=True)
class Fact:
    """A learned entry to save. ``agent`` and ``run`` are its author, ``id`` the one to replace."""

    summary: str = "deploy"
    body: str = "Never on Fridays."
    scope: str = "global"
    kind: str = "project"
    tags: tuple[str, ...] = ()
    agent: str | None = None
    run: str | None = None
    id: str | None = None


class Face:
    """One interface, asked about the project of ``ctx``."""

    name: ClassVar[str]

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx

    def project(  # noqa: PLR0913 -- what projects differ in
        self,
        runtime: str,
        files: Mapping[str, str | bytes] | None = None,
        *,
        home: Mapping[str, str] | None = None,
        settings: str = "",
        agent: str = "",
        cwd: str = "",
        git: bool = True,
    ) -> Path:
        """Write a new project and ask about it from now on; return its root.

        ``{agent}`` in a path is the agent, by default a new one.
        """
        number = next(_numbers)
        agent = agent or f"own{number}"
        root = self.ctx.home.parent / f"s{number}" / "shop"
        table = f'[tool.agent-memory]\nruntime = "{runtime}"\nagent = "{agent}"\n{settings}\n'
        named = {name.replace("{agent}", agent): text for name, text in (files or {}).items()}
        if git:
            write(root, {".git/HEAD": "ref: refs/heads/main\n"})
        write(root / cwd, {".keep": ""})
        write(root, {"pyproject.toml": table, **named})
        own = {name.replace("{agent}", agent): text for name, text in (home or {}).items()}
        write(self.ctx.home, own)
        self.ctx = Context(self.ctx.home, root / cwd, env=self.ctx.env, agent=agent)
        self.opened()
        return root

    @property
    def agent(self) -> str:
        """The agent of the project."""
        assert self.ctx.agent
        return self.ctx.agent

    def opened(self) -> None:
        """Do what is needed once for a new project."""

    async def close(self) -> None:
        """End what was started for the projects."""

    async def prompt(self) -> Answer:
        """Return the prompt and its sources."""
        raise NotImplementedError

    async def write(self, text: str, section: str | None = None) -> None:
        """Save ``text`` to project memory; the user agrees to everything.

        Raises:
            RefusedError: it is not written.

        """
        raise NotImplementedError

    async def put(self, fact: Fact) -> Path:
        """Save a learned entry and return its file.

        Raises:
            RefusedError: it is not written.

        """
        raise NotImplementedError

    async def forget(self, entry_id: str) -> None:
        """Remove a learned entry.

        Raises:
            RefusedError: it is not removed.

        """
        raise NotImplementedError

    async def recall(self, query: str, **options: Any) -> list[dict[str, Any]] | None:
        """Return the entries found, best first, None if the interface lacks an option.

        ``options``: agent, run, scopes, kinds, tags, limit and ranking, as in the protocol.

        Raises:
            RefusedError: the query is not valid.

        """
        raise NotImplementedError
