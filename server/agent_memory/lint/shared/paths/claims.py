"""Whether a sentence says that a path in it exists: no placeholder, build output or plan.

The heuristic prefers false negatives. The words that decide are data (lint/words/).
"""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile
from agent_memory.base.text_cache import TextCache
from agent_memory.lint.shared.word_lists import word_list, words_of

if TYPE_CHECKING:
    import re

_EXTENSION = lazy_compile(
    r"(?:astro|bash|bat|bicep|cc?|cfg|cjs|clj|cmake|conf|cpp|cs|csproj|css|csv|cts|cxx|dart|env|erl"
    r"|exs?|fs|fsproj|gif|go|gql|gradle|graphql|groovy|h|hcl|hpp|hs|html|hxx|ini|ipynb|java|jl|jpe?g|jsx?"
    r"|json[5c]?|kts?|less|lock|lua|mm?|mdx?|mdc|mjs|mk|ml|mts|nim|nix|php|pl|plist|png|prisma"
    r"|properties|proto|ps1|psm1|pyx?|pyi|rb?|rs|rst|sass|scala|scss|sh|sln|sol|sql|svelte|svg"
    r"|swift|tex|tf|tfvars|toml|tsx?|txt|vb|vue|wasm|webp|xcodeproj|xml|ya?ml|zig|zsh)\Z"
)
"""Extensions of files that people keep in a project, without the period."""
_CLEAR_EXTENSION = lazy_compile(
    r".*\.(?:astro|bash|bat|cfg|cjs|csproj|css|cts|dart|exs?|go|gradle|graphql|html|ini|ipynb|java|jsx"
    r"|json[5c]?|kts?|less|mdx?|mdc|mjs|mts|php|prisma|proto|ps1|py|rb|rs|rst|scss|sh|sln|sql|svelte"
    r"|swift|tf|toml|tsx?|txt|vue|ya?ml|zig)\Z"
)
"""A name with an extension by which it is that of a file, not a method such as `user.lock`."""
_DATABASE = lazy_compile(r"\.(?:db|sqlite3?)\Z")
"""A file that a program creates when it starts."""
_REPORT = lazy_compile(r"[-_]report\.(?:html|json|xml)\Z")
"""A file that a tool writes."""
_PRODUCT = lazy_compile(
    r"(?:Backbone|Chart|D3|Discord|Ember|Express|Next|Node|Nuxt|React|Socket|Three|Vue)\.js\Z"
)
"""Names of software that look like those of files."""
HEDGES = ("path_hedges", "past_hedges", "gone", "foreign_hedges")
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
_DOES_NOT_USE = lazy_compile(
    r"(?<=` `)[^`.;]{0,60}\bdo(?:es)?(?: not|n't) (?:call|depend|import|know|load|need|use)\b"
)
"""Said of what the path does, so it exists: "` ` does not import the client"."""
_READ = lazy_compile(r"\b(?:see|read|consult|refer to|follow)\b[^`.;]{0,20} ?` `")
"""Tells the agent to read the path: ``see the guide ` ` ``."""
_SEE_ALSO = lazy_compile(r"\((?:see|read)(?: also| the)? ?(?:` `|(?=[ ,;)]))")
"""A pointer to one file: ``(see ` ` for more)``; of a path in plain text, the text has nothing."""
_OF_THE_PAST = "past_hedges"
"""The word list that does not count if the text tells the agent to read the path."""
_OWN_SPAN = "` `"
"""The code span of the path in its text, where a space stands for the path."""
_OTHER = lazy_compile(r"`[^`]*`|\]\([^()]*\)")
"""A code span or a link target. Its words say nothing about the path, unless it is the path's."""
_MY_NAME = lazy_compile(r"(?:[Mm]y|[Yy]our|[Ss]ome)(?=[A-Z])")
"""A placeholder: ``MyApp``, ``YourComponent``."""
_PLACE_OF_USER = lazy_compile(r"~/|`\.[\w-]+/?`|\$\{?home\b|%\w+%")
"""A folder of the user (``~/``, `` `.x/` ``): a file name near it is not one of the project."""
_OF_PROJECT = lazy_compile(
    r"\.github/|\.(?:agents|ai|claude|codex|cursor|gemini|opencode)/"
    r"(?:agents|commands|docs|guides|hooks|instructions|prompts|references?|rules|skills|specs)/"
)
"""Folders of tools that a project shares."""
_OF_TESTS = frozenset({"__mocks__", "__snapshots__", "__tests__"})
"""Folders by convention, which come with the first test of a package."""
_ROUTE = lazy_compile(r"\b(?:routes?|urls?)\b")
"""Words by which ``users/`` is an address, not a folder."""


class PathClaim(NamedTuple):
    """A path and the text that names it (in lower case, with a space in place of the path)."""

    path: str
    text: str
    is_folder: bool = False
    is_described: bool = False
    """Whether an entry begins with the path, so that the text is a note about it."""


