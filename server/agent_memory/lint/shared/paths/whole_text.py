"""What the whole text says about a path: it is of another project, was removed, or is created."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

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


class _Created(NamedTuple):
    """The paths that the text of a file says to create, in lower case."""

    paths: frozenset[str]
    ends: frozenset[str]
    """The :func:`_ends` of ``paths``."""


def is_about_other_project(file: MemoryFile, reference: Reference) -> bool:
    """Return whether the path is one of another project.

    One of these says so: its sentence, the sentence of another mention of the path, a heading, an
    item that it is nested in, the paragraph above it. Or the text has an absolute path that ends
    with it.
    """
    if _is_in_repository(file, reference.text):
        return True
    if reference.path in file.content.once(_paths_elsewhere, file):
        return True
    if reference.path.strip("/") in file.content.once(_ends_of_absolute_paths, file):
        return True
    return file.content.once(_lines_of_other_projects, file)[reference.span.line]


def _lines_of_other_projects(file: MemoryFile) -> list[bool]:
    """Return for each line whether a heading or text above says that it is of another project."""
    return lines_below(file.lines, file.markdown, _is_foreign_scope)


@TextCache
def _is_foreign_scope(text: str) -> bool:
    """Return whether ``text`` says that the paths below it are not in this project.

    Always False for the row of a table, which says nothing about the rows below it.
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
    """Return whether ``text``, in lower case, says that a path is in another repository.

    It names a repository that the file links to ("in site-docs"), or has a link after "in":
    "in [x](https://…)".
    """
    if _ELSEWHERE.search(text):
        return True
    names = file.content.once(_repositories, file)
    return any(container[1] in names for container in _IN.finditer(text))


def _repositories(file: MemoryFile) -> frozenset[str]:
    """Return the names of the repositories on GitHub that the text links to, in lower case."""
    return frozenset(name.lower() for name in _REPOSITORY.findall(file.content.text))


def _ends_of_absolute_paths(file: MemoryFile) -> frozenset[str]:
    """Return the ends of absolute paths in the text: ``a.py``, ``src/a.py`` of /srv/x/src/a.py.

    No end has the first two parts: they are folders of the machine, or ``~`` and a folder.
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
    """Return whether a line of the file says to create ``path``, such as a step of a workflow.

    ``path`` is in lower case. The line may leave out the first folders of ``path``, or have more
    folders before it.
    """
    created = file.content.once(_paths_created, file)
    return path in created.ends or not created.paths.isdisjoint(_ends(path))


def _paths_created(file: MemoryFile) -> _Created:
    """Return the paths that lines of ``file`` say to create."""
    lines = (line.lower() for line in file.lines if "`" in line)
    paths = frozenset(path for line in lines for path in _CREATED.findall(line))
    return _Created(paths, frozenset(end for path in paths for end in _ends(path)))


def _ends(path: str) -> list[str]:
    """Return ``path`` and what remains of it without its first folders: a/b/c, b/c and c.

    At most ``_PARTS_MAX``, the longest ones.
    """
    parts = path.split("/")
    return ["/".join(parts[at:]) for at in range(min(len(parts), _PARTS_MAX))]
