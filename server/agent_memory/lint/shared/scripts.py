"""The scripts of package.json files: which ones a command runs, and which ones there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text_cache import TextCache
from agent_memory.formats.json_parser import parse_json
from agent_memory.formats.limits import FormatError
from agent_memory.lint.shared.shell_fences import START
from agent_memory.lint.shared.word_lists import says

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.lint.project import Project

_CALL = lazy_compile(
    rf"{START}(?P<manager>npm|pnpm|yarn|bun|node(?=[ \t]+--run\b))[ \t]+"
    r"(?P<arguments>(?:(?!&&)[^;|#>\n])*)"
)
"""A command at the start of a line or after ``&&`` or ``;``: ``CI=1 npm run build``.

The arguments end before the next command, a redirection or a comment.
"""
FILTER = lazy_compile(
    rf"{START}pnpm[ \t]+(?:-r[ \t]+)?(?:--filter[ =]|-F )"
    r"[\"']?(@[a-z][\w.-]*/[\w-]+|[A-Za-z][\w-]*)[\"']?(?=[ \t]|\Z)"
)
"""A filter of pnpm by the whole name of a package: ``pnpm --filter web build``.

The group is the name, which may lack its scope; not a pattern, a folder or a placeholder.
"""
_WORD = lazy_compile(r"\S+")
_NAME = lazy_compile(r"[A-Za-z][\w.:-]*\Z")
"""The name of a script, such as ``test:unit``; not a path or a placeholder."""
_OF_PACKAGE = frozenset({"-w", "--workspace", "-F", "--filter", "--prefix", "--dir", "-C", "--cwd"})
"""Options whose value is the name or the folder of a package."""
_PLAIN = frozenset({"-s", "--silent", "-r", "--recursive", "-ws", "--workspaces", "--parallel"})
"""Options without a value: the word after one of them is the name of the script."""
_RUN = frozenset({"run", "run-script", "--run"})
"""Words after which the name of a script follows."""
_SCRIPTS_OF_NPM = frozenset({"start", "test", "stop", "restart"})
"""Commands of npm that run the script of that name, and fail without it."""
_OWN = {
    "pnpm": frozenset({"clean", "deploy", "docs", "start"}),
    "yarn": frozenset({"check"}),
    "bun": frozenset({"build", "test"}),
}
"""Names of usual scripts that are commands of the manager, or have a meaning without a script."""
_DEPENDENCIES = ("dependencies", "devDependencies", "optionalDependencies")
"""Fields of a package.json with the packages that are installed for it."""
_PACKAGES_MAX = 200
"""Packages of a project; with more, its scripts are not checked."""


class Script(NamedTuple):
    """A script that a command runs; ``start`` is the column of its name.

    ``package`` is the name or the folder of its package, '' for any package.
    """

    name: str
    start: int
    package: str


class _Word(NamedTuple):
    """A word of the arguments of a command; ``column`` counts from the start of the arguments."""

    text: str
    column: int


class _Arguments(NamedTuple):
    """The words of a command that are not options; ``package`` is '' if no option names one."""

    words: list[_Word]
    package: str


@TextCache
def scripts_in(text: str) -> tuple[Script, ...]:
    """Return the scripts that the command line ``text`` runs."""
    scripts = (
        _script(call["manager"], call["arguments"], call.start("arguments"))
        for call in _CALL.finditer(text)
    )
    return tuple(script for script in scripts if script)


def _script(manager: str, arguments: str, offset: int) -> Script | None:
    """Return the script that ``manager`` runs, None if it runs another command or is not clear.

    ``arguments`` is the text after the manager, which begins at column ``offset`` of the line.
    """
    parsed = _without_options(arguments)
    if parsed is None:
        return None
    words, package = parsed.words, parsed.package
    if manager == "yarn" and len(words) > 2 and words[0].text == "workspace":
        package, words = words[1].text, words[2:]  # yarn workspace web build
    has_run = bool(words) and words[0].text in _RUN  # npm run build
    if has_run:
        words = words[1:]
    if not words or not _NAME.match(words[0].text):
        return None
    name, *others = words
    if any("/" not in word.text and "." not in word.text for word in others):
        return None  # not paths as arguments, but a sentence: `npm test before a commit`
    if not _is_script(manager, name.text, has_run=has_run):
        return None
    return Script(name.text, offset + name.column, package)


def _is_script(manager: str, name: str, *, has_run: bool) -> bool:
    """Return whether ``name`` can only be that of a script. ``has_run``: ``run`` precedes it.

    Without ``run``, it may be a command of the manager or a program (``yarn tsc``). With ``run``
    too, it may be a program for yarn and bun. A name with a colon, or of a usual script, is not
    that of a program.
    """
    if has_run and manager not in ("yarn", "bun"):
        return True
    if manager == "node":
        return False  # `node build` runs a file
    if manager == "npm":
        return name in _SCRIPTS_OF_NPM  # others are commands of npm: `npm install`
    if ":" in name:
        return True
    is_own_command = not has_run and name in _OWN[manager]
    return says(("script_words", name)) and not is_own_command


def _without_options(arguments: str) -> _Arguments | None:
    """Return the words of ``arguments`` that are not options, and the package that options name.

    None if an option before the first word could have the next word as its value, if the script
    need not exist, or if the name of the package is missing.
    """
    words: list[_Word] = []
    package, package_follows = "", False
    for match in _WORD.finditer(arguments):
        word = _Word(match[0], match.start())
        if word.text == "--run" and not words:  # `node --run build`: a word like `run`, no option
            words.append(word)
            continue
        option, equals_sign, value = word.text.partition("=")
        if package_follows:
            package, package_follows = word.text, False
        elif word.text == "--":  # the arguments of the script follow
            break
        elif option in _OF_PACKAGE:
            package, package_follows = value, not equals_sign
        elif option == "--if-present":
            return None  # the script need not exist
        elif not option.startswith("-"):
            words.append(word)
        elif not words and option not in _PLAIN:
            return None  # `npm --loglevel silent run build`: the next word may be a value
    return None if package_follows else _Arguments(words, package.strip("\"'"))


def scripts_of(package: str, file: MemoryFile, project: Project) -> frozenset[str] | None:
    """Return the names of the scripts of ``package``, a name or a folder; '': of all packages.

    Dependencies with the name of a usual script count (:func:`_names`), and ``start`` if any folder
    has a server.js: without a script of this name, ``npm start`` runs that file. None if the names
    are unknown: :func:`_manifests` are, or not exactly one package.json is that of ``package``.
    """
    every = file.memo.once(_manifests, project)
    if every is None:
        return None
    path = _path_of(package, every)
    if package and not path:
        return None
    packages = [every[path]] if package else list(every.values())
    names = frozenset().union(*map(_names, packages))
    listing = project.tree.listing
    has_server = listing is not None and "server.js" in listing.by_name
    return names | {"start"} if has_server else names


def package_names(file: MemoryFile, project: Project) -> frozenset[str] | None:
    """Return the names of all packages, with and without their scope; None if unknown.

    They are unknown without a workspace of pnpm, whose packages a filter selects.
    """
    every = file.memo.once(_manifests, project)
    if every is None or not project.tree.has("pnpm-workspace.yaml"):
        return None
    values = (manifest.get("name") for manifest in every.values())
    names = {name for name in values if isinstance(name, str)}
    without_scope = {name.rpartition("/")[2] for name in names}
    return frozenset(names | without_scope)


def manifest_of(package: str, file: MemoryFile, project: Project) -> str:
    """Return the path of the package.json of ``package``; that of the root for '' or if unknown."""
    manifests = file.memo.once(_manifests, project)
    path = _path_of(package, manifests) if manifests and package else ""
    return path or "package.json"


def _path_of(package: str, manifests: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the path of the only package.json of ``package``, '' if there is not just one.

    ``package`` is the name of the package, or the end of the path of its folder.
    """
    folder = package.removeprefix("./").strip("/")
    paths = [
        path
        for path, manifest in manifests.items()
        if manifest.get("name") == package or f"/{path}".endswith(f"/{folder}/package.json")
    ]
    return paths[0] if len(paths) == 1 else ""


