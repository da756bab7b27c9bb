"""The memory files of a project."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agent_memory.runtimes.instruction_files import _AGENT_BY_NAME
from agent_memory.runtimes.known_files import known_files, made_for

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", sorted(_AGENT_BY_NAME))
def test_every_instruction_file_is_known(name: str) -> None:
    assert made_for(f"docs/{name}") == _AGENT_BY_NAME[name]


def test_a_deleted_file_is_not_known_while_the_listing_is_cached(tmp_path: Path) -> None:
    for name in ("CLAUDE.md", "AGENTS.md"):
        (tmp_path / name).write_text("# Notes\n")
    assert known_files(tmp_path) == ([tmp_path / "AGENTS.md", tmp_path / "CLAUDE.md"], True)
    (tmp_path / "CLAUDE.md").unlink()
    assert known_files(tmp_path) == ([tmp_path / "AGENTS.md"], True)


def test_dated_copies_are_not_known(tmp_path: Path) -> None:
    for folder in ("docs/.bak/2025-01-17", "docs/archive/prices"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "CLAUDE.md").write_text("# Notes\n")
    assert known_files(tmp_path) == ([tmp_path / "docs/archive/prices/CLAUDE.md"], True)
