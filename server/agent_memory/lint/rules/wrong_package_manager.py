"""AM508: an installation with a package manager that the project does not use."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Edit, Fix, Severity
from agent_memory.base.text import Span, without_newline
from agent_memory.base.text_cache import text_cache
from agent_memory.l10n import t
from agent_memory.lint.rule import MEMORY_ROLES, FileRule, Hit
from agent_memory.lint.rules.file_too_large import is_template
from agent_memory.lint.shared.own_memory import is_of_other_repository, is_own_memory
from agent_memory.lint.shared.package_managers import installations_in, used_instead
from agent_memory.lint.shared.shell_fences import CD, shell_lines
from agent_memory.lint.shared.task_prompts import is_task_prompt
from agent_memory.lint.shared.word_lists import word_list
from agent_memory.markdown.code_spans import code_spans
from agent_memory.markdown.references import sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project
    from agent_memory.lint.shared.package_managers import Installation, Used

_PARTS = ("npm ", "yarn ", "bun ", "poetry ")
"""One of them is in every match of :data:`_TOOLS`; searching them takes less time."""
_TOOLS = lazy_compile(r"\b(?:p?npm|yarn|bun|poetry) ")
"""The start of a command of a package manager."""
_HEDGES = ("installation_hedges", "gone", "foreign_hedges")
"""Word lists: with one of these words in its sentence or comment, a command is not reported."""
_MANIFESTS_MAX = 200
"""Maximum number of package.json files that are searched for the name of a package."""
_AROUND = 8
"""Lines before and after a command that are searched for one of the right manager.

With it, the text shows the command for each manager.
"""


class _Command(NamedTuple):
    """A text that may be a command; it begins at ``column`` of ``line``."""

    line: int
    column: int
    text: str
    folder: str | None
    """The line's folder as in :func:`shell_lines`; '' for that of the file, None if unknown."""
    context: str
    """What is said of the command, in lower case.

    Of one in a fence, the comments on its line and on the line above it; of others, the sentence.
    """


def check(file: MemoryFile, project: Project) -> Iterator[Hit]:
    """Report installations with a manager that the project does not use, in its own memory."""
    base = project.folder_from_root(file.path)
    if base is None or not _names_tool.found_in(file.lines):
        return  # user memory, or no command of a package manager
    if is_task_prompt(file) or not is_own_memory(file, base):
        return  # a text that may be about other projects
    if is_template(file.path, project) or is_of_other_repository(file, project):
        return  # a text for a project that is created from it, or for another one
    for command in _commands(file):
        if any(word_list(name).search(command.context) for name in _HEDGES):
            continue
        folder = _folder_of(command, base, project)
        if folder is None:
            continue  # an unknown folder may have a manager of its own
        for call in installations_in(command.text):
            used = used_instead(call.tool, folder, project)
            if used is None or _is_one_of_several(used, command.line, file):
                continue
            if not _is_for_users(call, project):
                yield _hit(file, command, call, used)


def _may_install(text: str) -> bool:
    """Return whether ``text`` may have a command of a package manager: the prefilter.

    Only False is certain.
    """
    return any(map(text.__contains__, _PARTS))


@text_cache(_may_install)
def _names_tool(line: str) -> bool:
    """Return whether ``line`` may have a command of a package manager."""
    return bool(_TOOLS.search(line))


def _commands(file: MemoryFile) -> Iterator[_Command]:
    """Yield what may be a command: each line of a shell fence, and each code span of prose.

    Lines that name no package manager are left out.
    """
    shell = shell_lines(file)
    for number, _ in _names_tool.found_in(file.lines):
        line = file.lines[number]
        if number in shell:
            before = file.lines[number - 1].lstrip()
            comment = before if before.startswith("#") else ""
            text = without_newline(line)
            context = f"{comment} {text.partition('#')[2]}".lower()
            yield _Command(number, 0, text, shell[number], context)
        elif number not in file.example_lines and file.markdown.is_prose(number):
            for span in code_spans(line):
                end = span.start + len(span.text)
                context = sentence(file.lines, file.markdown, number, (span.start, end))
                yield _Command(number, span.start, span.text, "", context)


