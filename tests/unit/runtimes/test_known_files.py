"""The memory files of a project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.runtimes.known_files import known_files

if TYPE_CHECKING:
    from pathlib import Path


def test_a_deleted_file_is_not_known_while_the_listing_is_cached(tmp_path: Path) -> None:
    for name in ("CLAUDE.md", "AGENTS.md"):
        (tmp_path / name).write_text("# Notes\n")
    assert known_files(tmp_path) == ([tmp_path / "AGENTS.md", tmp_path / "CLAUDE.md"], True)
    (tmp_path / "CLAUDE.md").unlink()
    assert known_files(tmp_path) == ([tmp_path / "AGENTS.md"], True)
