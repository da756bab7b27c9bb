"""One save is one change, for every way of saving; with real files and events."""

import logging
import os
import queue
import resource
import threading
import time
from pathlib import Path

import pytest

from agent_memory.watch import snapshot
from agent_memory.watch import watcher as watcher_module
from agent_memory.watch.os_events import OsEvents
from agent_memory.watch.snapshot import Targets, scan
from agent_memory.watch.watcher import Watcher
from kit import unprivileged

pytestmark = [pytest.mark.slow, pytest.mark.waits]
QUIET = 0.4
"""Seconds in which a second report of the same save would arrive."""
LONG = 10.0


class Seen:
    """The reports of a watcher, without the first one, which says that watching has begun."""

    def __init__(self, targets, *, polling):
        self.reports = queue.Queue()
        self.reasons = []
        self.watcher = Watcher(self.reports.put, self.reasons.append, polling=polling, poll=0.05)
        self.watcher.watch(targets)
        assert self.reports.get(timeout=LONG) == frozenset()

    def one(self):
        """Return the only report."""
        first = self.reports.get(timeout=LONG)
        with pytest.raises(queue.Empty):
            self.reports.get(timeout=QUIET)
        return first

    def until(self, path):
        """Wait until ``path`` is reported."""
        deadline = time.monotonic() + LONG
        while time.monotonic() < deadline:
            if path in self.reports.get(timeout=LONG):
                return
        raise AssertionError(f"{path} was not reported")

    def nothing(self):
        with pytest.raises(queue.Empty):
            self.reports.get(timeout=QUIET)


def event_thread():
    """Return the running thread that receives the events of the system, None without one."""
    running = (item for item in threading.enumerate() if item.name == "agent-memory-events")
    return next(running, None)


def plain(path):
    path.write_text("plain\n")


def atomic(path):
    temporary = path.with_name("tmp8f3a2c")
    temporary.write_text("atomic\n")
    temporary.replace(path)


def like_vim(path):
    probe = path.with_name("4913")
    probe.write_text("")
    probe.unlink()
    backup = path.with_name(path.name + "~")
    path.rename(backup)
    path.write_text("vim\n")
    path.chmod(0o644)
    backup.unlink()


def like_emacs(path):
    lock = path.with_name(f".#{path.name}")
    lock.symlink_to("someone@host.1:2")
    autosave = path.with_name(f"#{path.name}#")
    autosave.write_text("half\n")
    backup = path.with_name(path.name + "~")
    backup.write_bytes(path.read_bytes())
    with path.open("w") as stream:
        stream.write("emacs\n")
        stream.flush()
        os.fsync(stream.fileno())
    autosave.unlink()
    backup.unlink()
    lock.unlink()


def like_git(path):
    lock = path.with_name(path.name + ".lock")
    lock.write_text("git\n")
    path.unlink()
    lock.rename(path)


SAVES = [plain, atomic, like_vim, like_emacs, like_git]


@pytest.fixture(params=[False, True], ids=["events", "polling"])
def polling(request):
    return request.param


@pytest.fixture
def home(tmp_path):
    folder = tmp_path / "home" / ".deepagents"
    (folder / "agent").mkdir(parents=True)
    (folder / "agent" / "agent.md").write_text("before\n")
    return folder


@pytest.fixture
def watching(polling):
    started = []

    def start(*folders: Path, files: tuple[Path, ...] = ()):
        seen = Seen(Targets(frozenset(folders), frozenset(files)), polling=polling)
        started.append(seen)
        return seen

    yield start
    for seen in started:
        seen.watcher.stop()


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


def test_a_folder_without_permission_is_no_error_and_permitting_it_is_a_change(tmp_path):
    path = tmp_path / "closed" / "project" / "agent.md"
    path.parent.mkdir(parents=True)
    path.write_text("- a\n")
    (tmp_path / "closed").chmod(0)
    targets = Targets(frozenset({path.parent}), frozenset({path}))
    with unprivileged(tmp_path):
        before = scan(targets, None)
    (tmp_path / "closed").chmod(0o755)
    assert before.marks == {}
    assert scan(targets, before).changed(before) == {path}


def test_the_number_of_examined_files_is_limited(home, monkeypatch):
    for number in range(20):
        (home / "agent" / f"note-{number:02}.md").write_text("- a\n")
    monkeypatch.setattr(snapshot, "FILES_MAX", 5)
    assert len(scan(Targets(frozenset({home})), None).marks) == 5


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


