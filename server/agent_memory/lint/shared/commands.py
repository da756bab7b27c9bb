"""The commands in a memory file, and the targets, scripts, recipes and modules of the project."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text import Span, without_newline
from agent_memory.base.text_cache import TextCache
from agent_memory.lint.shared.python_modules import modules_beside, modules_in
from agent_memory.lint.shared.runners import RUNNERS
from agent_memory.lint.shared.scripts import FILTER, package_names, scripts_in, scripts_of
from agent_memory.lint.shared.shell_fences import CD, shell_lines
from agent_memory.markdown.code_spans import spaced_spans
from agent_memory.markdown.references import sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_TOOLS = (
    *sorted({runner.part for runner in RUNNERS.values()}),
    *("npm ", "yarn ", "bun ", "--run", " -m ", "corn ", "daphne "),
)
"""Every line with a command has one of them, perhaps with tabs in place of spaces.

"corn " is of uvicorn, hypercorn and gunicorn.
"""
_UNSURE = lazy_compile(
    r"#\s*or\b|#.*\boptional\b"
    r"|#.*\bif (?:it is )?(?:available|configured|defined|installed|present)\b",
    re.IGNORECASE,
)
"""A comment by which the command need not exist.

It is an alternative (``# or``), or only some projects have it (``# optional``, ``# if installed``).
"""
_FALLBACK = lazy_compile(r"[^&;#\n]*\|\| *\w|`?,? or `(?:npx|bunx|pnpm dlx|yarn dlx) ")
"""After a command: another one that is run if it fails.

``|| true``, or after the end of a code span: "`make lint` or `npx eslint`".
"""


class Command(NamedTuple):
    """A call of ``tool`` with the ``name`` of the script, module or task.

    ``tool`` is npm for any package manager of Node, pnpm for a filter of pnpm, whose ``name`` is
    that of a package, python, or a key of :data:`RUNNERS`.
    ``text`` is its sentence, as in :class:`Reference`; empty in a fence. ``package`` is the name or
    the folder of the package whose script is called. It is '' if the command names none: a script
    of any package may be meant.
    """

    tool: str
    name: str
    span: Span
    text: str
    package: str = ""


def commands_of(file: MemoryFile) -> list[Command]:
    """Return the commands in code spans and in shell fences of ``file``."""
    return file.content.once(_all_commands, file)


def _all_commands(file: MemoryFile) -> list[Command]:
    """Return :func:`commands_of` without its cache."""
    return list(_commands(file))


def _commands(file: MemoryFile) -> Iterator[Command]:
    """Yield the commands in shell fences, then those in code spans of prose."""
    yield from _commands_in_fences(file)
    yield from _commands_in_spans(file)


def _commands_in_fences(file: MemoryFile) -> Iterator[Command]:
    """Yield the commands in shell fences, without text.

    A line is left out if a comment on it, or the line above it, says that its command need not
    exist: ``# optional``.
    """
    for number, folder in shell_lines(file).items():
        calls = _calls_on(file.lines[number])
        if calls and not _UNSURE.match(file.lines[number - 1].lstrip()):
            placed = (call.in_folder(folder) for call in calls)
            yield from (call.command(number, 0, "") for call in placed if call)


def _commands_in_spans(file: MemoryFile) -> Iterator[Command]:
    """Yield the commands in code spans of prose outside of examples, with their sentence."""
    shell, examples = shell_lines(file), file.example_lines
    for number, _ in spaced_spans.found_in(file.lines):  # lines with a space or a tab in code
        spans = _calls_in_spans(file.lines[number])
        if not spans or number in shell or number in examples:
            continue
        if not file.markdown.is_prose(number):
            continue
        for start, end, calls in spans:
            text = sentence(file.lines, file.markdown, number, (start, end))
            for call in calls:
                yield call.command(number, start, text)


def _may_call(text: str) -> bool:
    """Return whether ``text`` may have a command: the prefilter. Only False is certain."""
    return any(map(text.replace("\t", " ").__contains__, _TOOLS))


class _Call(NamedTuple):
    """A call in a command line: the fields of :class:`Command`; ``start`` is the name's column."""

    tool: str
    name: str
    start: int
    package: str = ""

    def in_folder(self, folder: str | None) -> _Call | None:
        """Return the call as it runs in ``folder``; None if what it calls there is unknown.

        ``folder`` is '' for that of the file, None for an unknown one. A Python module and a named
        package are the same in every folder. Of other calls, those of npm call a script of the
        package in ``folder``; what the others call is unknown outside of the file's folder.
        """
        if self.tool == "python" or self.package or folder == "":
            return self
        if self.tool == "npm" and folder:
            return self._replace(package=f"./{folder}")
        return None

    def command(self, line: int, offset: int, text: str) -> Command:
        """Return the command of the call in a command line that begins at column ``offset``.

        ``line`` is the number of its line in the file, ``text`` its sentence.
        """
        start = offset + self.start
        span = Span.on_line(line, start, start + len(self.name))
        return Command(self.tool, self.name, span, text, self.package)


@TextCache
def _calls_in(text: str) -> tuple[_Call, ...]:
    """Return the calls in the command line ``text``, those of Python modules last.

    Modules are the same in every folder. The other calls are left out if what they call in their
    folder is unknown. A call with a fallback (``make lint || true``) is left out too: what it calls
    need not exist.
    """
    modules = (
        _Call("python", name, start)
        for name, start in modules_in(text)
        if not _FALLBACK.match(text, start)
    )
    folder = _folder_of(text)
    if folder is None:
        return tuple(modules)
    placed = (call.in_folder(folder) for call in _calls_of_tools(text))
    return (*(call for call in placed if call), *modules)


def _folder_of(text: str) -> str | None:
    """Return the folder in which the command line ``text`` runs: ``web`` for ``cd web && make``.

    '' without ``cd``. None if the folder is not known: for ``cd ..``, for a ``cd`` without ``&&``
    directly after it, and for a second ``cd`` or ``pushd``.
    """
    cd = CD.match(text)
    after_cd = text[cd.end() :] if cd else text
    if re.search(r"\bcd\b|pushd", after_cd):
        return None
    if cd is None:
        return ""
    return cd["folder"] if cd["after"] == "&&" else None


def _calls_of_tools(text: str) -> Iterator[_Call]:
    """Yield the calls of scripts, tasks and packages in ``text``, without those with a fallback.

    If ``text`` has the option for another folder (``make -C web``), yield only calls of scripts of
    a named package: what another folder has is not known.
    """
    is_elsewhere = re.search(r"-C\b", text) is not None
    for script in scripts_in(text):
        if not _FALLBACK.match(text, script.start) and (script.package or not is_elsewhere):
            yield _Call("npm", script.name, script.start, script.package)
    if is_elsewhere:
        return
    for tool, runner in RUNNERS.items():
        for call in runner.calls(text):
            if not _FALLBACK.match(text, call.end()):
                yield _Call(tool, call["name"], call.start("name"))
    for call in FILTER.finditer(text):
        if not _FALLBACK.match(text, call.end()):
            yield _Call("pnpm", call[1], call.start(1))


@TextCache
def _calls_on(line: str) -> tuple[_Call, ...]:
    """Return the calls on ``line``, one of a shell fence.

    () if its comment says that they need not exist: ``# optional``.
    """
    if not _may_call(line) or _UNSURE.search(line):
        return ()
    return _calls_in(without_newline(line))


@TextCache
def _calls_in_spans(line: str) -> tuple[tuple[int, int, tuple[_Call, ...]], ...]:
    """Return (start, end, calls) of each code span of ``line`` with calls.

    ``start`` and ``end`` are the columns of the span's text. A span with a fallback after it is
    left out: "`make lint` or `npx eslint`".
    """
    if not _may_call(line):
        return ()
    spans_with_calls = []
    for span in spaced_spans(line):
        calls, end = _calls_in(span.text), span.start + len(span.text)
        if calls and not _FALLBACK.match(line, end):
            spans_with_calls.append((span.start, end, calls))
    return tuple(spans_with_calls)


def callable_names(command: Command, file: MemoryFile, project: Project) -> frozenset[str] | None:
    """Return the names that ``command`` could call in this project in place of its own.

    These are the scripts or tasks of any folder, or of the ``package`` that the command names. For
    a Python module, they are the modules in its innermost existing package
    (:func:`modules_beside`), for a filter of pnpm the packages. None if they are unknown.
    """
    if command.tool == "python":
        return modules_beside(command.name, project)
    if command.tool == "pnpm":
        return package_names(file, project)
    if command.tool == "npm":
        return scripts_of(command.package, file, project)
    return file.memo.once(RUNNERS[command.tool].known, file, project)
