"""Whether a text says that a path in it exists: no placeholder, build output, plan or example.

The heuristic prefers false negatives. The words that decide are data (lint/words/).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text_cache import TextCache
from agent_memory.lint.shared.surroundings import introductions, lines_below
from agent_memory.lint.shared.word_lists import says, word_list, words_of
from agent_memory.markdown.code_spans import code_spans
from agent_memory.markdown.model import LineKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from agent_memory.lint.memory_file import MemoryFile
    from agent_memory.markdown.references import Reference

_EXTENSION = lazy_compile(
    r"(?:astro|bash|bat|bicep|cc?|cfg|cjs|clj|cmake|conf|cpp|cs|csproj|css|csv|cts|cxx|dart|env|erl"
    r"|exs?|fs|fsproj|gif|go|gql|gradle|graphql|groovy|h|hcl|hpp|hs|html|hxx|ini|ipynb|java|jl|jpe?g|jsx?"
    r"|json[5c]?|kts?|less|lock|lua|mm?|mdx?|mdc|mjs|mk|ml|mts|nim|nix|php|pl|plist|png|prisma"
    r"|properties|proto|ps1|psm1|pyx?|pyi|rb?|rs|rst|sass|scala|scss|sh|sln|sol|sql|svelte|svg"
    r"|swift|tex|tf|tfvars|toml|tsx?|txt|vb|vue|wasm|webp|xcodeproj|xml|ya?ml|zig|zsh)\Z"
)
_CLEAR_EXTENSION = lazy_compile(
    r".*\.(?:astro|bash|bat|cfg|cjs|csproj|css|cts|dart|go|gradle|graphql|html|ini|ipynb|java|jsx"
    r"|json[5c]?|kts?|less|mdx?|mdc|mjs|mts|php|prisma|proto|ps1|py|rb|rs|rst|scss|sh|sln|sql|svelte"
    r"|swift|tf|toml|tsx?|txt|vue|ya?ml|zig)\Z"
)
"""Extensions by which a name without a folder is a file, and not a method such as `user.lock`."""
_REPORT = lazy_compile(r"[-_]report\.(?:html|json|xml)\Z")
"""A file that a tool writes."""
_PRODUCT = lazy_compile(
    r"(?:Backbone|Chart|D3|Discord|Ember|Express|Next|Node|Nuxt|React|Socket|Three|Vue)\.js\Z"
)
"""Names of software that look like those of files."""
_HEDGES = ("path_hedges", "past_hedges", "gone", "foreign_hedges")
"""Word lists: with one of these words in its sentence, a path need not exist."""
_OF_NOTES = ("note_hedges", "gone")
"""The word lists for the note about a path that begins an entry: it says what the file does."""
_DO_NOT_EDIT = lazy_compile(
    r"\b(?:do not|don't|never|must not|should(?: not|n't)|avoid|not) (?:directly |manually )?"
    r"(?:(?:hand-)?edit(?:ing)?|modify(?:ing)?|change|touch|break|rewrite)\b"
    r"(?=[^`.;]{0,30}` `)"
)
"""Said of files that exist: ``never edit x``."""
_CONTRAST = lazy_compile(r"(?<=` `),? \(?(?:and )?(?:not|never|instead of|rather than) `x`\)?")
"""Another thing that the path is used in place of: "use ` `, not `x`"."""
_READ = lazy_compile(r"\b(?:see|read|consult|refer to|follow)\b[^`.;]{0,20} ?` `")
_OF_THE_PAST = "past_hedges"
"""The word list that does not count if the text tells the agent to read the path."""
_OWN_SPAN = "` `"
"""The code span of the path in its text, where a space stands for the path."""
_OTHER = lazy_compile(r"`[^`]*`|\]\([^()]*\)")
"""A code span or a link target. Its words say nothing about the path, unless it is the path's."""
_MY_NAME = lazy_compile(r"(?:[Mm]y|[Yy]our|[Ss]ome)(?=[A-Z])")
_PLACE_OF_USER = lazy_compile(r"~/|`\.[\w-]+/?`|\$\{?home\b|%\w+%")
_OF_PROJECT = lazy_compile(
    r"\.github/|\.(?:agents|ai|claude|codex|cursor|gemini|opencode)/"
    r"(?:agents|commands|docs|guides|hooks|instructions|prompts|references?|rules|skills|specs)/"
)
"""Folders of tools that a project shares."""
_OF_TESTS = frozenset({"__mocks__", "__snapshots__", "__tests__"})
"""Folders by convention, which come with the first test of a package."""
_ROUTE = lazy_compile(r"\b(?:routes?|urls?)\b")
_ELSEWHERE = lazy_compile(r"\bin \[[^\]]*\]\(https?://")
_IN = lazy_compile(r"\bin (?:the )?`?([\w.-]*\w)")
_REPOSITORY = lazy_compile(r"github\.com/[\w.-]+/([\w-]+(?:\.[\w-]+)*)")
_ABSOLUTE = lazy_compile(r"(?<![\w.~/\\-])(?:[A-Za-z]:[/\\]|/)[\w.-]+(?:[/\\][\w.-]+)+")
_PARTS_MAX = 20
"""Folders of an absolute path whose ends are compared."""
_IN_HOME = lazy_compile(
    r"(?<![\w/.])(?:~/|/(?:home|Users|opt|mnt|srv|var)/)[^\s`]+`?[^`/]{0,40}:?\s*\Z"
)
"""The text above a list of what is in a folder of the user: ``stored in `~/.config/x/`:``."""
_REAL = lazy_compile(r"\W*examples?\W*\Z")
"""The text above a list of examples, which may be files of the project: ``Examples:``."""
_ALONE = lazy_compile(r"[\W_]*\Z")
_CREATED = lazy_compile(
    r"(?:\b(?:creat(?:e|es|ing)|sav(?:e|es|ing)|generat(?:e|es|ing)"
    r"|writ(?:e|es|ing)[^`.;]{0,30} to)\b"
    r"|建立|创建|創建|生成|作成|생성)[^`.;]{0,40}`([^`\s]+)`"
)
"""A verb and the path that is created: ``Save the choices to `docs/choices.md` ``; lower case."""
_BRANCHES = lazy_compile(r"\b(?:branch(?:es)?|naming|prefix(?:es)?)\b")
_COLONS = (":", "：")  # noqa: RUF001
_ROWS = 200
"""Rows above a row that are searched for the head of the table."""
_EXAMPLES = 50
"""Paths of a list that are looked up to tell whether its examples are real."""


