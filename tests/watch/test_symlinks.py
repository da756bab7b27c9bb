"""A change of the target of a symlink is reported under the path of the link."""

import pytest

from agent_memory.watch import watcher as watcher_module
from watch_kit import SAVES, atomic, plain

pytestmark = [pytest.mark.slow, pytest.mark.waits]


@pytest.mark.parametrize("save", SAVES)
def test_a_save_in_a_symlinked_folder_is_one_change(tmp_path, watching, save):
    real = tmp_path / "dotfiles" / "deepagents"
    real.mkdir(parents=True)
    (real / "agent.md").write_text("before\n")
    link = tmp_path / "home" / ".deepagents"
    link.parent.mkdir()
    link.symlink_to(real)
    seen = watching(link)
    save(real / "agent.md")
    assert seen.one() == {link / "agent.md"}


def test_a_save_in_a_symlinked_subfolder_is_one_change(home, tmp_path, watching):
    skills = tmp_path / "shared" / "skills"
    (skills / "deploy").mkdir(parents=True)
    (skills / "deploy" / "SKILL.md").write_text("before\n")
    (home / "agent" / "skills").symlink_to(skills)
    seen = watching(home)
    atomic(skills / "deploy" / "SKILL.md")
    assert seen.one() == {home / "agent" / "skills" / "deploy" / "SKILL.md"}


def test_a_save_of_a_symlinks_target_is_one_change(home, tmp_path, watching):
    target = tmp_path / "dotfiles" / "memory.md"
    target.parent.mkdir()
    target.write_text("before\n")
    link = home / "agent" / "linked.md"
    link.symlink_to(target)
    seen = watching(home)
    atomic(target)
    assert seen.one() == {link}


@pytest.mark.parametrize("kind", ["folder", "file", "link to a link", "above"])
def test_a_replaced_target_folder_of_a_link_is_noticed(kind, tmp_path, watching, monkeypatch):
    monkeypatch.setattr(watcher_module, "HEARTBEAT", 3600)
    shelf = tmp_path / "shelf"
    for name in ("now", "next"):
        (shelf / name / "agent").mkdir(parents=True)
        (shelf / name / "agent" / "agent.md").write_text(f"{name}\n")
    home = tmp_path / "home"
    home.mkdir()
    link, seen_as = home / ".deepagents", home / ".deepagents" / "agent" / "agent.md"
    if kind == "folder":
        link.symlink_to(shelf / "now")
    elif kind == "above":
        link.symlink_to(shelf / "now" / "agent")
        seen_as = link / "agent.md"
    elif kind == "link to a link":
        (tmp_path / "other").mkdir()
        (tmp_path / "other" / "link").symlink_to("../shelf/now")
        link.symlink_to(tmp_path / "other" / "link")
    else:
        seen_as.parent.mkdir(parents=True)
        seen_as.symlink_to(shelf / "now" / "agent" / "agent.md")
    seen = watching(link)
    (shelf / "now").rename(shelf / "old")
    seen.until(seen_as)
    (shelf / "next").rename(shelf / "now")
    seen.until(seen_as)
    atomic(shelf / "now" / "agent" / "agent.md")
    seen.until(seen_as)
    if kind == "link to a link":
        (tmp_path / "other" / "link").unlink()
        (tmp_path / "other" / "link").symlink_to("../shelf/old")
        seen.until(seen_as)


def test_a_link_to_a_parent_folder_does_not_loop(home, watching):
    (home / "agent" / "up").symlink_to(home)
    seen = watching(home)
    plain(home / "agent" / "agent.md")
    assert home / "agent" / "agent.md" in seen.one()
