"""Trees with skills."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.place import tree

if TYPE_CHECKING:
    from conformance.place import Place


def front(name: str, description: str = "Does a thing. Use it for things.", more: str = "") -> str:
    return f"---\nname: {name}\ndescription: {description}\n{more}---\n\n# {name}\n"


@tree
def skills_of_user_and_project(place: Place) -> None:
    place.git()
    place.skill(place.user_skills, "review", front("review"))
    place.skill(place.project_skills, "release", front("release", "Makes a release \u2713."))


@tree
def one_skill_name_in_two_folders(place: Place) -> None:
    place.git()
    for name in ("a-first", "shared", "z-last"):
        place.skill(place.user_skills, name, front(name, "the user's"))
    place.skill(place.project_skills, "shared", front("shared", "the project's"))
    place.skill(place.project_skills, "other", front("a-first", "the project's, renamed"))


@tree
def skills_in_every_folder(place: Place) -> None:
    place.git()
    folders = (
        place.user_skills,
        place.home / ".agents/skills",
        place.project_skills,
        place.root / ".agents/skills",
        place.home / ".claude/skills",
        place.root / ".claude/skills",
    )
    for number, folder in enumerate(folders):
        place.skill(folder, "same", front("same", f"from folder {number}"))
        place.skill(folder, f"own-{number}", front(f"own-{number}"))


@tree
def skills_that_are_not_loaded(place: Place) -> None:
    place.git()
    good = front("x")
    broken = {
        "no-front": "# Title\n",
        "blank-first": "\n" + good,
        "bom": "\ufeff" + good,
        "unclosed": "---\nname: x\ndescription: y\n",
        "no-newline-after": "---\nname: x\ndescription: y\n---",
        "colon": front("x", "a: b: c"),
        "no-name": "---\ndescription: y\n---\n",
        "no-description": "---\nname: x\n---\n",
        "empty-name": "---\nname: ''\ndescription: y\n---\n",
        "a-list": "---\n- a\n- b\n---\n",
        "tab": "---\n\tname: x\ndescription: y\n---\n",
        "tag": front("x", more="metadata: !thing y\n"),
        "latin-1": "---\nname: x\ndescription: caf\u00e9\n---\n".encode("latin-1"),
    }
    for name, text in broken.items():
        place.skill(place.project_skills, name, text)
    place.project_skills.joinpath("SKILL.md").write_text(good)
    place.project_skills.joinpath("not-a-skill.md").write_text(good)
    place.skill(place.project_skills / "deeper", "nested", good)
    (place.project_skills / "lower").mkdir()
    (place.project_skills / "lower" / "skill.md").write_text(good)
    (place.project_skills / "folder" / "SKILL.md").mkdir(parents=True)


@tree
def skills_that_load_with_a_warning(place: Place) -> None:
    place.git()
    odd = {
        "other": "name",
        "upper": "Upper",
        "spaces": "two words",
        "double": "a--b",
        "accent": "caf\u00e9",
        "long": "n" * 70,
        "emoji": "\U0001f600",
        "yes": "yes",
        "number": "010",
        "float": "1.5e3",
        "null": "null",
        "date": "2024-01-01",
    }
    for folder, name in odd.items():
        place.skill(place.project_skills, folder, front(name))


@tree
def skills_with_more_fields(place: Place) -> None:
    place.git()
    extra = {
        "license": "license: MIT\n",
        "both": "license: MIT\ncompatibility: needs git\n",
        "tools": "allowed-tools: read_file, edit_file  grep\n",
        "long-compat": f"compatibility: {'c' * 600}\n",
        "twice": "description: the second one wins\n",
        "crlf": "license: MIT\r\n",
    }
    for name, more in extra.items():
        place.skill(place.project_skills, name, front(name, more=more))
    place.skill(place.project_skills, "long", front("long", "d" * 1500))
    block = "|\n  first line\n  second line"
    place.skill(place.project_skills, "block", front("block", block))
    folded = ">-\n  folded\n  text: with a colon"
    place.skill(place.project_skills, "folded", front("folded", folded))


@tree
def linked_skills(place: Place) -> None:
    place.git()
    outside = place.folder / "outside"
    place.skill(outside, "far", front("far"))
    place.skill(place.project_skills, "near", front("near"))
    (place.project_skills / "linked-out").symlink_to(outside / "far")
    (place.project_skills / "linked-in").symlink_to("near")
    (place.project_skills / "file").mkdir()
    (place.project_skills / "file" / "SKILL.md").symlink_to("../near/SKILL.md")
    (place.project_skills / "gone").symlink_to("nowhere")


@tree
def skill_folder_is_a_file(place: Place) -> None:
    place.git()
    (place.root / ".agents").mkdir()
    (place.root / ".agents" / "skills").write_text("not a folder\n")


@tree
def skills_of_several_agents(place: Place) -> None:
    place.git()
    place.agent = "reviewer"
    place.skill(place.user_skills, "mine", front("mine"))
    place.skill(place.home / ".deepagents/agent/skills", "theirs", front("theirs"))
