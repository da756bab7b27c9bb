"""The memory files of a project, for whatever agent they are made: known by name or folder."""

from __future__ import annotations

import os
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.fs.file_index import FileIndex
from agent_memory.runtimes.classify import MEMORY_NAMES
from agent_memory.runtimes.instruction_files import agent_of_instructions

if TYPE_CHECKING:
    from pathlib import Path

_MADE_FOR = (
    ("Claude Code", r"CLAUDE\.md|\.claude/skills/[^/]+/SKILL\.md"),
    ("Codex", r"AGENTS\.override\.md|\.codex/AGENTS\.md"),
    ("Mistral Vibe", r"\.vibe/.+\.md"),
    ("", r"AGENTS\.md|\.agents/(?:AGENTS|skills/.+/SKILL)\.md"),
    ("", r"\.deepagents/(?:agent|AGENTS|skills/.+/SKILL)\.md"),
)
"""The agent that files are made for ('': several), and their paths in any folder.

More files are known to :mod:`~agent_memory.runtimes.instruction_files`.
"""
_MADE_FOR_PATH = lazy_compile("|".join(f"((?:.*/)?(?:{pattern}))" for _, pattern in _MADE_FOR))
"""The paths of all rows; the number of the group that matches, from 1, is that of the row."""
_TEST_DATA = (
    r"(?:__)?(?:(?:test-?)?fixtures?|testdata|(?:[\w.-]+-)?snapshots?(?:-v?[\d.]+)?)(?:__)?"
)
TEST_DATA = lazy_compile(_TEST_DATA, re.IGNORECASE)
"""Names of folders of test data, such as ``__fixtures__`` and ``docs-snapshot-v1.2``.

No agent reads what is in them, and it may be wrong.
"""
_COPIES = r"_?(?:backups?|archived?|archives)"
COPIES = lazy_compile(_COPIES, re.IGNORECASE)
"""Names of folders at the root of a repository that keep old files."""
_DATE = r"(?<!\d)(?:20)?\d\d[-_.]?(?:0[1-9]|1[0-2])[-_.]?(?:0[1-9]|[12]\d|3[01])(?!\d)"
_DATED = rf"[._]?(?:bac?k|backups?|archived?|archives)/[^/]*{_DATE}[^/]*"
DATED = lazy_compile(_DATED, re.IGNORECASE)
"""Folders of one day in a folder of old files, such as ``.back/250117``, with that folder."""
_FIXTURES = lazy_compile(rf"(?:^|/)(?:{_TEST_DATA}|vendor|{_DATED})/|^{_COPIES}/", re.IGNORECASE)
"""Folders of test data, copies and vendored code, which no agent reads."""
_SUFFIXES = (".md", ".mdc", ".txt", "rules", "hints")
"""Ends of the names of memory files, such as `.cursorrules` and `.goosehints`."""
MAX_FILES = 2_000
"""Memory files of a project that are returned."""


def made_for(path: str) -> str | None:
    """Return the agent that the file with the relative ``path`` is made for, '' for several.

    None if it is not a memory file.
    """
    if not path.endswith(_SUFFIXES):  # most files; the expression takes 10 times as long
        return None
    match = _MADE_FOR_PATH.fullmatch(path)
    if match and match.lastindex:  # the number of the group, from 1; the test is for the type
        agent, _ = _MADE_FOR[match.lastindex - 1]
        return agent
    agent_by_name = agent_of_instructions(PurePosixPath(path))
    if agent_by_name:
        return agent_by_name
    name = path.rpartition("/")[2]
    return "" if name in MEMORY_NAMES else None


def known_files(root: Path) -> tuple[list[Path], bool]:
    """Return (the existing memory files below ``root``, whether these are all), sorted by path.

    At most ``MAX_FILES`` are returned. Files in folders that git ignores and in those of
    ``_FIXTURES`` do not count; an ignored file in another folder does, such as CLAUDE.local.md.
    """
    index = FileIndex(root)
    listing = index.listing
    if listing is None:  # too many files, or listing them takes too long
        return [], False
    paths = [
        path
        for path in listing.files
        if made_for(path) is not None
        and not _FIXTURES.search(path)
        and not _is_in_ignored_folder(index, path)
    ]
    paths.sort()
    # The listing is cached, so a file may be deleted meanwhile.
    existing = [root / path for path in paths[:MAX_FILES] if os.path.lexists(f"{root}/{path}")]
    return existing, len(paths) <= MAX_FILES


def _is_in_ignored_folder(index: FileIndex, path: str) -> bool:
    """Whether git ignores the whole folder of ``path``, not only this file."""
    folder, slash, _ = path.rpartition("/")
    any_file = f"{folder}/_"  # a pattern that covers this unlikely name covers the whole folder
    return bool(slash) and index.ignored.covers(any_file)