class PathClaim(NamedTuple):
    """A path and the text that names it (in lower case, with a space in place of the path)."""

    path: str
    text: str
    is_folder: bool = False
    is_noted: bool = False
    """Whether an entry begins with the path, so that the text is a note about it."""


@TextCache
def is_claim(claim: PathClaim) -> bool:
    """Return whether the text says that the path exists.

    It does not for a path that need not exist by its form (of a placeholder, a build output, a
    personal file or a host), or by a word of the text (:func:`is_stated`).
    """
    path, folder = claim.path, claim.is_folder
    parts = path.split("/")
    if "..." in path:
        return False  # shortened
    if parts[0].startswith(".") and not _OF_PROJECT.match(path):
        return False  # personal files of tools
    if "." in parts[0][1:] and len(parts) > 2:
        return False  # a host name: `example.com/docs/api`
    invented = word_list("placeholder_names")
    built = words_of("build_folders")
    folders = parts if folder else parts[:-1]
    if any(part.lower() in built or _is_invented(part, invented) for part in folders):
        return False
    if not folder and not _is_file_name(parts[-1], invented):
        return False
    if folder and parts[-1] in _OF_TESTS:
        return False
    return is_stated(claim)


def is_stated(claim: PathClaim) -> bool:
    """Return whether no word of the text says that the path need not exist.

    A note is about what the file does, so fewer words count in it than in a sentence.
    """
    text = claim.text
    if claim.is_noted:
        return not any(word_list(name).search(text) for name in _OF_NOTES)
    is_route = claim.is_folder and _ROUTE.search(text)  # "the route `users/`"
    return not is_route and not _is_hedged(text)


def is_to_be_read(claim: PathClaim) -> bool:
    """Return whether the text tells the agent to read the path, which is not gone or elsewhere.

    Of a file that the project had, this is enough: the rest of the sentence does not count.
    """
    prose = _without_other_spans(claim.text)
    is_not_here = any(word_list(name).search(prose) for name in ("gone", "foreign_hedges"))
    return bool(_READ.search(claim.text)) and not is_not_here


def _without_other_spans(text: str) -> str:
    """Return ``text`` with `x` for each code span and link but that of the path."""
    return _OTHER.sub(lambda span: span[0] if span[0] == _OWN_SPAN else "`x`", text)


def _clause_of_path(text: str) -> str:
    """Return the part of ``text`` between semicolons with the path; ``text`` without one."""
    clauses = text.split(";")
    return next((clause for clause in clauses if _OWN_SPAN in clause), text)


