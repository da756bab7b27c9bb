"""The commands in a memory file, and the targets, scripts, recipes and modules of the project."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text import Span, without_newline
from agent_memory.base.text_cache import TextCache
from agent_memory.lint.shared.python_modules import modules_beside, modules_in
from agent_memory.lint.shared.scripts import scripts_in, scripts_of
from agent_memory.lint.shared.shell_fences import CD, shell_lines
from agent_memory.markdown.code_spans import code_spans
from agent_memory.markdown.references import sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_COMMAND = lazy_compile(
    r"(?:\A|&&|;)[ \t]*(?:\$[ \t]+)?(make|just)[ \t]+"
    r"([A-Za-z][\w.:-]*)(?=[ \t]*(?:\Z|&&|;|#|--[ \t]|\|))"
)
_TOOLS = ("make ", "just ", "npm ", "yarn ", "bun ", "node --run", " -m ", "corn ", "daphne ")
"""Part of every line with a command."""
_TARGET = lazy_compile(r"^([^\s:#=][^:#=\n]*)::?(?![:=])", re.MULTILINE)
_PHONY = lazy_compile(r"^\.PHONY[ \t]*:((?:[^\n\\]|\\\n)*)", re.MULTILINE)
_RECIPE = lazy_compile(
    r"""^@?([A-Za-z_][\w-]*)(?:[ \t](?:[^"'`:\n]|"[^"\n]*"|'[^'\n]*'|`[^`\n]*`)*)?:(?!=)""",
    re.MULTILINE,
)
"""The head of a recipe. A parameter may have a default, such as ``*args="-q"``."""
_ALIAS = lazy_compile(r"^alias[ \t]+([\w-]+)[ \t]*:=", re.MULTILINE)
_UNSURE = lazy_compile(
    r"#\s*or\b|#.*\boptional\b"
    r"|#.*\bif (?:it is )?(?:available|configured|defined|installed|present)\b",
    re.IGNORECASE,
)
"""A comment by which the command need not exist: an alternative, or one of some projects."""
_FALLBACK = lazy_compile(r"[^&;#\n]*\|\| *\w|`?,? or `(?:npx|bunx|pnpm dlx|yarn dlx) ")
"""After a command: another one that is run if it does not exist."""
_FILES_MAX = 200
"""Files of one tool in a project; with more, its commands are not checked."""
_COMPUTED = lazy_compile(r"^[^\S\n]*-?s?include\b|\$\(eval|^[^\t\n#%]*%[^\n]*:", re.MULTILINE)
MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
JUSTFILES = ("justfile", "Justfile", ".justfile")


class Command(NamedTuple):
    """A call of ``tool``: make, npm, just or python with the target, script, recipe or module.

    ``text`` is its sentence, as in :class:`Reference`; empty in a fence. ``package`` is the name or
    the folder of the package whose script is called, '' for any.
    """

    tool: str
    name: str
    span: Span
    text: str
    package: str = ""

    @property
    def folder(self) -> str:
        """The folder that the text says the command runs in, '' for none."""
        return self.package.removeprefix("./") if self.package.startswith("./") else ""


def commands_of(file: MemoryFile) -> list[Command]:
    """Return the commands in code spans and in shell fences of ``file``."""
    return file.content.once(_all_commands, file)


def _all_commands(file: MemoryFile) -> list[Command]:
    return list(_commands(file))


def _commands(file: MemoryFile) -> Iterator[Command]:
    shell = shell_lines(file)
    for number, line in enumerate(file.lines):
        if not ("`" in line or number in shell) or not _may_call(line):
            continue
        if number in shell:
            if not _UNSURE.search(line) and not _UNSURE.match(file.lines[number - 1].lstrip()):
                placed = (call.below(shell[number]) for call in _calls_in(without_newline(line)))
                yield from (call.command(number, 0, "") for call in placed if call)
        elif number not in file.example_lines and file.markdown.is_prose(number):
            for span in code_spans(line):
                end = span.start + len(span.text)
                if (calls := _calls_in(span.text)) and not _FALLBACK.match(line, end):
                    said = sentence(file.lines, file.markdown, number, (span.start, end))
                    for call in calls:
                        yield call.command(number, span.start, said)


@TextCache
def _may_call(line: str) -> bool:
    return any(tool in line for tool in _TOOLS)


class _Call(NamedTuple):
    """A call in the text of a command: the fields of :class:`Command`, and its column."""

    tool: str
    name: str
    start: int
    package: str = ""

    def below(self, folder: str | None) -> _Call | None:
        """Return the call as it runs in ``folder``, '' for that of the file; None if unknown.

        ``folder`` is None if it is unknown itself.
        """
        if self.tool == "python" or self.package or folder == "":
            return self
        return self._replace(package=f"./{folder}") if self.tool == "npm" and folder else None

    def command(self, line: int, offset: int, text: str) -> Command:
        """Return the command of the call in a text that begins at column ``offset``."""
        start = offset + self.start
        span = Span.on_line(line, start, start + len(self.name))
        return Command(self.tool, self.name, span, text, self.package)


@TextCache
def _calls_in(text: str) -> tuple[_Call, ...]:
    modules = tuple(_Call("python", name, start) for name, start in modules_in(text))
    goes = CD.match(text)
    folder = "" if goes is None else goes["folder"] if goes["rest"] == "&&" else None
    if folder is None or re.search(r"\bcd\b|pushd|-C\b", text[goes.end() if goes else 0 :]):
        return modules  # the others run in a folder that is not known
    calls = [_Call(match[1], match[2], match.start(2)) for match in _COMMAND.finditer(text)]
    calls += [
        _Call("npm", script.name, script.start, script.package)
        for script in scripts_in(text)
        if not _FALLBACK.match(text, script.start)
    ]
    placed = (call.below(folder) for call in calls)
    return (*(call for call in placed if call), *modules)


def known_to(command: Command, file: MemoryFile, project: Project) -> frozenset[str] | None:
    """Return the names that the tool knows at the root and above ``file``; None if unknown."""
    if command.tool == "python":
        return modules_beside(command.name, project)
    if command.tool == "npm":
        return scripts_of(command.package, file, project)
    return file.memo.once(_make if command.tool == "make" else _just, file, project)


def _texts(file: MemoryFile, project: Project, names: tuple[str, ...]) -> list[str]:
    """Return the texts of the files ``names``, from the folder of ``file`` up to the root."""
    base = project.below_root(file.path) or "."
    folders = [base]
    while folders[-1] not in (".", ""):
        folders.append(posixpath.dirname(folders[-1]) or ".")
    found = []
    for folder in folders:
        names_here = project.ctx.store.names(project.tree.root / folder)
        for name in names:
            if name not in names_here:
                continue
            path = posixpath.normpath(posixpath.join(folder, name))
            content = project.ctx.store.read(project.tree.root / path)
            if content.ok and content.text:
                found.append(content.text)
                break
    return found


def _make(file: MemoryFile, project: Project) -> frozenset[str] | None:
    return _with_those_below(file, project, MAKEFILES, _targets, _written_targets)


@lru_cache(maxsize=256)
def _targets(text: str) -> frozenset[str] | None:
    """Return the targets of a Makefile; None if it includes or computes some."""
    heads = _heads(text)
    computed = any("$" in head for head in heads if not head.startswith("."))
    return None if computed or _COMPUTED.search(text) else _words(heads)


@lru_cache(maxsize=256)
def _written_targets(text: str) -> frozenset[str]:
    """Return the targets that are written in a Makefile, which may have others."""
    return _words(_heads(text))


def _heads(text: str) -> list[str]:
    phony = (item.replace("\\\n", " ") for item in _PHONY.findall(text))
    return [*_TARGET.findall(text), *phony]


def _words(heads: list[str]) -> frozenset[str]:
    return frozenset(word for head in heads for word in head.split())


def _just(file: MemoryFile, project: Project) -> frozenset[str] | None:
    return _with_those_below(file, project, JUSTFILES, _recipes, _written_recipes)


@lru_cache(maxsize=256)
def _recipes(text: str) -> frozenset[str] | None:
    """Return the recipes of a justfile; None if it imports some."""
    if re.search(r"^(?:import|mod)\b|^set fallback", text, re.MULTILINE):
        return None
    return _written_recipes(text)


@lru_cache(maxsize=256)
def _written_recipes(text: str) -> frozenset[str]:
    """Return the recipes that are written in a justfile, which may have others."""
    return frozenset((*_RECIPE.findall(text), *_ALIAS.findall(text)))


def _with_those_below(
    file: MemoryFile,
    project: Project,
    names: tuple[str, ...],
    parse: Callable[[str], frozenset[str] | None],
    parse_below: Callable[[str], frozenset[str]],
) -> frozenset[str] | None:
    """Return what ``parse`` finds from the folder of ``file`` up, and ``parse_below`` elsewhere.

    None if no file is above, or if one of them cannot be parsed. A sentence may name the folder
    that a command runs in, so a command of any folder counts.
    """
    above = [parse(text) for text in _texts(file, project, names)]
    if not above or None in above:
        return None
    listing = project.tree.listing
    paths = [path for name in names for path in listing.by_name.get(name, ())] if listing else []
    if len(paths) > _FILES_MAX:
        return None
    contents = [project.ctx.store.read(project.tree.root / path) for path in paths]
    below = [parse_below(content.text) for content in contents if content.ok]
    return frozenset().union(*(found for found in (*above, *below) if found))
