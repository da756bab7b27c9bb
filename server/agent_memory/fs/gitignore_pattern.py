r"""One line of a .gitignore file: its pattern, and the paths it matches.

The library `pathspec` is not used: it compiles `*a*a*a*a*a*a*b` to an expression that takes more
than 5 s on a path of 40 characters, and its import takes 30 ms. A .gitignore file comes with the
repository, so the time must not depend on its good will. Here each path component is matched by
itself, without backtracking into an earlier wildcard.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from agent_memory.base.lazy_regex import lazy_compile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LENGTH_MAX = 4096
"""Characters of a pattern; a longer one is ignored, since no path is as long."""
_TOKEN = lazy_compile(
    r"\\(?P<escaped>.)|(?P<slash>/)|(?P<stars>\*+)|(?P<any>\?)"
    r"|\[(?P<set>[!^]?\]?(?:\[:[a-z]*:\]|\\.|[^\]\\])*)\]|(?P<invalid>[\\\[])|(?P<char>.)",
    re.DOTALL,
)
r"""A token of a pattern: ``\#``, ``/``, ``*`` or ``**``, ``?``, ``[a-z]`` or another character.

A ``]`` at the start of a set belongs to it, as in ``[]a]`` and ``[!]]``. A backslash at the end and
a bracket that is never closed are invalid."""
_SET_ITEM = lazy_compile(r"\[:(?P<name>[a-z]*):\]|\\?(?P<low>.)(?:-\\?(?P<high>.))?", re.DOTALL)
"""A part of a set in brackets: a name ``[:digit:]``, a character ``a`` or a range ``a-z``."""
_ANYTHING = lazy_compile(".*", re.DOTALL)
"""The expression for any one path component."""
_NAMED_SETS = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r"\t ",
    "digit": "0-9",
    "lower": "a-z",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\t-\r ",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
"""The ranges of a regular expression that a name such as ``[:alnum:]`` means."""


class Pattern(NamedTuple):
    """A pattern; ``components`` has an expression for each path component, None for `**`.

    ``negated``: it begins with `!` and includes a path again. ``only_folders``: it ends with `/`.
    """

    components: tuple[re.Pattern[str] | None, ...]
    negated: bool
    only_folders: bool

    def matches(self, parts: Sequence[str]) -> bool:
        """Whether the pattern matches the path with the components ``parts``."""
        return len(parts) in self.ends(parts)

    def ends(self, parts: Sequence[str]) -> set[int]:
        """Return each number n for which the path of the first n ``parts`` matches."""
        ends = {0}  # how many path components the pattern so far can have matched
        for component in self.components:
            if component is None:  # `**` matches any number of components
                ends = set(range(min(ends), len(parts) + 1))
            else:
                ends = {end + 1 for end in ends if _matches(component, parts[end : end + 1])}
            if not ends:
                break
        return ends


def parse(line: str) -> Pattern | None:
    """Return the pattern of a line of a .gitignore file, which may end with a CR.

    None for a blank line, a comment, an invalid pattern and one of more than ``_LENGTH_MAX``
    characters.
    """
    text = _without_trailing_spaces(line.removesuffix("\r"))
    if not text or text.startswith("#") or len(text) > _LENGTH_MAX:
        return None
    negated = text.startswith("!")
    text = text[1:] if negated else text
    only_folders = text.endswith("/")
    text = text[:-1] if only_folders else text
    # With a slash at the start or in the middle, the pattern begins at the folder of its file.
    # Without, it matches at any depth, as after `**/`.
    anchored = "/" in text
    components: list[re.Pattern[str] | None] = [] if anchored else [None]
    for tokens in _components(text.removeprefix("/")):
        if any(token["invalid"] for token in tokens):
            return None
        # `**` as a whole pattern is the same as `*`.
        is_any_depth = anchored and len(tokens) == 1 and len(tokens[0]["stars"] or "") > 1
        components.append(None if is_any_depth else _expression(tokens))
    if components[-1] is None:  # `a/**` matches what is below `a`, not `a`: one component more
        components.append(_ANYTHING)
    return Pattern(tuple(components), negated, only_folders)


def _without_trailing_spaces(line: str) -> str:
    """Return ``line`` without spaces at its end, except for one after a backslash."""
    stripped = line.rstrip(" ")
    backslashes = len(stripped) - len(stripped.rstrip("\\"))
    is_escaped = backslashes % 2 == 1  # in pairs, they escape each other
    return stripped + " " if stripped != line and is_escaped else stripped


def _matches(component: re.Pattern[str], part: Sequence[str]) -> bool:
    """Whether ``component`` matches ``part``: a list with one path component, or an empty one."""
    return bool(part) and component.fullmatch(part[0]) is not None


def _components(text: str) -> Iterator[list[re.Match[str]]]:
    """Yield the tokens (matches of ``_TOKEN``) of each path component of the pattern ``text``.

    After an invalid token there are no more: the caller drops the pattern.
    """
    tokens = []
    for token in _TOKEN.finditer(text):
        tokens.append(token)
        if token.lastgroup == "invalid":
            break  # further brackets would each search the rest of the pattern
    # An escaped slash separates components too.
    slashes = [at for at, token in enumerate(tokens) if "/" in (token["slash"], token["escaped"])]
    for before, after in pairwise([-1, *slashes, len(tokens)]):
        yield tokens[before + 1 : after]


def _expression(tokens: Sequence[re.Match[str]]) -> re.Pattern[str]:
    """Return the expression for one component, for ``fullmatch``: `a*b*c` gives ``a(?>.*?b).*c``.

    Text between two stars is matched at its first position only (an atomic group): if the rest
    of the pattern does not match after it, it does not match after a later one either. This keeps
    the time linear. Text after the last star must match at the end of the component, which need
    not be its first position: it is not in such a group.
    """
    chunks = [""]  # the expressions between the stars
    for token in tokens:
        if token["stars"]:
            chunks.append("")
        else:
            chunks[-1] += _one_character(token)
    first, *inner = chunks
    last = ".*" + inner.pop() if inner else ""
    return re.compile(first + "".join(f"(?>.*?{chunk})" for chunk in inner) + last, re.DOTALL)


def _one_character(token: re.Match[str]) -> str:
    """Return the expression for a token that matches one character."""
    if token["any"]:
        return "."
    literal, inside_brackets = token["escaped"] or token["char"], token["set"]
    if literal:
        return re.escape(literal)
    negated = inside_brackets.startswith(("!", "^"))  # `[!a-z]`
    items = _SET_ITEM.finditer(inside_brackets[1:] if negated else inside_brackets)
    inside = "".join(map(_set_item, items))
    if not inside:  # only unknown names such as [:x:]: no character is in the set
        return "." if negated else r"(?!)"
    return f"[^{inside}]" if negated else f"[{inside}]"


def _set_item(item: re.Match[str]) -> str:
    """Return the expression for one part of a character set: a name, a character or a range.

    An unknown name gives ''. Git takes the range `b-a` for `b`.
    """
    if item["name"] is not None:
        return _NAMED_SETS.get(item["name"], "")
    low, high = item["low"], item["high"] or item["low"]
    return f"{re.escape(low)}-{re.escape(max(low, high))}"