def _is_hedged(text: str) -> bool:
    """Return whether a word of the sentence says that its path need not exist.

    "Never edit x" does not say so, nor does "use x, not y", nor a word about the past in "See x,
    which was split".
    """
    clause = _clause_of_path(_without_other_spans(text))
    prose = _CONTRAST.sub("", _DO_NOT_EDIT.sub("", clause))
    is_read = bool(_READ.search(text))
    return any(
        word_list(name).search(prose) for name in _HEDGES if not (is_read and name == _OF_THE_PAST)
    )


@TextCache
def is_claim_by_name(claim: PathClaim) -> bool:
    """Return whether the text says that the project has a file of this name, in any folder.

    Names that tools define exist outside of projects too.
    """
    name, text = claim.path, claim.text
    if not _CLEAR_EXTENSION.match(name) or not name[0].isalnum():
        return False  # `_test.go` is the end of a name
    if word_list("common_names").match(name.lower()) or _PLACE_OF_USER.search(text):
        return False
    # A note says what the file does; a sentence may say how files are named: "each has a `x.md`".
    is_of_one_file = claim.is_noted or not word_list("naming_hedges").search(text)
    return is_of_one_file and is_claim(claim)


def _is_invented(part: str, invented: re.Pattern[str]) -> bool:
    """Return whether ``part`` of a path is a placeholder: a word of ``invented``, or ``MyApp``."""
    return bool(invented.match(part.lower()) or _MY_NAME.match(part))


def _is_file_name(name: str, invented: re.Pattern[str]) -> bool:
    """Return whether ``name`` is that of a file people keep: no placeholder, no local settings."""
    stem, _, extension = name.rpartition(".")
    if not _EXTENSION.match(extension.lower()) or _PRODUCT.match(name):
        return False
    low = name.lower()
    return not (
        _is_invented(stem, invented)
        or ".local." in low
        or ".generated." in low
        or _REPORT.search(low)
        or low.startswith(".env")
    )


def is_sample(
    file: MemoryFile, reference: Reference, path: str, exists: Callable[[str], bool]
) -> bool:
    """Return whether the place of the path says that it is a sample, so that it need not exist.

    The section, the column or the list is about names, branches, examples or plans, or the line has
    nothing but the path and a fence with the sample follows. The examples of a list are real if
    one of them ``exists``, a test of a path. ``path`` is that of ``reference`` in normal form.
    """
    line = reference.span.line
    if says(("naming_headings", _heading_above(file, line))):
        return True
    head = _head_of_column(file, reference)
    if head and says(("naming_hedges", head)):
        return True
    if _is_branch(file, reference, path) or is_of_plan(file, reference, path, exists):
        return True
    return bool(_ALONE.match(reference.text)) and precedes_fence(file, line)


def is_of_plan(
    file: MemoryFile, reference: Reference, path: str, exists: Callable[[str], bool]
) -> bool:
    """Return whether a heading or the text above the list says that its paths need not exist.

    Headings are those of the section and of the column of a table. The examples of a list are
    real if one of them ``exists``.
    """
    line = reference.span.line
    titles = (*_headings_of(file, line), _head_of_column(file, reference))
    if any(says(("section_hedges", title)) for title in titles):
        return True
    text = introduction(file, line)
    if not text or _introduces_existing((text, "/" in path)):
        return False
    others = islice(_others(file, line), _EXAMPLES)
    is_real = bool(_REAL.match(text)) and any(map(exists, others))
    return not is_real


def _heading_above(file: MemoryFile, line: int) -> str:
    """Return the text of the heading above ``line``, '' for none."""
    headings = file.markdown.headings
    above = bisect_left(headings, line, key=lambda heading: heading.line)
    return headings[above - 1].text if above else ""


def _headings_of(file: MemoryFile, line: int) -> Iterator[str]:
    """Yield the text of the heading above ``line``, then of the headings that it is below.

    One of level 1 is left out, unless it is the one above ``line``: it is the title of the file.
    """
    headings = file.markdown.headings
    outer = file.content.once(_outer_headings, file)
    number = bisect_left(headings, line, key=lambda heading: heading.line) - 1
    if number >= 0:
        yield headings[number].text
        number = outer[number]
    while number >= 0 and headings[number].level > 1:
        yield headings[number].text
        number = outer[number]


