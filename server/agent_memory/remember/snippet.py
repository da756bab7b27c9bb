"""The text to remember: as it was selected, and as the item that is saved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent_memory.base.model import Scope

if TYPE_CHECKING:
    from pathlib import Path

# VS Code's language ids are "plaintext" and "git-commit", those of Vim and Emacs "text" and
# "gitcommit".
PROSE = frozenset(
    {"", "markdown", "plaintext", "text", "fundamental", "restructuredtext", "rst", "asciidoc"}
    | {"latex", "tex", "git-commit", "gitcommit", "mail", "org", "prompt"}
)
_PROSE_SUFFIXES = frozenset({".md", ".markdown", ".txt", ".rst", ".adoc", ".tex", ""})
"""Suffixes of files with prose; '' is that of a file without a suffix."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """Text to save.

    ``origin`` is the file it was selected in, ``line`` and ``end_line`` its first and last line
    there (from 0), ``language`` the editor's language id, ``comment`` the words of the one comment
    or docstring in source code that contains it, '' outside of one.
    """

    text: str
    origin: Path | None = None
    line: int | None = None
    end_line: int | None = None
    language: str = ""
    comment: str = ""


@dataclass(frozen=True, slots=True)
class FormattedItem:
    r"""A formatted snippet: ``bullets``, each one line of prose, or a ``block`` with ``\n``.

    ``numbered`` means that the bullets are the steps of one numbered list.
    """

    bullets: tuple[str, ...] = ()
    block: str = ""
    numbered: bool = False

    @property
    def text(self) -> str:
        """The item as Markdown: its block, ``-`` bullets, or a numbered list; '' if empty."""
        if self.numbered:
            return "\n".join(f"{step}. {text}" for step, text in enumerate(self.bullets, 1))
        return self.block or "\n".join(f"- {bullet}" for bullet in self.bullets)

    @property
    def count(self) -> int:
        """The number of bullets; 1 for a block."""
        return len(self.bullets) or 1


def is_code(snippet: Snippet) -> bool:
    """Whether the snippet is from source code, by the editor's language, else the file's suffix.

    False without both: a text that was typed, or a file without a suffix.
    """
    if snippet.language:
        return snippet.language not in PROSE
    return snippet.origin is not None and snippet.origin.suffix.lower() not in _PROSE_SUFFIXES


def origin_of(snippet: Snippet, root: Path | None, home: Path, scope: Scope) -> str:
    """Return the position of ``snippet`` as ``path:first-last`` or ``path:line``, lines from 1.

    It is only the path if the line is unknown, and '' without an origin. In project memory the
    path is relative to ``root``, that of the project; elsewhere ``~`` stands for the home. Any
    other path stays.
    """
    path = snippet.origin
    if path is None:
        return ""
    if root and scope is Scope.PROJECT and path.is_relative_to(root):
        shown = path.relative_to(root).as_posix()
    elif path.is_relative_to(home):
        shown = f"~/{path.relative_to(home).as_posix()}"
    else:
        shown = path.as_posix()
    if snippet.line is None:
        return shown
    if snippet.end_line is not None and snippet.end_line > snippet.line:
        return f"{shown}:{snippet.line + 1}-{snippet.end_line + 1}"
    return f"{shown}:{snippet.line + 1}"
