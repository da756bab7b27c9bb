"""AM704: a skill file whose name differs from SKILL.md in letter case."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.model import Fix, Role, Severity
from agent_memory.l10n import t
from agent_memory.lint.rule import FileRule, Hit
from agent_memory.lint.rules.file_too_large import is_template
from agent_memory.lint.shared.skills import is_skill, parsed
from agent_memory.skills.skill_file import SkillFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report a name such as skill.md, of a file that is a skill by its folder or front matter."""
    path = file.path
    if path.name == "SKILL.md" or not (is_skill(file) or _is_written_as_skill(file, project)):
        return
    wanted = path.with_name("SKILL.md")
    taken = "SKILL.md" in project.ctx.store.names(path.parent)
    if taken:
        message = t(
            "Runtimes do not find {0}: they look for SKILL.md in capital letters\n"
            "SKILL.md also exists here. Merge the two files.",
            path.name,
        )
        yield Hit(file.head, message)
        return
    message = t(
        "Runtimes do not find {0}: they look for SKILL.md in capital letters\nRename the file.",
        path.name,
    )
    rename = Fix(t("Rename to SKILL.md"), renames=((path, wanted),), safe=False)
    yield Hit(file.head, message, (rename,))


def _is_written_as_skill(file: MemoryFile, project: Project) -> bool:
    """Return whether ``file`` has the front matter of a skill and is not a template of one."""
    return isinstance(parsed(file), SkillFile) and not is_template(file.path, project)


RULE = FileRule(
    "AM704",
    "skill-file-name",
    Severity.ERROR,
    "A skill file with another name",
    check=check,
    roles=frozenset({Role.SKILL}),
)
