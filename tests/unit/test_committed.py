"""What git's HEAD says of a file, whatever is on disk."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from agent_memory.committed import CommittedStore
from agent_memory.context import Context
from agent_memory.files import Failure
from agent_memory.prompt import compose

if TYPE_CHECKING:
    from pathlib import Path

WHO = ["-c", "user.name=Tester", "-c", "user.email=tester@example.invalid"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".deepagents").mkdir(parents=True)
    (folder / ".deepagents" / "agent.md").write_text("- Use tabs\n")
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, *WHO, "commit", "-q", "-m", "first")
    return folder


def git(folder: Path, *args: str) -> None:
    subprocess.run(["git", "-C", str(folder), *args], check=True, capture_output=True)


def test_the_committed_text_is_read_and_not_that_on_disk(project):
    memory = project / ".deepagents" / "agent.md"
    memory.write_text("- Use spaces\n")
    assert CommittedStore().read(memory).text == "- Use tabs\n"


def test_a_file_that_was_never_committed_is_missing(project):
    new = project / "AGENTS.md"
    new.write_text("- New\n")
    assert CommittedStore().read(new).failure is Failure.MISSING


def test_a_deleted_file_is_still_there(project):
    memory = project / ".deepagents" / "agent.md"
    memory.unlink()
    assert CommittedStore().read(memory).text == "- Use tabs\n"


def test_without_a_repository_the_disk_answers(tmp_path):
    file = tmp_path / "agent.md"
    file.write_text("- Me\n")
    assert CommittedStore().read(file).text == "- Me\n"


def test_without_git_the_disk_answers(project, monkeypatch):
    memory = project / ".deepagents" / "agent.md"
    memory.write_text("- Use spaces\n")
    monkeypatch.setenv("PATH", str(project))
    assert CommittedStore().read(memory).text == "- Use spaces\n"


def test_no_filter_of_the_repository_is_run(project, tmp_path):
    ran = tmp_path / "ran"
    (project / ".gitattributes").write_text("*.md filter=evil diff=evil\n")
    for key in ("filter.evil.smudge", "filter.evil.clean", "diff.evil.textconv"):
        git(project, "config", key, f"touch {ran}")
    CommittedStore().read(project / ".deepagents" / "agent.md")
    assert not ran.exists()


def test_the_prompt_of_the_last_commit_is_composed(project, tmp_path):
    (project / ".deepagents" / "agent.md").write_text("- Use spaces\n")
    ctx = Context(tmp_path / "home", project, store=CommittedStore())
    text = compose(ctx, "deepagentsdk").text
    assert "- Use tabs" in text
    assert "- Use spaces" not in text
