"""Trees with symlinks to memory files and folders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.place import NAMES, tree

if TYPE_CHECKING:
    from conformance.place import Place


@tree
def user_file_is_a_symlink(place: Place) -> None:
    place.git()
    place.at_root("elsewhere\n", "shared")
    place.links(place.user_folder, str(place.root / "shared") + "/{name}")


@tree
def user_folder_is_a_symlink(place: Place) -> None:
    place.git()
    place.at_root("elsewhere\n", "shared")
    (place.home / ".deepagents").mkdir()
    place.user_folder.symlink_to(place.root / "shared")


@tree
def user_symlink_is_broken(place: Place) -> None:
    place.git()
    place.links(place.user_folder, "gone-{name}")


@tree
def project_symlink_inside_the_tree(place: Place) -> None:
    place.git()
    place.at_root("linked\n", "docs")
    place.links(place.root / ".deepagents", "../docs/{name}")


@tree
def project_symlink_to_the_root_file(place: Place) -> None:
    place.git()
    place.at_root("both\n")
    place.links(place.root / ".deepagents", "../{name}")


@tree
def project_symlink_leaves_the_tree(place: Place) -> None:
    place.git()
    outside = place.folder / "outside"
    outside.mkdir()
    for name in NAMES:
        (outside / name).write_text("outside\n")
    place.links(place.root / ".deepagents", str(outside) + "/{name}")


@tree
def project_symlink_is_broken(place: Place) -> None:
    place.git()
    place.links(place.root / ".deepagents", "gone-{name}")


@tree
def project_symlink_loop(place: Place) -> None:
    place.git()
    place.links(place.root / ".deepagents", "{name}")


@tree
def project_folder_is_a_symlink(place: Place) -> None:
    place.git()
    place.at_root("linked\n", "config")
    (place.root / ".deepagents").symlink_to("config")


@tree
def root_is_reached_through_a_symlink(place: Place) -> None:
    place.git()
    place.project("project\n")
    link = place.folder / "link"
    link.symlink_to(place.root)
    place.cwd = link
