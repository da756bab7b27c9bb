"""Links to a moved file keep their style."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.base.model import (
    Role,
    Scope,
    Source,
    Status,
)
from agent_memory.fs.reader import FileText
from agent_memory.lint.memory_file import MemoryFile
from agent_memory.lsp.features.rename_links import Bases, PathMove, relinked
from agent_memory.markdown.links import target_of

BASE = Path("/base").absolute()
HOME = BASE / "home"
SOURCE = BASE / "a" / "M.md"


def file_of(text: str, path: Path = SOURCE) -> MemoryFile:
    source = Source(path, Scope.PROJECT, Role.MEMORY, Status.LOADED)
    return MemoryFile(path, FileText(path, text, len(text)), source)


def after(text: str, old: Path, new: Path, path: Path = SOURCE) -> str:
    """Return ``text`` with its one link updated after the move from ``old`` to ``new``."""
    file = file_of(text, path)
    (link,) = file.links
    target = target_of(link, path, HOME, path.parent.parent)
    assert target is not None
    fresh = relinked(file, link, target, Bases(HOME, path.parent.parent), PathMove(old, new))
    return text[: link.start] + fresh + text[link.start + len(link.path) :]


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        ("[x](../docs/a.md)", "docs/a.md", "notes/a.md", "[x](../notes/a.md)"),
        ("[x](../docs/a.md#b)", "docs/a.md", "a/a.md", "[x](a.md#b)"),
        ("[x](../docs/a.md:12)", "docs/a.md", "docs/b.md", "[x](../docs/b.md:12)"),
        ("[x](./q.md)", "a/q.md", "a/sub/q.md", "[x](./sub/q.md)"),
        ("see @docs/q.md", "a/docs/q.md", "a/docs/sub/q.md", "see @docs/sub/q.md"),
        (
            "[x](docs/my%20doc.md)",
            "a/docs/my doc.md",
            "a/docs/n (2).md",
            "[x](docs/n%20%282%29.md)",
        ),
        ("[x](<docs/my doc.md>)", "a/docs/my doc.md", "a/docs/n (2).md", "[x](<docs/n (2).md>)"),
        ("[x](docs/my%20doc.md)", "a/docs", "a/new docs", "[x](new%20docs/my%20doc.md)"),
        ("[x](docs/my%20doc.md)", "a/docs", "b/docs", "[x](../b/docs/my%20doc.md)"),
        ("[x](../docs/)", "docs", "b/docs", "[x](../b/docs/)"),
        (
            "[x](docs/a.md)",
            "a/docs/a.md",
            "a/docs/gr\u00fc\u00df.md",
            "[x](docs/gr\u00fc\u00df.md)",
        ),
        ("[x](~/docs/a.md)", "home/docs/a.md", "home/b/c/a.md", "[x](~/b/c/a.md)"),
        ("[x](~/docs/a.md)", "home/docs/a.md", "a/a.md", "[x](a.md)"),
        ("[x](/docs/a.md)", "docs/a.md", "docs/b.md", "[x](/docs/b.md)"),
        ("[x](/docs/a.md)", "docs/a.md", "notes/b.md", "[x](/notes/b.md)"),
        ("[x](/docs/a.md)", "docs/a.md", "/b.md", "[x](../../b.md)"),
    ],
)
def test_link_keeps_its_style(text, old, new, expected):
    assert after(text, BASE / old, BASE / new) == expected


def test_absolute_path_of_the_disk_stays_one(tmp_path):
    old, new = tmp_path / "old" / "a.md", tmp_path / "new" / "b.md"
    old.parent.mkdir()
    old.write_text("x")
    text = after(f"[x]({old.as_posix()})", old, new, tmp_path / "p" / "a" / "M.md")
    assert text == f"[x]({new.as_posix()})"


NAMES = st.text("abc (){}%#?<>[]!&+'\u00e9", min_size=1, max_size=6).filter(str.strip)
FORMS = ["[x](docs/a.md)", "[x](<docs/a.md>)", "[x](../a/docs/a.md)"]


@given(st.sampled_from(FORMS), st.lists(NAMES.map(str.strip), min_size=1, max_size=3))
def test_updated_link_resolves_to_the_new_path(text, names):
    new = BASE.joinpath("a", *names)
    moved = file_of(after(text, BASE / "a/docs/a.md", new))
    (link,) = moved.links
    target = target_of(link, SOURCE, HOME, BASE)
    assert target is not None
    assert Path(os.path.normpath(target)) == new


def test_updated_link_through_a_symlink_resolves_to_the_new_path(tmp_path):
    for name in ("p", "away/docs", "away/notes"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "away/docs/a.md").write_text("x")
    (tmp_path / "p/docs").symlink_to(tmp_path / "away/docs")
    old, new = (tmp_path / "away" / name / "a.md" for name in ("docs", "notes"))
    text = after("[x](docs/a.md)", old, new, tmp_path / "p" / "M.md")
    assert text == "[x](../away/notes/a.md)"
