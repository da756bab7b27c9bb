"""The paths of a memory file that git deleted, in any form and place of the text."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.model import Role
from agent_memory.base.text import Span, without_newline
from agent_memory.lint.shared.own_memory import is_own_memory
from agent_memory.lint.shared.paths.claims import has_file_extension
from agent_memory.lint.shared.paths.commands_run import around_fence, text_above_fence
from agent_memory.lint.shared.paths.lookup import existing_paths
from agent_memory.lint.shared.shell_fences import shell_lines
from agent_memory.markdown.code_spans import code_spans
from agent_memory.markdown.path_tokens import path_tokens_of
from agent_memory.markdown.references import Reference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.fs.deleted_files import Deleted
    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.shared.paths.lookup import PathLookup
    from agent_memory.markdown.path_tokens import PathToken

_LABEL = lazy_compile(
    r"\s*(?://|#|--|<!--|/\*)\s*(?:[Ff]rom:? |[Ff]ile:? )?\S+\s*(?:-->|\*/)?:?\s*\Z"
)
"""A comment that only names the file of the code below: ``# src/a.py``, ``// File: src/a.ts``."""
_OF_TOOL = lazy_compile(r"(?<![\w/.])(\.[a-z][\w-]*)/")
"""The folder of a tool, which begins with a period: ``.cursor/``."""
_SEARCH = lazy_compile(
    r"\b(?:find|glob|look|scan|search|check(?! (?:that|whether|if)))\b", re.IGNORECASE
)
"""A verb before a glob that may find nothing: ``Also check `.github/checks/*.json` ``."""
_SURE_FOLDERS = 2
"""Slashes of a path that is neither two words, such as client/server, nor one of many projects."""


def deleted_paths(file: MemoryFile, lookup: PathLookup) -> Iterator[Reference]:
    """Yield the paths in the text of ``file`` that are those of deleted files and folders.

    In code, only commands and comments that name the file of the code are searched. Left out are
    possible addresses, targets of links, paths in examples, globs of a search, and short paths of
    a skill.
    """
    deleted, base = lookup.tree.deleted, lookup.base
    if not deleted.files:
        return
    links = {(link.span.line, link.path) for link in file.link_references}
    for token in file.content.once(tokens_of, file):
        if not _was_deleted(deleted, token, base) or token.line in file.example_lines:
            continue
        if _is_address(file, token, lookup):
            continue
        if (token.line, token.path) in links:
            continue  # the rule about links reports it
        if _is_where_to_look(file.lines[token.line], token):
            continue  # the project need not have it
        if _is_with_backticks(file.lines[token.line], token):
            continue  # an example of how paths are written
        if file.source.role is Role.SKILL and token.path.count("/") < _SURE_FOLDERS:
            continue  # skills are for many projects, which share short paths
        reference = _reference(file, token, base)
        if reference is not None:
            yield reference


def tokens_of(file: MemoryFile) -> list[PathToken]:
    """Return the words of the text that may be paths, in any line."""
    return path_tokens_of(file.lines)


def _was_deleted(deleted: Deleted, token: PathToken, base: str) -> bool:
    """Return whether git deleted a file or folder of exactly this path, from the root or ``base``.

    A short folder counts only with a slash at its end: client/server may be two words.
    """
    path, listing = token.normal, deleted.listing
    is_folder = path.count("/") >= _SURE_FOLDERS or token.path.endswith("/")
    from_base = f"{base}/{path}"
    if path.startswith(".."):  # without `..`, it is normal, or "./a.py" at the root
        from_base = posixpath.normpath(from_base)
    return any(
        candidate in deleted.files or (is_folder and candidate in listing.folders)
        for candidate in (path, from_base)
    )


def _is_address(file: MemoryFile, token: PathToken, lookup: PathLookup) -> bool:
    """Return whether ``token`` may be an address: a slash is before it.

    A folder (``/api/users/``) may be, and a file that exists in another folder. Also True for a
    file if the project has too many files to tell.
    """
    path, listing = token.normal, lookup.tree.listing
    if not token.start or file.lines[token.line][token.start - 1] != "/":
        return False
    is_file = path in lookup.tree.deleted.files and has_file_extension(path)
    return not is_file or listing is None or bool(existing_paths(listing, path))


def _is_where_to_look(line: str, token: PathToken) -> bool:
    """Return whether ``token`` begins a glob that need not find a file: ``.github/checks/*.json``.

    The glob is in the folder of a tool. A verb of searching is before it, or it is in a row of a
    table with the folder of another tool, which says where each tool searches. ``line`` is the
    line of ``token``.
    """
    top = token.normal.partition("/")[0]
    before, rest = line[: token.start], line[token.start + len(token.path) :]
    if not (top.startswith(".") and rest.startswith("*")):
        return False
    is_row = line.lstrip().startswith("|")
    is_of_several_tools = is_row and any(folder != top for folder in _OF_TOOL.findall(line))
    return is_of_several_tools or bool(_SEARCH.search(before))


def _is_with_backticks(line: str, token: PathToken) -> bool:
    """Return whether ``token`` is in a code span that shows it with backticks: `` `a/b.py` ``.

    ``line`` is the line of ``token``.
    """
    spans = code_spans(line) if "``" in line else ()
    span = next((span for span in spans if span.end > token.start), None)
    return span is not None and span.start < token.start and line[token.start - 1] == "`"


def _reference(file: MemoryFile, token: PathToken, base: str) -> Reference | None:
    """Return the reference of ``token``: its text is its sentence, in code that around the fence.

    None in code that is neither a command nor a comment with only the name of the file. Such a
    comment counts in memory of this project only.
    """
    span = Span.on_line(token.line, token.start, token.start + len(token.path))
    if file.markdown.is_prose(token.line):
        return file.with_text(Reference(token.path, span, ""))
    if token.line in shell_lines(file):
        return Reference(token.path, span, around_fence(file, token.line))
    is_label = _LABEL.match(without_newline(file.lines[token.line]))
    if is_label and is_own_memory(file, base):  # other code, as in a skill, is for any project
        return Reference(token.path, span, text_above_fence(file, token.line))
    return None
