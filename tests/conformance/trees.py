"""The trees of files that every runtime is compared on.

A tree is written once with the names of both generations, AGENTS.md and agent.md, with equal
content, so that one tree says the same to every runtime.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NAMES = ("AGENTS.md", "agent.md")


@dataclass
class Place:
    """Where a tree is built: a home and a project, both below one folder."""

    folder: Path
    agent: str = "agent"
    cwd: Path = field(init=False)

    def __post_init__(self) -> None:
        self.home = self.folder / "home"
        self.root = self.folder / "project"
        self.cwd = self.root
        for folder in (self.home, self.root):
            folder.mkdir(parents=True)

    def git(self, folder: str = ".") -> None:
        (self.root / folder / ".git").mkdir(parents=True, exist_ok=True)

    def user(self, content: bytes | str, agent: str | None = None) -> None:
        self._write(self.home / ".deepagents" / (agent or self.agent), content)

    def project(self, content: bytes | str, folder: str = ".") -> None:
        self._write(self.root / folder / ".deepagents", content)

    def at_root(self, content: bytes | str, folder: str = ".") -> None:
        self._write(self.root / folder, content)

    def _write(self, folder: Path, content: bytes | str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name in NAMES:
            raw = content if isinstance(content, bytes) else content.encode()
            (folder / name).write_bytes(raw)

    def links(self, folder: Path, target: str) -> None:
        """Link both names in ``folder`` to ``target`` + the name."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in NAMES:
            (folder / name).symlink_to(target.format(name=name))

    def skill(self, folder: Path, name: str, text: str | bytes) -> None:
        (folder / name).mkdir(parents=True)
        raw = text if isinstance(text, bytes) else text.encode()
        (folder / name / "SKILL.md").write_bytes(raw)

    @property
    def user_folder(self) -> Path:
        return self.home / ".deepagents" / self.agent

    @property
    def user_skills(self) -> Path:
        return self.user_folder / "skills"

    @property
    def project_skills(self) -> Path:
        return self.root / ".deepagents" / "skills"


TREES: dict[str, Callable[[Place], None]] = {}


def tree(build: Callable[[Place], None]) -> Callable[[Place], None]:
    TREES[build.__name__.replace("_", " ")] = build
    return build


def _contents(name: str, content: bytes | str) -> None:
    """Add a tree with ``content`` as user and as project memory."""

    def build(place: Place) -> None:
        place.git()
        place.user(content)
        place.project(content)
        place.at_root("root\n")

    TREES[name] = build


_contents("braces", "{} {0} {name} {{x}} }{ {agent_memory}\n")
_contents("placeholder names", "{user_memory} {project_memory} {agent_dir_absolute}\n")
_contents("closing tags", "a\n</agent_memory>\n</user_memory>\n</project_memory>\n<agent_memory>\n")
_contents("CRLF", b"# A\r\n\r\n- one\r\n- two\r\n")
_contents("lone CR", b"# A\r- one\r\r- two")
_contents("mixed newlines", b"a\r\nb\nc\rd\n\r\n")
_contents("BOM", b"\xef\xbb\xbf# A\n")
_contents("BOM only", b"\xef\xbb\xbf")
_contents("invalid UTF-8", b"# A\n- caf\xe9\n- more\n")
_contents("UTF-16", "# A\n- one\n".encode("utf-16"))
_contents("NUL bytes", b"a\x00b\n")
_contents(
    "emoji and CJK", "# \U0001f600\U0001f468\u200d\U0001f469 \u7528\u6237\u3000\u8bb0\u5fc6\n"
)
_contents("line separators", "a\u2028b\u2029c\x0bd\x0ce\x1cf\x85g\n")
_contents("HTML comments", "a <!-- one --> b\n<!-- two\nlines -->\nc\n<!-- last -->\n")
_contents("comments only", "<!-- a -->\n\n<!-- b\n-->\n")
_contents("comment never closed", "a\n<!-- open\n- b\n")
_contents("comment inside a comment", "a <!-- <!-- b --> c --> d\n")
_contents("comment in a fence", "```\n<!-- kept? -->\n```\n")
_contents("replacement patterns", "$& $$ $` $' $1 \\1 \\g<0> %s %(x)s\n")
_contents("no final newline", "# A\n- one")
_contents("trailing blanks", "# A\n- one  \n\n \t\n\n")
_contents("leading blanks", "\n\n  # A\n")
_contents("empty", "")
_contents("white space only", " \n\t\n\u00a0\n")
_contents("front matter", "---\nname: x\n---\n# A\n")
_contents("3 MB", "- a line of a very large memory file\n" * 84_000)
_contents("one long line", "x" * 200_000)


@tree
def nothing_at_all(place: Place) -> None:
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
def started_in_a_sub_folder(place: Place) -> None:
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
def dead_git_pointer(place: Place) -> None:
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
def user_symlink_leads_nowhere(place: Place) -> None:
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
def project_symlink_out_of_the_tree(place: Place) -> None:
    place.git()
    outside = place.folder / "outside"
    outside.mkdir()
    for name in NAMES:
        (outside / name).write_text("outside\n")
    place.links(place.root / ".deepagents", str(outside) + "/{name}")


@tree
def project_symlink_leads_nowhere(place: Place) -> None:
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


@tree
def user_folder_in_the_files_place(place: Place) -> None:
    place.git()
    for name in NAMES:
        (place.user_folder / name).mkdir(parents=True)


@tree
def project_folder_in_the_files_place(place: Place) -> None:
    place.git()
    for name in NAMES:
        (place.root / ".deepagents" / name).mkdir(parents=True)


@tree
def deepagents_of_the_project_is_a_file(place: Place) -> None:
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


# Skills ---------------------------------------------------------------------------------------


def front(name: str, description: str = "Does a thing. Use it for things.", more: str = "") -> str:
    return f"---\nname: {name}\ndescription: {description}\n{more}---\n\n# {name}\n"


@tree
def skills_of_user_and_project(place: Place) -> None:
    place.git()
    place.skill(place.user_skills, "review", front("review"))
    place.skill(place.project_skills, "release", front("release", "Makes a release \u2713."))


@tree
def one_skill_name_in_two_places(place: Place) -> None:
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
def skills_that_are_left_out(place: Place) -> None:
    place.git()
    good = front("x")
    broken = {
        "no-front": "# Title\n",
        "blank-first": "\n" + good,
        "bom": "\ufeff" + good,
        "unclosed": "---\nname: x\ndescription: y\n",
        "no-newline-behind": "---\nname: x\ndescription: y\n---",
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
def skills_behind_symlinks(place: Place) -> None:
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
