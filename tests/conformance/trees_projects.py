"""Trees that differ in the location of memory files and in what marks a project."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from conformance.place import NAMES, tree

if TYPE_CHECKING:
    from conformance.place import Place


@tree
def no_memory(place: Place) -> None:
    place.git()


@tree
def no_project(place: Place) -> None:
    place.user("user\n")
    place.project("lost\n")
    place.at_root("lost\n")


@tree
def user_only(place: Place) -> None:
    place.git()
    place.user("user\n")


@tree
def project_only(place: Place) -> None:
    place.git()
    place.project("project\n")


@tree
def root_only(place: Place) -> None:
    place.git()
    place.at_root("root\n")


@tree
def user_project_and_root(place: Place) -> None:
    place.git()
    place.user("user\n")
    place.project("project\n")
    place.at_root("root\n")


@tree
def project_empty_and_root_full(place: Place) -> None:
    place.git()
    place.project("")
    place.at_root("root\n")


@tree
def started_in_a_subfolder(place: Place) -> None:
    place.git()
    place.project("project\n")
    place.at_root("nested\n", "src/api")
    place.cwd = place.root / "src" / "api"


@tree
def git_inside_git(place: Place) -> None:
    place.git()
    place.git("vendor/lib")
    place.project("outer\n")
    place.project("inner\n", "vendor/lib")
    place.cwd = place.root / "vendor" / "lib"


@tree
def linked_worktree(place: Place) -> None:
    place.git("main")
    (place.root / "main/.git/worktrees/w").mkdir(parents=True)
    (place.root / "w").mkdir()
    (place.root / "w/.git").write_text(f"gitdir: {place.root}/main/.git/worktrees/w\n")
    place.project("worktree\n", "w")
    place.cwd = place.root / "w"


@tree
def submodule(place: Place) -> None:
    place.git()
    (place.root / ".git/modules/lib").mkdir(parents=True)
    (place.root / "lib").mkdir()
    (place.root / "lib/.git").write_text("gitdir: ../.git/modules/lib\n")
    place.project("outer\n")
    place.project("submodule\n", "lib")
    place.cwd = place.root / "lib"


@tree
def broken_git_pointer(place: Place) -> None:
    place.git()
    (place.root / "w").mkdir()
    (place.root / "w/.git").write_text("gitdir: /nowhere/at/all\n")
    place.project("outer\n")
    place.project("worktree\n", "w")
    place.cwd = place.root / "w"


@tree
def git_file_without_a_pointer(place: Place) -> None:
    (place.root / ".git").write_text("nothing of use\n")
    place.project("project\n")


@tree
def user_file_is_a_folder(place: Place) -> None:
    place.git()
    for name in NAMES:
        (place.user_folder / name).mkdir(parents=True)


@tree
def project_file_is_a_folder(place: Place) -> None:
    place.git()
    for name in NAMES:
        (place.root / ".deepagents" / name).mkdir(parents=True)


@tree
def project_folder_is_a_file(place: Place) -> None:
    place.git()
    (place.root / ".deepagents").write_text("not a folder\n")


@tree
def wrong_case(place: Place) -> None:
    place.git()
    for name in ("agents.md", "Agent.md", "AGENT.md"):
        (place.root / name).write_text("not found\n")


@tree
def several_agents(place: Place) -> None:
    place.git()
    place.agent = "reviewer"
    place.user("agent\n", "agent")
    place.user("reviewer\n", "reviewer")


@tree
def names_with_spaces_and_accents(place: Place) -> None:
    place.git("my caf\u00e9 {x}")
    place.project("project\n", "my caf\u00e9 {x}")
    place.cwd = place.root / "my caf\u00e9 {x}"


@tree
def hard_linked_file(place: Place) -> None:
    place.git()
    place.at_root("hard\n", "docs")
    (place.root / ".deepagents").mkdir()
    for name in NAMES:
        os.link(place.root / "docs" / name, place.root / ".deepagents" / name)
