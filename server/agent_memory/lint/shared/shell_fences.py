"""The lines of shell fences, and the folders in which they run."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text import without_newline

if TYPE_CHECKING:
    import re

    from agent_memory.lint.memory_file import MemoryFile

_SHELLS = frozenset({"sh", "bash", "zsh", "shell", "console", "shell-session"})
"""The languages of fences whose lines are commands."""
_ELSEWHERE = lazy_compile(r"\s*(?:\$\s*)?(?:pushd |git clone|cmake |\./configure)")
"""A command after which the fence is about another folder, or about a generated Makefile."""
_WRAPPER = (
    r"(?:(?:(?:\./)?vendor/bin/)?sail|ddev(?:[ \t]+exec)?|lando|sudo|time"
    r"|(?:uv|poetry|pdm|hatch|pipenv)[ \t]+run"
    r"|docker(?:(?:-|[ \t]+)compose[ \t]+(?:-f[ \t]+\S+[ \t]+)*(?:exec|run)|[ \t]+exec)"
    r"(?:[ \t]+(?:-[euw][ \t]+\S+|-(?![euw][ \t])\S+))*[ \t]+[\w-]+)"
)
"""A program that runs another command, perhaps in a container: ``docker compose exec -T web``."""
START = r"(?:\A|&&|;)[ \t]*(?:\$[ \t]+)?(?:[A-Z][A-Z0-9_]*=\S*[ \t]+)*" + rf"(?:{_WRAPPER}[ \t]+)*"
"""Before a command: the start of the line or of the next command, a prompt, variables, wrappers."""
CD = lazy_compile(
    r"[ \t]*(?:\$[ \t]+)?cd[ \t]+(?P<folder>(?:\./)?[\w@-][\w@.-]*(?:/[\w@-][\w@.-]*)*)?/?[ \t]*"
    r"(?P<after>&&|(?:#.*)?\Z)?"
)
"""``cd web``, or ``cd web &&`` and a command.

Without ``folder`` (``cd ..``) or ``after`` (``cd web; make``), the folder after it is unknown.
"""
_CD_HERE = lazy_compile(
    r"[ \t]*(?:\$[ \t]+)?cd[ \t]+(?:~|/[\w.@~-]+)(?:/[\w.@-]+)*/(?P<name>[\w.@-]+)/?[ \t]*\Z"
)
"""``cd /home/me/shop/web``: the folder of a memory file with that name, on another machine."""


def shell_lines(file: MemoryFile) -> dict[int, str | None]:
    """Return the number of each line of a shell fence, with the folder in which the line runs.

    Folders are relative to the folder of the file, in which each fence begins: ''. None is an
    unknown folder, as after ``cd web && npm test``: in a list of separate commands, the next line
    does not run in web.

    A line with ``pushd``, ``git clone``, ``cmake`` or ``./configure`` and all lines below it in its
    fence are left out: they run in another folder, or with a generated Makefile.
    """
    return file.content.once(_shell_lines, file)


def _shell_lines(file: MemoryFile) -> dict[int, str | None]:
    """Return :func:`shell_lines` without its cache."""
    lines: dict[int, str | None] = {}
    for fence in file.markdown.fences:
        language = fence.info.split(" ")[0].lower()
        if language not in _SHELLS:
            continue
        folder: str | None = ""
        for number in range(fence.open + 1, fence.code_end):
            line = without_newline(file.lines[number])
            if _ELSEWHERE.match(line):
                break
            lines[number] = folder
            cd_here, cd = _CD_HERE.match(line), CD.match(line)
            if cd_here and cd_here["name"] == file.path.parent.name:
                folder = ""  # `cd /home/me/shop` in shop/AGENTS.md: back in the file's folder
            elif cd:
                folder = _folder_after(folder, cd)
    return lines


def _folder_after(folder: str | None, cd: re.Match[str]) -> str | None:
    """Return the folder of the lines below a line that runs ``cd`` in ``folder``; None if unknown.

    ``cd`` is a match of :data:`CD`. Only ``cd web`` alone on its line gives a known folder.
    """
    if folder is None:
        return None  # a path relative to an unknown folder
    if cd["folder"] is None:
        return None  # `cd ..`, `cd /tmp` or `cd $DIR`, which may leave the project
    if cd["after"] is None or cd["after"] == "&&":
        return None  # `cd web; make`, or `cd web && make` in a list of separate commands
    return posixpath.normpath(posixpath.join(folder, cd["folder"]))
