"""The files that git deleted, read without running a program of the repository's configuration."""

from __future__ import annotations

import os
import shutil
import time
from typing import TYPE_CHECKING

import pytest

from agent_memory.fs import deleted_files
from agent_memory.fs.deleted_files import DeletedFiles
from git_kit import commit, git
from kit import write

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project that deleted `old.py` and moved `docs/a.md` to `guide/a.md`, then `guide/b.md`."""
    files = {"old.py": "1\n", "docs/a.md": "text\n" * 20, "src/x/é y.py": "2\n", "keep.md": "k\n"}
    folder = write(tmp_path / "project", files)
    git(folder, "init", "-q", "-b", "main")
    commit(folder)
    (folder / "old.py").unlink()
    (folder / "guide").mkdir()
    (folder / "docs" / "a.md").rename(folder / "guide" / "a.md")
    commit(folder)
    (folder / "guide" / "a.md").rename(folder / "guide" / "b.md")
    shutil.rmtree(folder / "src")
    commit(folder)
    return folder


def head(folder: Path, back: int = 0) -> str:
    return git(folder, "rev-parse", f"HEAD~{back}").strip()


def test_deleted_and_moved_files_have_their_commit(project):
    deleted = DeletedFiles().of(project)
    assert sorted(deleted.files) == ["docs/a.md", "guide/a.md", "old.py", "src/x/é y.py"]
    assert deleted.commit_of("old.py") == head(project, 1)
    assert deleted.commit_of("src/x") == deleted.commit_of("src") == head(project)
    assert deleted.commit_of("keep.md") == ""


def test_moves_are_followed(project):
    deleted = DeletedFiles().of(project)
    assert deleted.moved_to("docs/a.md") == "guide/b.md"
    assert deleted.is_exact_move("docs/a.md")
    assert deleted.moved_to("old.py") is None


def test_moves_are_known_if_the_user_switched_off_rename_detection(project):
    git(project, "config", "diff.renames", "false")
    git(project, "config", "diff.renameLimit", "1")
    assert DeletedFiles().of(project).moved_to("docs/a.md") == "guide/b.md"


def test_a_file_that_was_moved_and_changed_is_probably_the_one_of_its_name(project):
    write(project, {"a/one.py": "1\n" * 9, "b/two.py": "2\n" * 9})
    commit(project)
    git(project, "rm", "-q", "a/one.py", "b/two.py")
    write(project, {"c/one.py": "3\n", "d/two.py": "4\n", "e/two.py": "5\n"})
    commit(project)
    deleted = DeletedFiles().of(project)
    assert deleted.moved_to("a/one.py") == "c/one.py"
    assert not deleted.is_exact_move("a/one.py")
    assert deleted.moved_to("b/two.py") is None


def test_paths_are_those_below_the_folder(project):
    assert sorted(DeletedFiles().of(project / "guide").files) == ["a.md"]


def test_a_file_that_only_another_branch_had_was_never_in_the_project(project):
    git(project, "checkout", "-q", "-b", "side")
    write(project, {"side.md": "s\n"})
    commit(project)
    (project / "side.md").unlink()
    commit(project)
    git(project, "checkout", "-q", "main")
    git(project, "merge", "-q", "--no-ff", "-m", "x", "side")
    assert "side.md" not in DeletedFiles().of(project).files


def test_a_new_commit_is_seen(project, monkeypatch):
    monkeypatch.setattr(deleted_files, "_FRESH", 0.0)
    files = DeletedFiles()
    files.of(project)
    (project / "keep.md").unlink()
    commit(project)
    assert files.load(project)
    assert "keep.md" in files.of(project).files
    assert not files.load(project)


def test_without_demand_only_what_was_loaded_is_known(project):
    files = DeletedFiles(on_demand=False)
    assert not files.of(project).files
    assert files.load(project)
    assert files.of(project).files


@pytest.mark.parametrize("state", ["no repository", "no commit", "broken", "no git"])
def test_a_history_that_cannot_be_read_is_empty(tmp_path, monkeypatch, state):
    write(tmp_path, {"a.md": "a\n"})
    if state != "no repository":
        git(tmp_path, "init", "-q")
    if state == "broken":
        commit(tmp_path)
        shutil.rmtree(tmp_path / ".git" / "objects")
    if state == "no git":
        commit(tmp_path)
        monkeypatch.setenv("PATH", "")
    assert not DeletedFiles().of(tmp_path).files


def test_a_history_that_takes_too_long_is_empty(project, tmp_path, monkeypatch, caplog):
    slow = write(tmp_path, {"bin/git": "#!/bin/sh\nexec sleep 60\n"}) / "bin"
    (slow / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{slow}:{os.environ['PATH']}")
    monkeypatch.setattr(deleted_files, "_SECONDS", 0.1)
    start = time.monotonic()
    assert not DeletedFiles().of(project).files
    assert time.monotonic() - start < 30
    (record,) = caplog.records
    assert "git took longer than 0.1 seconds" in record.getMessage()


def test_of_a_history_that_takes_too_long_the_newest_part_is_used(project, tmp_path, monkeypatch):
    real = shutil.which("git")
    script = f'#!/bin/sh\n{real} "$@"\ncase "$*" in *diff-tree*) exec sleep 60; esac\n'
    (write(tmp_path, {"bin/git": script}) / "bin" / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    monkeypatch.setattr(deleted_files, "_SECONDS", 2.0)
    deleted = DeletedFiles().of(project)
    assert deleted.is_known
    assert deleted.commit_of("src/x") == head(project)


def test_a_very_long_output_is_cut(project, monkeypatch):
    monkeypatch.setattr(deleted_files, "_BYTES", 100)
    assert len(DeletedFiles().of(project).files) < 4


def test_no_program_of_the_configuration_is_run(project, tmp_path):
    ran = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {ran}\n")
    program.chmod(0o755)
    write(project, {".gitattributes": "* diff=evil filter=evil\n"})
    values = {
        "core.fsmonitor": program,
        "core.pager": program,
        "core.sshCommand": program,
        "core.gitProxy": program,
        "diff.external": program,
        "diff.evil.command": program,
        "diff.evil.textconv": program,
        "filter.evil.smudge": program,
        "gpg.program": program,
        "log.showSignature": "true",
        "pager.diff-tree": program,
        "pager.rev-list": program,
        "alias.rev-list": f"!{program}",
        "protocol.ext.allow": "always",
        "remote.origin.url": f"ext::{program}",
        "remote.origin.promisor": "true",
        "extensions.partialClone": "origin",
    }
    for key, value in values.items():
        git(project, "config", key, str(value))
    for item in (project / ".git" / "objects").glob("*/*"):  # most objects have to be fetched
        if item.parent.name > "80":
            item.unlink()
    DeletedFiles().of(project)
    assert not ran.exists()
