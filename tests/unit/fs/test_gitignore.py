"""Ignored paths, compared with the answers of git itself."""

from __future__ import annotations

import re
import subprocess
import time
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from agent_memory.fs.gitignore import Ignored
from agent_memory.fs.gitignore_pattern import parse
from kit import write

# fmt: off
LINES = st.sampled_from([
    "*.log", "/build", "dist/", "docs/**/x.md", "!keep.log", "a/b", "**/tmp", "c?.txt", "#x", "a/*",
    "!a/b", "a/**", "/*", "!/docs", "**", "!dist/x", "\ufeff*.md", "*.log\r",
])
PATHS = [
    "x.log", "keep.log", "a/x.log", "build", "build/x", "a/build", "dist/x", "a/dist/y",
    "docs/x.md", "docs/a/b/x.md", "a/b", "a/b/c", "z/a/b", "tmp/x", "a/tmp/x", "c1.txt",
    "a/c12.txt", "a.py",
]
PIECES = [
    "a", "b", "ab", ".", "*", "**", "***", "?", "/", "/", r"\*", r"\?", r"\[", r"\\", r"\a", r"\#",
    r"\!", "!", "#", "[ab]", "[!a]", "[^b]", "[a-b]", "[b-a]", "[]a]", "[a-]", "[!]]",
    r"[a\]]", "[[:alpha:]]", "[[:digit:]b]", "[a/b]", "[", "]", "\\", " ", "\\ ",
]
# fmt: on
PATTERNS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map("".join)
NAMES = ["a", "b", "ab", "a.b", "a*", "#", "!a", "[", "]a", "-", " ", "a ", "\\", "1"]
SHORT_PATHS = [
    "/".join(parts)
    for depth in (1, 2, 3)
    for parts in product(NAMES[: 16 - 4 * depth], repeat=depth)
]


@pytest.fixture(scope="module")
def repo(tmp_path_factory):
    return new_repo(tmp_path_factory)


@pytest.fixture(scope="module")
def empty_repo(tmp_path_factory):
    """Return a repository without folders: git checks whether a path is one."""
    return new_repo(tmp_path_factory)


def new_repo(tmp_path_factory):
    root = tmp_path_factory.mktemp("repo")
    subprocess.run(["git", "init", "-q", root], check=True)
    return root


def ignored_by_git(root, paths):
    answer = subprocess.run(
        ["git", "-C", root, "check-ignore", "--no-index", "--stdin", "-z"],
        input="\0".join(paths),
        capture_output=True,
        text=True,
        check=False,
    )
    return set(answer.stdout.split("\0")) - {""}


@settings(max_examples=25, deadline=None)
@given(st.lists(LINES, unique=True), st.lists(LINES, max_size=3))
def test_ignore_files_at_two_levels_match_as_in_git(repo, root_lines, inner_lines):
    write(repo, {".gitignore": "\n".join(root_lines), "a/.gitignore": "\n".join(inner_lines)})
    ignored = Ignored(repo)
    assert {path for path in PATHS if ignored.covers(path)} == ignored_by_git(repo, PATHS)


@settings(max_examples=60, deadline=None)
@given(PATTERNS)
def test_a_pattern_matches_as_in_git(empty_repo, pattern):
    assume(not re.search(r"[^/!]\*\*.*/", pattern))  # git 2.39 compares unrelated pointers there
    write(empty_repo, {".gitignore": pattern + "\n"})
    ignored = Ignored(empty_repo)
    found = {path for path in SHORT_PATHS if ignored.covers(path)}
    assert found == ignored_by_git(empty_repo, SHORT_PATHS)


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        (r"\#x", "#x", True),
        (r"\!x", "!x", True),
        (r"\*x", "*x", True),
        (r"\*x", "ax", False),
        ("a?c", "a/c", False),
        ("a*c", "a/b/c", False),
        ("a/**/c", "a/c", True),
        ("a/**", "a", False),
        ("a  ", "a", True),
        ("a\\ ", "a ", True),
        ("a\\\\ ", "a\\", True),
        ("[!a]", "/", False),
        ("[[:upper:]]", "A", True),
        ("*a*b*c", "xxaxbxbxc", True),
        ("*a*b*c", "xxaxcxbx", False),
    ],
)
def test_single_patterns(pattern, path, matches):
    assert parse(pattern).matches(path.split("/")) is matches


@pytest.mark.parametrize("line", ["", "  ", "# x", "[a", "a\\", "\r"])
def test_lines_without_a_valid_pattern(line):
    assert parse(line) is None


@pytest.mark.parametrize(
    ("pattern", "path"), [("*a" * 40 + "b", "a" * 4000), ("**/a/" * 40 + "b", "a/" * 400 + "c")]
)
def test_hostile_patterns_take_little_time(pattern, path):
    start = time.process_time()
    assert not parse(pattern).matches(path.split("/"))
    assert time.process_time() - start < 2


def test_submodules_are_ignored(tmp_path):
    write(tmp_path, {".gitmodules": '[submodule "x"]\n\tpath = libs/x\n\turl = ../x\n'})
    assert Ignored(tmp_path).covers("libs/x/readme.md")
    assert not Ignored(tmp_path).covers("libs/y/readme.md")


def test_a_symlink_into_a_submodule_is_ignored(tmp_path):
    write(tmp_path, {".gitmodules": '[submodule "x"]\n\tpath = libs/x\n\turl = ../x\n'})
    (tmp_path / "tools").symlink_to("libs/x/tools")
    (tmp_path / "other").symlink_to("libs/y")
    assert Ignored(tmp_path).covers("tools/readme.md")
    assert not Ignored(tmp_path).covers("other/readme.md")


def test_files_that_cannot_be_read_ignore_nothing(tmp_path):
    write(tmp_path, {".gitignore/x": ""})
    assert not Ignored(tmp_path / "missing").covers("a/b")
    assert not Ignored(tmp_path).covers("a/b")
