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
    lines: dict[int, str | None] = {}
    for fence in file.markdown.fences:
        if fence.info.split(" ")[0].lower() not in _SHELLS:
            continue
        folder: str | None = ""
        for at in range(fence.open + 1, len(file.lines) if fence.close is None else fence.close):
            line = without_newline(file.lines[at])
            if _ELSEWHERE.match(line):
                break  # the rest runs in another folder or with a generated Makefile
            if file.markdown.kinds[at] is LineKind.CODE:
                lines[at] = folder
            here = _CD_HERE.match(line)
            if here and here["name"] == file.path.parent.name:
                folder = ""
            elif goes := CD.match(line):
                folder = _after(folder, goes)
    return lines


def _after(folder: str | None, goes: re.Match[str]) -> str | None:
    """Return the folder after the line ``goes`` of ``folder``, None if it is unknown."""
    if goes["folder"] is None or goes["rest"] is None or goes["rest"] == "&&" or folder is None:
        return None
    return posixpath.normpath(posixpath.join(folder, goes["folder"]))
