"""Writes stay in the folders they name, also if symlinks exist or appear."""

from __future__ import annotations

import os

import pytest

from agent_memory.base.errors import UsageError
from agent_memory.fs import atomic_write, folder
from agent_memory.fs.atomic_write import update
from agent_memory.fs.lock import LOCK_NAME
from agent_memory.fs.rename import remove, rename
from agent_memory.fs.write_roots import (
    OutsideError,
    WriteRoot,
    WriteRoots,
    inside,
    real_path,
)
from kit import write

pytestmark = pytest.mark.skipif(os.name == "nt", reason="symlinks need rights on Windows")


def added(content):
    return content.text if "new" in content.text else content.text + "new\n"


@pytest.fixture
def project(tmp_path):
    write(tmp_path, {"out/victim": "old\n", "project/memory/agent.md": "mine\n"})
    return tmp_path / "project"


def nothing_outside(project):
    out = project.parent / "out"
    assert [path.name for path in out.iterdir()] == ["victim"]
    assert (out / "victim").read_text() == "old\n"


def test_a_link_out_of_the_folder_is_refused_with_the_next_step(project):
    path = project / "agent.md"
    path.symlink_to("../out/victim")
    with pytest.raises(OutsideError, match=r"leads to .*victim, outside of the project.*Replace"):
        update(path, added, inside(project))
    nothing_outside(project)


def test_a_linked_folder_is_refused(project):
    (project / "linked").symlink_to("../out")
    with pytest.raises(OutsideError, match="writeFolders"):
        update(project / "linked" / "agent.md", added, inside(project))
    with pytest.raises(OutsideError):
        remove(project / "linked" / "victim", inside(project))
    with pytest.raises(OutsideError):
        rename(project / "memory/agent.md", project / "linked/agent.md", inside(project))
    nothing_outside(project)


def test_a_path_outside_is_refused_without_any_link(project):
    with pytest.raises(OutsideError, match="is outside of the project"):
        update(project / ".." / "out" / "victim", added, inside(project))
    nothing_outside(project)


@pytest.mark.parametrize("target", ["missing/dir/file", "../out/missing/file"])
def test_no_folder_is_created_through_a_dangling_link(project, target):
    path = project / "agent.md"
    path.symlink_to(target)
    with pytest.raises(OutsideError):
        update(path, added, inside(project))
    assert sorted(item.name for item in project.iterdir()) == ["agent.md", "memory"]
    nothing_outside(project)


def test_a_dangling_link_to_a_folder_says_what_to_do(project):
    (project / "linked").symlink_to("missing")
    with pytest.raises(OutsideError, match=r"whose folder does not exist.*Create the folder"):
        update(project / "linked" / "agent.md", added, inside(project))
    root = project / "user"
    root.symlink_to(project.parent / "dotfiles")
    with pytest.raises(OutsideError, match="whose folder does not exist"):
        update(root / "agent.md", added, inside(root))


def test_links_inside_the_folder_are_followed(project):
    (project / "AGENTS.md").symlink_to("memory/agent.md")
    (project / "linked").symlink_to("memory")
    (project / "new.md").symlink_to("memory/new.md")
    update(project / "AGENTS.md", added, inside(project))
    assert (project / "memory" / "agent.md").read_text() == "mine\nnew\n"
    update(project / "linked" / "other.md", added, inside(project))
    assert (project / "memory" / "other.md").read_text() == "new\n"
    update(project / "new.md", added, inside(project))
    assert (project / "memory" / "new.md").read_text() == "new\n"


def test_a_root_that_is_a_link_is_followed(project):
    link = project.parent / "linked-root"
    link.symlink_to(project)
    update(link / "memory" / "agent.md", added, inside(link))
    assert (project / "memory" / "agent.md").read_text() == "mine\nnew\n"


@pytest.mark.parametrize("name", [".git/hooks/pre-commit", ".GIT/config"])
def test_the_data_of_git_is_refused(project, name):
    write(project, {name: ""})
    (project / "agent.md").symlink_to(name)
    with pytest.raises(OutsideError, match="belongs to git"):
        update(project / "agent.md", added, inside(project))
    assert (project / name).read_text() == ""


