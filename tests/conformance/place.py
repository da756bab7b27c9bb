"""Builder of the trees that every runtime is compared on, and their table.

Each memory file is written twice with the same content, as AGENTS.md and as agent.md, so that
one tree means the same to every runtime.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NAMES = ("AGENTS.md", "agent.md")


@dataclass
class Place:
    """A tree under construction: a home and a project below one folder."""

    folder: Path
    agent: str = "agent"
    cwd: Path = field(init=False)

    def __post_init__(self) -> None:
        self.home = self.folder / "home"
        self.root = self.folder / "project"
        self.cwd = self.root
        for folder in (self.home, self.root):
            folder.mkdir(parents=True)

    def git(self, folder: str = ".") -> None:
        (self.root / folder / ".git").mkdir(parents=True, exist_ok=True)

    def user(self, content: bytes | str, agent: str | None = None) -> None:
        self._write(self.home / ".deepagents" / (agent or self.agent), content)

    def project(self, content: bytes | str, folder: str = ".") -> None:
        self._write(self.root / folder / ".deepagents", content)

    def at_root(self, content: bytes | str, folder: str = ".") -> None:
        self._write(self.root / folder, content)

    def _write(self, folder: Path, content: bytes | str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name in NAMES:
            raw = content if isinstance(content, bytes) else content.encode()
            (folder / name).write_bytes(raw)

    def links(self, folder: Path, target: str) -> None:
        """Create symlinks with both names in ``folder``; ``{name}`` in ``target`` is the name."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in NAMES:
            (folder / name).symlink_to(target.format(name=name))

    def skill(self, folder: Path, name: str, text: str | bytes) -> None:
        (folder / name).mkdir(parents=True)
        raw = text if isinstance(text, bytes) else text.encode()
        (folder / name / "SKILL.md").write_bytes(raw)

    @property
    def user_folder(self) -> Path:
        return self.home / ".deepagents" / self.agent

    @property
    def user_skills(self) -> Path:
        return self.user_folder / "skills"

    @property
    def project_skills(self) -> Path:
        return self.root / ".deepagents" / "skills"


TREES: dict[str, Callable[[Place], None]] = {}
"""All trees by name; :mod:`conformance.trees` fills it."""


def tree(build: Callable[[Place], None]) -> Callable[[Place], None]:
    TREES[build.__name__.replace("_", " ")] = build
    return build
