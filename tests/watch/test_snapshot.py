"""What one scan finds, and what differs between two."""

import pytest

from agent_memory.watch import snapshot
from agent_memory.watch.snapshot import Targets, scan
from kit import unprivileged

pytestmark = [pytest.mark.slow, pytest.mark.waits]


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


def test_a_folder_with_another_target_in_it_is_watched_with_all_of_its_folders(home):
    (home / "agent" / "skills").mkdir()
    (home / "reviewer").mkdir()
    found = scan(Targets(frozenset({home, home / "agent" / "skills"})), None)
    assert found.watches[home][0]
    assert found.watches[home / "agent" / "skills"][0]


def test_changes_are_found_although_the_targets_differ(home, tmp_path):
    memory, added = home / "agent" / "agent.md", home / "AGENTS.md"
    old, new = tmp_path / "old.md", tmp_path / "new.md"
    before = scan(Targets(frozenset({home}), frozenset({old})), None)
    memory.unlink()
    for path in (added, old, new):
        path.write_text("new\n")
    after = scan(Targets(frozenset({home}), frozenset({new})), before)
    assert after.changed(before) == {memory, added}
