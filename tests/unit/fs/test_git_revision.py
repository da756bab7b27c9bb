"""The files of a git revision, independent of the disk and the repository's configuration."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from agent_memory.base.errors import UsageError
from agent_memory.fs import git as asking
from agent_memory.fs.git_revision import Revision
from git_kit import WHO, commit, git
from kit import write

if TYPE_CHECKING:
    from pathlib import Path

MEMORY = ".deepagents/agent.md"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = write(tmp_path / "project", {MEMORY: "- Use tabs\n", "a/é b.md": b"\xff\x00\n"})
    git(folder, "init", "-q")
    commit(folder)
    return folder


def text(then: Revision, name: str) -> bytes:
    (content,) = then.contents([then.blobs[name]])
    return content


def test_the_committed_bytes_of_changed_and_deleted_files_are_read(project):
    write(project, {MEMORY: "- Use spaces\n"})
    (project / "a" / "é b.md").unlink()
    then = Revision(project / "a")
    assert text(then, MEMORY) == b"- Use tabs\n"
    assert text(then, "a/é b.md") == b"\xff\x00\n"
    assert then.top == project


def test_a_revision_has_no_uncommitted_files(project):
    write(project, {"AGENTS.md": "- New\n"})
    assert sorted(Revision(project).blobs) == [MEMORY, "a/é b.md"]


def test_each_revision_has_its_own_text(project):
    write(project, {MEMORY: "- Use spaces\n"})
    commit(project)
    assert text(Revision(project), MEMORY) == b"- Use spaces\n"
    assert text(Revision(project, "HEAD~1"), MEMORY) == b"- Use tabs\n"


def test_variables_of_a_git_hook_are_ignored(project, tmp_path, monkeypatch):
    other = write(tmp_path / "other", {"x.md": "x\n"})
    git(other, "init", "-q")
    commit(other)
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_LITERAL_PATHSPECS", "1")
    assert sorted(Revision(project).blobs) == [MEMORY, "a/é b.md"]


def test_no_program_from_the_repository_configuration_is_run(project, tmp_path):
    ran = tmp_path / "ran"
    hook = project / ".git" / "hooks" / "post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
    hook.chmod(0o755)
    write(project, {".gitattributes": "*.md filter=evil diff=evil\n"})
    git(project, "config", "core.fsmonitor", str(hook))
    for key in ("filter.evil.smudge", "filter.evil.clean", "diff.evil.textconv"):
        git(project, "config", key, f"touch {ran}; cat")
    ran.unlink(missing_ok=True)
    (project / MEMORY).touch()  # makes the index entry stale
    then = Revision(project)
    assert text(then, MEMORY) == b"- Use tabs\n"
    assert then.changed([project / MEMORY]) == []
    assert not ran.exists()


def test_changed_compares_bytes_except_newlines(project, tmp_path):
    names = {MEMORY: "- Use tabs\r\n", "new.md": "x\n", "ignored.md": "x\n", "staged.md": "x\n"}
    write(project, {**names, ".gitignore": "ignored.md\n", "a/é b.md": b"\xfe\x00\n"})
    git(project, "add", "staged.md")
    outside = write(tmp_path, {"outside.md": "x\n"}) / "outside.md"
    paths = [outside, *(project / name for name in [*names, "a/é b.md"])]
    changed = Revision(project).changed(paths)
    assert changed == [project / name for name in ("new.md", "staged.md", "a/é b.md")]


def test_a_deleted_file_is_changed_even_if_it_was_empty(project):
    paths = [write(project, {name: ""}) / name for name in ("AGENTS.md", "CLAUDE.md")]
    commit(project)
    paths[0].unlink()
    assert Revision(project).changed(paths) == paths[:1]


def test_a_link_is_changed_if_it_or_its_target_is(project):
    (project / "one.md").symlink_to(MEMORY)
    (project / "two.md").symlink_to(MEMORY)
    commit(project)
    links = [project / "one.md", project / "two.md"]
    assert Revision(project).changed(links) == []
    links[0].unlink()
    links[0].symlink_to("a/é b.md")
    assert Revision(project).changed(links) == links[:1]
    write(project, {MEMORY: "- Use spaces\n"})
    assert Revision(project).changed(links) == links


def test_sha256_repositories_are_supported(tmp_path):
    write(tmp_path, {"agent.md": "- a\n", "AGENTS.md": "- b\n"})
    git(tmp_path, "init", "-q", "--object-format=sha256")
    commit(tmp_path)
    write(tmp_path, {"AGENTS.md": "- c\n"})
    paths = [tmp_path / "agent.md", tmp_path / "AGENTS.md"]
    assert Revision(tmp_path).changed(paths) == paths[1:]


def test_no_commit_no_revision_and_no_repository_have_different_messages(project, tmp_path):
    bare = tmp_path / "bare"
    bare.mkdir()
    with pytest.raises(UsageError, match="not a git repository"):
        Revision(bare)
    git(bare, "init", "-q")
    with pytest.raises(UsageError, match="there is no git commit yet"):
        Revision(bare)
    with pytest.raises(UsageError, match="unknown git revision 'nonesuch'"):
        Revision(project, "nonesuch")


def test_without_git_the_message_says_that_git_is_needed(project, monkeypatch):
    monkeypatch.setenv("PATH", str(project))
    with pytest.raises(UsageError, match="this needs git, which cannot be run"):
        Revision(project)


def test_a_git_that_hangs_times_out(project, tmp_path, monkeypatch):
    slow = write(tmp_path / "bin", {"git": "#!/bin/sh\nexec sleep 60\n"}) / "git"
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", str(slow.parent), prepend=":")
    monkeypatch.setattr(asking, "TIMEOUT", 0.2)
    with pytest.raises(UsageError, match=r"git took longer than 0\.2 seconds"):
        Revision(project)


def test_a_path_outside_the_tree_is_left_out(project):
    blob = git(project, "hash-object", "-w", MEMORY).strip()
    tree = bytes.fromhex(blob)
    raw = b"100644 ..\0" + tree + b"100644 agent.md\0" + tree
    made = (
        subprocess.run(
            [
                "git",
                "-C",
                str(project),
                "hash-object",
                "-t",
                "tree",
                "-w",
                "--literally",
                "--stdin",
            ],
            input=raw,
            check=True,
            capture_output=True,
        )
        .stdout.decode()
        .strip()
    )
    told = (
        subprocess.run(
            ["git", "-C", str(project), *WHO, "commit-tree", "-m", "x", made],
            check=True,
            capture_output=True,
        )
        .stdout.decode()
        .strip()
    )
    assert list(Revision(project, told).blobs) == ["agent.md"]


def test_content_that_git_does_not_have_is_named(project):
    then = Revision(project)
    blob = then.blobs[MEMORY]
    (project / ".git" / "objects" / blob.sha[:2] / blob.sha[2:]).unlink()
    with pytest.raises(UsageError, match=f"does not have the content of {MEMORY}"):
        then.contents(list(then.blobs.values()))
