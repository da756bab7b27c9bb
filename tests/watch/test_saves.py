"""One save is one change, for every way of saving; with real files and events."""

import os

import pytest

from watch_kit import SAVES

pytestmark = [pytest.mark.slow, pytest.mark.waits]


@pytest.mark.parametrize("save", SAVES)
def test_one_save_is_one_change(home, watching, save):
    seen = watching(home)
    save(home / "agent" / "agent.md")
    assert seen.one() == {home / "agent" / "agent.md"}


@pytest.mark.parametrize("save", SAVES)
def test_one_save_of_a_single_file_is_one_change(tmp_path, watching, save):
    path = tmp_path / "AGENTS.md"
    path.write_text("before\n")
    seen = watching(files=(path,))
    save(path)
    assert seen.one() == {path}


def test_reading_or_saving_the_same_text_reports_nothing(home, watching):
    path = home / "agent" / "agent.md"
    seen = watching(home)
    path.read_text()
    path.write_text("before\n")
    seen.nothing()


def test_other_files_are_no_change(home, watching):
    seen = watching(home)
    (home / "sessions.db").write_bytes(b"\0" * 100)
    (home / "agent" / ".#agent.md").symlink_to(
        "user@host.1"
    )  # Emacs creates this link while it edits the file
    (home / "node_modules").mkdir()
    (home / "node_modules" / "agent.md").write_text("a package's\n")
    seen.nothing()


def test_special_files_are_changes_and_never_block(home, watching):
    path = home / "agent" / "agent.md"
    seen = watching(home)
    path.unlink()
    os.mkfifo(path)
    assert seen.one() == {path}
    path.unlink()
    path.mkdir()
    assert seen.one() == {path}