def test_a_folder_of_the_user_may_link_to_another_and_a_project_may_not(tmp_path):
    write(tmp_path, {"home/a/x.md": "", "home/b/y.md": "", "project/z.md": ""})
    user = [WriteRoot(tmp_path / "home" / name, tmp_path / "home" / name, True) for name in "ab"]
    root = WriteRoot(tmp_path / "project", tmp_path / "project")
    roots = WriteRoots((*user, root))
    for base in ("home/a", "project"):
        (tmp_path / base / "link.md").symlink_to(tmp_path / "home/b/y.md")
    update(tmp_path / "home/a/link.md", added, roots)
    with pytest.raises(OutsideError):
        update(tmp_path / "project/link.md", added, roots)
    allowed = WriteRoots((root,), (tmp_path / "home/b/y.md",))
    update(tmp_path / "project/link.md", added, allowed)
    assert (tmp_path / "home/b/y.md").read_text() == "new\n"


def test_a_link_from_one_folder_to_another_names_the_folder_it_leaves(tmp_path):
    write(tmp_path, {"home/.claude/x.md": "", "project/z.md": "old\n"})
    home, project = tmp_path / "home/.claude", tmp_path / "project"
    roots = WriteRoots((WriteRoot(project, project), WriteRoot(home, home, user=True)))
    for base, target in ((home, project / "z.md"), (project, home / "x.md")):
        link = base / "link.md"
        link.symlink_to(target)
        reason = f"{link} leads to {target}, outside of {base}, so nothing was written."
        assert roots.refusal(link).startswith(reason)
    with pytest.raises(OutsideError):
        update(home / "link.md", added, roots)
    assert (project / "z.md").read_text() == "old\n"


def test_a_named_folder_inside_a_root_gets_no_rights_of_its_own(project):
    (project / "store").symlink_to("../out")
    roots = inside(project).including(project / "store")
    with pytest.raises(OutsideError):
        update(project / "store" / "entry.md", added, roots)


STEPS = ("temp-created", "temp-written", "temp-synced", "compare", "rename", "exchanged")


@pytest.mark.parametrize("step", STEPS)
def test_a_folder_that_becomes_a_link_during_a_write_is_not_followed(project, monkeypatch, step):
    """The write goes on in the folder that it has opened, wherever that is now."""
    write(project.parent, {"out/agent.md": "theirs\n"})

    def swapped(name):
        if name == step and not (project / "memory").is_symlink():
            (project / "memory").rename(project / "moved")
            (project / "memory").symlink_to("../out")

    monkeypatch.setattr(atomic_write, "_step", swapped)
    update(project / "memory" / "agent.md", added, inside(project))
    assert (project / "moved" / "agent.md").read_text() == "mine\nnew\n"
    out = project.parent / "out"
    assert sorted(item.name for item in out.iterdir()) == ["agent.md", "victim"]
    assert (out / "agent.md").read_text() == "theirs\n"
    assert [item.name for item in (project / "moved").iterdir()] == ["agent.md"]


def test_a_file_that_becomes_a_link_during_a_write_is_not_followed(project, monkeypatch):
    path = project / "memory" / "agent.md"

    def swapped(name):
        if name == "rename" and not path.is_symlink():
            path.unlink()
            path.symlink_to("../../out/victim")

    monkeypatch.setattr(atomic_write, "_step", swapped)
    with pytest.raises(UsageError):
        update(path, added, inside(project))
    nothing_outside(project)
    assert [item.name for item in path.parent.iterdir()] == ["agent.md"]


def test_a_lock_that_is_a_link_is_refused(project):
    (project / "memory" / LOCK_NAME).symlink_to("../../out/created")
    with pytest.raises(UsageError, match=r"is a link, but a lock file is needed.*Remove the link"):
        update(project / "memory" / "agent.md", added, inside(project))
    nothing_outside(project)