def _manifests(project: Project) -> Mapping[str, Mapping[str, Any]] | None:
    """Return the values of every package.json of the project, by its path from the root.

    A memory file may refer to any of them. None if the root has none, if there are too many, if one
    cannot be read or parsed, or if the project has too many files to list: then no script may be
    reported as missing.
    """
    listing = project.tree.listing
    paths = listing.by_name.get("package.json", []) if listing else []
    if not paths or len(paths) > _PACKAGES_MAX or not project.tree.has("package.json"):
        return None
    try:
        return dict(_read(paths, project))
    except (FormatError, AttributeError):
        return None


def _read(paths: list[str], project: Project) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield (path, values of that package.json) for each of ``paths``.

    Raises:
        FormatError: one is not JSON, such as the empty text of a file that cannot be read.
        AttributeError: the values of one are not a table.

    """
    for path in paths:
        manifest = parse_json(project.ctx.store.read(project.tree.root / path).text)
        manifest.get("scripts")  # raises AttributeError if it is not a table
        yield path, manifest


def _names(manifest: Mapping[str, Any]) -> frozenset[str]:
    """Return the names of the scripts, and of dependencies that have the name of a usual script.

    Such a dependency has a program that a command may run instead: ``yarn lint``.
    """
    scripts = manifest.get("scripts")
    names = scripts if isinstance(scripts, dict) else {}
    fields = (manifest.get(field) for field in _DEPENDENCIES)
    packages = (name for field in fields if isinstance(field, dict) for name in field)
    programs = (name for name in packages if says(("script_words", name)))
    return frozenset((*names, *programs))
