"""``make TARGET``: the targets of Makefiles."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.lint.shared.project_files import names_in_all
from agent_memory.lint.shared.runners.runner import Runner
from agent_memory.lint.shared.shell_fences import START

if TYPE_CHECKING:
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_CALL = lazy_compile(
    rf"{START}make[ \t]+"
    r"(?P<name>[A-Za-z][\w.:-]*)(?=[ \t]*(?:\Z|&&|;|#|--[ \t]|\|))"
)
"""A call of one target; other words after it may be those of a sentence: ``make sure that``."""
_TARGET = lazy_compile(r"^([^\s:#=][^:#=\n]*)::?(?![:=])", re.MULTILINE)
"""The targets of a rule, up to its colon; not a variable (``x := y``)."""
_PHONY = lazy_compile(r"^\.PHONY[ \t]*:((?:[^\n\\]|\\\n)*)", re.MULTILINE)
"""``.PHONY: build test``, also on several lines that end with a backslash."""
_COMPUTED = lazy_compile(r"^[^\S\n]*-?s?include\b|\$\(eval|^[^\t\n#%=]*%[^\n]*:", re.MULTILINE)
"""``include x.mk``, ``$(eval …)`` or a pattern rule ``%.o: %.c``: targets that are not written.

A variable with a percent sign, such as ``NOW = $(shell date +%H:%M)``, is no pattern rule.
"""
FILES = ("GNUmakefile", "makefile", "Makefile")
"""The names of Makefiles, in the order in which make looks for them."""


def _known(file: MemoryFile, project: Project) -> frozenset[str] | None:
    """Return the targets of all Makefiles of the project.

    None if those of a Makefile in the folder of ``file`` or above are not all known; of a Makefile
    elsewhere, the written ones are enough.
    """
    return names_in_all(file, project, FILES, _targets, _written_targets)


@lru_cache(maxsize=256)
def _targets(text: str) -> frozenset[str] | None:
    """Return the targets of a Makefile; None if it includes or computes some."""
    heads = _heads(text)
    # `.venv/$(BIN):` does not count, because no call has a name that begins with a dot.
    computed = any("$" in head for head in heads if not head.startswith("."))
    return None if computed or _COMPUTED.search(text) else _targets_of(heads)


@lru_cache(maxsize=256)
def _written_targets(text: str) -> frozenset[str]:
    """Return the targets that are written in a Makefile, which may have others."""
    return _targets_of(_heads(text))


def _heads(text: str) -> list[str]:
    """Return the heads of a Makefile: texts with targets, separated by spaces.

    They are the text before the colon of each rule, and the targets of each ``.PHONY``.
    """
    phony = (targets.replace("\\\n", " ") for targets in _PHONY.findall(text))
    return [*_TARGET.findall(text), *phony]


def _targets_of(heads: list[str]) -> frozenset[str]:
    """Return the targets in ``heads``, each of which may have several."""
    return frozenset(target for head in heads for target in head.split())


RUNNER = Runner("make ", _CALL, _known)