def test_a_temporary_file_that_is_a_link_is_replaced(project):
    (project / "memory" / f".agent.md{atomic_write.TEMP_SUFFIX}").symlink_to("../../out/victim")
    update(project / "memory" / "agent.md", added, inside(project))
    nothing_outside(project)


def test_removing_a_link_keeps_its_target(project):
    (project / "link.md").symlink_to("memory/agent.md")
    assert remove(project / "link.md", inside(project)) is True
    assert (project / "memory" / "agent.md").exists()


def test_renaming_never_replaces_another_file(project):
    write(project, {"other.md": "theirs\n"})
    with pytest.raises(UsageError, match=r"other\.md already exists"):
        rename(project / "memory/agent.md", project / "other.md", inside(project))
    rename(project / "memory/agent.md", project / "a/b/new.md", inside(project))
    assert (project / "a/b/new.md").read_text() == "mine\n"


def test_a_file_where_the_new_folder_is_needed_is_named_with_the_new_path(project):
    (project / "notes").write_text("a file\n")
    with pytest.raises(UsageError, match=r"notes/new\.md: not written, because .*notes is a file"):
        rename(project / "memory/agent.md", project / "notes/new.md", inside(project))
    assert (project / "memory/agent.md").exists()


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="extended attributes of Linux")
def test_extended_attributes_stay(tmp_path):
    path = tmp_path / "agent.md"
    path.write_text("a\n")
    try:
        os.setxattr(path, "user.origin", b"me")
    except OSError:
        pytest.skip("this file system has none")
    update(path, added, inside(tmp_path))
    assert path.read_text() == "a\nnew\n"
    assert os.getxattr(path, "user.origin") == b"me"


def test_without_relative_calls_the_path_is_checked_again(project, monkeypatch):
    """As on Windows."""
    monkeypatch.setattr(folder, "RELATIVE", False)
    update(project / "a" / "agent.md", added, inside(project))
    assert (project / "a" / "agent.md").read_text() == "new\n"
    (project / "linked").symlink_to("../out")
    with pytest.raises(OutsideError):
        update(project / "linked" / "agent.md", added, inside(project))
    real, swaps = WriteRoots.place, iter("once")

    def late(self, path):
        place = real(self, path)
        if next(swaps, None) == "o":
            (project / "memory").rename(project / "moved")
            (project / "memory").symlink_to("../out")
        return place

    monkeypatch.setattr(WriteRoots, "place", late)
    with pytest.raises(OutsideError):
        update(project / "memory" / "agent.md", added, inside(project))
    nothing_outside(project)


def test_a_folder_that_is_swapped_all_the_time_is_reported(project, monkeypatch):
    def swapped(*_, **__):
        raise folder._SwappedError

    monkeypatch.setattr(folder, "_open", swapped)
    with pytest.raises(UsageError, match=r"keeps replacing its folder.*Stop that program"):
        update(project / "memory" / "agent.md", added, inside(project))


def test_a_folder_that_is_swapped_after_the_check_is_not_opened(project, monkeypatch):
    real, swaps = WriteRoots.place, iter("once")

    def late(self, path):
        place = real(self, path)
        if next(swaps, None) == "o":
            (project / "memory").rename(project / "moved")
            (project / "memory").symlink_to("../out")
        return place

    monkeypatch.setattr(WriteRoots, "place", late)
    with pytest.raises(OutsideError):
        update(project / "memory" / "agent.md", added, inside(project))
    nothing_outside(project)
    assert (project / "moved" / "agent.md").read_text() == "mine\n"


def test_a_link_that_is_replaced_while_it_is_followed_is_resolved_again(project, monkeypatch):
    real, failures = os.path.realpath, iter("once")

    def raced(path, **options):
        if next(failures, None) == "o":
            raise OSError(22, "Invalid argument")
        return real(path, **options)

    monkeypatch.setattr(os.path, "realpath", raced)
    assert real_path(project / "memory") == project / "memory"


def test_a_path_with_a_nul_is_refused(project):
    assert real_path(project / "\0") == project / "\0"
    with pytest.raises(OutsideError, match="NUL character"):
        update(project / "a\0b", added, inside(project))
