"""Which skills a runtime finds, in which order, and why it does not load the others.

A skill is a folder with a SKILL.md inside one of the runtime's skill folders. Of two skills with
the same name, the one in the later folder wins. A runtime at most logs what it leaves out, so
everything that looks like a skill is returned here, with status and reason.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.model import Role, Scope, Source, Status
from agent_memory.formats.limits import unexpected
from agent_memory.l10n import t
from agent_memory.skills.skill_file import MAX_DESCRIPTION, SkillFile, name_warning, parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from agent_memory.config.context import Context

NAME = "SKILL.md"
_NOT_READ = SkillFile("", "")
"""What stands for the front matter of a file that the runtime does not load."""


class SkillFolder(NamedTuple):
    """A folder of skills. ``shown`` is its path in the prompt, '' for the full path.

    ``label`` names it in the prompt and in messages.
    ``warns_if_missing``: the prompt contains a warning if the folder is missing.
    """

    path: Path
    label: str
    scope: Scope
    shown: str = ""
    warns_if_missing: bool = False

    @property
    def display(self) -> str:
        """The path of the folder in the prompt."""
        return self.shown or str(self.path)


class Skill(NamedTuple):
    """Something that looks like a skill.

    ``status`` is LISTED if the prompt lists it, SHADOWED if another one of the same name is
    listed instead, UNREADABLE if the runtime leaves it out, and IGNORED if the runtime does not
    look for it because of its location or its name. ``warning`` is what is wrong with a listed
    skill.
    """

    folder: SkillFolder
    path: Path
    file: SkillFile
    status: Status = Status.LISTED
    reason: str = ""
    warning: str = ""
    linked: bool = False  # left out because it is a symlink

    @property
    def name(self) -> str:
        """The name in the front matter, or that of the folder if no front matter was read."""
        return self.file.name or self.path.parent.name


class Dialect(NamedTuple):
    """How a runtime searches for skills.

    With ``follows_links``, a linked SKILL.md or folder is read if its target is in the skill
    folder. Without it, a linked folder is read wherever its target is, and a linked SKILL.md never.
    ``sorted``: folders come in name order, not in the order of the file system.
    """

    follows_links: bool = False
    sorted: bool = True
    ascii_names: bool = False  # a name with other letters gets a warning
    tidies: bool = True  # see skill_file.parse


SDK = Dialect()
"""How the SDK of deepagents searches."""
CLI = Dialect(follows_links=True, sorted=False, ascii_names=True, tidies=False)
"""How deepagents-cli searches."""


def discover(ctx: Context, folders: Sequence[SkillFolder], dialect: Dialect = SDK) -> list[Skill]:
    """Return the listed skills of ``folders`` in the order of the prompt, then the other skills.

    The folders are in the order of their priority, the lowest first. The other skills are in the
    order of discovery.
    """
    listed: dict[str, Skill] = {}  # by name
    others: list[Skill] = []
    for folder in folders:
        for skill in _skills_in(ctx, folder, dialect):
            if skill.status is not Status.LISTED:
                others.append(skill)
                continue
            overridden = listed.get(skill.name)
            if overridden:
                why = t("{0} has the same name and comes later", skill.path)
                others.append(overridden._replace(status=Status.SHADOWED, reason=why))
            listed[skill.name] = skill  # a dict keeps the position of the overridden one
    return [*listed.values(), *others]


def sources_of(skills: Sequence[Skill]) -> list[Source]:
    """Return ``skills`` as sources; the listed ones, which come first, are numbered from 1."""
    out = []
    for number, skill in enumerate(skills, 1):
        is_listed = skill.status is Status.LISTED
        effect = t("the skill is not loaded") if skill.status is Status.UNREADABLE else ""
        out.append(
            Source(
                skill.path,
                skill.folder.scope,
                Role.SKILL,
                skill.status,
                skill.reason or skill.warning or t("listed from {0}", skill.folder.label),
                display=str(skill.path),
                order=number if is_listed else None,
                name=skill.name,
                linked=skill.linked,
                effect=effect,
            )
        )
    return out


def _skills_in(ctx: Context, folder: SkillFolder, dialect: Dialect) -> Iterator[Skill]:
    """Yield the skills in ``folder`` and what looks like one, in the order of the runtime."""
    direct = folder.path / NAME
    if os.path.isfile(direct):  # noqa: PTH113 -- Path.is_file may raise
        why = t(
            "it is right in the skill folder; move it to a folder of its own in {0}", folder.path
        )
        yield Skill(folder, direct, _NOT_READ, Status.IGNORED, why)
    for name in _folder_names(ctx, folder.path, dialect):
        yield from _candidate(ctx, folder, folder.path / name, dialect)


def _folder_names(ctx: Context, path: Path, dialect: Dialect) -> list[str]:
    """Return the names of the folders in ``path``, in the order of the runtime.

    [] if ``path`` cannot or may not be read.
    """
    names: list[str] = []
    if dialect.sorted:  # the SDK sorts paths that end with a slash, so `a-b/` precedes `a/`
        names = sorted(ctx.store.names(path), key=lambda name: name + "/")
    elif not ctx.store.hides(path):  # a symlink may lead out of what may be read
        with suppress(OSError):
            names = os.listdir(path)  # noqa: PTH208 -- order of the file system
    return [name for name in names if os.path.isdir(path / name)]  # noqa: PTH112 -- never raises


def _candidate(ctx: Context, folder: SkillFolder, path: Path, dialect: Dialect) -> Iterator[Skill]:
    """Yield the skill in the folder ``path``, or files in it that look like a skill."""
    file = path / NAME
    names = ctx.store.names(path)
    # A new buffer is not on disk; a folder that cannot be listed can still be searched by name.
    exists = NAME in names or ctx.store.is_open(file) or os.path.lexists(file)
    if not exists:
        yield from _misplaced(ctx, folder, path, names)
        return
    refusal = _link_refusal(folder, file, dialect)
    skill_or_why = refusal or _parsed(ctx, file, dialect)
    if isinstance(skill_or_why, str):  # why the runtime does not load it
        why = t("not loaded: {0}", skill_or_why)
        linked = bool(refusal)
        yield Skill(folder, file, _NOT_READ, Status.UNREADABLE, why, linked=linked)
        return
    yield Skill(folder, file, skill_or_why, warning=_warning(skill_or_why, path.name, dialect))


def _warning(skill: SkillFile, folder: str, dialect: Dialect) -> str:
    """Return what is wrong with the listed ``skill``, '' if nothing is.

    ``folder`` is the name of the skill's folder.
    """
    warning = name_warning(skill.name, folder, ascii_only=dialect.ascii_names)
    if warning or len(skill.description) <= MAX_DESCRIPTION:
        return warning
    return t(
        "the description has {0:,} characters; the agent sees only the first {1:,}",
        len(skill.description),
        MAX_DESCRIPTION,
    )


def _parsed(ctx: Context, file: Path, dialect: Dialect) -> SkillFile | str:
    """Return the front matter of ``file``, or a message why the runtime does not load it."""
    try:
        return parse(ctx.store.read(file), tidies=dialect.tidies)
    except Exception as error:  # noqa: BLE001 -- one file must not hide the other skills
        return unexpected(error, "a skill")


def _link_refusal(folder: SkillFolder, file: Path, dialect: Dialect) -> str:
    """Return why the runtime does not load ``file`` because of a symlink, '' if it does.

    A runtime that follows links does not load ``file`` if a link leads out of ``folder``.
    """
    if not dialect.follows_links:
        is_link = os.path.islink(file)  # noqa: PTH114 -- Path.is_symlink may raise
        return t("SKILL.md is a symlink, which the runtime does not follow") if is_link else ""
    try:
        is_inside = file.resolve().is_relative_to(folder.path.resolve())
    except (OSError, RuntimeError):  # a symlink loop
        is_inside = False
    return "" if is_inside else t("it is a symlink that leaves the skill folder")


def _misplaced(
    ctx: Context, folder: SkillFolder, path: Path, names: frozenset[str]
) -> Iterator[Skill]:
    """Yield what looks like a skill in the folder ``path``, which has no SKILL.md.

    It is a SKILL.md in another letter case, or the SKILL.md of a subfolder. ``names`` are all names
    in ``path``.
    """
    for name in sorted(names):
        if name.lower() == NAME.lower():
            why = t("the runtime looks for {0}, which is case-sensitive", NAME)
            yield Skill(folder, path / name, _NOT_READ, Status.IGNORED, why)
        elif NAME in ctx.store.names(path / name):
            skill_folder = "/".join(folder.path.parts[-2:])  # short, such as .agents/skills
            why = t("it is one folder too deep; move {0} to {1}", name, skill_folder)
            yield Skill(folder, path / name / NAME, _NOT_READ, Status.IGNORED, why)