def _outer_headings(file: MemoryFile) -> list[int]:
    """Return for each heading the number of the one that its section is in, -1 for none."""
    outer: list[int] = []
    open_headings: list[int] = []
    headings = file.markdown.headings
    for number, heading in enumerate(headings):
        while open_headings and headings[open_headings[-1]].level >= heading.level:
            open_headings.pop()
        outer.append(open_headings[-1] if open_headings else -1)
        open_headings.append(number)
    return outer


def _is_branch(file: MemoryFile, reference: Reference, path: str) -> bool:
    """Return whether ``path`` is the start of a branch: ``feature/``, below text about branches.

    ``path`` is that of ``reference`` without the slash at its end.
    """
    is_top = "/" not in path and reference.path.endswith("/")
    return is_top and _is_of_branches(file, reference.span.line)


def is_about_other_project(file: MemoryFile, reference: Reference) -> bool:
    """Return whether the path is one of another project.

    Its sentence says so, that of another mention of the path does, a heading, the text that
    introduces its list, or an absolute path that ends with it.
    """
    if _is_in_repository(file, reference.text) or reference.path in _elsewhere(file):
        return True
    if reference.path.strip("/") in file.content.once(_ends_of_absolute_paths, file):
        return True
    return file.content.once(_lines_of_other_projects, file)[reference.span.line]


def _lines_of_other_projects(file: MemoryFile) -> list[bool]:
    """Return for each line whether a text that it is part of is about another project."""
    return lines_below(file.lines, file.markdown, _is_foreign_scope)


@TextCache
def _is_foreign_scope(text: str) -> bool:
    """Return whether ``text``, above a path, says that its paths are not in this project."""
    if _IN_HOME.search(text):
        return True
    return bool(word_list("foreign_scope").search(_OTHER.sub("`x`", text.lower())))


def _elsewhere(file: MemoryFile) -> frozenset[str]:
    return file.content.once(_paths_elsewhere, file)


def _paths_elsewhere(file: MemoryFile) -> frozenset[str]:
    """Return the paths of which a sentence says that they are in another repository."""
    references = map(file.with_text, file.path_references)
    return frozenset(
        reference.path for reference in references if _is_in_repository(file, reference.text)
    )


def is_said_gone(file: MemoryFile, path: str) -> bool:
    """Return whether a line of the file says that ``path``, or a folder above it, was removed."""
    gone = file.content.once(_paths_gone, file)
    parts = path.strip("/").split("/")
    return any("/".join(parts[:end]) in gone for end in range(1, len(parts) + 1))


def is_created(file: MemoryFile, path: str) -> bool:
    """Return whether a line of the file says to create ``path``, as a workflow does in its course.

    ``path`` is in lower case. The line may leave out folders of the path, or have more of them.
    """
    created, ends_of_created = file.content.once(_paths_created, file)
    return path in ends_of_created or not created.isdisjoint(_ends(path))


def _paths_created(file: MemoryFile) -> tuple[frozenset[str], frozenset[str]]:
    """Return the paths that lines say to create, and the ends of these paths, in lower case."""
    lines = (line.lower() for line in file.lines if "`" in line)
    created = frozenset(path for line in lines for path in _CREATED.findall(line))
    return created, frozenset(end for path in created for end in _ends(path))


def _ends(path: str) -> list[str]:
    """Return ``path`` and what is left of it without its first folders: a/b/c, b/c and c."""
    parts = path.split("/")
    return ["/".join(parts[at:]) for at in range(min(len(parts), _PARTS_MAX))]


def _paths_gone(file: MemoryFile) -> frozenset[str]:
    """Return the code spans of lines about removed files, without a slash at the end."""
    lines = (line for line in file.lines if "`" in line and says(("removed", line)))
    return frozenset(span.text.strip("/") for line in lines for span in code_spans(line))


def _ends_of_absolute_paths(file: MemoryFile) -> frozenset[str]:
    """Return the ends of absolute paths in the text: ``a.py``, ``src/a.py`` of /srv/x/src/a.py.

    The first two parts are left out: they are folders of the machine.
    """
    ends: set[str] = set()
    for path in _ABSOLUTE.findall(file.content.text):
        parts = [part for part in re.split(r"[/\\]", path) if part]
        ends.update("/".join(parts[start:]) for start in range(2, min(len(parts), _PARTS_MAX)))
    return frozenset(ends)


def _is_in_repository(file: MemoryFile, text: str) -> bool:
    """Return whether ``text`` says that a path is in another repository.

    It names one that the file links to ("in site-docs"), or links to its page ("in [x](https://…)").
    """
    if _ELSEWHERE.search(text):
        return True
    names = file.content.once(_repositories, file)
    return any(place[1] in names for place in _IN.finditer(text))


