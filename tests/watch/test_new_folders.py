"""Folders that are created, deleted and replaced while they are watched."""

import pytest

from agent_memory.watch.snapshot import Targets
from watch_kit import Seen, atomic, plain

pytestmark = [pytest.mark.slow, pytest.mark.waits]


def test_a_folder_that_is_created_deleted_and_recreated_is_watched(tmp_path, watching):
    folder = tmp_path / "project" / ".deepagents"
    folder.parent.mkdir()
    path = folder / "AGENTS.md"
    seen = watching(folder)
    for text in ("first\n", "again\n"):
        folder.mkdir()
        path.write_text(text)
        assert seen.one() == {path}
        path.write_text(text * 2)
        assert seen.one() == {path}
        path.unlink()
        folder.rmdir()
        assert seen.one() == {path}


def test_nested_new_folders_are_watched_without_warnings(home, recwarn):
    seen = Seen(Targets(frozenset({home})), polling=False)
    for number in range(300):
        (home / "skills" / f"s{number}" / "scripts" / "lib").mkdir(parents=True)
    (home / "skills" / "s299" / "SKILL.md").write_text("---\nname: s299\n---\n")
    seen.until(home / "skills" / "s299" / "SKILL.md")
    seen.watcher.stop()
    assert [str(warning.message) for warning in recwarn] == []


def test_a_replaced_folder_is_watched(tmp_path, watching):
    folder, other = tmp_path / ".deepagents", tmp_path / "other"
    for path, text in ((folder, "old\n"), (other, "new\n")):
        path.mkdir()
        (path / "agent.md").write_text(text)
    seen = watching(folder)
    folder.rename(tmp_path / "gone")
    other.rename(folder)
    assert seen.one() == {folder / "agent.md"}
    plain(folder / "agent.md")
    assert seen.one() == {folder / "agent.md"}


def test_a_project_whose_parents_are_created_later_is_watched(tmp_path, watching):
    path = tmp_path / "a" / "b" / ".deepagents" / "agent.md"
    seen = watching(path.parent)
    path.parent.mkdir(parents=True)
    plain(path)
    seen.until(path)
    atomic(path)
    seen.until(path)


def test_a_folder_that_was_created_again_is_watched(tmp_path, watching, polling):
    folder = tmp_path / "project" / ".deepagents"
    folder.mkdir(parents=True)
    path = folder / "agent.md"
    path.write_text("- a\n")
    seen = watching(folder)
    path.unlink()
    folder.rmdir()
    folder.mkdir()  # the file system can give it the number of the old one
    path.write_text("- a\n")
    seen.nothing()
    path.write_text("- b\n")
    assert seen.one() == {path}