def test_a_folder_with_another_target_in_it_is_watched_with_all_of_its_folders(home):
    (home / "agent" / "skills").mkdir()
    (home / "reviewer").mkdir()
    found = scan(Targets(frozenset({home, home / "agent" / "skills"})), None)
    assert found.watches[home][0]
    assert found.watches[home / "agent" / "skills"][0]


def test_a_link_to_a_parent_folder_does_not_loop(home, watching):
    (home / "agent" / "up").symlink_to(home)
    seen = watching(home)
    plain(home / "agent" / "agent.md")
    assert home / "agent" / "agent.md" in seen.one()


def test_special_files_are_changes_and_never_block(home, watching):
    path = home / "agent" / "agent.md"
    seen = watching(home)
    path.unlink()
    os.mkfifo(path)
    assert seen.one() == {path}
    path.unlink()
    path.mkdir()
    assert seen.one() == {path}


def test_new_targets_replace_old_ones(home, tmp_path, watching):
    other = tmp_path / "other"
    other.mkdir()
    seen = watching(home)
    seen.watcher.watch(Targets(frozenset({other})))
    assert seen.reports.get(timeout=LONG) == frozenset()
    plain(home / "agent" / "agent.md")
    seen.nothing()
    plain(other / "agent.md")
    assert seen.one() == {other / "agent.md"}


def test_changes_are_found_although_the_targets_differ(home, tmp_path):
    memory, added = home / "agent" / "agent.md", home / "AGENTS.md"
    old, new = tmp_path / "old.md", tmp_path / "new.md"
    before = scan(Targets(frozenset({home}), frozenset({old})), None)
    memory.unlink()
    for path in (added, old, new):
        path.write_text("new\n")
    after = scan(Targets(frozenset({home}), frozenset({new})), before)
    assert after.changed(before) == {memory, added}


def test_a_file_that_was_created_again_is_reported_as_restored(home):
    restored, changes = queue.Queue(), queue.Queue()
    watcher = Watcher(changes.put, restored=lambda: restored.put("restored"))
    watcher.watch(Targets(frozenset({home})))
    assert changes.get(timeout=LONG) == frozenset()
    path = home / "agent" / "agent.md"
    path.with_name("other").write_bytes(path.read_bytes())
    path.with_name("other").replace(path)
    assert restored.get(timeout=LONG) == "restored"
    assert changes.empty()
    watcher.stop()


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


def test_nothing_is_reported_after_the_stop(home, watching):
    seen = watching(home)
    seen.watcher.stop()
    plain(home / "agent" / "agent.md")
    seen.nothing()


def test_a_dead_event_thread_is_restarted(home):
    seen = Seen(Targets(frozenset({home})), polling=False)
    dead = event_thread()
    dead.stop()
    dead.join()
    seen.watcher.hint()
    deadline = time.monotonic() + LONG
    while time.monotonic() < deadline and event_thread() is None:
        time.sleep(0.02)
    atomic(home / "agent" / "agent.md")
    assert seen.one() == {home / "agent" / "agent.md"}
    seen.watcher.stop()


def test_without_file_handles_it_polls_and_says_why(home):
    low, high = resource.getrlimit(resource.RLIMIT_NOFILE)
    free = os.open(os.devnull, os.O_RDONLY)
    os.close(free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free + 1, high))  # one more file
    try:
        seen = Seen(Targets(frozenset({home})), polling=False)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (low, high))
    status = seen.watcher.status()
    assert status.backend == "polling"
    assert "change events" in status.reason
    assert seen.reasons == [status.reason]
    atomic(home / "agent" / "agent.md")
    assert seen.one() == {home / "agent" / "agent.md"}
    seen.watcher.stop()


def test_the_end_of_a_thread_is_no_error_in_the_log(home, caplog):
    events = OsEvents(lambda: None)
    events.follow(scan(Targets(frozenset({home}), frozenset()), None))
    logger = logging.getLogger("watchdog.observers.inotify")
    logger.error("InotifyEmitter.queue_events() called when the thread is inactive")
    logger.error("another problem")
    events.stop()
    assert [record.getMessage() for record in caplog.records] == ["another problem"]