@TextCache
def is_claim(claim: PathClaim) -> bool:
    """Return whether the text says that the path exists.

    False if the path need not exist by its form, such as that of a placeholder, a build output, a
    personal file or a host, or by a word of the text (:func:`is_stated`).
    """
    path, is_folder = claim.path, claim.is_folder
    parts = path.split("/")
    if "..." in path:
        return False  # shortened
    if parts[0].startswith(".") and not _OF_PROJECT.match(path):
        return False  # personal files of tools
    if "." in parts[0][1:] and len(parts) > 2:
        return False  # a host name, as in `example.com/docs/api`; not `v1.2/a.md`
    invented = word_list("placeholder_names")
    built = words_of("build_folders")  # the names of folders that builds create
    folders = parts if is_folder else parts[:-1]
    if any(part.lower() in built or _is_invented(part, invented) for part in folders):
        return False
    if not is_folder and not _is_file_name(parts[-1], invented):
        return False
    if is_folder and parts[-1] in _OF_TESTS:
        return False  # it may come later
    return is_stated(claim)


def is_stated(claim: PathClaim) -> bool:
    """Return whether neither the text nor the file name says that the path need not exist.

    A note is about what the file does, so fewer words count in it than in a sentence. The name of
    an example or of a database says so: ``ExampleTest.php``, ``shop.db``.
    """
    text = claim.text
    if _is_example(claim) or _DATABASE.search(claim.path.lower()):
        return False
    if claim.is_described:
        return not any(word_list(name).search(text) for name in _OF_NOTES)
    # "the route `users/`"; other code may be of a class `Route`
    is_route = claim.is_folder and _ROUTE.search(without_spans(text))
    return not is_route and not _is_hedged(text)


def _is_example(claim: PathClaim) -> bool:
    """Return whether the path is that of a file called like an example: ``ExampleTest.php``."""
    stem = posixpath.basename(claim.path).rpartition(".")[0]
    return not claim.is_folder and bool(word_list("example_names").match(stem.lower()))


def is_to_be_read(claim: PathClaim) -> bool:
    """Return whether the text tells the agent to read the path, and not that it is gone.

    False too if the text says that the path is in another project. For a file that the project had,
    the other words of the sentence do not count.
    """
    prose = _without_other_spans(claim.text)
    is_gone_or_elsewhere = any(word_list(name).search(prose) for name in ("gone", "foreign_hedges"))
    return bool(_READ.search(claim.text)) and not is_gone_or_elsewhere


def without_spans(text: str) -> str:
    """Return ``text`` with `x` for each code span and link target."""
    return _OTHER.sub("`x`", text)


def _without_other_spans(text: str) -> str:
    """Return ``text`` with `x` for each code span and link target, except the span of the path."""
    return _OTHER.sub(lambda span: span[0] if span[0] == _OWN_SPAN else "`x`", text)


def _clause_of_path(text: str) -> str:
    """Return the part of ``text`` between semicolons that has the path in a code span.

    The whole ``text`` if no part has it.
    """
    clauses = text.split(";")
    return next((clause for clause in clauses if _OWN_SPAN in clause), text)


def _is_hedged(text: str) -> bool:
    """Return whether a word of the sentence says that its path need not exist.

    "Never edit x" does not say so, nor "use x, not y", "x does not import y" or a word about the
    past in "See x, which was split".
    """
    prose = _clause_of_path(_without_other_spans(text))
    for expression in (_DO_NOT_EDIT, _CONTRAST, _DOES_NOT_USE):
        prose = expression.sub("", prose)
    names = [name for name in HEDGES if name != _OF_THE_PAST or not _READ.search(text)]
    return any(word_list(name).search(prose) for name in names)


@TextCache
def is_claim_by_name(claim: PathClaim) -> bool:
    """Return whether the text says that the project has a file of this name, in any folder.

    The path of ``claim`` is a name without a folder, with an extension that only files have. False
    for a name that many projects have or tools define, and for a text that names a folder of the
    user or says how files are named.
    """
    name, text = claim.path, claim.text
    if not _CLEAR_EXTENSION.match(name) or not name[0].isalnum():
        return False  # `_test.go` is the end of a name
    if word_list("common_names").match(name.lower()) or _PLACE_OF_USER.search(text):
        return False
    # A note says what the file does; a sentence may say how files are named: "each has a `x.md`".
    is_of_one_file = claim.is_described or _SEE_ALSO.search(text)
    is_named = is_of_one_file or not word_list("naming_hedges").search(text)
    return is_named and is_claim(claim)


def has_file_extension(path: str) -> bool:
    """Return whether ``path`` ends with the extension of a file that people keep: ``.py``."""
    stem, _, extension = path.rpartition(".")
    return bool(stem and _EXTENSION.match(extension.lower()))


def _is_invented(part: str, invented: re.Pattern[str]) -> bool:
    """Return whether ``part`` of a path is a placeholder: a word of ``invented``, or ``MyApp``."""
    return bool(invented.match(part.lower()) or _MY_NAME.match(part))


def _is_file_name(name: str, invented: re.Pattern[str]) -> bool:
    """Return whether ``name`` is that of a file that people keep in a project.

    False without a known extension, for a placeholder (a word of ``invented``), software such as
    ``Node.js``, local settings, and a file that tools write.
    """
    stem, _, extension = name.rpartition(".")
    if not _EXTENSION.match(extension.lower()) or _PRODUCT.match(name):
        return False
    if _is_invented(stem, invented):
        return False
    low = name.lower()
    if ".local." in low or low.startswith(".env"):
        return False
    return ".generated." not in low and not _REPORT.search(low)