def _folder_of(command: _Command, base: str, project: Project) -> str | None:
    """Return the folder, from the root, in which ``command`` runs; None if it is unknown.

    ``base`` is the folder of the file. A text may name a folder from there or from the root: the
    result is None if both folders exist, or neither.
    """
    folder = _folder_after_cd(command)
    if folder is None:
        return None
    if not folder:
        return posixpath.normpath(base)
    candidates = {posixpath.normpath(posixpath.join(start, folder)) for start in (base, ".")}
    existing = [path for path in candidates if path == "." or project.tree.has(path)]
    return existing[0] if len(existing) == 1 else None


def _folder_after_cd(command: _Command) -> str | None:
    """Return the folder that the text gives for ``command``; '' for the folder of the file.

    It is the folder of the line, and in that the folder of a ``cd`` before the command. None if it
    is unknown, as after two ``cd`` or one that is not at the start.
    """
    text = command.text
    if command.folder is None:
        return None
    cd = CD.match(text)  # `cd web && npm install`
    if cd is None:
        return None if re.search(r"\bcd\b|pushd", text) else command.folder
    has_second = re.search(r"\bcd\b", text[cd.end() :])
    if has_second or cd["folder"] is None or cd["after"] != "&&":
        return None  # the last two: `cd ..`, and `cd web` alone
    return posixpath.join(command.folder, cd["folder"])


def _is_one_of_several(used: Used, number: int, file: MemoryFile) -> bool:
    """Return whether the text shows the command for the manager ``used`` as well.

    It does if line ``number``, that of the command, names the manager or a line around it runs it.
    """
    around = file.lines[max(0, number - _AROUND) : number + _AROUND + 1]
    runs_it = re.compile(rf"\b{used.tool}[ \t]+(?:install|i|ci|add|sync|run)\b")
    is_named = re.search(rf"\b{used.tool}\b", file.lines[number])
    return bool(is_named) or any(runs_it.search(line) for line in around)


def _is_for_users(call: Installation, project: Project) -> bool:
    """Return whether ``call`` installs a package of this project, as users of the package do.

    At most :data:`_MANIFESTS_MAX` manifests are searched for its name, none if the project has too
    many files to list.
    """
    if not call.packages:
        return False
    listing = project.tree.listing
    paths = listing.by_name.get("package.json", ()) if listing else ()
    contents = [project.ctx.store.read(project.tree.root / path) for path in paths[:_MANIFESTS_MAX]]
    # With and without a version: `pkg@1.2`, `pkg`. In `@scope/pkg`, the only "@" is at the start.
    names = {name.rpartition("@")[0] or name for name in call.packages} | {*call.packages}
    return any(
        f'"name": "{name}"' in content.text for content in contents if content.ok for name in names
    )


def _hit(file: MemoryFile, command: _Command, call: Installation, used: Used) -> Hit:
    """Return the hit of ``call``, an installation in the text of ``command``.

    The fix installs with the manager that is ``used``, where ``install`` alone does the same.
    """
    span = Span.on_line(command.line, command.column + call.start, command.column + call.end)
    message = t(
        "The project uses {0}, not {1}: see {2}\n"
        "This command fails, or installs other versions. Use {0}.",
        used.tool,
        call.tool,
        used.file,
    )
    new = f"{used.tool} install"
    edit = Edit(file.path, span, new)
    fix = Fix(t("Replace with {0}", new), (edit,), safe=False)
    # uv has no command `install`, and a call with packages or options needs other words.
    is_fixed = call.is_plain and used.tool != "uv"
    return Hit(span, message, (fix,) if is_fixed else ())


RULE = FileRule(
    "AM508",
    "wrong-package-manager",
    Severity.WARNING,
    "An installation with a package manager that the project does not use",
    check=check,
    roles=MEMORY_ROLES,
    varies=True,
)
