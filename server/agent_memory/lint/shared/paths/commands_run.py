"""The files of the project that commands in a memory file run: scripts and tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text import Span, without_newline
from agent_memory.base.text_cache import TextCache
from agent_memory.lint.shared.shell_fences import shell_lines
from agent_memory.markdown.code_spans import spaced_spans
from agent_memory.markdown.model import LineKind
from agent_memory.markdown.references import Reference, sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile

_RUN = lazy_compile(
    r"(?:\A|&&|;|\|)[ \t]*(?:\$[ \t]+)?(?:[A-Z][A-Z0-9_]*=\S*[ \t]+)*"
    r"(?:(?:uv run|poetry run|pdm run|hatch run|npx|bunx|pnpm|pnpm exec|yarn|time)[ \t]+)?"
    r"(?:(?:python3?|node|bash|sh|zsh|tsx|ts-node|ruby|php|perl|pwsh)(?=[ \t])|(?=\./\S)"
    r"|(?P<tests>(?:python3? -m )?pytest|jest|vitest(?: run)?|mocha|playwright test|rspec|bun test"
    r"|(?:npm|pnpm|yarn)(?: run)? test(?::[\w:-]+)?(?: --)?)(?=[ \t]))"
    r"(?P<rest>(?:(?!&&)[^;|#>$\n])*)"
)
"""A call of an interpreter, a ``./script`` or, as ``tests``, a test runner.

``rest`` is the text after it, up to the next command, a comment or a redirection.
"""
_WORD = lazy_compile(r"\S+")
_FILE = lazy_compile(
    r"(?:\./)?[\w@.+-]+(?:/[\w@.+-]+)*\.[A-Za-z][A-Za-z0-9]{0,5}(?=(?:::?[\w:\[\]-]+)?\Z)"
)
"""A path with an extension, perhaps before a line or a test: ``a_test.py::test_b``."""
_TEST_NAME = lazy_compile(r"test_\w+\.\w+\Z|.*[._-](?:test|spec)\.\w+\Z")
"""The name of a test file: ``test_a.py``, ``a.spec.ts``."""
_ABOVE = (LineKind.TEXT, LineKind.HEADING, LineKind.ITEM)
"""Lines above a fence that say what it is about."""
_FLAGS = frozenset(
    {"-v", "-vv", "-vvv", "-x", "-s", "-q", "-xvs", "-vs", "-sv", "--watch", "--run"}
)
"""Options of test runners without a value."""
_PARTS = (
    *("python", "node", "sh ", "tsx", "ts-node", "ruby", "php", "perl", "pwsh", "./"),
    *("test", "jest", "mocha", "rspec"),
)
"""Every line that :data:`_RUN` matches has one, perhaps with a tab in place of the space.

"sh " is also part of bash, "test" of pytest.
"""


def command_paths(file: MemoryFile) -> list[Reference]:
    """Return the paths of scripts and tests in the commands of code spans and shell fences."""
    return file.content.once(_all, file)


def _all(file: MemoryFile) -> list[Reference]:
    """Return :func:`command_paths` without its cache."""
    return list(_references(file))


def _references(file: MemoryFile) -> Iterator[Reference]:
    """Yield the files that commands run: in shell fences, then in code spans of prose."""
    yield from _references_in_fences(file)
    yield from _references_in_spans(file)


def _references_in_fences(file: MemoryFile) -> Iterator[Reference]:
    """Yield the files that commands in shell fences run, with the text around the fence.

    A line that does not run in the file's folder is left out: its paths begin elsewhere.
    """
    for number, folder in shell_lines(file).items():
        if folder != "":  # '' is the folder of the file
            continue
        for path, start in files_in(without_newline(file.lines[number])):
            span = Span.on_line(number, start, start + len(path))
            yield Reference(path, span, around_fence(file, number))


def _references_in_spans(file: MemoryFile) -> Iterator[Reference]:
    """Yield the files that commands in code spans of prose run, with their sentence."""
    shell, examples = shell_lines(file), file.example_lines
    for number, _ in spaced_spans.found_in(file.lines):  # lines with a space or a tab in code
        files = _files_in_spans(file.lines[number])
        if not files or number in shell or number in examples or not file.markdown.is_prose(number):
            continue
        for path, start, columns in files:
            span = Span.on_line(number, start, start + len(path))
            yield Reference(path, span, sentence(file.lines, file.markdown, number, columns))


def _may_run(text: str) -> bool:
    """Return whether ``text`` may have a command that runs a file: the prefilter.

    Only False is certain. The file has an extension, so the text has a period.
    """
    return "." in text and any(map(text.replace("\t", " ").__contains__, _PARTS))


@TextCache
def _files_in_spans(line: str) -> tuple[tuple[str, int, tuple[int, int]], ...]:
    """Return (path, column, columns of its code span) of each file that a code span runs."""
    if not _may_run(line):
        return ()
    return tuple(
        (path, code.start + start, (code.start, code.start + len(code.text)))
        for code in spaced_spans(line)
        for path, start in files_in(code.text)
    )


def around_fence(file: MemoryFile, number: int) -> str:
    """Return what the text says about line ``number`` of a fence, in lower case.

    That is the comment at its end, the line above if it is a comment, and the text above the fence.
    """
    line_above = file.lines[number - 1].strip()
    comment_above = line_above if line_above.startswith("#") else ""
    comment_at_end = file.lines[number].partition("#")[2].strip()
    return f"{comment_at_end} {comment_above} {text_above_fence(file, number)}".lower()


def text_above_fence(file: MemoryFile, number: int) -> str:
    """Return the nearest text, item or heading above the fence of line ``number``, in lower case.

    Without one, return the first line of the file.
    """
    above = number
    while above > 0 and file.markdown.kinds[above] not in _ABOVE:
        above -= 1
    return without_newline(file.lines[above]).lower()


@TextCache
def files_in(command: str) -> tuple[tuple[str, int], ...]:
    """Return (path, column) of each script and test file that the command line runs."""
    return tuple(_files(command)) if _may_run(command) else ()


def _files(command: str) -> Iterator[tuple[str, int]]:
    """Yield (path, column) of each file that ``command`` runs: one script, or any tests.

    A name without a folder counts if it is that of a test: others may be modules or arguments.
    """
    for run in _RUN.finditer(command):
        words = list(_WORD.finditer(run["rest"]))
        if run["tests"] is None:
            words = words[:1]  # the script; the others are its arguments
        may_be_value = False  # `-c setup.cfg`: the word after an option may be its value
        for word in words:
            path = _FILE.match(word[0])
            if path and not may_be_value and ("/" in path[0] or _TEST_NAME.match(path[0])):
                yield path[0], run.start("rest") + word.start()
            may_be_value = word[0].startswith("-") and word[0] not in _FLAGS
