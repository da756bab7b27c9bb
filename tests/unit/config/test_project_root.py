"""The root of a project, by the rule of each runtime."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_memory.config.project_root import (
    find_root,
    has_git,
    has_git_folder,
    has_live_git,
    unusable_git,
)
from kit import write


@pytest.mark.parametrize(
    ("git", "expected"),
    [
        ({".git/HEAD": ""}, (True, True, True)),
        ({".git": "gitdir: real\n", "real/HEAD": ""}, (True, False, True)),
        ({".git": "gitdir: /nowhere\n"}, (True, False, None)),
        ({".git": "gitdir:real\n", "real/HEAD": ""}, (True, False, None)),
        ({".git": b"gitdir: \xff\n"}, (True, False, None)),
        ({".git": ""}, (True, False, None)),
        ({"x": ""}, (False, False, False)),
    ],
)
def test_the_project_root_by_each_rule(git, expected, tmp_path):
    write(tmp_path, git)
    assert (has_git(tmp_path), has_git_folder(tmp_path), has_live_git(tmp_path)) == expected
    assert has_git_folder(Path(tmp_path.anchor)) is False


def test_a_folder_that_cannot_be_examined_is_not_a_root(tmp_path):
    inner = write(tmp_path / "a" / "b", {"x": ""})

    def closed(folder):
        if folder == inner:
            raise PermissionError
        return folder == tmp_path

    assert find_root(inner, closed) == tmp_path


def test_a_git_file_is_named_only_if_it_is_not_accepted(tmp_path):
    write(tmp_path, {".git/HEAD": "", "w/.git": "gitdir: ../.git\n", "w/sub/x": ""})
    start = tmp_path / "w" / "sub"
    assert unusable_git(start, has_git_folder) == tmp_path / "w" / ".git"
    assert unusable_git(start, has_live_git) is None
    assert unusable_git(tmp_path, has_git_folder) is None