def _repositories(file: MemoryFile) -> frozenset[str]:
    return frozenset(name.lower() for name in _REPOSITORY.findall(file.content.text))


def _others(file: MemoryFile, line: int) -> Iterator[str]:
    """Yield the paths in the other items of the list of ``line``."""
    starts, paths = file.content.once(_paths_of_lists, file)
    return (path for at, path in paths[starts[line]] if at != line)


def _paths_of_lists(file: MemoryFile) -> tuple[list[int], dict[int, list[tuple[int, str]]]]:
    """Return (the first line of the list of each line, the paths of each list).

    The paths are (line, path), by the first line of their list. A line outside of lists is a list
    of its own.
    """
    starts: list[int] = []
    kinds = file.markdown.kinds
    for number, kind in enumerate(kinds):
        is_next = kind is LineKind.ITEM and number > 0 and kinds[number - 1] is LineKind.ITEM
        starts.append(starts[-1] if is_next else number)
    paths: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for reference in file.path_references:
        line = reference.span.line
        paths[starts[line]].append((line, reference.path))
    return starts, paths


def _is_of_branches(file: MemoryFile, line: int) -> bool:
    """Return whether the text above the list of ``line`` is about names of branches."""
    above = file.content.once(introductions, file.lines, file.markdown)[line]
    return bool(_BRANCHES.search(file.lines[above].lower()))


def _head_of_column(file: MemoryFile, reference: Reference) -> str:
    """Return the heading of the table column that the path is in, in lower case; '' for none."""
    line, lines = reference.span.line, file.lines
    if not lines[line].lstrip().startswith("|"):
        return ""
    column = lines[line].count("|", 0, reference.span.start)  # from 1: a row begins with a bar
    top = line
    while top > max(0, line - _ROWS) and lines[top - 1].lstrip().startswith("|"):
        top -= 1
    cells = lines[top].split("|")
    return cells[column].strip().lower() if top < line and column < len(cells) else ""


def introduction(file: MemoryFile, line: int) -> str:
    """Return the text that ends with a colon above the list of ``line``, in lower case.

    It is the item that the item of ``line`` is nested in, else the text above the whole list; ''
    without such a text, and outside of lists.
    """
    kinds = file.markdown.kinds
    if kinds[line] is not LineKind.ITEM:
        return ""
    outer = file.content.once(outer_items, file).get(line)
    if outer is not None:
        text = _without_emphasis(file.lines[outer])
        if text.endswith(_COLONS):
            return text.lower()
    above = file.content.once(introductions, file.lines, file.markdown)[line]
    if kinds[above] is not LineKind.TEXT:
        return ""
    text = _without_emphasis(file.lines[above])
    return text.lower() if text.endswith(_COLONS) else ""


def _without_emphasis(line: str) -> str:
    """Return ``line`` without spaces around it, and without ``**`` or ``_`` at its end."""
    return line.strip().rstrip("*_ ")


def outer_items(file: MemoryFile) -> dict[int, int]:
    """Return the line of the item that each nested item is directly in, by its line."""
    outer: dict[int, int] = {}
    above: list[tuple[int, int]] = []  # (indent, line) of the items that the next one may be in
    for item in file.markdown.items:
        line = file.lines[item.line]
        indent = len(line) - len(line.lstrip())
        while above and above[-1][0] >= indent:
            above.pop()
        if above:
            outer[item.line] = above[-1][1]
        above.append((indent, item.line))
    return outer


@TextCache
def _introduces_existing(question: tuple[str, bool]) -> bool:
    """Return whether no word of the text above a list says that its files need not exist.

    ``question`` is (text, whether the path has a folder). Words about names count for a name
    without a folder only.
    """
    text, in_folder = question
    names = _HEDGES if in_folder else (*_HEDGES, "naming_hedges")
    prose = _OTHER.sub("`x`", text)
    return not any(word_list(name).search(prose) for name in names)


def precedes_fence(file: MemoryFile, line: int) -> bool:
    """Return whether the next line with text opens a fence, such as with the content of a file."""
    kinds = file.markdown.kinds
    below = range(line + 1, len(kinds))
    after = next((number for number in below if kinds[number] is not LineKind.BLANK), -1)
    return after in file.content.once(_fence_lines, file)


def _fence_lines(file: MemoryFile) -> frozenset[int]:
    return frozenset(fence.open for fence in file.markdown.fences)
