"""What the whole text says about a path: it is of another project, was removed, or is created."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text_cache import TextCache
from agent_memory.lint.shared.paths.claims import without_spans
from agent_memory.lint.shared.surroundings import lines_below
from agent_memory.lint.shared.word_lists import says, word_list
from agent_memory.markdown.code_spans import code_spans

if TYPE_CHECKING:
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.markdown.references import Reference

_ELSEWHERE = lazy_compile(r"\bin \[[^\]]*\]\(https?://")
"""The page that the path is on: ``in [x](https://…)``."""
_IN = lazy_compile(r"\bin (?:the )?`?([\w.-]*\w)")
"""What the path is in: ``in site-docs``, which may be the name of a repository."""
_REPOSITORY = lazy_compile(r"github\.com/[\w.-]+/([\w-]+(?:\.[\w-]+)*)")
"""The address of a repository; the group is its name: ``github.com/acme/site-docs``."""
_ABSOLUTE = lazy_compile(r"(?<![\w.~/\\-])(?:[A-Za-z]:[/\\]|/)[\w.-]+(?:[/\\][\w.-]+)+")
"""A path of a machine: ``/srv/x/src/a.py``, ``C:\\x\\a.py``."""
_OF_USER = lazy_compile(r"(?<![\w/])~/[\w.-]+(?:/[\w.-]+)+")
"""A path in a folder of the user: ``~/.shop/run.sh``."""
_PARTS_MAX = 20
"""Ends of a path that are compared; a path can have any number of folders."""
_IN_HOME = lazy_compile(
    r"(?<![\w/.])(?<!from [\"'])(?:~/(?![^\s`]*\.(?:[cm]?[jt]sx?|vue)\b)"
    r"|/(?:home|Users|opt|mnt|srv|var)/)[^\s`]+`?[^`/]{0,40}:?\s*\Z"
)
"""The text above a list of what is in a folder of the user: ``stored in `~/.config/x/`:``.

In imports and before the name of a module (``~/env.ts``), ``~`` is the folder of the sources.
"""
_CREATED = lazy_compile(
    r"(?:\b(?:creat(?:e|es|ing)|sav(?:e|es|ing)|generat(?:e|es|ing)"
    r"|writ(?:e|es|ing)[^`.;]{0,30} to)\b"
    r"|建立|创建|創建|生成|作成|생성)[^`.;]{0,40}`([^`\s]+)`"
)
"""A verb and the path that is created, in lower case: ``save choices to `docs/choices.md` ``."""


def is_about_other_project(file: MemoryFile, reference: Reference) -> bool:
    """Return whether the path is one of another project.

    Its sentence says so, or that of another mention of the path, a heading, or the text that
    introduces its list. Or the file has a path of a machine or a user that ends with it.
    """
    if _is_in_repository(file, reference.text):
        return True
    if reference.path in file.content.once(_paths_elsewhere, file):
        return True
    if reference.path.strip("/") in file.content.once(_ends_of_absolute_paths, file):
        return True
    return file.content.once(_lines_of_other_projects, file)[reference.span.line]


def _lines_of_other_projects(file: MemoryFile) -> list[bool]:
    """Return for each line whether a text that it is part of is about another project."""
    return lines_below(file.lines, file.markdown, _is_foreign_scope)


@TextCache
def _is_foreign_scope(text: str) -> bool:
    """Return whether ``text``, above a path, says that its paths are not in this project.

    The row of a table says nothing about the rows below it.
    """
    if text.lstrip().startswith("|"):
        return False
    if _IN_HOME.search(text):
        return True
    return bool(word_list("foreign_scope").search(without_spans(text.lower())))


def _paths_elsewhere(file: MemoryFile) -> frozenset[str]:
    """Return the paths of which a sentence says that they are in another repository."""
    references = map(file.with_text, file.path_references)
    return frozenset(
        reference.path for reference in references if _is_in_repository(file, reference.text)
    )


def _is_in_repository(file: MemoryFile, text: str) -> bool:
    """Return whether ``text`` says that a path is in another repository.

    It names one that the file links to ("in site-docs"), or links to its page ("in [x](https://…)").
    ``text`` is in lower case.
    """
    if _ELSEWHERE.search(text):
        return True
    names = file.content.once(_repositories, file)
    return any(place[1] in names for place in _IN.finditer(text))


def _repositories(file: MemoryFile) -> frozenset[str]:
    """Return the names of the repositories on GitHub that the text links to, in lower case."""
    return frozenset(name.lower() for name in _REPOSITORY.findall(file.content.text))


def _ends_of_absolute_paths(file: MemoryFile) -> frozenset[str]:
    """Return the ends of absolute paths in the text: ``a.py``, ``src/a.py`` of /srv/x/src/a.py.

    The first two parts are left out: they are folders of the machine, or ``~`` and a folder.
    """
    text = file.content.text
    ends: set[str] = set()
    for path in (*_ABSOLUTE.findall(text), *_OF_USER.findall(text)):
        parts = [part for part in re.split(r"[/\\]", path) if part]
        ends.update("/".join(parts[start:]) for start in range(2, min(len(parts), _PARTS_MAX)))
    return frozenset(ends)


def is_said_gone(file: MemoryFile, path: str) -> bool:
    """Return whether a line of the file says that ``path``, or a folder above it, was removed."""
    gone = file.content.once(_paths_gone, file)
    parts = path.strip("/").split("/")
    return any("/".join(parts[:end]) in gone for end in range(1, len(parts) + 1))


def _paths_gone(file: MemoryFile) -> frozenset[str]:
    """Return the code spans of lines about removed files, without a slash at the end."""
    lines = (line for line in file.lines if "`" in line and says(("removed", line)))
    return frozenset(span.text.strip("/") for line in lines for span in code_spans(line))


def is_created(file: MemoryFile, path: str) -> bool:
    """Return whether a line of the file says to create ``path``, as a workflow does in its course.

    ``path`` is in lower case. The line may leave out folders of the path, or have more of them.
    """
    created, ends_of_created = file.content.once(_paths_created, file)
    return path in ends_of_created or not created.isdisjoint(_ends(path))


def _paths_created(file: MemoryFile) -> tuple[frozenset[str], frozenset[str]]:
    """Return the paths that lines say to create, and the ends of these paths, in lower case."""
    lines = (line.lower() for line in file.lines if "`" in line)
    created = frozenset(path for line in lines for path in _CREATED.findall(line))
    return created, frozenset(end for path in created for end in _ends(path))


def _ends(path: str) -> list[str]:
    """Return ``path`` and what is left of it without its first folders: a/b/c, b/c and c.

    The shortest of more than ``_PARTS_MAX`` are left out.
    """
    parts = path.split("/")
    return ["/".join(parts[at:]) for at in range(min(len(parts), _PARTS_MAX))]
