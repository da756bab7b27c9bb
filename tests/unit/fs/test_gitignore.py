"""What git leaves out, against what git itself says."""

from __future__ import annotations

import subprocess

from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.fs.gitignore import Ignored
from kit import write

PATTERNS = [
    "*.log",
    "/build",
    "dist/",
    "docs/**/x.md",
    "!keep.log",
    "a/b",
    "**/tmp",
    "c?.txt",
    "[ab].py",
    "# x",
]
PATHS = [
    "x.log",
    "keep.log",
    "a/x.log",
    "build",
    "build/x",
    "a/build",
    "dist/x",
    "a/dist/y",
    "docs/x.md",
]
PATHS += [
    "docs/a/b/x.md",
    "a/b",
    "a/b/c",
    "z/a/b",
    "tmp/x",
    "a/tmp/x",
    "c1.txt",
    "a/c12.txt",
    "a.py",
    "c.py",
]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.sampled_from(PATTERNS), unique=True),
    st.lists(st.sampled_from(PATTERNS), max_size=3),
)
def test_patterns_mean_what_git_takes_them_for(tmp_path_factory, root_lines, inner_lines):
    root = tmp_path_factory.mktemp("repo")
    write(root, {".gitignore": "\n".join(root_lines), "a/.gitignore": "\n".join(inner_lines)})
    subprocess.run(["git", "init", "-q", root], check=True)
    answer = subprocess.run(
        ["git", "-C", root, "check-ignore", "--no-index", "--stdin"],
        input="\n".join(PATHS),
        capture_output=True,
        text=True,
        check=False,
    ).stdout.split("\n")
    ignored = Ignored(root)
    assert [path for path in PATHS if ignored.covers(path)] == [line for line in answer if line]


def test_submodules_belong_to_others(tmp_path):
    write(tmp_path, {".gitmodules": '[submodule "x"]\n\tpath = libs/x\n\turl = ../x\n'})
    assert Ignored(tmp_path).covers("libs/x/readme.md")
    assert not Ignored(tmp_path).covers("libs/y/readme.md")


def test_nothing_is_left_out_where_nothing_can_be_read(tmp_path):
    write(tmp_path, {".gitignore/x": ""})
    assert not Ignored(tmp_path / "none").covers("a/b")
    assert not Ignored(tmp_path).covers("a/b")
