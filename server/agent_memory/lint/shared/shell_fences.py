"""The lines of shell fences, and the folders in which they run."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text import without_newline
from agent_memory.markdown.model import LineKind

if TYPE_CHECKING:
    import re

    from agent_memory.lint.memory_file import MemoryFile

_SHELLS = frozenset({"sh", "bash", "zsh", "shell", "console", "shell-session"})
_ELSEWHERE = lazy_compile(r"\s*(?:\$\s*)?(?:pushd |git clone|cmake |\./configure)")
CD = lazy_compile(
    r"[ \t]*(?:\$[ \t]+)?cd[ \t]+(?P<folder>(?:\./)?[\w@-][\w@.-]*(?:/[\w@-][\w@.-]*)*)?/?[ \t]*"
    r"(?P<rest>&&|(?:#.*)?\Z)?"
)
"""``cd web``, or ``cd web &&`` and a command. Without a folder or the rest, it is another one."""
_CD_HERE = lazy_compile(
    r"[ \t]*(?:\$[ \t]+)?cd[ \t]+(?:~|/[\w.@~-]+)(?:/[\w.@-]+)*/(?P<name>[\w.@-]+)/?[ \t]*\Z"
)
"""``cd /home/me/shop/web``: the folder of a memory file with that name, on another machine."""


def shell_lines(file: MemoryFile) -> dict[int, str | None]:
    """Return the lines of shell fences, each with the folder in which it runs.

    '' is the folder in which the fence begins; None is unknown, after ``cd web && npm test``: the
    next line of a list of commands does not follow it. Lines after a configure step are left out.
    """
    return file.content.once(_shell_lines, file)


def _shell_lines(file: MemoryFile) -> dict[int, str | None]:
    """Return :func:`shell_lines` without its cache."""
    lines: dict[int, str | None] = {}
    for fence in file.markdown.fences:
        if fence.info.split(" ")[0].lower() not in _SHELLS:
            continue
        folder: str | None = ""
        end = len(file.lines) if fence.close is None else fence.close
        for number in range(fence.open + 1, end):
            line = without_newline(file.lines[number])
            if _ELSEWHERE.match(line):
                break  # the rest runs in another folder or with a generated Makefile
            if file.markdown.kinds[number] is LineKind.CODE:
                lines[number] = folder
            cd_here, cd = _CD_HERE.match(line), CD.match(line)
            if cd_here and cd_here["name"] == file.path.parent.name:
                folder = ""
            elif cd:
                folder = _after(folder, cd)
    return lines


def _after(folder: str | None, cd: re.Match[str]) -> str | None:
    """Return the folder of the lines below a line ``cd`` in ``folder``, None if it is unknown.

    It is only known after a line with nothing but ``cd`` and a folder of the project.
    """
    if cd["folder"] is None or cd["rest"] is None or cd["rest"] == "&&" or folder is None:
        return None
    return posixpath.normpath(posixpath.join(folder, cd["folder"]))
