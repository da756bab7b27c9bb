"""What a task runner is: how its tasks are called, and which ones the files of a project define."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

NAME = r"(?P<name>[A-Za-z][\w.:-]*)"
"""The name of a task, such as ``db:seed``."""
END = r"(?=[ \t]*(?:\Z|&&|;|#|\|)|[ \t]+--?(?:\w|[ \t]))"
"""After the name: the end, the next command or options; other words may be those of a sentence."""


def _always_runs(_call: re.Match[str]) -> bool:
    """Return True: every call is one of a task. The default of :attr:`Runner.runs`."""
    return True


class Runner(NamedTuple):
    """A task runner.

    ``part`` is in every line that calls it, perhaps with tabs in place of spaces. ``call`` matches
    a call in a command line, with the group ``name``; the call is one of a task if ``runs`` returns
    True for its match. ``known`` gets the memory file and the project, and returns the names of the
    tasks in all folders; None if they are not all known.
    """

    part: str
    call: re.Pattern[str]
    known: Callable[[MemoryFile, Project], frozenset[str] | None]
    runs: Callable[[re.Match[str]], bool] = _always_runs

    def calls(self, text: str) -> Iterator[re.Match[str]]:
        """Yield the calls of tasks in the command line ``text``, as matches of ``call``."""
        if self.may_call(text):
            yield from filter(self.runs, self.call.finditer(text))

    def may_call(self, text: str) -> bool:
        """Return whether ``text`` may have a call: the prefilter. Only False is certain."""
        return self.part in text.replace("\t", " ")


def names_in(values: object) -> frozenset[str]:
    """Return the names in ``values``: a text itself, the texts of a list, the keys of a table.

    Empty for anything else, such as None.
    """
    if isinstance(values, str):
        return frozenset({values})
    items = values if isinstance(values, list | dict) else ()
    return frozenset(item for item in items if isinstance(item, str))
