"""The files that commands copy: ``cp .env.example .env`` fails without the first one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text import Span, without_newline
from agent_memory.base.text_cache import TextCache, text_cache
from agent_memory.lint.shared.paths.commands_run import around_fence
from agent_memory.lint.shared.shell_fences import shell_lines
from agent_memory.markdown.code_spans import code_spans
from agent_memory.markdown.references import Reference, sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile

_COPY = lazy_compile(
    r"(?:\A|&&)[ \t]*(?:\$[ \t]+)?cp[ \t]+(?:-[a-z]+[ \t]+)?"
    r"(?P<source>(?:\./)?[\w@.+-]+(?:/[\w@.+-]+)*\.[\w-]+)[ \t]+[\w@.+/-]+[ \t]*(?=\Z|&&|#|;)"
)
"""A command that copies a file with an extension: ``cp .env.example .env``."""
_SAID = lazy_compile(
    r"\b[Cc]opy `(?P<source>(?:\./)?[\w@.+-]+(?:/[\w@.+-]+)*\.[\w-]+)` (?:to|as|into|→|->) `"
)
"""A sentence that says to copy a file with an extension: Copy `a.env` to `.env`."""


def copied_files(file: MemoryFile) -> list[Reference]:
    """Return the sources of ``cp`` commands, and of sentences: copy `a.env` to `.env`."""
    return file.content.once(_all, file)


def _all(file: MemoryFile) -> list[Reference]:
    """Return :func:`copied_files` without its cache."""
    return list(_references(file))


def _references(file: MemoryFile) -> Iterator[Reference]:
    """Yield the files that commands in shell fences and code spans copy, or prose says to copy.

    Code spans and sentences in examples are left out.
    """
    for number, _ in _may_copy.found_in(file.lines):
        line = file.lines[number]
        if number in shell_lines(file):
            for path, start in _sources(without_newline(line)):
                span = Span.on_line(number, start, start + len(path))
                yield Reference(path, span, around_fence(file, number))
        elif number not in file.example_lines and file.markdown.is_prose(number):
            for path, start in _sources_in_prose(line):
                span = Span.on_line(number, start, start + len(path))
                text = sentence(file.lines, file.markdown, number, (span.start, span.end))
                yield Reference(path, span, text)


def _sources_in_prose(line: str) -> Iterator[tuple[str, int]]:
    """Yield (path, column) of each file that a command in a code span copies, or ``line`` says."""
    for code in code_spans(line):
        for path, column in _sources(code.text):
            yield path, code.start + column
    for copy in _SAID.finditer(line):
        yield copy["source"], copy.start("source")


def _has_copy(text: str) -> bool:
    """Return whether ``text`` may say to copy a file: the prefilter. Only False is certain.

    The text has "cp" with a space or a tab after it, "Copy `" or "copy `".
    """
    return "cp " in text or "cp\t" in text or "opy `" in text


@text_cache(_has_copy)
def _may_copy(line: str) -> bool:
    """Return :func:`_has_copy` of ``line``, cached: ``found_in`` yields the lines that have it."""
    return _has_copy(line)


@TextCache
def _sources(command: str) -> tuple[tuple[str, int], ...]:
    """Return (path, column) of each file that the command line copies."""
    return tuple((copy["source"], copy.start("source")) for copy in _COPY.finditer(command))
